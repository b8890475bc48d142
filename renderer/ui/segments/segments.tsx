import { ToggleButton, ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Tooltip } from '../popover/tooltip.tsx'
import { cx } from '../given.ts'
import styles from './segments.module.css'

export interface Segment<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly icon?: IconName | undefined
}

export interface SegmentsProps<Id extends string> {
  readonly label: string
  readonly segments: readonly Segment<Id>[]
  readonly value: Id
  readonly onChange: (value: Id) => void
  /** Icons alone, words as tooltips. */
  readonly iconsOnly?: boolean | undefined
}

/** One of a few, all in sight: List or Grid. A radio group for screen readers, one stop for Tab, arrows inside. */
export function Segments<Id extends string>({
  label,
  segments,
  value,
  onChange,
  iconsOnly = false,
}: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles['segments'] ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = segments.find((segment) => keys.has(segment.id))
        if (chosen !== undefined) onChange(chosen.id)
      }}
    >
      {segments.map((segment) => {
        const bare = iconsOnly && segment.icon !== undefined
        const button = (
          <ToggleButton
            key={segment.id}
            id={segment.id}
            className={cx(styles['segment'], bare && styles['bare'])}
            aria-label={segment.label}
          >
            {segment.icon !== undefined && <Icon name={segment.icon} />}
            {!bare && segment.label}
          </ToggleButton>
        )
        return bare ? (
          <Tooltip key={segment.id} text={segment.label}>
            {button}
          </Tooltip>
        ) : (
          button
        )
      })}
    </ToggleButtonGroup>
  )
}
