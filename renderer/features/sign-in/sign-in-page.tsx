import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../shared/contract/sessions.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { PasswordField, TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Door, Notice } from './door.tsx'
import styles from './door.module.css'
import { refusalOf } from './refusal.ts'

/** What a station is called that nobody has named (server/config). */
const DEFAULT_TENANT = 'station'

export default function SignInPage() {
  const { t } = useTranslation('signIn')
  const format = useFormat()
  const { session, take } = useSession()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [read, setRead] = useState(false)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    setRefusal(null)
    if (username === '' || password === '' || !read || busy) return
    setBusy(true)
    try {
      const NoticeId = session.Notice?.Id ?? 'default'
      take(await call(contract.signIn, { body: { Username: username, Password: password, NoticeId } }))
    } catch (error) {
      setPassword('')
      setRefusal(refusalOf(error, t, format.duration))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Door beside={<Notice />}>
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
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
    </Door>
  )
}
