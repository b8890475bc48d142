import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { useTranslation } from '../../client/translate.ts'
import { cx, given } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import type { State } from '../state/state.tsx'
import styles from './badge.module.css'

/** A short fact on its own ground: *original*, *derived*, *read-only*. A state is a StateMark, never a badge. */
export function Badge({ children, icon }: { readonly children: ReactNode; readonly icon?: IconName | undefined }) {
  return (
    <span className={styles['badge']}>
      {icon !== undefined && <Icon name={icon} size="small" />}
      {children}
    </span>
  )
}

/** A tag that people gave; with `onRemove` it can be taken off here. */
export function Tag({
  children,
  onRemove,
}: {
  readonly children: string
  readonly onRemove?: (() => void) | undefined
}) {
  const { t } = useTranslation('ui')
  return (
    <span className={cx(styles['tag'], onRemove !== undefined && styles['removable'])}>
      {children}
      {onRemove !== undefined && (
        <Button className={styles['clear'] ?? ''} aria-label={t('removeTag', { tag: children })} onPress={onRemove}>
          <Icon name="x" size="small" />
        </Button>
      )}
    </span>
  )
}

export interface ChipProps {
  /** What is filtered: *Recorded*. */
  readonly label: string
  /** By what: *19 Nov 06:00 to 20 Nov 06:00*; left out, the filter is not set. */
  readonly value?: ReactNode
  readonly icon?: IconName | undefined
  readonly onPress?: (() => void) | undefined
  readonly onClear?: (() => void) | undefined
  /** Chosen among its like, as in a row of quick filters. */
  readonly on?: boolean | undefined
  /** Dashed: adds a filter. */
  readonly add?: boolean | undefined
}

/** A filter in the line above a list: opened by a click, taken off by its cross. */
export function Chip({ label, value, icon, onPress, onClear, on, add }: ChipProps) {
  const { t } = useTranslation('ui')
  return (
    <span className={cx(styles['chip'], add === true && styles['add'], on === true && styles['on'])}>
      <Button
        className={styles['open'] ?? ''}
        {...given({ onPress })}
        {...(on === undefined ? {} : { 'aria-pressed': on })}
      >
        {icon !== undefined && <Icon name={icon} size="small" />}
        <span className={styles['name']}>{label}</span>
        {value !== undefined && <span>{value}</span>}
      </Button>
      {onClear !== undefined && (
        <Button className={styles['clear'] ?? ''} aria-label={t('clearFilter', { filter: label })} onPress={onClear}>
          <Icon name="x" size="small" />
        </Button>
      )}
    </span>
  )
}

/** How many; with a state, that they need somebody: the shape stands before the number. */
export function Count({
  children,
  state,
  label,
}: {
  readonly children: ReactNode
  readonly state?: State | undefined
  readonly label?: string | undefined
}) {
  return (
    <span className={cx(styles['count'], state !== undefined && styles[state])}>
      {state !== undefined && <Icon name={state} size="small" {...given({ label })} />}
      {children}
    </span>
  )
}
