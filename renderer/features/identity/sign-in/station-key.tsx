import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CopyButton } from '../../../ui/hash/copy-button.tsx'
import '../../../ui/paper/paper.css'
import styles from './station-key.module.css'

export interface StationKeyProps {
  readonly station: string
  /** As `restore --signed-by` takes it. */
  readonly publicKey: string
  /** SHA-256 in hexadecimal digits. */
  readonly fingerprint: string
  readonly onDone: () => void
}

/** The station's public key, once, after the first administrator is made: whoever restores a backup compares it with the paper. */
export function StationKey({ station, publicKey, fingerprint, onDone }: StationKeyProps) {
  const { t } = useTranslation('signIn')
  return (
    <div className={styles['page']}>
      <section data-paper className={styles['sheet']} aria-labelledby="station-key">
        <h1 id="station-key" className={styles['heading']}>
          {t('keyTitle')}
        </h1>
        <p className={styles['lead']}>{t('keyLead')}</p>
        <dl className={styles['facts']}>
          <dt>{t('keyName', { station })}</dt>
          <dd>
            <code>{publicKey}</code>
            <span data-tools>
              <CopyButton text={publicKey} label={t('keyName', { station })} />
            </span>
          </dd>
          <dt>{t('keyFingerprint')}</dt>
          <dd>
            <code>{(fingerprint.match(/.{8}/g) ?? []).join(' ')}</code>
          </dd>
        </dl>
      </section>
      <p className={styles['later']} data-tools>
        {t('keyLater')}
      </p>
      <div className={styles['acts']} data-tools>
        <Button kind="main" onPress={onDone} autoFocus>
          {t('keyGoOn')}
        </Button>
        <Button icon="print" onPress={() => window.print()}>
          {t('keyPrint')}
        </Button>
      </div>
    </div>
  )
}
