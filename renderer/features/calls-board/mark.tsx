import { cx } from '../../ui/given.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import type { FootageState } from './queries.ts'
import styles from './calls.module.css'
import { MARKS } from './labels.ts'

/** Shape, word and colour of a state. @param pill on its own ground, at the head of the panel */
export function FootageMark({
  state,
  children,
  pill = false,
}: {
  readonly state: FootageState
  readonly children: string
  readonly pill?: boolean
}) {
  return (
    <span className={cx(styles['mark'], pill && styles['pill'])} data-tone={MARKS[state].state}>
      <Icon name={MARKS[state].icon} />
      <span>{children}</span>
    </span>
  )
}
