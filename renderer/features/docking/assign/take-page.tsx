import { useEffect } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { LinkButton } from '../../../ui/button/button.tsx'
import { AssignAction } from './assign-action.tsx'
import styles from './assign.module.css'

/** For a screen beside the cameras, with a barcode reader: the same with somebody signed in and with nobody. */
export default function TakePage() {
  const { t } = useTranslation('dockSessions')
  const { session } = useSession()
  const alone = session.State !== 'open'
  useEffect(() => {
    document.title = `${t('takePageTitle')} · Sallyport`
  }, [t])
  const inside = (
    <>
      <h1 className={styles['title']}>{alone ? session.Station.Name : t('takePageTitle')}</h1>
      <p className={styles['lead']}>{t(alone ? 'takePageLead' : 'takePageLeadOpen')}</p>
      <div className={styles['acts']}>
        <AssignAction serial={null} size="large" startOpen />
        {alone && (
          <LinkButton kind="quiet" size="large" href="/evidence">
            {t('toSignIn')}
          </LinkButton>
        )}
      </div>
    </>
  )
  return alone ? <main className={styles['page']}>{inside}</main> : <div className={styles['page']}>{inside}</div>
}
