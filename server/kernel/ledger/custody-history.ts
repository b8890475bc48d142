import { isReadOfVisit, READS_OF_A_VISIT } from '../../../shared/kernel/custody-reads.ts'
import type { Database } from '../database/database.ts'
import { NO_HASH, type StoredEntry, toHex, wholeEntry } from './format.ts'
import { ACTIONS_VIEWED, type CustodyKind, kindOf } from './actions.ts'
import * as store from './custody-history.store.ts'

/** One entry with everything needed to recompute the chain. */
export interface CustodyEntry {
  readonly seq: number
  readonly kind: CustodyKind
  /** Null when the stored bytes are not an entry any more. */
  readonly entry: StoredEntry | null
  /** The stored bytes as text. */
  readonly canonical: string
  readonly hash: string
  /** Empty when the previous entry is missing. */
  readonly previousHash: string
}

export interface CustodyPage {
  readonly entries: readonly CustodyEntry[]
  readonly counts: { readonly all: number; readonly changes: number; readonly views: number; readonly acts: number }
  /** Value of `before` for the next page; null at the end. */
  readonly next: number | null
}

export interface CustodyQuery {
  readonly kind: keyof typeof FILTERS
  readonly before?: number
  readonly count: number
}

const FILTERS = {
  all: { which: 'all', actions: [] },
  changes: { which: 'without', actions: ACTIONS_VIEWED },
  views: { which: 'with', actions: ACTIONS_VIEWED },
  acts: { which: 'withoutDone', actions: READS_OF_A_VISIT },
} as const satisfies Readonly<Record<string, store.CustodyFilter>>

/** Ledger entries about one evidence, its resources and their jobs, newest first (decisions 12). */
export async function readCustody(
  db: Database,
  evidenceId: number,
  { kind, before = Number.MAX_SAFE_INTEGER, count }: CustodyQuery,
): Promise<CustodyPage> {
  const rows = await db.longRead(store.custodyRows(db.read, evidenceId, { before, count: count + 1, ...FILTERS[kind] }))
  const counted = await db.longRead(store.custodyCounts(db.read, evidenceId))
  const all = counted.reduce((sum, row) => sum + row.count, 0)
  const views = counted.reduce((sum, row) => sum + (kindOf(row.action) === 'view' ? row.count : 0), 0)
  const reads = counted.reduce((sum, row) => sum + (isReadOfVisit(row.action, row.outcome) ? row.count : 0), 0)
  const shown = rows.slice(0, count)
  return {
    entries: shown.map(entryOf),
    counts: { all, changes: all - views, views, acts: all - reads },
    next: rows.length > count ? (shown.at(-1)?.seq ?? null) : null,
  }
}

/** Numbers of the ledger entries about one evidence, its resources and their jobs, up to `last`, in no order. */
export async function custodySeqs(db: Database, evidenceId: number, last: number): Promise<number[]> {
  const rows = await db.longRead(store.custodySeqs(db.read, evidenceId, last))
  return rows.map(({ seq }) => seq)
}

function entryOf({ seq, body, hash, previous }: store.CustodyRow): CustodyEntry {
  const entry = entryIn(body)
  return {
    seq,
    kind: kindOf(entry?.action ?? ''),
    entry,
    canonical: Buffer.from(body).toString('utf8'),
    hash: toHex(hash),
    previousHash: seq === 1 ? toHex(NO_HASH) : previous === null ? '' : toHex(previous),
  }
}

/** Null when the bytes are no entry any more. */
export function entryIn(body: Uint8Array): StoredEntry | null {
  try {
    const entry = wholeEntry(body)
    return entry.format === 1 && typeof entry.action === 'string' && typeof entry.actor?.kind === 'string'
      ? entry
      : null
  } catch {
    return null
  }
}
