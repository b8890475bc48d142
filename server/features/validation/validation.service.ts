/**
 * Self-validation (promise C7): shows that this installation works, on a scratch area on the volumes of the station and with its programs. It
 * reads and writes nothing of the evidence. Its result is signed by the package key and kept; the ledger has its hash.
 */
import { alarmReason } from '../../../shared/messages/alarm-reasons.ts'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { type CheckName, CHECKS } from '../../../shared/validation/checks.ts'
import type { Database } from '../../kernel/database/database.ts'
import { setStationValue, stationValue } from '../../kernel/database/station-values.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { canonicalJson } from '../../kernel/ledger/canonical.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { shownKey } from '../../kernel/ledger/signed-note.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { makeFolderIn, removeTree } from '../../platform/files/trees.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Disk, MachineFacts } from '../../platform/machine/machine-facts.ts'
import type { StationKeys } from '../../platform/secrets/keys.ts'
import type { PackageSigner } from '../../platform/secrets/package-key.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Finding, ScratchArea } from './checks/check.ts'
import { type KeptResult, type KeptResults, resultName } from './kept-results.ts'
import { type CheckedEntry, countsOf, type ValidationResult } from './result.ts'
import { validationReason } from '../../../shared/messages/validation-reasons.ts'

export interface Work {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ValidationProgress) => void) | undefined
}

export interface ValidationProgress {
  readonly check: CheckName
  readonly done: number
  readonly total: number
}

/** A run that is under way. */
export interface Running extends ValidationProgress {
  readonly startedUtc: string
  readonly by: string
}

/** What a run has for its checks, beside the scratch area. */
export interface RunContext {
  readonly area: ScratchArea
  readonly signal: AbortSignal
  readonly packageKey: PackageSigner
  /** Of both clocks, when the run began. */
  readonly began: { readonly now: number; readonly monotonic: number }
}

export type Checks = Readonly<Record<CheckName, (context: RunContext) => Promise<Finding>>>

export interface Validation {
  /** Runs all checks. @throws Fault ValidationInProgress; the signal's reason, then there is no result */
  run(call: Call, work: Work): Promise<KeptResult>
  /** Begins a run without waiting for it. @throws Fault ValidationInProgress */
  begin(call: Call): Promise<void>
  /** @throws Fault NoValidationInProgress */
  cancel(call: Call): Promise<void>
  running(): Running | null
  /** Why the last run that was begun left no result. */
  lastProblem(): string | null
  /** The newest first. */
  kept(count: number): Promise<KeptResult[]>
  /** For those who enclose it: only one whose signature holds. */
  newest(): Promise<KeptResult | null>
  isWeekly(): Promise<boolean>
  schedule(call: Call, weekly: boolean): Promise<void>
  /** When it runs by itself; null when it does not. */
  nextAt(): Promise<number | null>
  /** A task: runs when a week has passed. */
  runDue(): Promise<void>
  /** Removes what a killed run left. */
  clear(): Promise<void>
  /** Aborts the current run and waits for its end. */
  stop(): Promise<void>
}

export interface ValidationDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append' | 'record'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<BlobStore, 'temporary' | 'about'>
  readonly keys: Pick<StationKeys, 'packages' | 'signing'>
  readonly results: KeptResults
  readonly checks: Checks
  readonly mayWrite: () => boolean
  /** @throws Fault ReadOnly */
  readonly requireWrites: () => void
  readonly station: {
    readonly name: string
    readonly origin: string
    readonly program: string
    readonly data: string
    readonly blobs: string
    readonly database: 'SQLite' | 'PostgreSQL'
  }
  readonly machine: () => MachineFacts
  readonly disksBelow: (folder: string) => Promise<Disk[]>
  /** Milliseconds that a check, and all of them, may take. */
  readonly limits?: { readonly check: number; readonly run: number }
}

/** Below the data folder; there is one at a time. */
export const SCRATCH = '.validation'
const STATION = { type: 'station', id: '1', name: '' } as const
const SCHEDULE = 'validation-weekly'
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
/** Most checks take a second. One that hangs must not use up the time of the others. */
const CHECK_MS = 60_000
const RUN_MS = 170_000

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

