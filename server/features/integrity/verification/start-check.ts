/**
 * The check before a station writes anything: its database has the schema of its migrations, and its ledger agrees with the last
 * signatures. A new entry or signature over a cut or rewritten ledger would hide the change, and a planted trigger runs with the first
 * write. The check compares only the newest signed checkpoints; `verify` checks the whole chain.
 */
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newestSchema } from '../../../kernel/database/migrate.ts'
import { openToInspect, type RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import type { SchemaDifference } from '../../../kernel/database/schema-difference.ts'
import { schemaDifferencesRaw } from '../../../kernel/database/sqlite/schema.ts'
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
  movedAt,
  newestKept,
  newestSigned,
  originOf,
} from './start-check.store.ts'

/** The ledger or schema of this station was changed from outside. Nothing was written since. */
export class StationTampered extends Error {
  override readonly name = 'StationTampered'
  readonly code = 'StationTampered'
}

/** Findings of the start check. */
export interface StartFindings {
  /** A sentence each; never empty. */
  readonly problems: readonly string[]
  /** Whether the database can be read. If not, the station cannot open at all. */
  readonly readable: boolean
  readonly schema: readonly SchemaDifference[]
}

/** A database that is open for the check. */
export interface StartInspection {
  /** Whether the station has run before. Then no new key may be created. */
  readonly established: boolean
  /** Whether migrations are due, after which every covered row is stated again. */
  readonly outdated: boolean
  /** @param keys raw public keys of the station @returns null when nothing was changed from outside */
  findings(keys: readonly Uint8Array[]): Promise<StartFindings | null>
  close(): void
}

/** Milliseconds within which a folder outside must answer. A missing drive is no finding. */
const OUTSIDE_MS = 2_000
/** The most notes of an outside folder that are tried until one is signed by this station. */
const MOST_TRIED = 5
/** The most differences of the schema that are named. */
const MOST_NAMED = 10

