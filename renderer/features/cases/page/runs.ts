/** Versions of a case that repeat one act: one line in the history. Pure. */
import type { Told } from './changes.ts'

/** Fewer stand each for itself. */
const LEAST = 3

/** One version, or several by one person of one act on one day, newest first. */
export type Run = readonly [Told, ...Told[]]

/** @param dayOf the day of an instant where the station is */
export function runsOf(lines: readonly Told[], dayOf: (utc: string) => string): readonly Run[] {
  const runs: Told[][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last?.[0] !== undefined && isAlike(last[0], line, dayOf)) last.push(line)
    else runs.push([line])
  }
  return runs.flatMap((run): Run[] => (run.length < LEAST ? run.map((line): Run => [line]) : [run as unknown as Run]))
}

function isAlike({ entry: one }: Told, { entry: other }: Told, dayOf: (utc: string) => string): boolean {
  return (
    one.Action === other.Action &&
    one.Author.KId === other.Author.KId &&
    one.Author.PrincipalId === other.Author.PrincipalId &&
    dayOf(one.DateUtc) === dayOf(other.DateUtc)
  )
}

/** Evidences that these versions added, and that they removed; null where one does not say. */
export function evidenceMoved(run: readonly Told[]): { readonly added: number; readonly gone: number } | null {
  let [added, gone] = [0, 0]
  for (const { changes } of run) {
    if (changes === null) return null
    for (const change of changes)
      if (change.kind === 'list' && 'fact' in change.of && change.of.fact === 'evidence') {
        added += change.added.length
        gone += change.gone.length
      }
  }
  return { added, gone }
}
