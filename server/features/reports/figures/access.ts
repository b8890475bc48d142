/** Who downloaded and viewed what, from the ledger. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import { MOST_ROWS } from '../../../../shared/reports/reports.ts'
import { actKey } from '../../../../shared/evidence/custody-acts.ts'
import type { Action } from '../../../../shared/kernel/ledger-actions.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { nameOf } from '../documents/paper.ts'
import { peopleById } from '../documents/documents.store.ts'
import type { Asking, FigureDeps, Found } from './asking.ts'
import { type AccessRow, accessRows, entryFrom } from './figures.store.ts'

const ACTIONS = [
  'resource.downloaded',
  'list.exported',
  'document.made',
  'resource.played.started',
  'resource.previewed',
  'evidence.read',
] as const satisfies readonly Action[]
const DOWNLOADS: ReadonlySet<string> = new Set(['resource.downloaded', 'list.exported', 'document.made'])

/** Entries of the ledger that are looked through; the newest. */
const MOST_ENTRIES = 500_000

export async function accessReport({ db }: FigureDeps, asking: Asking): Promise<Found> {
  const { tenant, viewer, wall, from, until, signal } = asking
  const since = isoMillis(wall.begin(from))
  const before = isoMillis(wall.begin(dayAfter(until, 1)))
  const first = await firstSince(db, since)
  const last = (await firstSince(db, before)) - 1
  const start = Math.max(first, last - MOST_ENTRIES + 1)
  const found = await db.longRead(
    accessRows(db.read, {
      tenant,
      viewer,
      from: start,
      to: last,
      since,
      before,
      actions: ACTIONS,
      most: MOST_ROWS + 1,
    }),
    signal,
  )
  const shown = found.slice(0, MOST_ROWS)
  const people = await peopleById(db.read, new Set(shown.flatMap((row) => personIn(row) ?? [])))
  const sum = (rows: readonly AccessRow[]): number => rows.reduce((total, row) => total + Number(row.times), 0)
  return {
    rows: shown.map((row) => {
      const person = people.get(personIn(row) ?? 0)
      return {
        who: person === undefined || nameOf(person) === row.actor ? row.actor : `${nameOf(person)} (${row.actor})`,
        act: actKey(row.action as Action),
        evidence: String(row.evidence_id),
        evidenceName: row.name,
        file: row.file,
        times: Number(row.times),
        first: row.first,
        last: row.last,
        bytes: DOWNLOADS.has(row.action) ? Number(row.bytes) : null,
      }
    }),
    figures: [
      { Key: 'downloads', Kind: 'count', Value: sum(shown.filter((row) => DOWNLOADS.has(row.action))) },
      { Key: 'views', Kind: 'count', Value: sum(shown.filter((row) => !DOWNLOADS.has(row.action))) },
    ],
    most: start > first ? MOST_ENTRIES : MOST_ROWS,
    notes: start > first ? ['ledgerPart'] : [],
    more: found.length > MOST_ROWS || start > first,
  }
}

const personIn = ({ kind, actor_id: id }: AccessRow): number | null =>
  kind === 'user' && /^\d{1,15}$/.test(id) ? Number(id) : null

/**
 * The first entry of this time or later, found by halves: entries stand in the order of time. One past the end where there is none. A clock
 * that was set back puts some entries out of order; the statement that reads them compares their times too.
 */
async function firstSince(db: Database, time: string): Promise<number> {
  let [low, high] = [1, 2]
  for (let entry = await entryFrom(db.read, high); entry !== null && entry.time < time; ) {
    low = entry.seq + 1
    high *= 2
    entry = await entryFrom(db.read, high)
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await entryFrom(db.read, middle)
    if (entry !== null && entry.time < time) low = entry.seq + 1
    else high = middle
  }
  return low
}
