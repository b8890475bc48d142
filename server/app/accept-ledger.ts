/**
 * `ledger accept`: an administrator of the machine accepts a station that was changed from outside. The ledger continues with an entry that
 * describes the accepted state. Checkpoints that do not fit any more are set aside as evidence.
 */
import { alarmReason } from '../../shared/messages/alarm-reasons.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Principal } from '../../shared/kernel/principal.ts'
import {
  allKept,
  runStatements,
  schemaTexts,
  takeOutCheckpoints,
  unfinishedAcceptance,
} from '../features/integrity/verification/accept.store.ts'
import { createAlarms } from '../kernel/ledger/alarms.ts'
import { createCheckpoints, recoverRotation } from '../features/integrity/verification/checkpoints.ts'
import { rootsAt } from '../features/integrity/verification/consistency.ts'
import { toHex } from '../kernel/ledger/format.ts'
import { createLedger } from '../kernel/ledger/ledger.ts'
import { openCheckpoint } from '../kernel/ledger/signed-note.ts'
import {
  fits,
  newestOutsideNow,
  newestOutsideOf,
  type NamedCheckpoint,
  StationTampered,
  type StartFindings,
} from '../features/integrity/verification/start-check.ts'
import type { KeptCheckpoint } from '../features/integrity/verification/start-check.store.ts'
import { type Database, openDatabase } from '../kernel/database/database.ts'
import { newestSchema } from '../kernel/database/migrate.ts'
import { openPostgres } from '../kernel/database/postgres/database.ts'
import { FORGOTTEN, nodesThatMayRun } from '../kernel/database/postgres/node-link.ts'
import { readStartRows } from '../kernel/database/postgres/start-rows.ts'
import { repairsOnPostgres } from '../kernel/database/postgres/schema-check.ts'
import type { SchemaDifference } from '../kernel/database/schema-difference.ts'
import { schemaRepairs } from '../kernel/database/sqlite/schema.ts'
import { lockStation } from '../kernel/database/sqlite/station-lock.ts'
import { isStationFolder, refuseHalfRestored } from '../platform/control/control.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { noteName, noteNames, openNotes, setNoteAside } from '../platform/files/notes.ts'
import { readText } from '../platform/files/read-text.ts'
import type { Log } from '../platform/log/log.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import type { WrappingSource } from '../platform/secrets/wrapping.ts'
import { stationOrigin } from './identity.store.ts'
import { type TrustedStart, trustedStart, trustedStartOnPostgres } from './trusted-start.ts'

interface Options {
  readonly data: string
  /** Of a headquarters, with where its wrapping key is; null for a station, whose database lies in the folder. */
  readonly database: ({ readonly url: string } & WrappingSource) | null
  readonly reason: string
  readonly actor: Principal
  readonly clock: Clock
  readonly log: Log
}

export interface Acceptance {
  /** Number of the entry of the acceptance. */
  readonly entry: number
  /** Number of entries before it. */
  readonly size: number
  readonly problems: readonly string[]
  /** Number of checkpoints that do not fit, in the database or beside it. */
  readonly setAside: number
}

/** Limits of the lists and texts in the entry. */
const MOST_LISTED = 100
const LONGEST_TEXT = 2000

/** @throws StationBusy; StationTampered when it cannot be accepted; Error when there is nothing to accept, or another node runs */
export async function acceptLedger(options: Options): Promise<Acceptance> {
  const { data, database } = options
  if (database === null && !(await isStationFolder(data)))
    throw new Error(`There is no station in ${data}. Name its folder with --data or SALLYPORT_DATA.`)
  await refuseHalfRestored(data)
  const lock = lockStation(data)
  const place = database === null ? inFolder(options) : onPostgres(options, database)
  try {
    const { keys, findings, repairs } = await place.start()
    if (findings === null)
      throw new Error(
        'There is nothing to accept: the ledger fits its newest signed checkpoints, and the schema is that of the program.',
      )
    if (!findings.readable || repairs.beyond.length > 0)
      throw new StationTampered(
        `This cannot be accepted, since the station could not go on from it. ${findings.problems.join(' ')} ${place.wayOut}`,
      )
    const outside = await place.outside(keys.signing.publicKeys())
    const db = await place.open()
    const done = await accept({ ...options, db, outside }, keys.signing, findings, repairs).finally(() => db.close())
    const left = (await place.start()).tampered
    if (left !== null) throw new StationTampered(left)
    return done
  } finally {
    await place.close()
    lock.release()
  }
}

