/**
 * Moves the station to another database and another blob store (docs/decisions/0027). Blobs are copied while the station runs. Then it takes no
 * writes, the rest is copied, both sides are compared, the old database is marked, and the new one gets the entry `station.moved`.
 */
import { unlessHalted } from '../../kernel/jobs/types.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { fault } from '../../../shared/kernel/errors.ts'
import { blobRowsAfter } from '../../features/integrity/verification/verify.store.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { differencesOf, type DatabasePlace, type TableSums } from '../../kernel/database/row-copy.ts'
import { copyOnThread } from '../../kernel/database/row-copy-thread.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { type Appended, createLedger } from '../../kernel/ledger/ledger.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { leastSpace } from '../../platform/files/space.ts'
import { type BlobRow, createBlobMover, type MovedBlobs } from '../../storage/move-blobs.ts'
import { BlockLost, createBlockMover, type MovedBlocks } from '../../storage/move-blocks.ts'
import type { OpenedKernel } from '../kernel.ts'
import { type BlobTarget, openBlobTarget, ownBlocks } from './blob-target.ts'
import { type DatabaseTarget, openDatabaseTarget, sizeOfDatabase } from './database-target.ts'
import {
  arrivingText,
  blobsIn,
  blobTotals,
  hashOfEntry,
  isOpenBlock,
  mayGo,
  type MovedMark,
  movedMark,
  nameBlocksApart,
  openBlocks,
  quarantineRows,
  setHome,
  setMoved,
  uploadsWithBlocks,
} from './home.store.ts'
import { carryKeys, requireKeys } from './keys.ts'
import { movedSentence } from './left-home.ts'
import {
  type Asked,
  blobsName,
  databaseName,
  MoveRefused,
  movesBlobs,
  movesDatabase,
  newPlace,
  type Place,
  placeOf,
  settingsFor,
} from './places.ts'
import { createProgress } from './progress.ts'

export interface MoveReport {
  readonly database: string
  readonly blobs: string
  /** Of the ledger when it moved; the entry `station.moved` is the next one. */
  readonly entries: number
  readonly head: string
  /** Null: the database stayed. */
  readonly rows: { readonly tables: number; readonly rows: number } | null
  /** Null: the blobs stayed. */
  readonly copied: { readonly blobs: number; readonly bytes: number; readonly present: number } | null
  /** Blocks of uploads under way. Null: the blobs stayed. */
  readonly blocks: MovedBlocks | null
  readonly keys: string
  /** How the station is started at its new home. */
  readonly start: string
}

export type Move = (
  call: Call,
  asked: Asked,
  onProgress: (text: string) => void,
  signal: AbortSignal,
) => Promise<MoveReport>

interface Needs {
  /** Ends the work that the station does by itself. */
  readonly retire: () => Promise<void>
}

/** Milliseconds for requests and jobs that had begun when the station stopped taking writes. */
const DRAIN_MS = 5_000
const STATION = { type: 'station', id: '1', name: '' }

export function createMove(kernel: OpenedKernel, { retire }: Needs): Move {
  return async (call, asked, onProgress, signal) => {
    const from = placeOf(kernel.settings)
    const to = newPlace(from, asked)
    const moved = await movedMark(kernel.db.read)
    const inOldBlobs = kernel.mode.isRetired() && (await blobsIn(kernel.db.read)) === blobsName(to.blobUrl)
    try {
      if (moved !== null || inOldBlobs) return await finishMove({ kernel, from, to, call }, moved)
      if (kernel.mode.isRetired()) throw new MoveRefused(kernel.mode.reason() ?? '')
      if (!movesDatabase(from, to) && !movesBlobs(from, to))
        throw new MoveRefused('The station is there already. Name another database or other blobs.')
      return await moveStation({ kernel, from, to, call }, onProgress, signal)
    } finally {
      if (kernel.mode.isRetired()) await retire()
    }
  }
}

interface Moving {
  readonly kernel: OpenedKernel
  readonly from: Place
  readonly to: Place
  readonly call: Call
}

