import { LONGEST_CODE } from '../../../../shared/identity/sign-in.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { PasswordField, TextField } from '../../../ui/field/field.tsx'
import styles from './assign.module.css'

export interface SignInDraft {
  readonly username: string
  readonly password: string
  /** The password was right, and a code has to come with it. */
  readonly asked: boolean
  readonly code: string
  readonly read: boolean
}
export const EMPTY_SIGN_IN: SignInDraft = { username: '', password: '', asked: false, code: '', read: false }

interface Props {
  readonly draft: SignInDraft
  readonly onChange: (draft: SignInDraft) => void
  readonly tried: 'password' | 'passkey' | null
  /** The first field of the dialog. */
  readonly first: boolean
}

/** The officer's own sign-in, for one act. */
export function SignInFields({ draft, onChange, tried, first }: Props) {
  const { t } = useTranslation('signIn')
  const { t: dock } = useTranslation('dockSessions')
  const { session } = useSession()
  const typed = tried === 'password'
  const set = (what: Partial<SignInDraft>): void => onChange({ ...draft, ...what })
  const paragraphs = session.Notice?.Paragraphs ?? [
    t('noticeLead'),
    t('noticeRecorded'),
    t('noticeOwnName', { minutes: Math.round(session.IdleSeconds / 60) }),
    t('noticeDisclosure'),
  ]
  return (
    <fieldset className={styles['door']}>
      <legend className={styles['legend']}>{dock('signInFor')}</legend>
      <p className={styles['small']}>{dock('signInForBody')}</p>
      <TextField
        label={t('username')}
        name="username"
        autoComplete="off"
        value={draft.username}
        onChange={(username) => set({ username })}
        autoFocus={first}
        required
        error={typed && draft.username === '' ? t('needed') : undefined}
      />
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={draft.password}
        onChange={(password) => set({ password })}
        required
        error={typed && draft.password === '' ? t('needed') : undefined}
      />
      {draft.asked && (
        <TextField
          label={t('code')}
          name="code"
          description={dock('signInCode')}
          autoComplete="one-time-code"
          value={draft.code}
          onChange={(code) => set({ code })}
          spellCheck={false}
          maxLength={LONGEST_CODE}
          autoFocus
          required
          error={typed && draft.code === '' ? t('needed') : undefined}
        />
      )}
      <Checkbox
        checked={draft.read}
        onChange={(read) => set({ read })}
        error={tried !== null && !draft.read ? t('noticeNeeded') : undefined}
      >
        {t('noticeAccept')}
      </Checkbox>
      <details className={styles['notice']}>
        <summary>{dock('noticeShow')}</summary>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </fieldset>
  )
}
