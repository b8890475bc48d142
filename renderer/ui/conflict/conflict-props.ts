import type { ReactNode } from 'react'
import type { Choices } from './choice.ts'
import type { Touched } from './choice.ts'

/** One member that differs, as people read it. */
export interface Differing extends Touched {
  readonly label: string
  readonly was: string
  readonly theirs: string
  readonly yours: string
}

export interface ConflictDialogProps {
  readonly title: string
  readonly lead: string
  readonly note?: string | undefined
  /** Who saved first. */
  readonly who: string
  /** Head of their column; else who it was. */
  readonly theirs?: string | undefined
  readonly rows: readonly Differing[]
  /** In place of the rows where there are none. */
  readonly none?: ReactNode
  readonly busy: boolean
  readonly onSave: (choices: Choices) => void
  /** Back to the form, with everything in it. */
  readonly onClose: () => void
}
