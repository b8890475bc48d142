/**
 * What a station looks at before it writes anything: that its database has the schema of its migrations, and that its ledger is what was
 * signed last. An entry or a signature over a ledger that was cut or rewritten would cover up what happened, and a planted trigger runs
 * with the first write. The check is small: it compares the newest signed checkpoints and walks no chain; `verify` does that.
 */
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newestSchema } from '../../../kernel/database/migrate.ts'
import { openToInspect, type RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { type SchemaDifference, schemaDifferencesRaw } from '../../../kernel/database/sqlite/schema.ts'
import { newestNotes } from '../../../platform/files/notes.ts'
import { fileLength, namesIn } from '../../../platform/files/trees.ts'
import { notesFolder } from './copies.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import { rangeFromFrontier } from '../../../kernel/ledger/merkle.ts'
import { openCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import {
  type Explanation,
  explanations,
  folderTargets,
  type KeptCheckpoint,
  keptCheckpoint,
  lastEntry,
  newestKept,
  newestSigned,
  originOf,
} from './start-check.store.ts'

/** Somebody changed the ledger or the schema of this station. Nothing was written over it. */
export class StationTampered extends Error {
  override readonly name = 'StationTampered'
  readonly code = 'StationTampered'
}

/** What the start check found. */
export interface StartFindings {
  /** A sentence each; never empty. */
  readonly problems: readonly string[]
  /** Whether the database can be read as it is. If not, the station cannot open at all. */
  readonly readable: boolean
  readonly schema: readonly SchemaDifference[]
}

/** A database that is open for a look. */
export interface StartInspection {
  /** Whether the station has a past: then no key may be made anew. */
  readonly established: boolean
  /** Whether migrations are due, after which every covered row is stated anew. */
  readonly outdated: boolean
  /** @param keys raw public keys of the station @returns null when all is as this station left it */
  findings(keys: readonly Uint8Array[]): Promise<StartFindings | null>
  close(): void
}

/** Milliseconds that a folder outside may take to answer. A drive that is away says nothing. */
const OUTSIDE_MS = 2_000
/** Notes of one folder outside that are tried until one is signed by this station. */
const MOST_TRIED = 5
/** Differences of the schema that are named. */
const MOST_NAMED = 10

/** @param notes the folder of signed checkpoints beside the database @throws DatabaseNewer, or Error where it cannot be read at all */
export async function inspectStart(file: string, notes: string): Promise<StartInspection> {
  const [local] = await newestNotes(notes, 1)
  const there = ((await namesIn(dirname(file))) ?? []).includes(basename(file))
  if (there && (await fileLength(file)) === null) throw new Error(`unable to open database file: ${file} is no file`)
  const db = there ? openToInspect(file) : null
  try {
    const version = db === null ? 0 : Number(db.pragma('user_version', { simple: true }))
    const schema = db === null ? [] : schemaDifferencesRaw(db)
    // Without its tables there is nothing more to read.
    const tables = schema.every(({ type }) => type !== 'table')
    const ledger = db !== null && version > 0 && tables ? db : null
    return {
      established: local !== undefined || (ledger !== null && lastEntry(ledger) > 0),
      outdated: ledger !== null && version < newestSchema(),
      findings: async (keys) => {
        const problems = schemaProblems(schema)
        if (ledger !== null) problems.push(...(await ledgerProblems(ledger, local, keys)))
        else if (tables && local !== undefined)
          problems.push('The database is empty or gone, although checkpoints of its ledger were signed.')
        if (problems.length === 0) return null
        return { problems, readable: ledger !== null && version === newestSchema(), schema }
      },
      close: () => void db?.close(),
    }
  } catch (error) {
    db?.close()
    throw error
  }
}

function schemaProblems(schema: readonly SchemaDifference[]): string[] {
  const problems = schema.slice(0, MOST_NAMED).map(({ message }) => message)
  if (schema.length > MOST_NAMED) problems.push(`And ${schema.length - MOST_NAMED} more differences of the schema.`)
  return problems
}

/** The newest note beside the database, the newest checkpoint in it, and the newest notes outside, against the ledger. */
async function ledgerProblems(
  db: RawDatabase,
  local: string | undefined,
  keys: readonly Uint8Array[],
): Promise<string[]> {
  const problems: string[] = []
  const origin = originOf(db)
  const against = (note: string): string | null => misfit(db, note, keys, origin)
  const [newest, second] = newestKept(db, 2)
  if (local === undefined && second !== undefined)
    problems.push('The folder "checkpoints" is empty, although the ledger has checkpoints.')
  if (local !== undefined) problems.push(...named('the newest signed checkpoint beside it', against(local)))
  if (newest !== undefined && newest.note !== local)
    problems.push(...named('the newest checkpoint in the database', against(newest.note)))
  // An entry and its checkpoint are written in one transaction.
  const signed = newestSigned(db)
  if (signed !== null && signed !== (newest?.size ?? null))
    problems.push(
      `The ledger says that a checkpoint over ${signed} entries was signed last, and the database has another one.`,
    )
  // Only what a checkpoint covers that fits explains anything: whoever has no key cannot write it.
  const known = problems.length > 0 ? [] : explanations(db).filter(({ seq }) => seq <= (newest?.size ?? 0))
  for (const { id, notes } of await notesOutside(db, origin)) {
    const note = notes.find((one) => isSigned(one, keys, origin))
    if (note !== undefined && !isExplained(note, keys, known))
      problems.push(...named(`the newest checkpoint that was copied to place ${id}`, against(note)))
  }
  return problems
}

const named = (what: string, problem: string | null): string[] =>
  problem === null ? [] : [`The ledger does not fit ${what}: ${problem}`]

/** @returns why the ledger is not what the note says, as the end of a sentence; null: it fits */
function misfit(db: RawDatabase, note: string, keys: readonly Uint8Array[], origin: string | null): string | null {
  let signed: ReturnType<typeof openCheckpoint>
  try {
    signed = openCheckpoint(note, keys)
  } catch (error) {
    return `it is not as this station signed it (${(error as Error).message}).`
  }
  if (signed.origin !== origin) return `it is of another station, ${signed.origin}.`
  const last = lastEntry(db)
  if (signed.size > last)
    return `${signed.size} entries were signed, and the ledger has ${last}: its end was cut off, or the database is an older copy.`
  const kept = keptCheckpoint(db, signed.size)
  return kept !== null && fits(kept, signed.root)
    ? null
    : `its first ${signed.size} entries are not those that were signed.`
}

/** The row beside the note, and the ledger's entry at its size, are what was signed. */
export function fits({ root, head, frontier, entryHash, size }: KeptCheckpoint, signed: Uint8Array): boolean {
  if (toHex(root) !== toHex(signed) || entryHash === null || toHex(head) !== toHex(entryHash)) return false
  try {
    // The next checkpoint continues from these subtrees.
    return toHex(rangeFromFrontier(size, frontier).root()) === toHex(signed)
  } catch {
    return false
  }
}

/** Other files on a drive say nothing about this ledger; the copying names them. */
function isSigned(note: string, keys: readonly Uint8Array[], origin: string | null): boolean {
  try {
    return openCheckpoint(note, keys).origin === origin
  } catch {
    return false
  }
}

function isExplained(note: string, keys: readonly Uint8Array[], known: readonly Explanation[]): boolean {
  const { size, root } = openCheckpoint(note, keys)
  const text = Buffer.from(root).toString('base64')
  return known.some(({ notes }) => notes.some((one) => one.size === size && one.root === text))
}

interface OutsidePlace {
  readonly id: number
  /** Newest first. */
  readonly notes: readonly string[]
}

async function notesOutside(db: RawDatabase, origin: string | null): Promise<OutsidePlace[]> {
  if (origin === null) return []
  return Promise.all(
    folderTargets(db).map(async ({ id, folder }) => ({
      id,
      notes: await soon(newestNotes(notesFolder(folder, origin), MOST_TRIED)),
    })),
  )
}

/** A network drive that hangs must not hold up the start. */
async function soon(notes: Promise<string[]>): Promise<string[]> {
  const abort = new AbortController()
  const late = pause(OUTSIDE_MS, [], { signal: abort.signal }).catch(() => [])
  try {
    return await Promise.race([notes.catch(() => []), late])
  } finally {
    abort.abort()
  }
}

const WHAT_TO_DO =
  'Nothing is written to it. Keep the folder as it is and find out what happened: "verify" compares everything. Then restore the last good snapshot into another folder, or, if the reason is known, accept this state with "ledger accept --reason TEXT" while the station is stopped.'

/** What people are told: what happened, and what to do. */
export const tamperedMessage = ({ problems }: StartFindings): string =>
  `The station is not as it was left. ${problems.join(' ')} ${WHAT_TO_DO}`

/** As an entry names a signed checkpoint. */
export interface NamedCheckpoint {
  readonly size: number
  /** In base64. */
  readonly root: string
}

/** The newest checkpoints in folders outside that can be reached: an entry that lists them explains why they do not fit. */
export async function newestOutsideNow(file: string, keys: readonly Uint8Array[]): Promise<NamedCheckpoint[]> {
  const db = openToInspect(file)
  try {
    const origin = originOf(db)
    const places = await notesOutside(db, origin)
    const notes = places.map((place) => place.notes.find((one) => isSigned(one, keys, origin)))
    return notes
      .filter((note) => note !== undefined)
      .map((note) => openCheckpoint(note, keys))
      .map(({ size, root }) => ({ size, root: Buffer.from(root).toString('base64') }))
  } finally {
    db.close()
  }
}
