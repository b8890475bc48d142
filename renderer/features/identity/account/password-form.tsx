import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/own-access.contract.ts'
import { isShortPassword, LONGEST_CODE, PASSWORD_MIN } from '../../../../shared/identity/sign-in.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { PasswordField, TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from './account.module.css'
import { refusalOf } from './refusal.ts'

interface Props {
  readonly onChanged: () => Promise<void>
  readonly onCancel?: (() => void) | undefined
  /** Another way out, beside the button. */
  readonly children?: ReactNode
}

/** The password of before and, twice, the one of from now on. What was typed is gone after each try. */
export function PasswordForm({ onChanged, onCancel, children }: Props) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const { session } = useSession()
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [code, setCode] = useState('')
  /** Whoever has a second step sends its code too; the station says so. */
  const [asksCode, setAsksCode] = useState(false)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const short = isShortPassword(fresh)
  const submit = async (): Promise<void> => {
    setTried(true)
    if (busy || old === '' || short || fresh !== again || (asksCode && code === '')) return
    setBusy(true)
    setRefusal(null)
    try {
      await call(contract.changePassword, {
        body: { Password: old, NewPassword: fresh, ...(code === '' ? {} : { Code: code }) },
      })
      await onChanged()
    } catch (error) {
      if (error instanceof Fault && error.code === 'SecondStepNeeded') {
        setAsksCode(true)
        setTried(false)
        return
      }
      setCode('')
      setRefusal(refusalOf(error, t, format.duration))
      setOld('')
      setFresh('')
      setAgain('')
      setTried(false)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      noValidate
    >
      <div aria-live="assertive">{refusal !== null && <Note state="attention" title={refusal} />}</div>
      <input type="text" name="username" autoComplete="username" value={session.User?.Username ?? ''} readOnly hidden />
      <PasswordField
        label={t('passwordNow')}
        name="password"
        autoComplete="current-password"
        value={old}
        onChange={setOld}
        autoFocus
        required
        error={tried && old === '' ? t('needed') : undefined}
      />
      <PasswordField
        label={t('passwordNew')}
        name="new-password"
        autoComplete="new-password"
        description={t('passwordHow', { count: PASSWORD_MIN })}
        value={fresh}
        onChange={setFresh}
        required
        error={tried && short ? t('passwordShort', { count: PASSWORD_MIN }) : undefined}
      />
      <PasswordField
        label={t('passwordAgain')}
        name="new-password-again"
        autoComplete="new-password"
        value={again}
        onChange={setAgain}
        required
        error={tried && !short && fresh !== again ? t('passwordsDiffer') : undefined}
      />
      {asksCode && (
        <TextField
          label={t('anyCode')}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          spellCheck={false}
          maxLength={LONGEST_CODE}
          autoFocus
          required
          error={tried && code === '' ? t('needed') : undefined}
        />
      )}
      <div className={styles['acts']}>
        <Button kind="main" type="submit" busy={busy}>
          {t('passwordChange')}
        </Button>
        {onCancel !== undefined && <Button onPress={onCancel}>{t('cancel')}</Button>}
        {children}
      </div>
    </form>
  )
}
