import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { KeyFigure, KeyFigures } from '../../ui/layout/overview.tsx'
import type { Integrity } from './queries.ts'

/** Four claims, each with what it rests on. */
export function Facts({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { Fixity, Checkpoints } = integrity
  const share = Fixity.Bytes === 0 ? 1 : Fixity.BytesInTime / Fixity.Bytes
  return (
    <KeyFigures>
      <KeyFigure
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
      </KeyFigure>
      <KeyFigure
        label={t('oldest')}
        value={Fixity.OldestTimeUtc === null ? t('oldestNone') : format.timeOrDay(Fixity.OldestTimeUtc)}
        title={Fixity.OldestTimeUtc === null ? undefined : format.instant(Fixity.OldestTimeUtc)}
      >
        {Fixity.OldestTimeUtc !== null && t('oldestBody')}
      </KeyFigure>
      <KeyFigure
        label={t('speed')}
        value={Fixity.BytesPerSecond === null ? t('resting') : format.speed(Fixity.BytesPerSecond)}
      >
        {t('speedLimit', { limit: format.speed(Fixity.LimitBytesPerSecond) })}
      </KeyFigure>
      <KeyFigure
        label={t('signed')}
        value={Checkpoints.SignedTimeUtc === null ? t('signedNone') : format.timeOrDay(Checkpoints.SignedTimeUtc)}
        title={Checkpoints.SignedTimeUtc === null ? undefined : format.instant(Checkpoints.SignedTimeUtc)}
      >
        {Checkpoints.SignedTimeUtc !== null && t('signedOver', { count: Checkpoints.Size })}
      </KeyFigure>
    </KeyFigures>
  )
}
