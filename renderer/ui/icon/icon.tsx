import { cx } from '../given.ts'
import { type IconName, SHAPES } from './shapes.ts'
import styles from './icon.module.css'

export type { IconName } from './shapes.ts'

export interface IconProps {
  readonly name: IconName
  /** 14, 16 or 20 px at the usual text size. */
  readonly size?: 'small' | 'normal' | 'large' | undefined
  /** Only where no word stands beside it. */
  readonly label?: string
  readonly className?: string | undefined
}

/** A stroke icon of the one set; silent for screen readers unless it has a label of its own. */
export function Icon({ name, size = 'normal', label, className }: IconProps) {
  return (
    <svg
      className={cx(styles['icon'], styles[size], className)}
      viewBox="0 0 16 16"
      focusable="false"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={SHAPES[name]} />
    </svg>
  )
}
