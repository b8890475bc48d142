/** What the checks of a self-validation have in common. */
import type { CheckResult } from '../../../../shared/validation/checks.ts'

export type Figures = Readonly<Record<string, string | number | boolean>>

export interface Finding {
  readonly result: CheckResult
  /** What was done, as a sentence. */
  readonly done: string
  readonly figures: Figures
  /** Why it is not `ok`. */
  readonly problem: string | null
}

/** Folders that the run made for itself. Everything in them is removed at its end. */
export interface ScratchArea {
  /** On the volume of the database. */
  readonly data: string
  /** On the volume of the blobs. */
  readonly blobs: string
}

/** `failed` when there is a problem, else `ok`. */
export const judged = (done: string, figures: Figures, problems: readonly string[]): Finding => ({
  result: problems.length === 0 ? 'ok' : 'failed',
  done,
  figures,
  problem: problems.length === 0 ? null : problems.join(' '),
})

export const unknown = (done: string, why: string, figures: Figures = {}): Finding => ({
  result: 'unknown',
  done,
  figures,
  problem: why,
})