/** The database of a station, or of a headquarters. */
interface AcceptedPlace {
  start(): Promise<TrustedStart & { readonly repairs: Repairs }>
  /** The newest checkpoints in reachable folders outside. */
  outside(keys: readonly Uint8Array[]): Promise<NamedCheckpoint[]>
  /** For writing. @throws Error while another node uses it */
  open(): Promise<Database>
  close(): Promise<void>
  /** For people, about what cannot be accepted. */
  readonly wayOut: string
}

/** How the differences of a schema are taken back. */
interface Repairs {
  readonly statements: readonly string[]
  readonly beyond: readonly SchemaDifference[]
  /** SQL texts of what is removed, before it goes. */
  removed(db: Database): Promise<readonly RemovedText[]>
}

interface RemovedText {
  readonly type: string
  readonly name: string
  readonly sql: string
}

function inFolder({ data, clock }: Options): AcceptedPlace {
  const file = join(data, 'sallyport.db')
  return {
    start: async () => {
      const start = await trustedStart(data, clock)
      const schema = start.findings?.schema ?? []
      const repairs = { ...schemaRepairs(schema, newestSchema()), removed: (db: Database) => removedTexts(db, schema) }
      return { ...start, repairs }
    },
    outside: (keys) => newestOutsideOf(file, keys),
    open: () => openDatabase({ file }),
    close: async () => {},
    wayOut: 'Restore the last good snapshot into another folder.',
  }
}

function onPostgres(
  { data, clock, log }: Options,
  { url, ...source }: NonNullable<Options['database']>,
): AcceptedPlace {
  const opened: StationKeys[] = []
  return {
    start: async () => {
      const start = await trustedStartOnPostgres(data, { url, clock, log, ...source })
      opened.push(start.keys)
      const removed = start.schema
        .filter(({ found }) => found !== null)
        .slice(0, MOST_LISTED)
        .map(({ type, name, found }) => ({ type, name, sql: `${found}`.slice(0, LONGEST_TEXT) }))
      return { ...start, repairs: { ...repairsOnPostgres(start.schema), removed: async () => removed } }
    },
    outside: async (keys) => {
      const rows = await readStartRows(url)
      try {
        return await newestOutsideNow(rows, keys)
      } finally {
        rows.close()
      }
    },
    open: async () => {
      const running = await nodesThatMayRun(url)
      if (running.length > 0)
        throw new Error(`These nodes use the database: ${running.join(', ')}. Stop them first. ${FORGOTTEN}`)
      return openPostgres({ url })
    },
    close: async () => {
      for (const keys of opened) await keys.close()
    },
    wayOut: 'Undo it in the database, or restore the last good backup into another database.',
  }
}

type SigningKeys = Awaited<ReturnType<typeof trustedStart>>['keys']['signing']

interface Accepting extends Options {
  readonly db: Database
  readonly outside: readonly NamedCheckpoint[]
}

async function accept(
  { data, reason, actor, clock, log, db, outside }: Accepting,
  key: SigningKeys,
  findings: StartFindings,
  repairs: Repairs,
): Promise<Acceptance> {
  const folder = join(data, 'checkpoints')
  const ledger = createLedger({ db, clock, log })
  const alarms = createAlarms({ ledger, clock, log })
  const notes = await openNotes(folder)
  const before = await ledger.head()
  const origin = await stationOrigin(db)
  const judged = await judgeCheckpoints(db, folder, key.publicKeys(), origin)
  const removed = await repairs.removed(db)
  const call = { actor, source: 'cli', correlationId: randomUUID() }
  const detail = {
    problems: findings.problems.slice(0, MOST_LISTED),
    signed: judged.newest,
    size: before.seq,
    head: before.hash,
    outside,
    setAside: {
      count: judged.rows.length + judged.files.length,
      rows: judged.rows.slice(0, MOST_LISTED).map(({ size }) => size),
      notes: judged.files.slice(0, MOST_LISTED),
    },
    removed,
  }
  const mark = String(before.seq + 1)
  // Before the commit, which removes them from the database, so that a crash in between loses no signed checkpoint.
  for (const { size, note } of judged.rows)
    await (await openNotes(join(folder, 'set-aside'))).keep(`${noteName(size)}-${mark}-database`, note)
  const { seq } = await db.transaction(async (tx) => {
    // First of all, so that no planted trigger runs with the following statements.
    await runStatements(tx, repairs.statements)
    await takeOutCheckpoints(
      tx,
      judged.rows.map(({ size }) => size),
    )
    const entry = await ledger.append(tx, call, {
      action: 'ledger.accepted',
      object: { type: 'ledger', id: '1', name: '' },
      reason,
      detail,
    })
    await alarms.raise(tx, call, {
      kind: 'ledger',
      subject: `accepted with entry ${entry.seq}`,
      message: alarmReason('accepted', { who: actor.name, found: String(findings.problems[0]), reason }),
      detail: { entry: entry.seq },
    })
    return entry
  })
  await moveNotes(folder, judged, mark)
  await recoverRotation({ ledger, key })
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key,
    origin: () => origin,
    keepOutside: (size, note) => notes.keep(noteName(size), note),
  })
  await checkpoints.take('command')
  await ledger.stop()
  return { entry: seq, size: before.seq, problems: findings.problems, setAside: detail.setAside.count }
}

