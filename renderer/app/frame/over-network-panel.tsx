import { useTranslation } from '../../client/translate.ts'
import { useStation } from '../../client/station.ts'
import { StateMark } from '../../ui/state/state.tsx'
import styles from './over-network.module.css'

/** Where this browser is, and the few things that are only at the station. */
export default function OverNetworkPanel() {
  const { t } = useTranslation('network')
  const station = useStation()
  const encrypted = window.location.protocol === 'https:'
  return (
    <div className={styles['panel']}>
      <h2 className={styles['title']}>{t('overTitle')}</h2>
      <p className={styles['words']}>
        {t('overWhere', { station: station?.Name ?? 'Sallyport' })}{' '}
        <bdi className={styles['address']}>{window.location.origin}</bdi>
      </p>
      <StateMark state={encrypted ? 'ok' : 'attention'} small>
        {t(encrypted ? 'overEncrypted' : 'overPlain')}
      </StateMark>
      <p className={styles['words']}>{t('overAll')}</p>
      <ul className={styles['points']}>
        <li>{t('overPorts')}</li>
        <li>{t('overFolders')}</li>
        <li>{t('overPasskeys')}</li>
        <li>{t('overProgram')}</li>
      </ul>
    </div>
  )
}