async function moveStation(
  moving: Moving,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<MoveReport> {
  const { kernel, from, to } = moving
  await requireNoOtherNode(kernel)
  await requireKeys(kernel.settings, from, to)
  const database = movesDatabase(from, to) ? await openDatabaseTarget(kernel, to) : null
  await database?.prepare()
  const blobs = movesBlobs(from, to) ? await openBlobTarget(kernel, to, { mark: true }) : null
  try {
    await requireRoom(kernel, database, blobs)
    const progress = createProgress(await blobTotals(kernel.db.read), onProgress)
    const bytes = blobs === null ? null : createCarrier(moving, blobs, progress.blob, signal)
    await bytes?.copy()
    const held = await holdWrites(kernel, to)
    try {
      await bytes?.copy()
      await bytes?.copyQuarantine()
      await kernel.db.refuseWrites(held.refusal)
      const head = await kernel.ledger.head()
      const sums = database === null ? null : await moveRows(kernel, database.place, head, progress.rows, signal)
      // What was completed or sent while writes were ending; from here on nothing comes.
      await bytes?.copy()
      await bytes?.compare()
      const keys = await carryKeys(kernel.settings, from, to)
      await requireNoOtherNode(kernel)
      signal.throwIfAborted()
      const report: MoveReport = {
        database: databaseName(to.databaseUrl),
        blobs: blobsName(to.blobUrl),
        entries: head.seq,
        head: head.hash,
        rows: sums === null ? null : { tables: Object.keys(sums).length, rows: total(Object.values(sums), 'rows') },
        copied: bytes?.copied() ?? null,
        blocks: bytes?.blocks() ?? null,
        keys,
        start: settingsFor(to),
      }
      await leave(moving, { database, blobs }, report)
      return report
    } catch (error) {
      // Before the station left, it goes on where it is.
      if (!kernel.mode.isRetired()) await held.release()
      throw error
    }
  } finally {
    await blobs?.close()
  }
}

/** A node that runs beside this one does not know of the mark until it starts anew, and would write behind it. @throws MoveRefused */
async function requireNoOtherNode({ nodes }: OpenedKernel): Promise<void> {
  const others = (await nodes.list()).filter(
    ({ isThis, state }) => !isThis && (state === 'running' || state === 'wrong-clock'),
  )
  if (others.length === 0) return
  const names = others.map(({ name }) => name).join(', ')
  throw new MoveRefused(
    `Other nodes use this database: ${names}. Stop all nodes but this one, then run the command again. "sallyport nodes" shows which run.`,
  )
}

/** What lies at the new place in the end: blobs, blocks of uploads under way, and bytes in quarantine. */
interface Carrier {
  /** Blobs and blocks. Called again it takes what came since. @throws MoveRefused for a block that is not as it was acknowledged */
  copy(): Promise<void>
  copyQuarantine(): Promise<void>
  compare(): Promise<void>
  copied(): NonNullable<MoveReport['copied']>
  blocks(): MovedBlocks
}

function createCarrier(
  { kernel, to }: Moving,
  target: BlobTarget,
  onBlob: (row: BlobRow) => void,
  signal: AbortSignal,
): Carrier {
  const { read } = kernel.db
  const mover = createBlobMover(kernel.store, target.store)
  const blockMover = createBlockMover(ownBlocks(kernel), target.blocks)
  const copied: MovedBlobs[] = []
  const blocks: MovedBlocks[] = []
  const copyBlocks = (): Promise<MovedBlocks> =>
    blockMover
      .copy(openBlocks(read, to.blobUrl !== null), (block) => isOpenBlock(read, block), signal)
      .catch(async (error: unknown) => {
        throw error instanceof BlockLost ? await uploadRefused(read, error) : error
      })
  return {
    copy: async () => {
      copied.push(await mover.copy(blobRows(read), signal, onBlob))
      blocks.push(await copyBlocks())
    },
    copyQuarantine: async () => void (await mover.copyQuarantine(await quarantineRows(read), signal)),
    compare: async () => void (await mover.compare(blobRows(read), (sha256) => mayGo(read, sha256), signal)),
    copied: () => ({
      blobs: total(copied, 'copied'),
      bytes: total(copied, 'copiedBytes'),
      present: total(copied, 'present'),
    }),
    blocks: () => ({ copied: total(blocks, 'copied'), present: total(blocks, 'present') }),
  }
}

async function uploadRefused(read: Tx, { upload }: BlockLost): Promise<MoveRefused> {
  const [first, ...others] = await uploadsWithBlocks(read, upload)
  const more = others.length === 0 ? '' : `, and ${others.length} more are under way`
  return new MoveRefused(
    `Uploads are under way, and what was sent of them cannot be moved: a block of ${first} is damaged or gone${more}. Wait until it is complete, or delete its evidence, then run the command again. The station goes on where it is.`,
  )
}

/** Refuses writes, and waits for those that had begun. */
async function holdWrites({ mode, db, jobs }: OpenedKernel, to: Place) {
  const reason = `The station is moving to the database ${databaseName(to.databaseUrl)} and the blobs ${blobsName(to.blobUrl)}.`
  mode.hold(reason)
  await Promise.race([jobs.idle().catch(unlessHalted), pause(DRAIN_MS)])
  return {
    refusal: () => fault('ReadOnly', reason),
    release: async (): Promise<void> => {
      await db.refuseWrites(null)
      mode.hold(null)
    },
  }
}

/** Copies the rows, reads both sides whole, and compares. @throws Error where they differ */
async function moveRows(
  { settings, file, db, origin }: OpenedKernel,
  place: DatabasePlace,
  head: Appended,
  onProgress: (what: string) => (table: string, rows: number) => void,
  signal: AbortSignal,
): Promise<TableSums> {
  const source: DatabasePlace =
    settings.databaseUrl === undefined ? { kind: 'sqlite', file } : { kind: 'postgres', url: settings.databaseUrl }
  const mark = arrivingText({ origin, from: databaseName(settings.databaseUrl ?? null) })
  const copied = await copyOnThread({ from: source, to: { place, mark } }, onProgress('rows copied'), signal)
  const there = await copyOnThread({ from: place, to: null }, onProgress('rows read at the new place'), signal)
  const differences = differencesOf(copied, there)
  if (differences.length > 0) throw new Error(`The new database is not equal to the old one. ${differences.join(' ')}`)
  if ((await hashOfEntry(db.read, head.seq)) !== head.hash || copied['ledger']?.rows !== head.seq)
    throw new Error('The ledger changed while its rows were copied. Run the command again.')
  return copied
}

interface Targets {
  readonly database: DatabaseTarget | null
  readonly blobs: Pick<BlobTarget, 'arrived'> | null
}

/**
 * The order decides what a crash leaves. The old database is marked first: from then on it takes no writes, and nobody else does. Only then
 * the new one gets its entry. Between the two, `move` goes on from here.
 */
async function leave(moving: Moving, { database, blobs }: Targets, report: MoveReport): Promise<void> {
  const { kernel, to } = moving
  const mark: MovedMark = {
    entries: report.entries,
    head: report.head,
    timeUtc: isoMillis(kernel.clock.now()),
    database: report.database,
    blobs: report.blobs,
  }
  // In the same turn: this transaction is the first one that runs, and no other one comes between it and what was copied.
  void kernel.db.refuseWrites(null)
  if (database === null) await kernel.db.transaction((tx) => enterHome(tx, kernel.ledger, moving, report))
  else
    await kernel.db.transaction(async (tx) => {
      // Another process that writes to this database would be found here.
      await requireHead(tx, report.entries)
      await setMoved(tx, mark)
    })
  kernel.mode.retire(
    database === null
      ? `The blobs of this station were moved to ${blobsName(to.blobUrl)}. Stop it, and start it ${settingsFor(to)}.`
      : movedSentence(mark),
  )
  if (database !== null) await openHome(database, moving, report)
  await blobs?.arrived()
}

/** @throws Error when entries came after the rows were copied */
async function requireHead(tx: Tx, entries: number): Promise<void> {
  if ((await hashOfEntry(tx, entries + 1)) !== null)
    throw new Error('The ledger went on while its rows were copied. Nothing counts as moved; run the command again.')
}

/** The entry stands at the new home, behind the head that both have. */
async function openHome(database: DatabaseTarget, moving: Moving, report: MoveReport): Promise<void> {
  if ((await database.state()) === 'copied') {
    const home = await database.open()
    try {
      const ledger = createLedger({ db: home, clock: moving.kernel.clock, log: moving.kernel.log })
      const { seq, hash } = await ledger.head()
      if (seq !== report.entries || hash !== report.head)
        throw new Error('The ledger at the new place does not end where the old one did. Nothing was written there.')
      await home.transaction((tx) => enterHome(tx, ledger, moving, report))
      await ledger.stop()
    } finally {
      await home.close()
    }
  }
  await database.settle()
}

async function enterHome(
  tx: Tx,
  ledger: Pick<OpenedKernel['ledger'], 'append'>,
  { from, to, call }: Moving,
  report: MoveReport,
): Promise<void> {
  await ledger.append(tx, call, {
    action: 'station.moved',
    object: STATION,
    detail: {
      from: { database: databaseName(from.databaseUrl), blobs: blobsName(from.blobUrl) },
      to: { database: report.database, blobs: report.blobs },
      entries: report.entries,
      head: report.head,
      rows: report.rows,
      blobs: report.copied,
    },
  })
  if (to.blobUrl !== null) await nameBlocksApart(tx)
  await setHome(tx, report.blobs)
}

/** The old home is marked already: what may be missing is the entry at the new one, the name of its file, and the end of the marks of the blobs. */
async function finishMove(moving: Moving, moved: MovedMark | null): Promise<MoveReport> {
  const { kernel, from, to } = moving
  const [database, blobs] = [databaseName(to.databaseUrl), blobsName(to.blobUrl)]
  if (moved !== null && (moved.database !== database || moved.blobs !== blobs))
    throw new MoveRefused(`${movedSentence(moved)} To move it on, run "move" there.`)
  const head = moved === null ? await kernel.ledger.head() : { seq: moved.entries, hash: moved.head }
  const report: MoveReport = {
    database,
    blobs,
    entries: head.seq,
    head: head.hash,
    rows: null,
    copied: null,
    blocks: null,
    // They were carried before the old home was marked. The new home may have rotated them since.
    keys: 'The keys were carried before.',
    start: settingsFor(to),
  }
  if (moved !== null) {
    const target = await openDatabaseTarget(kernel, to)
    if ((await target.state()) === 'nothing')
      throw new MoveRefused(
        `${movedSentence(moved)} The rows that were copied there are gone: restore that database from its backups.`,
      )
    await openHome(target, moving, report)
  }
  if (movesBlobs(from, to)) {
    const target = await openBlobTarget(kernel, to, { mark: false })
    await target.arrived().finally(target.close)
  }
  return report
}

/** @throws MoveRefused */
async function requireRoom(
  kernel: OpenedKernel,
  database: DatabaseTarget | null,
  blobs: BlobTarget | null,
): Promise<void> {
  const ofRows = database?.place.kind === 'sqlite' ? await sizeOfDatabase(kernel) : 0
  if (ofRows > 0 && (await leastSpace([kernel.settings.data])).free < ofRows)
    throw new MoveRefused(
      `The rows take ${ofRows} bytes, and the volume of ${kernel.settings.data} has not so many left.`,
    )
  if (blobs?.room == null) return
  const room = (await blobs.room()) - ofRows
  let missing = 0
  const differences = blobs.store.compare({
    rows: blobRows(kernel.db.read),
    isKnown: async () => true,
    read: false,
  })
  const toCopy = new Set<string>()
  for await (const { sha256, kind } of differences) if (sha256 !== null && kind !== 'untracked') toCopy.add(sha256)
  for await (const { sha256, length } of blobRows(kernel.db.read)) if (toCopy.has(sha256)) missing += length
  if (missing > room)
    throw new MoveRefused(
      `The blobs that are still to be copied take ${missing} bytes, and the volume of the folder has room for ${Math.max(0, room)}.`,
    )
}

const AT_ONCE = 500

async function* blobRows(from: Tx): AsyncGenerator<BlobRow, void, undefined> {
  for (let after = ''; ; ) {
    const rows = await blobRowsAfter(from, after, AT_ONCE)
    yield* rows
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)?.sha256 ?? ''
  }
}

const total = <K extends string>(of: readonly Readonly<Record<K, number>>[], member: K): number =>
  of.reduce((sum, one) => sum + one[member], 0)
