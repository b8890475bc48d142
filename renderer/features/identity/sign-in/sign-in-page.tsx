import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as passkeys from '../../../../shared/identity/passkeys.contract.ts'
import * as contract from '../../../../shared/identity/sessions.contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { bringPasskey, noPasskeysHere } from '../../../client/passkeys.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { PasswordField, TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
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
  const bring = async (): Promise<void> => {
    setRefusal(null)
    setBusy(true)
    try {
      const { Options } = await call(passkeys.beginPasskeySignIn, {})
      const Response = (await bringPasskey(Options)) as z.input<typeof passkeys.PasskeyResponse>
      const NoticeId = session.Notice?.Id ?? 'default'
      take(await call(passkeys.signInWithPasskey, { body: { NoticeId, Response } }))
    } catch (error) {
      setRefusal(refusalOf(error, t, format.duration))
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
          onPasskey={noPasskeysHere() === null ? () => void bring() : undefined}
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
  /** Absent where there can be none. */
  readonly onPasskey: (() => void) | undefined
}

function FirstStep({ username, setUsername, password, setPassword, read, setRead, ...props }: FirstStepProps) {
  const { t } = useTranslation('signIn')
  const { session, endedAt } = useSession()
  const format = useFormat()
  const { busy, refusal, onDone, onPasskey } = props
  /** What was asked for: with a passkey the notice alone has to be read. */
  const [tried, setTried] = useState<'password' | 'passkey' | null>(null)
  const typed = tried === 'password'
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setTried('password')
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
      {endedAt !== null && (
        <Note title={t('sessionEnded', { time: format.instant(endedAt, { precision: 'minute' }) })}>
          {t('sessionEndedKept')}
        </Note>
      )}
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
        error={typed && username === '' ? t('needed') : undefined}
      />
      <PasswordField
        label={t('password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
        error={typed && password === '' && refusal === null ? t('needed') : undefined}
      />
      <Checkbox checked={read} onChange={setRead} error={tried !== null && !read ? t('noticeNeeded') : undefined}>
        {t('noticeAccept')}
      </Checkbox>
      <Button kind="main" type="submit" busy={busy}>
        {t('button')}
      </Button>
      {onPasskey !== undefined && (
        <Button
          icon="key"
          onPress={() => {
            setTried('passkey')
            if (read && !busy) onPasskey()
          }}
        >
          {t('passkey')}
        </Button>
      )}
      <LinkButton href="/dock" icon="dock">
        {t('dockWall')}
      </LinkButton>
      <p className="small muted">{t('lockRule')}</p>
    </form>
  )
}
