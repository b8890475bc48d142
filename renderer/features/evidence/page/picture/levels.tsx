import { useTranslation } from '../../../../client/translate.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import styles from './picture.module.css'

/** How light and dark are drawn; 1 is as the file has it. */
export interface Levels {
  readonly brightness: number
  readonly contrast: number
  readonly gamma: number
}

export const AS_IT_IS: Levels = { brightness: 1, contrast: 1, gamma: 1 }

const RANGES = { brightness: [0.2, 3], contrast: [0.2, 3], gamma: [0.3, 3] } as const
const NAMES = ['brightness', 'contrast', 'gamma'] as const

export const asItIs = (levels: Levels): boolean => NAMES.every((name) => levels[name] === 1)

/** As CSS draws it; nothing where nothing is changed, so that the picture is drawn as it is. */
export const filterOf = (levels: Levels, id: string): string | undefined =>
  asItIs(levels)
    ? undefined
    : `brightness(${levels.brightness}) contrast(${levels.contrast})${levels.gamma === 1 ? '' : ` url(#${id})`}`

/** The curve that CSS has no word for. Gamma over 1 lightens what is dark. */
export function GammaFilter({ id, gamma }: { readonly id: string; readonly gamma: number }) {
  const curve = { type: 'gamma', amplitude: 1, exponent: 1 / gamma, offset: 0 } as const
  return (
    <svg width="0" height="0" className={styles['filters']} aria-hidden="true">
      <filter id={id} colorInterpolationFilters="sRGB">
        <feComponentTransfer>
          <feFuncR {...curve} />
          <feFuncG {...curve} />
          <feFuncB {...curve} />
        </feComponentTransfer>
      </filter>
    </svg>
  )
}

interface LevelsBarProps {
  readonly levels: Levels
  readonly onChange: (levels: Levels) => void
}

export function LevelsBar({ levels, onChange }: LevelsBarProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const written = (value: number): string =>
    new Intl.NumberFormat(format.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)
  return (
    <div className={styles['bar']} role="group" aria-label={t('levels')}>
      {NAMES.map((name, index) => (
        <label key={name} className={styles['level']}>
          {t(name)}
          <input
            type="range"
            // The key that opens the bar leads into it.
            autoFocus={index === 0}
            min={RANGES[name][0]}
            max={RANGES[name][1]}
            step={0.05}
            value={levels[name]}
            aria-valuetext={written(levels[name])}
            onChange={({ target }) => onChange({ ...levels, [name]: Number(target.value) })}
          />
          <span aria-hidden="true">{written(levels[name])}</span>
        </label>
      ))}
    </div>
  )
}
