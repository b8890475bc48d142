import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../shared/contract/sessions.ts'
import { call, Fault } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { PasswordField, TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Door, Notice } from './door.tsx'
import styles from './door.module.css'
import { refusalOf } from './refusal.ts'
import { SecondStep } from './second-step.tsx'

/** What a station is called that nobody has named (server/config). */
const DEFAULT_TENANT = 'station'

export default function SignInPage() {
  const { session, take } = useSession()
  const { t } = useTranslation('signIn')
  const format = useFormat()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [read, setRead] = useState(false)
  /** The password was right, and a code has to come with it. */
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const send = async (Code?: string): Promise<void> => {
    setRefusal(null)
    setBusy(true)
    const NoticeId = session.Notice?.Id ?? 'default'
    const body = { Username: username, Password: password, NoticeId, ...(Code === undefined ? {} : { Code }) }
    try {
      take(await call(contract.signIn, { body }))
    } catch (error) {
      const code = error instanceof Fault ? error.code : null
      if (code === 'SecondStepNeeded') setAsked(true)
      else setRefusal(refusalOf(error, t, format.duration))
      // A password that is not right any more has to be typed again, and so has the code after it.
      if (code === 'SignInRefused') {
        setPassword('')
        setAsked(false)
      } else if (!asked && code !== 'SecondStepNeeded') setPassword('')
    } finally {
      setBusy(false)
    }
  }
  const back = (): void => {
    setAsked(false)
    setPassword('')
    setRefusal(null)
  }
  return (
    <Door beside={<Notice />}>
      {asked ? (
        <SecondStep busy={busy} refusal={refusal} onCode={(code) => void send(code)} onBack={back} />
      ) : (
        <FirstStep
          {...{ username, setUsername, password, setPassword, read, setRead, busy, refusal }}
          onDone={() => void send()}
        />
      )}
    </Door>
  )
}

interface FirstStepProps {
  readonly username: string
  readonly setUsername: (text: string) => void
  readonly password: string
  readonly setPassword: (text: string) => void
  readonly read: boolean
  readonly setRead: (read: boolean) => void
  readonly busy: boolean
  readonly refusal: string | null
  readonly onDone: () => void
}

function FirstStep({ username, setUsername, password, setPassword, read, setRead, ...props }: FirstStepProps) {
  const { t } = useTranslation('signIn')
  const { session } = useSession()
  const { busy, refusal, onDone } = props
  const [tried, setTried] = useState(false)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (username !== '' && password !== '' && read && !busy) onDone()
      }}
      noValidate
    >
      <div>
        <h1 className={styles['heading']}>{session.Station.Name}</h1>
        <p className={styles['sub']}>
          {session.TenantId === DEFAULT_TENANT ? t('stationAlone') : t('station', { tenant: session.TenantId })}
        </p>
      </div>
      <div aria-live="assertive">
        {refusal !== null && (
          <Note state="attention" title={refusal}>
            {t('lockRule')}
          </Note>
        )}
      </div>
      <TextField
        label={t('username')}
        name="username"
        autoComplete="username"
        value={username}
        onChange={setUsername}
        autoFocus
        required
        error={tried && username === '' ? t('needed') : undefined}
      />
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
        error={tried && password === '' && refusal === null ? t('needed') : undefined}
      />
      <Checkbox checked={read} onChange={setRead} error={tried && !read ? t('noticeNeeded') : undefined}>
        {t('noticeAccept')}
      </Checkbox>
      <Button kind="main" type="submit" busy={busy}>
        {t('button')}
      </Button>
      <p className="small muted">{t('lockRule')}</p>
    </form>
  )
}
