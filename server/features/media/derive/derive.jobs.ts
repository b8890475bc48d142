import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import {
  DERIVATION_KINDS,
  type DerivationKind,
  DERIVATIONS,
  isView,
  jobKindOf,
  VIEW_KINDS,
} from '../../../../shared/media/derivations.ts'
import type { MediaFacts } from '../../../../shared/media/rules.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import {
  derivationJob,
  derivationJobKind,
  INSPECT_JOB,
  inspectJob,
  type ResourcePayload,
} from '../../../kernel/evidence/derivation-jobs.ts'
import { FACTS_VERSION, type MediaFacts as StoredFacts } from '../../../kernel/evidence/model.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import { type Records, resourceObject } from '../../../kernel/evidence/records.ts'
import { derivedFrom, type ResourceRow, resourceById } from '../../../kernel/evidence/records.store.ts'
import { playedFrom, viewOf } from '../../../kernel/evidence/views.store.ts'
import { joinHandlers } from '../../../kernel/jobs/queue.ts'
import { FinalFailure, type JobContext, type JobHandlers } from '../../../kernel/jobs/types.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { PlacedBlob, StagedBlob } from '../../../storage/store.ts'
import type { Contents } from '../derivations/derivation.ts'
import { REGISTRY } from '../derivations/index.ts'
import { fillEvidence } from './fill-evidence.ts'
import type { Derived, Deriver, Source } from './types.ts'

type Job = JobContext<ResourcePayload>

interface Deps extends Pick<Kernel, 'db' | 'store' | 'ledger' | 'clock' | 'timeZone'> {
  readonly deriver: Deriver<StagedBlob>
  readonly records: Records
  readonly jobs: Pick<Kernel['jobs'], 'enqueue' | 'kick' | 'ofSubjects'>
}

/** One handler for each kind of the registry, and the one that looks at originals. Each finds its own work when it runs twice. */
export function deriveHandlers(deps: Deps): JobHandlers {
  return joinHandlers(
    INSPECT_JOB.handledBy((job) => inspect(deps, job)),
    ...DERIVATION_KINDS.map((kind) => derivationJobKind(kind).handledBy((job) => derive(deps, job, kind))),
  )
}

