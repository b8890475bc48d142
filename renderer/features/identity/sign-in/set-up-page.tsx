import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/identity/sessions.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { PasswordField, TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Door, Notice } from './door.tsx'
import styles from './door.module.css'
import { refusalOf } from './refusal.ts'
import { StationKey } from './station-key.tsx'

type SetUpDone = z.output<typeof contract.SetUpDoneModel>

/** The one-time link carries its token behind the #, which no server and no log ever sees. Taken once, then out of the address. */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token')
  if (token !== null) window.history.replaceState(null, '', window.location.pathname)
  return token
}

export default function SetUpPage() {
  const { t } = useTranslation('signIn')
  const { session: now, take } = useSession()
  const title = `${t('setupTitle')} · ${now.Station.Name}`
  useEffect(() => {
    document.title = title
  }, [title])
  const [token] = useState(takeToken)
  const [done, setDone] = useState<SetUpDone | null>(null)
  if (done !== null) {
    const { StationKey: key, ...session } = done
    return (
      <Door beside={<Notice />}>
        <StationKey
          station={session.Station.Name}
          publicKey={key.Key}
          fingerprint={key.Fingerprint}
          onDone={() => take(session)}
        />
      </Door>
    )
  }
  return (
    <Door beside={<Notice />}>
      <div className={styles['form']}>
        <div>
          <h1 className={styles['heading']}>{t('setupTitle')}</h1>
          <p className={styles['sub']}>{t('setupLead')}</p>
        </div>
        {token === null ? (
          <Note state="waiting" title={t('setupTitle')}>
            {t('setupNoToken')}
          </Note>
        ) : (
          <SetUpForm token={token} onDone={setDone} />
        )}
      </div>
    </Door>
  )
}

function SetUpForm({ token, onDone }: { readonly token: string; readonly onDone: (done: SetUpDone) => void }) {
  const { t } = useTranslation('signIn')
  const format = useFormat()
  const { session } = useSession()
  const [form, setForm] = useState({ Username: '', FirstName: '', LastName: '', Password: '', again: '' })
  const [read, setRead] = useState(false)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const change = (member: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [member]: value }))
  const missing = (member: keyof typeof form) => (tried && form[member] === '' ? t('needed') : undefined)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setTried(true)
    setRefusal(null)
    const { again, ...person } = form
    if (person.Username === '' || person.Password === '' || again !== person.Password || !read || busy) return
    setBusy(true)
    try {
      const NoticeId = session.Notice?.Id ?? 'default'
      onDone(await call(contract.setUp, { body: { Token: token, NoticeId, ...person } }))
    } catch (error) {
      setRefusal(refusalOf(error, t, format.duration))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
      <div aria-live="assertive">
        {refusal !== null && (
          <Note state="attention" title={t('setupRefused')}>
            {refusal}
          </Note>
        )}
      </div>
      <TextField
        label={t('firstName')}
        autoComplete="given-name"
        value={form.FirstName}
        onChange={change('FirstName')}
        description={t('nameOptional')}
        autoFocus
      />
      <TextField
        label={t('lastName')}
        autoComplete="family-name"
        value={form.LastName}
        onChange={change('LastName')}
        description={t('nameOptional')}
      />
      <TextField
        label={t('username')}
        autoComplete="username"
        value={form.Username}
        onChange={change('Username')}
        required
        error={missing('Username')}
      />
      <PasswordField
        label={t('password')}
        description={t('passwordHelp')}
        autoComplete="new-password"
        value={form.Password}
        onChange={change('Password')}
        required
        error={missing('Password')}
      />
      <PasswordField
        label={t('passwordAgain')}
        autoComplete="new-password"
        value={form.again}
        onChange={change('again')}
        required
        error={missing('again') ?? (tried && form.again !== form.Password ? t('passwordsDiffer') : undefined)}
      />
      <Checkbox checked={read} onChange={setRead} error={tried && !read ? t('noticeNeeded') : undefined}>
        {t('noticeAccept')}
      </Checkbox>
      <Button kind="main" type="submit" busy={busy}>
        {t('setupButton')}
      </Button>
    </form>
  )
}
