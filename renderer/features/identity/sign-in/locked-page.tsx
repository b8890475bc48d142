import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/sessions.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useUploads } from '../../../client/uploads/use-uploads.ts'
import { Button } from '../../../ui/button/button.tsx'
import { PasswordField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import styles from './locked.module.css'
import { refusalOf } from './refusal.ts'

/** Over everything while locked: who is signed in, what goes on, and nothing else (shots/locked). */
export default function LockedPage() {
  const { t } = useTranslation('signIn')
  const format = useFormat()
  const { session, take, signOut } = useSession()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const name = session.User === null ? '' : format.person(session.User)
  const running = useUploads().filter(({ state }) => state === 'sending' || state === 'readingBack').length
  useEffect(() => {
    // What lies beside the page itself (toasts, dialogs, menus) goes out of sight too: see styles/reset.css.
    const { dataset } = document.documentElement
    dataset['locked'] = ''
    document.title = `${t('lockedTitle')} · Sallyport`
    return () => {
      delete dataset['locked']
    }
  }, [t])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (password === '' || busy) return
    setBusy(true)
    setRefusal(null)
    try {
      take(await call(contract.unlockSession, { body: { Password: password } }))
    } catch (error) {
      setPassword('')
      setRefusal(refusalOf(error, t, format.duration))
    } finally {
      setBusy(false)
    }
  }
  return (
    <main className={styles['locked']}>
      <form className={styles['card']} onSubmit={(event) => void submit(event)} noValidate>
        <h1 className={styles['title']}>{t('lockedTitle')}</h1>
        <p className={styles['lead']}>{t('lockedLead', { name })}</p>
        {running > 0 && <StateMark state="working">{t('lockedWork', { count: running })}</StateMark>}
        <div aria-live="assertive">{refusal !== null && <Note state="attention" title={refusal} />}</div>
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={session.User?.Username ?? ''}
          readOnly
          hidden
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          autoFocus
        />
        <Button kind="main" type="submit" icon="unlock" busy={busy}>
          {t('unlock')}
        </Button>
        <Button kind="quiet" onPress={() => void signOut()}>
          {t('otherPerson')}
        </Button>
        <p className="small muted">{t('otherPersonHelp', { name })}</p>
      </form>
    </main>
  )
}
