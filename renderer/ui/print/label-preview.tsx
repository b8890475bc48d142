import { evidenceAddress, LABEL_SHEETS, type LabelSize } from '../../../shared/reports/labels.ts'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../format/use-format.tsx'
import { visible } from '../format/visible.ts'
import { QrCode } from '../qr/qr.tsx'
import type { LabelItem } from './print-props.ts'
import styles from './print.module.css'

interface PreviewProps {
  readonly size: LabelSize
  readonly skip: number
  readonly items: readonly LabelItem[]
  readonly ordinal: string | undefined
}

/** The first sheet, small: where labels stand on it and what they say. The PDF is drawn by the station. */
export function LabelPreview({ size, skip, items, ordinal }: PreviewProps) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const sheet = LABEL_SHEETS[size]
  const places = sheet.columns * sheet.rows
  const first = places === 1 ? 0 : Math.min(Math.max(0, skip), places - 1)
  const shown = items.slice(0, places - first)
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`
  return (
    <figure className={styles['preview']} aria-label={t('labelPreview')}>
      <div
        className={styles['sheet']}
        data-roll={places === 1 || undefined}
        style={{ aspectRatio: `${sheet.width} / ${sheet.height}` }}
      >
        {shown.map((item, index) => {
          const place = index + first
          return (
            <div
              key={item.id}
              className={styles['sticker']}
              style={{
                insetInlineStart: share(sheet.left + (place % sheet.columns) * sheet.label.width, sheet.width),
                insetBlockStart: share(
                  sheet.top + Math.floor(place / sheet.columns) * sheet.label.height,
                  sheet.height,
                ),
                inlineSize: share(sheet.label.width, sheet.width),
                blockSize: share(sheet.label.height, sheet.height),
              }}
            >
              <QrCode
                text={evidenceAddress(window.location.origin, item.id)}
                label={t('evidenceOf', { id: item.id })}
              />
              <span className={styles['words']}>
                <b>{t('evidenceOf', { id: item.id })}</b>
                <span>
                  <bdi>{visible(item.name)}</bdi>
                </span>
                {ordinal !== undefined && <span>{ordinal}</span>}
                {item.at !== null && <span>{format.day(item.at)}</span>}
              </span>
            </div>
          )
        })}
      </div>
      <figcaption className={styles['second']}>{t('labelPreview')}</figcaption>
    </figure>
  )
}