/** @param notes the folder of signed checkpoints beside the database @throws DatabaseNewer, or Error when it cannot be read at all */
export async function inspectStart(file: string, notes: string): Promise<StartInspection> {
  const there = ((await namesIn(dirname(file))) ?? []).includes(basename(file))
  if (there && (await fileLength(file)) === null) throw new Error(`unable to open database file: ${file} is no file`)
  const db = there ? openToInspect(file) : null
  try {
    const most = db === null ? undefined : movedAt(db)
    const [local] = await newestNotes(notes, 1, most)
    const version = db === null ? 0 : Number(db.pragma('user_version', { simple: true }))
    const schema = db === null ? [] : schemaDifferencesRaw(db)
    // Without tables there is nothing more to read.
    const tables = schema.every(({ type }) => type !== 'table')
    const ledger = db !== null && version > 0 && tables ? db : null
    return {
      established: local !== undefined || (ledger !== null && lastEntry(ledger) > 0),
      outdated: ledger !== null && version < newestSchema(),
      findings: async (keys) => {
        const problems = schemaProblems(schema)
        if (ledger !== null) problems.push(...(await ledgerProblems(ledger, { local, isLocalKept: true, keys })))
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

/** What the check reads of a headquarters. */
interface HeadquartersFacts {
  readonly schema: readonly SchemaDifference[]
  /** Of the ledger (kernel/database/postgres/start-rows.ts); null when tables are missing. */
  readonly rows: RawDatabase | null
  /** The folder of checkpoints that this node signed. */
  readonly notes: string
  readonly keys: readonly Uint8Array[]
}

/** The same for a headquarters. @returns null when nothing was changed from outside */
export async function headquartersFindings({
  schema,
  rows,
  notes,
  keys,
}: HeadquartersFacts): Promise<StartFindings | null> {
  const problems = schemaProblems(schema)
  if (rows !== null) {
    const [local] = await newestNotes(notes, 1, movedAt(rows))
    // Another node may have signed all of them.
    problems.push(...(await ledgerProblems(rows, { local, isLocalKept: false, keys })))
  }
  return problems.length === 0 ? null : { problems, readable: rows !== null, schema }
}

interface Against {
  /** The newest note beside the database. */
  readonly local: string | undefined
  /** Whether every checkpoint has a note there. */
  readonly isLocalKept: boolean
  readonly keys: readonly Uint8Array[]
}

/** Compares the ledger with the newest note beside the database, the newest checkpoint in it, and the newest notes outside. */
async function ledgerProblems(db: RawDatabase, { local, isLocalKept, keys }: Against): Promise<string[]> {
  const problems: string[] = []
  const origin = originOf(db)
  const against = (note: string): string | null => misfit(db, note, keys, origin)
  const [newest, second] = newestKept(db, 2)
  if (isLocalKept && local === undefined && second !== undefined)
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
  // Only entries under a fitting checkpoint explain anything: an attacker without the key cannot write those.
  const known = problems.length > 0 ? [] : explanations(db).filter(({ seq }) => seq <= (newest?.size ?? 0))
  for (const { id, notes } of await notesOutside(db, origin, movedAt(db))) {
    const note = notes.find((one) => isSigned(one, keys, origin))
    if (note !== undefined && !isExplained(note, keys, known))
      problems.push(...named(`the newest checkpoint that was copied to place ${id}`, against(note)))
  }
  return problems
}

const named = (what: string, problem: string | null): string[] =>
  problem === null ? [] : [`The ledger does not fit ${what}: ${problem}`]

/** @returns why the ledger differs from the note, as the end of a sentence; null when it agrees */
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

/** Whether the stored row and the ledger's entry at its size agree with the signed root. */
export function fits({ root, head, frontier, entryHash, size }: KeptCheckpoint, signed: Uint8Array): boolean {
  if (toHex(root) !== toHex(signed) || entryHash === null || toHex(head) !== toHex(entryHash)) return false
  try {
    // The next checkpoint continues from these subtrees.
    return toHex(rangeFromFrontier(size, frontier).root()) === toHex(signed)
  } catch {
    return false
  }
}

/** Whether this station signed the note. Other files on a drive are ignored here; copying reports them. */
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

async function notesOutside(
  db: RawDatabase,
  origin: string | null,
  most?: number | undefined,
): Promise<OutsidePlace[]> {
  if (origin === null) return []
  return Promise.all(
    folderTargets(db).map(async ({ id, folder }) => ({
      id,
      notes: await withinTimeLimit(newestNotes(notesFolder(folder, origin), MOST_TRIED, most)),
    })),
  )
}

/** Gives up after `OUTSIDE_MS`: a hanging network drive must not delay the start. */
async function withinTimeLimit(notes: Promise<string[]>): Promise<string[]> {
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

/** The message for people: what happened, and what to do. */
export const tamperedMessage = ({ problems }: StartFindings): string =>
  `The station is not as it was left. ${problems.join(' ')} ${WHAT_TO_DO}`

/** A signed checkpoint in the form of a ledger entry. */
export interface NamedCheckpoint {
  readonly size: number
  /** In base64. */
  readonly root: string
}

/** Of the database of a station that does not run. */
export async function newestOutsideOf(file: string, keys: readonly Uint8Array[]): Promise<NamedCheckpoint[]> {
  const db = openToInspect(file)
  try {
    return await newestOutsideNow(db, keys)
  } finally {
    db.close()
  }
}

/** The newest checkpoints in reachable outside folders. A ledger entry that lists them explains why they do not fit. */
export async function newestOutsideNow(db: RawDatabase, keys: readonly Uint8Array[]): Promise<NamedCheckpoint[]> {
  const origin = originOf(db)
  const places = await notesOutside(db, origin)
  const notes = places.map((place) => place.notes.find((one) => isSigned(one, keys, origin)))
  return notes
    .filter((note) => note !== undefined)
    .map((note) => openCheckpoint(note, keys))
    .map(({ size, root }) => ({ size, root: Buffer.from(root).toString('base64') }))
}