export function createValidation(deps: ValidationDeps): Validation {
  const { db, ledger, clock, results } = deps
  let busy: { progress: Running; readonly abort: AbortController } | null = null
  let begun: Promise<unknown> = Promise.resolve()
  let problem: string | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  const newestOf = async (count: number) => results.newest(count, deps.keys.packages.current())

  /** Taken before anything is awaited, so that of two calls at once one is refused. */
  const take = (call: Call): NonNullable<typeof busy> => {
    deps.requireWrites()
    if (busy !== null)
      throw fault('ValidationInProgress', 'A self-validation is under way already. It takes less than three minutes.')
    const startedUtc = isoMillis(clock.now())
    const progress = { startedUtc, by: call.actor.name, check: CHECKS[0], done: 0, total: CHECKS.length }
    busy = { progress, abort: new AbortController() }
    return busy
  }
  const work = async (
    call: Call,
    mine: NonNullable<typeof busy>,
    { signal, onProgress }: Work,
  ): Promise<KeptResult> => {
    try {
      const whole = signal === undefined ? mine.abort.signal : AbortSignal.any([signal, mine.abort.signal])
      const made = await runAll(deps, call, mine.progress.startedUtc, whole, (progress) => {
        mine.progress = { ...mine.progress, ...progress }
        onProgress?.(progress)
      })
      problem = null
      return made
    } catch (error) {
      failedAt = clock.now()
      problem = mine.abort.signal.aborted || signal?.aborted === true ? null : (error as Error).message
      throw error
    } finally {
      busy = null
    }
  }
  const asked = (call: Call): Promise<unknown> => ledger.record(call, { action: 'validation.asked', object: STATION })
  /** What is asked for is an entry before it begins. */
  const askedFirst = async (call: Call): Promise<NonNullable<typeof busy>> => {
    const mine = take(call)
    try {
      await asked(call)
      return mine
    } catch (error) {
      busy = null
      throw error
    }
  }
  const isWeekly = async (): Promise<boolean> => (await stationValue(db.read, SCHEDULE)) === 'true'
  const nextAt = async (): Promise<number | null> => {
    if (!(await isWeekly())) return null
    const [last] = await newestOf(1)
    const due = last === undefined ? clock.now() : Date.parse(last.result.startedUtc) + WEEK
    return Math.max(due, failedAt + HOUR)
  }

  return {
    run: async (call, given) => work(call, await askedFirst(call), given),
    begin: async (call) => {
      const mine = await askedFirst(call)
      begun = work(call, mine, {}).catch((error: unknown) => {
        if (!mine.abort.signal.aborted) deps.log.warn({ err: error }, 'a self-validation left no result')
      })
    },
    cancel: async (call) => {
      if (busy === null) throw fault('NoValidationInProgress', 'No self-validation is under way.')
      const mine = busy
      await ledger.record(call, { action: 'validation.stopped', object: STATION })
      mine.abort.abort(new Error('The self-validation was stopped'))
      await begun
    },
    running: () => busy?.progress ?? null,
    lastProblem: () => problem,
    kept: newestOf,
    newest: async () => (await newestOf(1)).find(({ holds }) => holds) ?? null,
    isWeekly,
    schedule: (call, weekly) =>
      db.transaction(async (tx) => {
        await setStationValue(tx, SCHEDULE, String(weekly))
        await ledger.append(tx, call, { action: 'validation.scheduled', object: STATION, detail: { weekly } })
      }),
    nextAt,
    runDue: async () => {
      const at = await nextAt()
      if (at === null || at > clock.now() || busy !== null || !deps.mayWrite()) return
      const call = ownCall()
      begun = work(call, take(call), {}).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the self-validation of the week left no result')
      })
      await begun
    },
    clear: () => removeTree(join(deps.station.data, SCRATCH)),
    stop: async () => {
      busy?.abort.abort(new Error('The station is stopping'))
      await begun
    },
  }
}

async function runAll(
  deps: ValidationDeps,
  call: Call,
  startedUtc: string,
  signal: AbortSignal,
  onProgress: (progress: ValidationProgress) => void,
): Promise<KeptResult> {
  const { clock, keys } = deps
  const packageKey = await keys.packages.ensure()
  const began = { now: clock.now(), monotonic: clock.monotonic() }
  const checks: CheckedEntry[] = []
  await inScratch(deps, async (area) => {
    for (const [done, name] of CHECKS.entries()) {
      signal.throwIfAborted()
      onProgress({ check: name, done, total: CHECKS.length })
      checks.push(await checked(deps, name, { area, packageKey, began }, signal))
    }
  })
  signal.throwIfAborted()
  return keep(deps, call, packageKey, await resultOf(deps, call, startedUtc, packageKey, checks))
}

