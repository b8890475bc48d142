import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import type { BlobCheckRow } from '../../../kernel/evidence/checks.store.ts'
import { randomUUID } from 'node:crypto'
import { fault } from '../../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { type Alarms, storedPrincipal } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { BlobStore, Verified } from '../../../storage/store.ts'
import {
  addToRun,
  dueBlobs,
  endRun,
  insertRun,
  lastWalk,
  openRun,
  type RunRow,
  readableBlobs,
  readBefore,
} from './blob-checks.store.ts'
import { type BlobRead, keepResult, tellResources } from './blob-result.ts'
import { Away, createPresence, type Presence } from './presence.ts'
import { walkNames } from './orphans.ts'

/** Reads the whole store periodically (promise I5). */
export interface FixitySchedule {
  /**
   * A task: reads all due blobs, the longest overdue first. Blobs that a stop or crash left unread stay due. While the volume of the blobs
   * is away it pauses with one alarm, and no blob is reported as missing.
   * @param signal ends it, as a stop does
   */
  run(signal?: AbortSignal): Promise<void>
  /** Begins a run over all blobs, oldest first, due or not. @throws Fault RunInProgress */
  begin(call: Call): Promise<RunRow>
  /** @throws Fault NoRunInProgress */
  cancel(call: Call): Promise<RunRow>
  speed(): Speed
  /** Aborts the current reading and waits for its end. */
  stop(): Promise<void>
}

export interface Speed {
  /** The current speed limit in bytes a second. */
  readonly limit: number
  /** The last measured speed in bytes a second; null while it reads nothing. */
  readonly now: number | null
  /** Whether it reads slower because people are working. */
  readonly giving: boolean
}

interface Deps {
  readonly db: Database
  readonly store: Pick<
    BlobStore,
    'removalsEndAfter' | 'verifyBlob' | 'compare' | 'setAside' | 'root' | 'whyAway' | 'open'
  >
  readonly ledger: Ledger
  readonly alarms: Alarms
  readonly clock: Clock
  readonly log: Log
  /** Whether the station accepts writes: results must be stored. */
  readonly mayWrite: () => boolean
  /** Whether people are working now. */
  readonly busy: () => boolean
  /** Most bytes a second while the station is idle. */
  readonly bytesPerSecond: number
  /** Whether this node reads; another one begins with its next round. */
  readonly readsHere: () => boolean
}

/** Fraction of the speed while people are working. */
const GIVING_PART = 1 / 4
/** Size of a batch: a crash loses at most one, and a ledger entry names one. */
const BATCH_BLOBS = 64
const BATCH_BYTES = 512 * 1024 * 1024
const BATCH_MS = 20_000
/** Names of blobs are compared with the rows once a day, and before a run over all blobs. */
const WALK_EVERY = 86_400_000
const RATE_EVERY_MS = 500

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const STATION = { type: 'station', id: '1', name: '' }
/** The subject of the alarm for all blobs at once. */
const ALL_BLOBS = 'blobs'

/** The schedule while the station runs. */
interface RunningSchedule {
  readonly deps: Deps
  signal: AbortSignal
  readonly presence: Presence
  /** The speed limit, shared with the thread that reads. */
  readonly rate: Float64Array
  /** The last measured speed; null while nothing is read. */
  reading: number | null
  /** Why the volume of the blobs is away; null while it is present. */
  away: string | null
}

