import type { ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import type { Integrity } from './queries.ts'
import styles from './integrity.module.css'

/** Four claims, each with what it rests on. */
export function Facts({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { Fixity, Checkpoints } = integrity
  const share = Fixity.Bytes === 0 ? 1 : Fixity.BytesInTime / Fixity.Bytes
  return (
    <dl className={styles['facts']}>
      <Fact
        label={t('covered')}
        value={Fixity.Blobs === 0 ? '–' : format.percent(share)}
        late={Fixity.BlobsInTime < Fixity.Blobs}
      >
        {Fixity.Blobs === 0
          ? t('coveredNone')
          : t('coveredOf', {
              done: format.count(Fixity.BlobsInTime),
              all: format.count(Fixity.Blobs),
              size: format.bytes(Fixity.Bytes),
            })}
        {Fixity.BlobsForwarded > 0 &&
          ` · ${t('forwardedToo', { count: Fixity.BlobsForwarded, shown: format.count(Fixity.BlobsForwarded), size: format.bytes(Fixity.BytesForwarded) })}`}
      </Fact>
      <Fact
        label={t('oldest')}
        value={Fixity.OldestTimeUtc === null ? t('oldestNone') : format.timeOrDay(Fixity.OldestTimeUtc)}
        title={Fixity.OldestTimeUtc === null ? undefined : format.instant(Fixity.OldestTimeUtc)}
      >
        {Fixity.OldestTimeUtc !== null && t('oldestBody')}
      </Fact>
      <Fact
        label={t('speed')}
        value={Fixity.BytesPerSecond === null ? t('resting') : format.speed(Fixity.BytesPerSecond)}
      >
        {t('speedLimit', { limit: format.speed(Fixity.LimitBytesPerSecond) })}
      </Fact>
      <Fact
        label={t('signed')}
        value={Checkpoints.SignedTimeUtc === null ? t('signedNone') : format.timeOrDay(Checkpoints.SignedTimeUtc)}
        title={Checkpoints.SignedTimeUtc === null ? undefined : format.instant(Checkpoints.SignedTimeUtc)}
      >
        {Checkpoints.SignedTimeUtc !== null && t('signedOver', { count: Checkpoints.Size })}
      </Fact>
    </dl>
  )
}

interface FactProps {
  readonly label: string
  readonly value: string
  readonly title?: string | undefined
  readonly late?: boolean
  readonly children?: ReactNode
}

function Fact({ label, value, title, late = false, children }: FactProps) {
  return (
    <div className={styles['fact']}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['value']} title={title} data-late={late || undefined}>
          {value}
        </span>
        <span className={styles['second']}>{children}</span>
      </dd>
    </div>
  )
}
