import type { z } from 'zod'
import type { HistoryModel } from '../../../shared/cases/contract.ts'
import type { CsvValue } from '../../../shared/kernel/csv.ts'

/** Histories of every kind, as files. */

type HistoryOut = z.input<typeof HistoryModel>
type HistoryEntry = HistoryOut['Entries'][number]

const PAGE = 500
/** The parent of the oldest version (decisions 4). */
const NOTHING = '0'.repeat(40)

/** @param read one page; judges who asks each time */
export async function* historyPages(
  read: (page: { count: number; startingConcurrencyId?: string }) => Promise<HistoryOut>,
): AsyncGenerator<readonly HistoryEntry[]> {
  let out = await read({ count: PAGE })
  yield out.Entries
  for (let next = nextOf(out); next !== null; next = nextOf(out)) {
    out = await read({ count: PAGE, startingConcurrencyId: next })
    yield out.Entries
  }
}

function nextOf({ Entries }: HistoryOut): string | null {
  const parent = Entries.at(-1)?.ParentReferenceId ?? NOTHING
  return Entries.length < PAGE || parent === NOTHING ? null : parent
}

export const HISTORY_COLUMNS: readonly (readonly [name: string, value: (entry: HistoryEntry) => CsvValue])[] = [
  ['DateUtc', (entry) => entry.DateUtc],
  ['Action', (entry) => entry.Action],
  ['AuthorName', (entry) => entry.Author.Name],
  ['AuthorId', (entry) => entry.Author.PrincipalId],
  ['ConcurrencyId', (entry) => entry.ConcurrencyId],
  ['ParentReferenceId', (entry) => entry.ParentReferenceId],
  ['Changes', (entry) => (entry.Changes === null ? null : JSON.stringify(entry.Changes))],
]
