import { createPortal } from 'react-dom'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { QrCode } from '../../ui/qr/qr.tsx'
import { useStation } from '../station.ts'
import { useTranslation } from '../translate.ts'
import type { MadeShareLink } from './share-links.ts'
import styles from './slip.module.css'

/** What is handed to the recipient on paper: the address to scan or type, and nothing of the code. It is on paper alone. */
export function LinkSlip({ made: { Link, Address } }: { readonly made: MadeShareLink }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const station = useStation()
  const address = Address ?? ''
  const { Name, Organisation } = Link.Recipient
  return createPortal(
    <section className={styles['slip']} aria-hidden="true" data-slip>
      <h1 className={styles['title']}>{t('slipTitle')}</h1>
      {station !== null && <p>{t('slipFrom', { station: visible(station.Name) })}</p>}
      <p>
        {t('slipFor')} <bdi>{[Name, Organisation].filter(Boolean).map(visible).join(', ')}</bdi>
      </p>
      <div className={styles['picture']}>
        <QrCode text={address} label={t('address')} />
      </div>
      <p className={styles['address']} translate="no">
        {address}
      </p>
      <ol className={styles['steps']}>
        <li>{t('slipOpen')}</li>
        <li>{t('slipCode')}</li>
        <li>{t(Link.Mode === 'view' ? 'slipView' : 'slipDownload')}</li>
      </ol>
      <p>{t('until', { time: format.instant(Link.ExpiresTimeUtc, { precision: 'minute', zone: true }) })}</p>
      <p>{t('slipLogged')}</p>
    </section>,
    document.body,
  )
}