const callOf = (job: Job): Call => ({ actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` })

const NOT_CONFINED = 'The media programs ran without a sandbox on this machine.'

/** Gives `use` a file with the bytes of a resource. @throws FinalFailure where they are gone */
async function withSource<T>(
  { store }: Deps,
  { signal }: Job,
  row: ResourceRow | undefined,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  if (row === undefined || row.sha256 === null) throw new FinalFailure(jobReason('resourceGone'))
  const { sha256, name } = row
  const local = await store.localCopy(sha256, { signal })
  try {
    return await use({ path: local.path, sha256, name })
  } finally {
    await local.release()
  }
}

const originalOf = async ({ db }: Deps, job: Job): Promise<ResourceRow> => {
  const row = await resourceById(db.read, Number(job.payload.resourceId))
  if (row === undefined) throw new FinalFailure(jobReason('resourceGone'))
  return row
}

/**
 * Looks at the bytes and enqueues what can be made of them. An original that was looked at by an older program is looked at again: what
 * was never tried for it is tried now, and what failed then is left to a person.
 */
async function inspect(deps: Deps, job: Job): Promise<void> {
  const { db, records, jobs } = deps
  const row = await originalOf(deps, job)
  job.progress(null, jobReason('lookingAtFile'))
  const again = row.sniffed_type !== null
  const found = await withSource(deps, job, row, ({ path, name }) =>
    deps.deriver.inspect(path, { signal: job.signal, name, measure: again }),
  )
  const subject = `resource:${row.resource_id}`
  const tried = new Set(again ? (await jobs.ofSubjects([subject])).map(({ kind }) => kind) : [])
  const facts = { ...storedFacts(found.facts), ...(found.complete ? { Version: FACTS_VERSION } : {}) }
  await db.transaction(async (tx) => {
    await job.requireLease(tx)
    const resource = (await resourceById(tx, row.resource_id)) as ResourceRow
    if (resource.sniffed_type === null || (found.complete && versionOf(resource) < FACTS_VERSION))
      await records.setFacts(tx, callOf(job), resource, found.mimeType, facts)
    // What somebody emptied since then stays empty.
    if (!again) await fillEvidence(deps, tx, callOf(job), resource, { ...found, gpsTime: null }, found.facts.durationMs)
    await enqueue(deps, tx, resource, found.work, tried)
    if (again) await enqueueViews(deps, tx, resource, tried)
  })
  jobs.kick()
  if (found.message !== null) throw new FinalFailure(found.message)
  job.progress(1, found.sandbox === 'none' ? `Done. ${NOT_CONFINED}` : '')
}

/** @param tried kinds of jobs that are left alone */
async function enqueue(
  { jobs }: Deps,
  tx: Tx,
  original: ResourceRow,
  kinds: readonly DerivationKind[],
  tried: ReadonlySet<string>,
): Promise<void> {
  for (const kind of kinds) {
    if (tried.has(jobKindOf(kind)) || (await isMade(tx, original, kind))) continue
    await jobs.enqueue(tx, derivationJob(kind, original.resource_id))
  }
}

/** In the transaction that makes what is played, or finds views that it has not yet. */
async function enqueueViews(deps: Deps, tx: Tx, original: ResourceRow, tried: ReadonlySet<string>): Promise<void> {
  const played = await playedFrom(tx, original.resource_id)
  if (played === undefined) return
  const contents: Contents = {
    holds: played.role === 'playable' ? 'video' : 'audio',
    mimeType: played.mime_type,
    sound: factsIn(played).AudioCodec !== undefined,
  }
  const views = VIEW_KINDS.filter((kind) => REGISTRY[kind].appliesTo(contents))
  await enqueue(deps, tx, original, views, tried)
}

async function isMade(from: Tx, original: ResourceRow, kind: DerivationKind): Promise<boolean> {
  if (isView(kind)) return (await viewOf(from, original.resource_id, kind)) !== undefined
  const { becomes } = DERIVATIONS[kind]
  if (becomes === 'thumbnail') return original.thumbnail_sha256 !== null
  return (await derivedFrom(from, original.resource_id, becomes)) !== undefined
}

async function derive(deps: Deps, job: Job, kind: DerivationKind): Promise<void> {
  const { db, deriver, jobs } = deps
  const original = await originalOf(deps, job)
  const from = isView(kind) ? await playedFrom(db.read, original.resource_id) : original
  if (await isMade(db.read, original, kind)) return
  const { signal, progress } = job
  const make = (source: Source) => deriver.derive(kind, source, { signal, progress })
  const derived = await withSource(deps, job, from, make).catch(async (error: unknown) => {
    if (error instanceof FinalFailure) await recordFailure(deps, job, original, kind, error.message)
    throw error
  })
  let notes: readonly string[] = []
  try {
    const store = async (tx: Tx, blob: PlacedBlob): Promise<void> => {
      notes = await storeDerived(deps, tx, job, original, kind, derived, blob)
    }
    // Tool `identity`: it shares the original's blob, which has its owner already.
    if (derived.staged === null) await db.transaction((tx) => store(tx, ownBlob(original)))
    else await placeAndCommit(deps, derived.staged, store)
  } finally {
    await derived.dispose()
  }
  jobs.kick()
  job.progress(1, [...derived.notes, ...notes, ...(derived.sandbox === 'none' ? [NOT_CONFINED] : [])].join(' '))
}

/** @returns what a person should know of it, in sentences */
async function storeDerived(
  deps: Deps,
  tx: Tx,
  job: Job,
  { resource_id: id }: ResourceRow,
  kind: DerivationKind,
  derived: Derived<StagedBlob>,
  blob: PlacedBlob,
): Promise<readonly string[]> {
  const { records, jobs } = deps
  const call = callOf(job)
  await job.requireLease(tx)
  const original = (await resourceById(tx, id)) as ResourceRow
  const { mimeType, derivation, layout = {} } = derived
  // A job has one key, so this cannot be; if it is, the rollback puts the second blob aside and the next attempt finds the first.
  if (await isMade(tx, original, kind)) throw new Error(`${kind} of resource ${id} was made twice`)
  if (isView(kind)) {
    await records.addView(tx, call, original, { kind, mimeType, layout, blob, derivation })
    // Looked at while a tool was missing, which is there now.
    if (versionOf(original) < FACTS_VERSION) await jobs.enqueue(tx, inspectJob(id))
    return []
  }
  const { becomes, shown } = DERIVATIONS[kind]
  if (becomes === 'thumbnail') {
    await records.setThumbnail(tx, call, original, blob, derivation)
    return []
  }
  const { name, words, claims } = derived
  const resource = { role: becomes, name, mimeType, blob, derivation, media: storedFacts(derived.facts) }
  await records.addDerived(tx, call, original, { ...resource, ...(words === undefined ? {} : { words }) })
  if (shown === 'player') await enqueueViews(deps, tx, original, new Set())
  return claims === undefined ? [] : fillEvidence(deps, tx, call, original, claims, null)
}

const ownBlob = (row: ResourceRow): PlacedBlob => ({
  sha256: row.sha256 as string,
  length: row.length as number,
  readBack: 'direct',
  existed: true,
})

async function recordFailure(
  { db, ledger }: Deps,
  job: Job,
  row: ResourceRow,
  kind: DerivationKind,
  reason: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await job.requireLease(tx)
    await ledger.append(tx, callOf(job), {
      action: 'derivation.failed',
      object: resourceObject(row),
      outcome: 'failed',
      reason,
      detail: { evidenceId: String(row.evidence_id), work: kind },
    })
  })
}

const factsIn = ({ media }: ResourceRow): StoredFacts => (media === null ? {} : (JSON.parse(media) as StoredFacts))

/** Which program's idea of the facts a row holds. */
const versionOf = (row: ResourceRow): number => factsIn(row).Version ?? 0

export function storedFacts(facts: MediaFacts): StoredFacts {
  return {
    ...(facts.width === null ? {} : { Width: facts.width }),
    ...(facts.height === null ? {} : { Height: facts.height }),
    ...(facts.durationMs === null ? {} : { DurationSeconds: facts.durationMs / 1000 }),
    ...(facts.videoCodec === null ? {} : { VideoCodec: facts.videoCodec }),
    ...(facts.audioCodec === null ? {} : { AudioCodec: facts.audioCodec }),
    ...(facts.rotation === null ? {} : { Rotation: facts.rotation }),
    ...(facts.frames === null ? {} : { FrameCount: facts.frames }),
    ...(facts.uneven === null ? {} : { VariableFrameRate: facts.uneven }),
    ...(facts.frameRate === null
      ? {}
      : { FrameRate: { Numerator: facts.frameRate.numerator, Denominator: facts.frameRate.denominator } }),
  }
}
