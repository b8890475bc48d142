import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Hash } from '../../ui/hash/hash.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { Section } from '../../ui/layout/overview.tsx'
import { Nothing } from './alarms.tsx'
import type { Blob, Integrity } from './queries.ts'
import styles from './integrity.module.css'

/** The last results: what was read, when, and what that showed. */
export function LastRead({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { LastRead: blobs } = integrity.Fixity
  return (
    <Section title={t('lastRead')}>
      {blobs.length === 0 ? (
        <Nothing title={t('lastReadNone')}>{t('lastReadNoneBody')}</Nothing>
      ) : (
        <ul className={styles['rows']}>
          {blobs.map((blob) => (
            <li key={blob.Sha256} className={styles['line']}>
              <BlobName blob={blob} />
              <StateMark state={blob.Result === 'matches' ? 'ok' : 'danger'} small>
                {t(blob.Result)}
                {blob.Result === 'matches' && blob.ReadBack === 'cache' && `, ${t('throughCache')}`}
              </StateMark>
              <span className={styles['when']} title={format.instant(blob.CheckedTimeUtc)}>
                {format.timeOrDay(blob.CheckedTimeUtc)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function NextRead({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { Next: blobs } = integrity.Fixity
  return (
    <Section title={t('nextRead')}>
      {blobs.length === 0 ? (
        <p className={styles['nothing']}>{t('nextNone')}</p>
      ) : (
        <ul className={styles['rows']}>
          {blobs.slice(0, 5).map((blob) => (
            <li key={blob.Sha256} className={styles['line']}>
              <BlobName blob={blob} />
              <span className={styles['when']} title={format.instant(blob.DueTimeUtc)}>
                {blob.DueTimeUtc <= integrity.TimeUtc ? t('dueNow') : format.timeOrDay(blob.DueTimeUtc)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function BlobName({ blob }: { readonly blob: Blob }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  return (
    <span className={styles['blob']}>
      <Hash value={blob.Sha256} of={t('blobOf', { size: format.bytes(blob.LengthInBytes) })} />
      <span className={styles['second']}>{format.bytes(blob.LengthInBytes)}</span>
    </span>
  )
}
