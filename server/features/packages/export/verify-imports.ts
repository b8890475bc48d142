/** Verifies the entries of other stations that are kept here, under the tree heads that those stations signed. */
import type { Database } from '../../../kernel/database/database.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { leafHash } from '../../../kernel/ledger/format.ts'
import { isIncluded, readProofLine } from '../../../kernel/ledger/inclusion-proof.ts'
import { compactRange } from '../../../kernel/ledger/merkle.ts'
import { isSameRoot } from '../../../kernel/ledger/signed-head.ts'
import { openCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import * as rows from './imports.store.ts'

export interface VerifiedImport {
  readonly importId: string
  readonly kind: 'station' | 'package'
  readonly origin: string
  readonly name: string
  readonly entries: number
  readonly finishedUtc: string | null
  /** None: every entry is one of the ledger of that station. */
  readonly problems: readonly string[]
}

const AT_ONCE = 1000
const MOST_PROBLEMS = 100

export async function verifyImports(
  { db, ledger }: { readonly db: Database; readonly ledger: Pick<Ledger, 'append'> },
  call: Call,
  signal: AbortSignal,
): Promise<VerifiedImport[]> {
  const found: VerifiedImport[] = []
  for (const row of await rows.importsOf(db.read)) found.push(await verifyImport(db, row, signal))
  if (found.length === 0) return found
  const problems = found.reduce((sum, one) => sum + one.problems.length, 0)
  await db.transaction((tx) =>
    ledger.append(tx, call, {
      action: 'import.verified',
      object: { type: 'station', id: '1', name: '' },
      outcome: problems === 0 ? 'ok' : 'failed',
      detail: { imports: found.length, problems },
    }),
  )
  return found
}

export async function verifyImport(db: Database, row: rows.ImportRow, signal: AbortSignal): Promise<VerifiedImport> {
  const problems: string[] = []
  const say = (text: string): void => {
    if (problems.length < MOST_PROBLEMS) problems.push(text)
  }
  let count = 0
  try {
    const head = openCheckpoint(row.note, [Buffer.from(row.ledger_key, 'base64')])
    if (head.origin !== row.origin) say(`The tree head is one of ${head.origin}.`)
    const range = compactRange()
    let last = 0
    for (let more = true; more; ) {
      signal.throwIfAborted()
      const page = await db.longRead(rows.entriesAfter(db.read, row.import_id, last, AT_ONCE))
      more = page.length === AT_ONCE
      for (const entry of page) {
        count++
        const leaf = leafHash(entry.body)
        if (row.kind === 'package') {
          if (!isProved(entry, leaf, head))
            say(`Entry ${entry.seq} is not under the tree head that the station signed.`)
        } else if (entry.seq === last + 1) range.append(leaf)
        else say(`Entry ${last + 1} is missing.`)
        last = entry.seq
      }
    }
    if (row.kind === 'station' && problems.length === 0 && (last !== head.size || !isSameRoot(range.root(), head.root)))
      say('An entry was changed, or the last ones are missing: it is not the ledger whose head the station signed.')
    if (count !== row.entries) say(`${row.entries} entries came, and ${count} are here.`)
  } catch (error) {
    signal.throwIfAborted()
    say((error as Error).message)
  }
  return {
    importId: String(row.import_id),
    kind: row.kind,
    origin: row.origin,
    name: row.name,
    entries: count,
    finishedUtc: row.finished_utc,
    problems,
  }
}

function isProved(
  { seq, proof: line }: rows.ImportedEntryRow,
  leaf: Uint8Array,
  head: { readonly size: number; readonly root: Uint8Array },
): boolean {
  if (line === null) return false
  try {
    const proof = readProofLine(line)
    return proof.seq === seq && proof.size === head.size && isSameRoot(proof.leaf, leaf) && isIncluded(proof, head.root)
  } catch {
    return false
  }
}
