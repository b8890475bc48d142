import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { TextField } from '../../../../ui/field/field.tsx'
import { Select } from '../../../../ui/select/select.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { lengthIn, lengthOf, onFrame, type Point, type Scale, scaledLength, type Stretch } from './measure.ts'
import styles from './picture.module.css'
import type { PictureView, Size } from './use-view.ts'

export interface Measuring {
  readonly stretch: Stretch | null
  readonly scale: Scale | null
}

export const NOTHING_MEASURED: Measuring = { stretch: null, scale: null }

interface LineProps {
  readonly stretch: Stretch
  readonly picture: Size
  readonly view: PictureView
  readonly scale: number
}

/** The line that is measured; dark under light, so that it is seen on any picture. */
export function MeasuredLine({ stretch, picture, view, scale }: LineProps) {
  const place = (point: Point): Point => onFrame(point, view, scale, picture)
  const [from, to] = [place(stretch.from), place(stretch.to)]
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
  return (
    <svg className={styles['measured']} aria-hidden="true" data-measured>
      <line {...line} className={styles['under']} />
      <line {...line} className={styles['over']} />
      {[from, to].map(({ x, y }, index) => (
        <circle key={index} cx={x} cy={y} r={4} className={styles['dot']} />
      ))}
    </svg>
  )
}

/** Where a press of Enter puts an end of the line. */
export const Crosshair = () => (
  <svg className={styles['measured']} aria-hidden="true" data-crosshair>
    {['under', 'over'].map((name) => (
      <path key={name} d="M-12 0H-4M4 0H12M0 -12V-4M0 4V12" className={styles[name]} />
    ))}
  </svg>
)

interface MeasureBarProps {
  readonly measuring: Measuring
  /** Pixels of the original for one of what is shown. */
  readonly ratio: number
  readonly onChange: (measuring: Measuring) => void
}

/** The length in pixels of the original, and by a scale where one line of it has a known length. */
export function MeasureBar({ measuring, ratio, onChange }: MeasureBarProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { stretch, scale } = measuring
  const number = (value: number): string =>
    new Intl.NumberFormat(format.locale, { maximumSignificantDigits: 4 }).format(value)
  const pixels = stretch === null ? null : lengthOf(stretch) * ratio
  return (
    <div className={styles['bar']} role="group" aria-label={t('measure')}>
      <span role="status" data-length>
        {pixels === null || pixels < 0.5
          ? t('measureHow')
          : scale === null
            ? t('measuredPixels', { pixels: format.count(Math.round(pixels)) })
            : t('measuredScaled', {
                pixels: format.count(Math.round(pixels)),
                length: number(scaledLength(pixels, scale)),
                unit: scale.unit,
              })}
      </span>
      {pixels !== null && pixels >= 0.5 && (
        <ScaleForm
          key={scale === null ? 'none' : 'set'}
          pixels={pixels}
          onScale={(next) => onChange({ stretch, scale: next })}
        />
      )}
      {scale !== null && (
        <>
          <span className={styles['said']}>
            {t('measureScale', { pixels: number(scale.pixels), length: number(scale.length), unit: scale.unit })}
          </span>
          <Button kind="quiet" size="small" onPress={() => onChange({ stretch, scale: null })}>
            {t('measureScaleOff')}
          </Button>
        </>
      )}
    </div>
  )
}

type Unit = 'mm' | 'cm' | 'm' | 'in' | 'ft'
const UNITS = (['mm', 'cm', 'm', 'in', 'ft'] as const).map((id) => ({ id, label: id }))

function ScaleForm({ pixels, onScale }: { readonly pixels: number; readonly onScale: (scale: Scale) => void }) {
  const { t } = useTranslation('evidencePage')
  const [text, setText] = useState('')
  const [unit, setUnit] = useState<Unit>('cm')
  const [wrong, setWrong] = useState(false)
  const use = (event: FormEvent): void => {
    event.preventDefault()
    const length = lengthIn(text)
    setWrong(length === null)
    if (length === null) return
    onScale({ pixels, length, unit })
    setText('')
  }
  return (
    <form className={styles['scale']} onSubmit={use}>
      <span className={styles['said']}>{t('measureKnown')}</span>
      <TextField
        label={t('measureLength')}
        hideLabel
        className={styles['length']}
        value={text}
        onChange={(next) => {
          setText(next)
          setWrong(false)
        }}
        placeholder="10"
        error={wrong ? t('measureWrong') : undefined}
      />
      <Select
        label={t('measureUnit')}
        hideLabel
        className={styles['unit']}
        options={UNITS}
        value={unit}
        onChange={setUnit}
      />
      <Button type="submit" kind="quiet" size="small">
        {t('measureUse')}
      </Button>
    </form>
  )
}