async function inScratch({ store, station }: ValidationDeps, use: (area: ScratchArea) => Promise<void>): Promise<void> {
  const data = join(station.data, SCRATCH)
  // Of a run that was killed.
  await removeTree(data)
  await makeFolderIn(data)
  try {
    const blobs = await store.temporary('validation')
    try {
      await use({ data, blobs: blobs.dir })
    } finally {
      await blobs.dispose()
    }
  } finally {
    await removeTree(data)
  }
}

/** A check that throws, or does not end, has failed. @throws the reason when the whole run is aborted */
async function checked(
  { checks, clock, limits = { check: CHECK_MS, run: RUN_MS } }: ValidationDeps,
  name: CheckName,
  context: Omit<RunContext, 'signal'>,
  whole: AbortSignal,
): Promise<CheckedEntry> {
  // A signal that is aborted already tells nobody.
  whole.throwIfAborted()
  const started = clock.monotonic()
  const most = Math.min(limits.check, Math.max(0, limits.run - (started - context.began.monotonic)))
  const limit = new AbortController()
  const signal = AbortSignal.any([whole, limit.signal])
  const timer = setTimeout(
    () => limit.abort(new Error(validationReason('tooSlow', { seconds: Math.round(most / 1000) }))),
    most,
  )
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  // Both are waited for by the race alone.
  aborted.catch(() => {})
  const work = checks[name]({ ...context, signal })
  work.catch(() => {})
  const finding = await Promise.race([work, aborted])
    .catch((error: Error): Finding => {
      whole.throwIfAborted()
      return { result: 'failed', done: validationReason('notEnded'), figures: {}, problem: error.message }
    })
    .finally(() => clearTimeout(timer))
  return { name, ...finding, milliseconds: Math.round(clock.monotonic() - started) }
}

async function resultOf(
  deps: ValidationDeps,
  { actor }: Call,
  startedUtc: string,
  packageKey: PackageSigner,
  checks: CheckedEntry[],
): Promise<ValidationResult> {
  const { station, keys, clock } = deps
  const disks = async (of: 'database' | 'blobs', folder: string) =>
    (await deps.disksBelow(folder)).map((disk) => ({ of, ...disk }))
  return {
    format: 1,
    what: 'sallyport self-validation',
    station: {
      name: station.name,
      origin: station.origin,
      database: station.database,
      blobs: deps.store.about ?? 'folder',
    },
    program: station.program,
    machine: {
      ...deps.machine(),
      disks: [...(await disks('database', station.data)), ...(await disks('blobs', station.blobs))],
    },
    keys: {
      package: packageKey.fingerprint,
      ledger: shownKey(station.origin, keys.signing.current().publicKey).fingerprint,
    },
    askedBy: { kind: actor.kind, id: actor.id, name: actor.name },
    startedUtc,
    endedUtc: isoMillis(clock.now()),
    counts: countsOf(checks),
    checks,
  }
}

/** The text first, then its entry, then the signature: what counts as a result is always in the ledger. */
async function keep(
  { db, ledger, alarms, results }: ValidationDeps,
  call: Call,
  packageKey: PackageSigner,
  result: ValidationResult,
): Promise<KeptResult> {
  const name = resultName(result.startedUtc)
  const text = `${canonicalJson(result)}\n`
  const bytes = Buffer.from(text)
  const signature = packageKey.sign(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const named = (wanted: CheckedEntry['result']) =>
    result.checks.filter((one) => one.result === wanted).map((one) => one.name)
  await results.write(name, text)
  await db.transaction(async (tx) => {
    await ledger.append(tx, call, {
      action: 'station.validated',
      // By its name, so that a paper which cites it finds its entry.
      object: { type: 'validation', id: name, name: '' },
      outcome: result.counts.failed === 0 ? 'ok' : 'failed',
      sha256,
      detail: { file: name, ...result.counts, failures: named('failed'), unknowns: named('unknown') },
    })
    for (const { name: check, result: found, problem } of result.checks)
      if (found === 'failed')
        await alarms.raise(tx, call, {
          kind: 'validation',
          subject: check,
          message: alarmReason('checkFailed', { check, found: problem ?? alarmReason('checkFailedPlain') }),
          detail: { file: name },
        })
  })
  await results.sign(name, signature)
  await results.prune()
  return { name, result, text, signature, sha256, holds: true }
}
