import type { GeoPosition, MediaFacts } from '../../../../shared/media/rules.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import { pointWkt } from '../../../../shared/kernel/wkt.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { FinalFailure, type JobContext, type JobHandler } from '../../../kernel/jobs/types.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import { FACTS_VERSION, type MediaFacts as StoredFacts, type ResourceRole } from '../../../kernel/evidence/model.ts'
import { INSPECT } from '../../../kernel/evidence/records.ts'
import { derivedFrom, evidenceOf, type ResourceRow, resourceById } from '../../../kernel/evidence/records.store.ts'
import type { PlacedBlob, StagedBlob } from '../../../storage/store.ts'
import { type CaptureClaims, decideCapture, putRight } from './capture-time.ts'
import { callOf, type DeriveDeps as Deps, jobFor, recordFailure, versionOf } from './job-parts.ts'
import type { Derived, DerivedExif, Source, Work } from './types.ts'
import { enqueueViews, viewHandlers } from './views.jobs.ts'

/** What each piece of work becomes; a thumbnail belongs to the resource itself. */
const ROLES: Readonly<Record<Work, Exclude<ResourceRole, 'original'> | 'thumbnail'>> = {
  playable: 'playable',
  audio: 'preview',
  poster: 'thumbnail',
  thumbnail: 'thumbnail',
  preview: 'preview',
  exif: 'metadata',
}

/** The job handlers of decisions 6, "Derivation". Each finds its own work when it runs twice. */
export function deriveHandlers(deps: Deps): Readonly<Record<string, JobHandler>> {
  const one = (work: Work): [string, JobHandler] => [`derive.${work}`, (job) => derive(deps, job, work)]
  return {
    [INSPECT]: (job) => inspect(deps, job),
    ...Object.fromEntries((Object.keys(ROLES) as Work[]).map(one)),
    ...viewHandlers(deps),
  }
}

async function original(deps: Deps, job: JobContext): Promise<{ row: ResourceRow; source: Source }> {
  const row = await resourceById(deps.db.read, Number(job.payload['resourceId']))
  if (row === undefined || row.sha256 === null) throw new FinalFailure('The resource is not there any more.')
  return { row, source: { path: deps.store.pathOf(row.sha256), sha256: row.sha256, name: row.name } }
}

/**
 * Looks at the bytes and enqueues what can be made of them. An original that was looked at by an older program is looked at again: what
 * was never tried for it is tried now, and what failed then is left to a person.
 */
async function inspect(deps: Deps, job: JobContext): Promise<void> {
  const { db, records, jobs } = deps
  const { row, source } = await original(deps, job)
  job.progress(null, 'Looking at the file')
  const again = row.sniffed_type !== null
  const found = await deps.deriver.inspect(source.path, { signal: job.signal, name: row.name, measure: again })
  const tried = again ? await triedFor(jobs, row.resource_id) : new Set<string>()
  const facts = { ...factsOf(found.facts), ...(found.complete ? { Version: FACTS_VERSION } : {}) }
  await db.transaction(async (tx) => {
    const resource = (await resourceById(tx, row.resource_id)) as ResourceRow
    if (resource.sniffed_type === null || (found.complete && versionOf(resource) < FACTS_VERSION))
      await records.setFacts(tx, callOf(job), resource, found.mimeType, facts)
    // What somebody emptied since then stays empty.
    if (!again) await fill(deps, tx, callOf(job), resource, { ...found, gpsTime: null }, found.facts.durationMs)
    for (const work of found.work) {
      if (tried.has(`derive.${work}`) || (again && (await isDone(tx, resource, work)))) continue
      await jobs.enqueue(tx, jobFor(`derive.${work}`, row.resource_id))
    }
    if (again) await enqueueViews(tx, jobs, resource, tried)
  })
  jobs.kick()
  if (found.message !== null) throw new FinalFailure(found.message)
  job.progress(1, found.sandbox === 'none' ? 'Done. The media programs ran without a sandbox on this machine.' : '')
}

const triedFor = async (jobs: Pick<JobQueue, 'ofSubjects'>, resourceId: number): Promise<Set<string>> =>
  new Set((await jobs.ofSubjects([`resource:${resourceId}`])).map(({ kind }) => kind))

async function derive(deps: Deps, job: JobContext, work: Work): Promise<void> {
  const { row, source } = await original(deps, job)
  if (await isDone(deps.db.read, row, work)) return
  let told: readonly string[] = []
  const derived = await run(deps, job, work, source).catch(async (error: unknown) => {
    if (error instanceof FinalFailure) await recordFailure(deps, job, row, work, error.message)
    throw error
  })
  try {
    told = await keep(deps, job, row, work, derived)
  } finally {
    await derived.dispose()
  }
  deps.jobs.kick()
  job.progress(
    1,
    [
      ...derived.notes,
      ...told,
      ...(derived.sandbox === 'none' ? ['The media programs ran without a sandbox on this machine.'] : []),
    ].join(' '),
  )
}