/**
 * Sets notes aside after the commit. After a crash before this, the next start finds the same state or finishes the work; nothing is hidden.
 * Safe to repeat.
 */
async function moveNotes(folder: string, judged: JudgedCheckpoints, mark: string): Promise<void> {
  for (const name of judged.files) await setNoteAside(folder, name, mark)
  const notes = await openNotes(folder)
  for (const { size, note } of judged.good) await notes.keep(noteName(size), note)
}

interface Unfinished {
  readonly db: Database
  /** Folder of the notes beside the database. */
  readonly folder: string
  readonly keys: readonly Uint8Array[]
  readonly origin: string
}

/** Finishes an acceptance that was interrupted between its commit and the moving of its notes. Called at start, before a checkpoint is signed. */
export async function finishAcceptance({ db, folder, keys, origin }: Unfinished): Promise<void> {
  const seq = await unfinishedAcceptance(db)
  if (seq !== null) await moveNotes(folder, await judgeCheckpoints(db, folder, keys, origin), String(seq))
}

interface JudgedCheckpoints {
  /** Checkpoints in the database that do not fit the entries. */
  readonly rows: readonly KeptCheckpoint[]
  /** Checkpoints in the database that fit. */
  readonly good: readonly KeptCheckpoint[]
  /** Names of notes beside the database without a fitting checkpoint. */
  readonly files: readonly string[]
  /** The newest signed checkpoint in the database or beside it; null when none can be read. */
  readonly newest: NamedCheckpoint | null
}

/** Compares every checkpoint with the entries. The fitting ones are those from which the station can continue. */
async function judgeCheckpoints(
  db: Database,
  folder: string,
  keys: readonly Uint8Array[],
  origin: string,
): Promise<JudgedCheckpoints> {
  const stored = await allKept(db)
  const roots = await rootsAt(
    db,
    stored.map(({ size }) => size),
  )
  const isGood = (row: KeptCheckpoint): boolean => {
    const root = roots.get(row.size)
    const signed = signedBy(row.note, keys, origin)
    return root !== undefined && signed?.size === row.size && toHex(signed.root) === toHex(root) && fits(row, root)
  }
  const good = stored.filter(isGood)
  const goodNotes = new Set(good.map(({ note }) => note))
  const files: string[] = []
  let newest: NamedCheckpoint | null = null
  const considerNewest = (note: string): void => {
    const signed = signedBy(note, keys, origin)
    if (signed !== null && signed.size > (newest?.size ?? 0))
      newest = { size: signed.size, root: Buffer.from(signed.root).toString('base64') }
  }
  for (const { note } of stored) considerNewest(note)
  for (const name of await noteNames(folder)) {
    const note = await readText(join(folder, `${name}.txt`))
    considerNewest(note)
    if (!goodNotes.has(note)) files.push(name)
  }
  return { rows: stored.filter((row) => !good.includes(row)), good, files, newest }
}

function signedBy(note: string, keys: readonly Uint8Array[], origin: string): ReturnType<typeof openCheckpoint> | null {
  try {
    const opened = openCheckpoint(note, keys)
    return opened.origin === origin ? opened : null
  } catch {
    return null
  }
}

/** The SQL texts of schema objects that are removed. */
async function removedTexts(db: Database, schema: readonly SchemaDifference[]): Promise<RemovedText[]> {
  if (schema.length === 0) return []
  const texts = await schemaTexts(db)
  return schema
    .filter(({ what }) => what !== 'missing')
    .slice(0, MOST_LISTED)
    .map(({ type, name }) => ({
      type,
      name,
      sql: `${texts.find((one) => one.type === type && one.name === name)?.sql ?? ''}`.slice(0, LONGEST_TEXT),
    }))
}
