/** Histories of cases, departments and evidence page alike (interfaces.md 4 rule 3, decisions 4). */
import { refusal } from './categories.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { HistoryModel } from './shapes.ts'

const ZEROS = '0'.repeat(40)

/** @param versions how many the thing has: each is an entry */
export async function historyOf(
  run: Run,
  name: Extract<OperationName, 'GetCaseHistory' | 'GetDepartmentHistory' | 'GetEvidenceHistory'>,
  place: Sent,
  versions: number,
): Promise<void> {
  const { call } = run
  const page = { status: 200, shape: HistoryModel }
  const whole = await call(name, 'whole, newest first', place, {
    ...page,
    and: ({ Entries }) => {
      if (Entries.length !== versions) return `expected ${versions} entries, were ${Entries.length}`
      for (const [at, entry] of Entries.entries())
        if (entry.ParentReferenceId !== (Entries[at + 1]?.ConcurrencyId ?? ZEROS))
          return `entry ${at} does not follow from the one below it`
      return null
    },
  })
  if (whole === null) return
  const entries = whole.json.Entries
  let start: string = entries[0].ConcurrencyId
  for (let at = 0; start !== ZEROS && at < versions; at++) {
    const one = await call(
      name,
      `page ${at + 1} of one entry`,
      { ...place, query: { startingConcurrencyId: start, count: '1' } },
      {
        ...page,
        and: ({ Entries }) =>
          JSON.stringify(Entries) === JSON.stringify([entries[at]]) ? null : 'it is not that entry of the whole',
      },
    )
    if (one === null) return
    start = one.json.Entries[0].ParentReferenceId
  }
  const none = {
    ...page,
    and: ({ Entries }: { Entries: unknown[] }) => (Entries.length === 0 ? null : 'there are entries'),
  }
  await call(name, 'from the forty zeros: no entries', { ...place, query: { startingConcurrencyId: start } }, none)
  await call(
    name,
    'a start and a count that are empty',
    { ...place, query: { startingConcurrencyId: '', count: '' } },
    page,
  )
  for (const count of ['0', '1001', '-1', 'x', '1.5'])
    await call(name, `count=${count}`, { ...place, query: { count } }, refusal('InvalidModel'))
  await call(name, 'count=1000', { ...place, query: { count: '1000' } }, page)
  for (const startingConcurrencyId of ['x', 'f'.repeat(40), '0'.repeat(39)])
    await call(
      name,
      `from ${startingConcurrencyId.slice(0, 4)} (${startingConcurrencyId.length} characters)`,
      { ...place, query: { startingConcurrencyId } },
      refusal('InvalidConcurrencyId'),
    )
}
