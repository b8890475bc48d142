import { type ReactNode, useState } from 'react'
import { isPasskeyName, LONGEST_PASSKEY_NAME } from '../../../../shared/identity/passkeys.contract.ts'
import { LONGEST_CODE } from '../../../../shared/identity/sign-in.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useTextProblem } from '../../../client/use-text-problem.ts'
import { Button } from '../../../ui/button/button.tsx'
import { PasswordField, TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from './account.module.css'
import { refusalOf } from './refusal.ts'

interface Props {
  /** What is asked for, in order; `name` of what is being made. */
  readonly asks: { readonly name?: string; readonly password: boolean; readonly code: 'new' | 'any' | null }
  readonly act: string
  readonly danger?: boolean
  /** Rejects with the station's refusal, which is told here. */
  readonly onProof: (proof: { Password: string; Code: string; Name: string }) => Promise<void>
  readonly onCancel: () => void
  readonly children?: ReactNode
}

/** Proves once more who is at the page before anything about signing in changes. What was typed is gone after each try. */
export function ProofForm({ asks, act, danger = false, onProof, onCancel, children }: Props) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const missing = (asked: boolean, text: string): boolean => asked && text.trim() === ''
  const nameProblem = useTextProblem(isPasskeyName, name.trim(), t('needed'))
  const wanting =
    (asks.name !== undefined && nameProblem !== undefined) ||
    missing(asks.password, password) ||
    missing(asks.code !== null, code)
  const submit = async (): Promise<void> => {
    setTried(true)
    if (busy || wanting) return
    setBusy(true)
    setRefusal(null)
    try {
      await onProof({ Password: password, Code: code, Name: name.trim() })
    } catch (error) {
      setRefusal(refusalOf(error, t, format.duration))
      setPassword('')
      setCode('')
      setTried(false)
      setBusy(false)
    }
  }
  const needed = (asked: boolean, text: string): string | undefined =>
    tried && missing(asked, text) ? t('needed') : undefined
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      noValidate
    >
      {children}
      <div aria-live="assertive">{refusal !== null && <Note state="attention" title={refusal} />}</div>
      {asks.name !== undefined && (
        <TextField
          label={t('passkeyName')}
          description={asks.name}
          name="passkey-name"
          value={name}
          onChange={setName}
          maxLength={LONGEST_PASSKEY_NAME}
          autoFocus
          required
          error={tried ? nameProblem : undefined}
        />
      )}
      {asks.password && (
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          autoFocus={asks.name === undefined}
          required
          error={needed(true, password)}
        />
      )}
      {asks.code !== null && (
        <TextField
          label={t(asks.code === 'new' ? 'code' : 'anyCode')}
          description={asks.code === 'new' ? t('confirmHelp') : undefined}
          name="code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          spellCheck={false}
          maxLength={LONGEST_CODE}
          autoFocus={!asks.password}
          required
          error={needed(true, code)}
        />
      )}
      <div className={styles['acts']}>
        <Button kind={danger ? 'danger' : 'main'} type="submit" busy={busy}>
          {act}
        </Button>
        <Button onPress={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  )
}