function run({ deriver }: Deps, job: JobContext, work: Work, source: Source): Promise<Derived<StagedBlob>> {
  const options = { signal: job.signal, progress: job.progress }
  switch (work) {
    case 'playable':
      return deriver.derivePlayable(source, options)
    case 'audio':
      return deriver.deriveAudio(source, options)
    case 'poster':
      return deriver.derivePoster(source, options)
    case 'thumbnail':
      return deriver.deriveThumbnail(source, options)
    case 'preview':
      return deriver.derivePreview(source, options)
    case 'exif':
      return deriver.deriveExif(source, options)
  }
}

/**
 * The way of the bytes, for a derivative too. An `identity` shares the original's blob, which has its owner already.
 * @returns what a person should know of it, in sentences
 */
async function keep(
  deps: Deps,
  job: JobContext,
  row: ResourceRow,
  work: Work,
  derived: Derived<StagedBlob>,
): Promise<readonly string[]> {
  const { db } = deps
  let told: readonly string[] = []
  const commit = async (tx: Tx, placed: PlacedBlob): Promise<void> => {
    told = await own(deps, tx, job, row, work, derived, placed)
  }
  if (derived.staged === null) await db.transaction((tx) => commit(tx, ownBytes(row)))
  else await placeAndCommit(deps, derived.staged, commit)
  return told
}

async function own(
  deps: Deps,
  tx: Tx,
  job: JobContext,
  row: ResourceRow,
  work: Work,
  derived: Derived<StagedBlob>,
  blob: PlacedBlob,
): Promise<readonly string[]> {
  const { records, jobs } = deps
  const call = callOf(job)
  const parent = (await resourceById(tx, row.resource_id)) as ResourceRow
  const role = ROLES[work]
  const { derivation } = derived
  // A job has one key, so this cannot be; if it is, the rollback puts the second blob aside and the next attempt finds the first.
  if (
    role === 'thumbnail'
      ? parent.thumbnail_sha256 !== null
      : (await derivedFrom(tx, row.resource_id, role)) !== undefined
  ) {
    throw new Error(`${work} of resource ${row.resource_id} was made twice`)
  }
  if (role === 'thumbnail') {
    await records.setThumbnail(tx, call, parent, blob, derivation)
    return []
  }
  await records.addDerived(tx, call, parent, {
    role,
    name: derived.name,
    mimeType: derived.mimeType,
    blob,
    derivation,
    media: factsOf(derived.facts),
    ...('words' in derived ? { words: (derived as DerivedExif<StagedBlob>).words } : {}),
  })
  if (work === 'playable' || work === 'audio') await enqueueViews(tx, jobs, parent)
  return work === 'exif' && 'captured' in derived
    ? fill(deps, tx, call, parent, derived as DerivedExif<StagedBlob>, null)
    : []
}

/** Tool `identity`: the new resource shares the original's blob. */
const ownBytes = (row: ResourceRow): PlacedBlob => ({
  sha256: row.sha256 as string,
  length: row.length as number,
  readBack: 'direct',
  existed: true,
})

async function isDone(from: Tx, row: ResourceRow, work: Work): Promise<boolean> {
  const role = ROLES[work]
  return role === 'thumbnail'
    ? row.thumbnail_sha256 !== null
    : (await derivedFrom(from, row.resource_id, role)) !== undefined
}

interface Claims extends CaptureClaims {
  readonly position: GeoPosition | null
}

interface FillDeps {
  readonly records: Pick<Deps['records'], 'fillEmpty'>
  readonly clock: Deps['clock']
  readonly timeZone: string
}

/** @returns where the time comes from, in sentences for a person, where it was used and the file does not say the instant itself */
export async function fill(
  { records, clock, timeZone }: FillDeps,
  tx: Tx,
  call: Call,
  row: ResourceRow,
  { captured, gpsTime, position }: Claims,
  durationMs: number | null,
): Promise<readonly string[]> {
  const decision = decideCapture({ captured, gpsTime }, timeZone, clock.now())
  const { start: recorded, startFrom, local, note } = decision
  const { start, taken } = putRight(decision, row.time_offset)
  const end =
    start === null || durationMs === null ? null : timeOf(Number(start.ticks / 10_000n) + Math.round(durationMs))
  const filled = await records.fillEmpty(tx, call, await evidenceOf(tx, row.evidence_id), {
    start,
    startFrom,
    recorded,
    local: local === null || taken === null ? null : { text: local.text, taken },
    end,
    wkt: position === null ? null : pointWkt(position.longitude, position.latitude),
  })
  const used = filled !== null && local !== null && filled.container_start_utc === local.text
  return used && filled.start_source === null && note !== null ? [note] : []
}

function factsOf(facts: MediaFacts): StoredFacts {
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