export function createFixitySchedule(deps: Deps): FixitySchedule {
  const { db, ledger, clock } = deps
  const abort = new AbortController()
  const schedule: RunningSchedule = {
    deps,
    signal: abort.signal,
    presence: createPresence(deps),
    rate: new Float64Array(new SharedArrayBuffer(8)),
    reading: null,
    away: null,
  }
  let running: Promise<void> | null = null
  const run = (signal: AbortSignal = abort.signal): Promise<void> => {
    if (running === null) schedule.signal = AbortSignal.any([abort.signal, signal])
    running ??= readDue(schedule).finally(() => {
      running = null
    })
    return running
  }
  return {
    run,
    begin: async (call) => {
      const begun = await db.transaction((tx) => beginRun(deps, tx, call))
      if (deps.readsHere())
        run().catch((error: unknown) => deps.log.error({ err: error }, 'the store could not be read'))
      return begun
    },
    cancel: (call) =>
      db.transaction(async (tx) => {
        const run = await openRun(tx)
        const ended = run === undefined ? null : await endRun(tx, run.run_id, { state: 'cancelled', at: clock.now() })
        if (ended === null) throw fault('NoRunInProgress', 'Nothing is being read that could be stopped.')
        await ledger.append(tx, call, {
          action: 'fixity.runCancelled',
          object: { type: 'fixityRun', id: String(ended.run_id), name: '' },
          detail: { blobs: ended.blobs, of: ended.total_blobs },
        })
        return ended
      }),
    speed: () => ({ limit: limitOf(deps), now: schedule.reading, giving: deps.busy() }),
    stop: async () => {
      abort.abort(new Error('The station is stopping'))
      await running?.catch(() => {})
    },
  }
}

async function beginRun({ ledger, clock }: Deps, tx: Tx, call: Call): Promise<RunRow> {
  if ((await openRun(tx)) !== undefined)
    throw fault('RunInProgress', 'The whole store is being read already. Wait for it, or stop it first.')
  const at = clock.now()
  const before = await readableBlobs(tx, at)
  const run = await insertRun(tx, {
    started_at: at,
    started_by: JSON.stringify(storedPrincipal(call.actor)),
    total_blobs: before.blobs,
    total_bytes: before.bytes,
  })
  await ledger.append(tx, call, {
    action: 'fixity.runStarted',
    object: { type: 'fixityRun', id: String(run.run_id), name: '' },
    detail: { blobs: before.blobs, bytes: before.bytes },
  })
  return run
}

const limitOf = ({ bytesPerSecond, busy }: Deps): number => bytesPerSecond * (busy() ? GIVING_PART : 1)

async function readDue(schedule: RunningSchedule): Promise<void> {
  const { deps, signal, presence, rate } = schedule
  const setRate = (): void => void (rate[0] = limitOf(deps))
  setRate()
  const timer = setInterval(setRate, RATE_EVERY_MS)
  try {
    for (let more = true; more && deps.mayWrite() && !signal.aborted && !(await isAway(schedule)); ) {
      await walkWhenDue(schedule)
      more = await readBatch(schedule)
    }
  } catch (error) {
    if (signal.aborted) return
    // When the volume disappears during the walk, its error is a system error, not `Away`.
    const why = error instanceof Away ? error.message : await presence.whyAway()
    if (why === null) throw error
    await rest(schedule, why)
  } finally {
    clearInterval(timer)
    schedule.reading = null
  }
}

async function isAway(schedule: RunningSchedule): Promise<boolean> {
  const { deps, presence, away } = schedule
  // Normally only the folders are checked; an unreadable blob leads to the full check.
  const why = away === null ? await deps.store.whyAway() : await presence.whyAway()
  if (why !== null) await rest(schedule, why)
  else if (away !== null) {
    deps.log.info({ why: away }, 'the volume of the blobs is back, and is checked again')
    schedule.away = null
  }
  return why !== null
}

/** One alarm for each absence: the sentence names its time, so that an acknowledged alarm does not cover a later absence. */
async function rest(schedule: RunningSchedule, why: string): Promise<void> {
  if (schedule.away !== null) return
  const { db, alarms, clock } = schedule.deps
  await db.transaction((tx) =>
    alarms.raise(tx, ownCall(), {
      kind: 'missing',
      subject: ALL_BLOBS,
      message: alarmReason('blobsAway', { time: isoMillis(clock.now()), why }),
    }),
  )
  schedule.away = why
}

