import type { ReactElement, ReactNode } from 'react'
import type { IconName } from '../icon/icon.tsx'

export interface MenuProps {
  readonly label: string
  readonly sections: readonly MenuSection[]
  /** What stands in its button, which is quiet; another button goes into `trigger`. */
  readonly children?: ReactNode
  readonly trigger?: ReactElement | undefined
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom' | undefined
}

export interface MenuSection {
  readonly label?: string | undefined
  readonly items: readonly MenuItem[]
  /** The chosen one of its items, or all chosen ones; with it the section is a choice and no longer acts. */
  readonly selected?: string | readonly string[] | undefined
  /** For one of several. */
  readonly onSelect?: ((id: string) => void) | undefined
  /** For any of several. */
  readonly onSelectMany?: ((ids: readonly string[]) => void) | undefined
}

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  /** The reason why it cannot be chosen now, shown under the words. */
  readonly why?: string | undefined
  readonly danger?: boolean | undefined
  readonly href?: string | undefined
  readonly onAction?: (() => void) | undefined
}
