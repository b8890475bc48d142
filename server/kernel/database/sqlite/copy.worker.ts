/** Makes and inspects copies of the database on a thread of its own, since both read the whole file. */
import Sqlite from 'better-sqlite3'
import { parentPort, workerData } from 'node:worker_threads'
import { openRaw } from './raw.ts'
import { rebuildDatabase } from './rebuild.ts'
import { schemaDifferencesRaw } from './schema.ts'

/** Contents of a copy. Hashes are hexadecimal. */
export interface CopyFacts {
  readonly schema: number
  readonly origin: string
  readonly entries: number
  readonly head: string
  /** The last signed checkpoint. */
  readonly checkpoint: string | null
  /** Number of rows of the most important tables. */
  readonly counts: Readonly<Record<string, number>>
  /** Blobs whose bytes are at headquarters only. */
  readonly forwarded: { readonly count: number; readonly bytes: number }
}

export type CopyRequest =
  | { readonly op: 'make'; readonly source: string; readonly target: string }
  | { readonly op: 'rebuild'; readonly source: string; readonly target: string }
  | { readonly op: 'facts' }
  | { readonly op: 'blobs'; readonly after: string; readonly count: number }
  | { readonly op: 'notes'; readonly after: number; readonly count: number }
  | { readonly op: 'rotations' }
  | { readonly op: 'integrity' }
  /** Makes it a database that `openRaw` accepts. */
  | { readonly op: 'ready' }
  | { readonly op: 'close' }

export type CopyAnswer = { readonly value: unknown } | { readonly failure: { message: string; code: string } }

const port = parentPort
if (port === null) throw new Error('copy.worker.ts runs only as a worker thread')
const { file } = workerData as { file: string }
const COUNTED = ['evidence', 'resources', 'cases', 'principals', 'blobs', 'versions'] as const
let opened: Sqlite.Database | null = null

/** Opens the copy read-only; it is not in WAL mode yet. */
function copy(): Sqlite.Database {
  opened ??= new Sqlite(file, { readonly: true, fileMustExist: true })
  opened.pragma('trusted_schema = 0')
  opened.pragma('cell_size_check = 1')
  return opened
}

function facts(): CopyFacts {
  const db = copy()
  const value = <T>(sql: string): T | undefined => db.prepare(sql).pluck().get() as T | undefined
  return {
    schema: db.pragma('user_version', { simple: true }) as number,
    origin: value<string>("SELECT value FROM station WHERE name = 'origin'") ?? '',
    entries: value<number>('SELECT max(seq) FROM ledger') ?? 0,
    head: value<string>('SELECT lower(hex(hash)) FROM ledger ORDER BY seq DESC LIMIT 1') ?? '',
    checkpoint: value<string>('SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1') ?? null,
    counts: Object.fromEntries(COUNTED.map((name) => [name, value<number>(`SELECT count(*) FROM ${name}`) ?? 0])),
    forwarded: hasForwarded()
      ? {
          count: value<number>('SELECT count(*) FROM forwarded_blobs') ?? 0,
          bytes: value<number>('SELECT coalesce(sum(length), 0) FROM forwarded_blobs') ?? 0,
        }
      : { count: 0, bytes: 0 },
  }
}

/** Copies of earlier schemas know no forwarding. */
const hasForwarded = (): boolean =>
  copy().prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'forwarded_blobs'").get() !== undefined

function perform(request: Exclude<CopyRequest, { op: 'close' }>): unknown {
  switch (request.op) {
    case 'make': {
      // One read transaction, consistent during concurrent writes. Free pages are left out.
      const source = openRaw(request.source, { readOnly: true })
      try {
        source.pragma('query_only = 0')
        source.prepare('VACUUM INTO ?').run(request.target)
      } finally {
        source.close()
      }
      return null
    }
    case 'rebuild':
      return rebuildDatabase(request.source, request.target).map(({ message }) => message)
    case 'facts':
      return facts()
    case 'blobs':
      return copy()
        .prepare(
          `SELECT sha256, length FROM blobs WHERE sha256 > ? ${hasForwarded() ? 'AND sha256 NOT IN (SELECT sha256 FROM forwarded_blobs)' : ''} ORDER BY sha256 LIMIT ?`,
        )
        .all(request.after, request.count)
    case 'notes':
      return copy()
        .prepare('SELECT size, note FROM checkpoints WHERE size > ? ORDER BY size LIMIT ?')
        .all(request.after, request.count)
    case 'rotations':
      return (
        copy()
          .prepare("SELECT CAST(body AS TEXT) AS body FROM ledger WHERE object_type = 'key' ORDER BY seq")
          .pluck()
          .all() as string[]
      )
        .map((body) => JSON.parse(body) as { action: string; detail?: unknown })
        .filter(({ action }) => action === 'key.rotated')
        .map(({ detail }) => detail)
    case 'integrity': {
      const problems = copy().pragma('integrity_check(20)') as { integrity_check: string }[]
      const broken = copy().pragma('foreign_key_check') as { table: string }[]
      return [
        ...schemaDifferencesRaw(copy()).map(({ message }) => message),
        ...problems.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
        ...[...new Set(broken.map(({ table }) => table))].map(
          (table) => `rows of ${table} name others that are not there`,
        ),
      ]
    }
    case 'ready':
      opened?.close()
      opened = null
      openRaw(file).close()
      return null
  }
}

port.on('message', (request: CopyRequest) => {
  if (request.op === 'close') {
    opened?.close()
    port.close()
    return
  }
  try {
    port.postMessage({ value: perform(request) } satisfies CopyAnswer)
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    port.postMessage({ failure: { message, code: code ?? 'UNKNOWN' } } satisfies CopyAnswer)
  }
})