async function walkWhenDue({ deps, presence, signal }: RunningSchedule): Promise<void> {
  const { db, clock } = deps
  const run = await openRun(db.read)
  const last = await lastWalk(db.read)
  if (last === null) return
  const due = run === undefined ? clock.now() - last >= WALK_EVERY : last < run.started_at
  if (due) await walkNames({ ...deps, presence }, run ?? null, ownCall(), signal)
}

async function readBatch(schedule: RunningSchedule): Promise<boolean> {
  const { deps } = schedule
  const { db, clock } = deps
  const run = await openRun(db.read)
  const rows =
    run === undefined
      ? await dueBlobs(db.read, clock.now(), BATCH_BLOBS)
      : await readBefore(db.read, run.started_at, BATCH_BLOBS)
  if (rows.length === 0) {
    if (run === undefined) return false
    await finish(deps, run)
    return true
  }
  await keep(deps, run ?? null, await readRows(schedule, rows))
  return true
}

async function readRows(schedule: RunningSchedule, rows: readonly BlobCheckRow[]): Promise<BlobRead[]> {
  const { deps, presence } = schedule
  const { db, clock } = deps
  const found: BlobRead[] = []
  const started = clock.monotonic()
  let bytes = 0
  for (const { sha256 } of rows) {
    const verified = await verify(schedule, sha256)
    if (verified === null) break
    // An unreadable blob may mean that the volume is away.
    if (verified.result !== 'ok' && verified.found === null) {
      const why = await presence.whyAway()
      if (why !== null) {
        await keep(deps, (await openRun(db.read)) ?? null, found)
        throw new Away(why)
      }
    }
    found.push({ sha256, at: clock.now(), verified })
    bytes += verified.length ?? 0
    const took = clock.monotonic() - started
    schedule.reading = (bytes / Math.max(took, 1)) * 1000
    // Problems are stored at once, and results never wait long.
    if (verified.result !== 'ok' || bytes >= BATCH_BYTES || took >= BATCH_MS) break
  }
  return found
}

/** Null when it was stopped. */
async function verify({ deps, signal, rate }: RunningSchedule, sha256: string): Promise<Verified | null> {
  try {
    return await deps.store.verifyBlob(sha256, { signal, bytesPerSecond: rate })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

const finish = ({ db, ledger, clock }: Deps, run: RunRow): Promise<void> =>
  db.transaction(async (tx) => {
    const ended = await endRun(tx, run.run_id, { state: 'done', at: clock.now() })
    if (ended === null) return
    await ledger.append(tx, ownCall(), {
      action: 'fixity.runEnded',
      object: { type: 'fixityRun', id: String(run.run_id), name: '' },
      outcome: ended.problems === 0 ? 'ok' : 'failed',
      bytes: ended.bytes,
      detail: { blobs: ended.blobs, problems: ended.problems },
    })
  })

/** Stores a batch in one transaction: rows, alarms and ledger entry. */
async function keep({ db, ledger, alarms }: Deps, run: RunRow | null, found: readonly BlobRead[]): Promise<void> {
  if (found.length === 0) return
  await db.transaction(async (tx) => {
    const call = ownCall()
    const stored: BlobRead[] = []
    for (const one of found) {
      if (!(await keepResult(tx, alarms, call, one))) continue
      await tellResources(tx, ledger, call, one)
      stored.push(one)
    }
    const bytes = stored.reduce((sum, { verified }) => sum + (verified.length ?? 0), 0)
    const bad = stored.filter(({ verified }) => verified.result !== 'ok')
    if (run !== null) await addToRun(tx, run.run_id, { blobs: stored.length, bytes, problems: bad.length })
    if (stored.length === 0) return
    await ledger.append(tx, call, {
      action: 'fixity.checked',
      object: STATION,
      outcome: bad.length === 0 ? 'ok' : 'failed',
      bytes,
      detail: {
        blobs: stored.map(({ sha256 }) => sha256),
        bad: bad.map(({ sha256, verified }) => ({ sha256, result: verified.result, found: verified.found })),
        run: run === null ? null : String(run.run_id),
      },
    })
  })
}
