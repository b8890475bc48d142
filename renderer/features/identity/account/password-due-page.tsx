import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { SESSION, useSession } from '../../../client/session.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { PasswordForm } from './password-form.tsx'

/** The one page there is while somebody else knows the password: an administrator set it. The station answers nothing else either. */
export default function PasswordDuePage() {
  const { t } = useTranslation('account')
  const format = useFormat()
  const queries = useQueryClient()
  const { session, signOut } = useSession()
  useEffect(() => {
    document.title = `${t('dueTitle')} · Sallyport`
  }, [t])
  const done = async (): Promise<void> => {
    toasts.show({ text: t('passwordChanged') })
    await queries.invalidateQueries({ queryKey: SESSION })
  }
  return (
    <main className={styles['alone']}>
      <div className={styles['card']}>
        <h1 className={styles['large']}>{t('dueTitle')}</h1>
        <p className={styles['words']}>
          {t('dueLead', { name: session.User === null ? '' : format.person(session.User) })}
        </p>
        <PasswordForm onChanged={done}>
          <Button kind="quiet" onPress={() => void signOut()}>
            {t('dueSignOut')}
          </Button>
        </PasswordForm>
      </div>
    </main>
  )
}
