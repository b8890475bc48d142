/**
 * Numbers on schedules. Each schedule of a case has a series of its own, from 1, without a gap; what has a number keeps it in every later
 * supplement (promise C5).
 */
import type { Series } from '../../../shared/disclosure/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { ScheduleNumbersTable } from '../../kernel/database/tables-disclosure.ts'
import { insertNumbers, numbersOf } from './disclosure.store.ts'

/** What has a number of its own: an evidence, or one of its files. */
export const subjectOf = (evidenceId: number, resourceId: number | null): string =>
  resourceId === null ? `evidence:${evidenceId}` : `resource:${resourceId}`

export interface Numbered {
  /** By subject. */
  readonly numbers: ReadonlyMap<string, number>
  /** Those that have their number since now, to be kept with what they stand on. */
  readonly added: readonly ScheduleNumbersTable[]
}

/** @param subjects in the order in which new ones are numbered */
export async function numbered(
  from: Tx,
  caseId: number,
  series: Series,
  subjects: Iterable<string>,
): Promise<Numbered> {
  const { known, last } = await numbersOf(from, caseId, series)
  const numbers = new Map<string, number>()
  const added: ScheduleNumbersTable[] = []
  for (const subject of subjects) {
    if (numbers.has(subject)) continue
    const number = known.get(subject) ?? last + added.length + 1
    if (!known.has(subject)) added.push({ case_id: caseId, series, subject, number })
    numbers.set(subject, number)
  }
  return { numbers, added }
}

/**
 * What got the same number meanwhile, from another package or record, keeps it.
 * @returns false when one of the numbers belongs to something else since; nothing was written then
 */
export async function keepNumbers(tx: Tx, added: readonly ScheduleNumbersTable[]): Promise<boolean> {
  const missing: ScheduleNumbersTable[] = []
  for (const [series, some] of Map.groupBy(added, (one) => one.series)) {
    const { known, last } = await numbersOf(tx, some[0]?.case_id ?? 0, series)
    if (some.some(({ subject, number }) => (known.get(subject) ?? number) !== number)) return false
    const own = some.filter(({ subject }) => !known.has(subject))
    if (own.some(({ number }, at) => number !== last + at + 1)) return false
    missing.push(...own)
  }
  await insertNumbers(tx, missing)
  return true
}
