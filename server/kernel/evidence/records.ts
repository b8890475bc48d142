import { parseTime, type Time, timeOf } from '../../../shared/kernel/time.ts'
import type { Call } from '../ledger/call.ts'
import type { Versions } from '../versions/versions.ts'
import type { Tx } from '../database/database.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { PlacedBlob } from '../../storage/store.ts'
import { createEvidenceChanges, type EvidenceChanges } from './change.ts'
import { inspectJob } from './derivation-jobs.ts'
import { createDerivedRecords, type DerivedRecords } from './derived.ts'
import { createEvidenceLifecycle, type EvidenceLifecycle } from './lifecycle.ts'
import { completedOriginalsOf } from './lifecycle.store.ts'
import { type LinkRow, linksOfEvidences } from './links.store.ts'
import type { MediaFacts, NewEvidence, NewResource } from './model.ts'
import { evidenceObject, principalThen, resourceObject } from './objects.ts'
import { type CameraList, createCameraList } from './camera-list.ts'
import { createPartTimes, type PartTimes } from './part-times.ts'
import { evidenceVersion, type RecordDeps, resourceVersion } from './row-versions.ts'
import { emptyResource, evidenceState, newEvidenceRow, tagKey } from './rows.ts'
import { gpsContainer } from './local-start.ts'
import { keepRecording } from './recordings.store.ts'
import {
  type EvidenceRow,
  evidenceById,
  evidencesById,
  evidenceOf,
  hasTimedOriginal,
  insertBlob,
  insertEvidence,
  insertPolicy,
  insertQuarantine,
  insertResource,
  policiesOf,
  type ResourceRow,
  setAssociation,
  setConcurrencyIds,
  tagsOf,
  updateEvidence,
  updateResource,
} from './records.store.ts'

/**
 * The rules of evidence and resource rows, each inside the caller's transaction: the row, its version, its ledger entry and the
 * jobs it makes necessary commit together or not at all (docs/architecture.md, the way of the bytes).
 */
export interface Records extends DerivedRecords, EvidenceChanges, EvidenceLifecycle, PartTimes, CameraList {
  /** @param level of whoever makes it: Manage, or Edit where it goes straight into a case (decisions 3) */
  createEvidence(
    tx: Tx,
    call: Call,
    tenant: string,
    given: NewEvidence,
    level?: 'Manage' | 'Edit',
  ): Promise<EvidenceRow>
  createResource(tx: Tx, call: Call, evidence: EvidenceRow, given: NewResource): Promise<ResourceRow>
  /**
   * From here on the bytes never change. `blob` must be placed. Enqueues the inspection. To evidence that is complete already a file may
   * still come: that makes a version of the evidence too.
   */
  completeResource(
    tx: Tx,
    call: Call,
    resource: ResourceRow,
    blob: PlacedBlob,
    more?: CompletedWith,
  ): Promise<ResourceRow>
  /** The resource ends as `Failed`; its bytes, when there are any, lie in quarantine. */
  failResource(tx: Tx, call: Call, resource: ResourceRow, failure: FailedResource): Promise<ResourceRow>
  /** @param unfinished the platform completes it, since whoever uploaded went away (decisions 6); false: somebody does */
  completeEvidence(tx: Tx, call: Call, evidence: EvidenceRow, unfinished?: boolean): Promise<EvidenceRow>
  /** The links of the evidence to cases changed in this transaction: one more version of it, and an entry. */
  relinked(tx: Tx, call: Call, evidence: EvidenceRow, action: LinkAction): Promise<EvidenceRow>
  /** `relinked` of many of one tenant, none twice, with a few statements for each hundred. The entries come in this order. */
  relinkedAll(tx: Tx, call: Call, tenant: string, changed: readonly Relinked[]): Promise<void>
  /** What the bytes say about themselves. */
  setFacts(
    tx: Tx,
    call: Call,
    resource: ResourceRow,
    sniffedType: string,
    media: MediaFacts | null,
  ): Promise<ResourceRow>
  /** GPS and capture time fill empty members and never overwrite (decisions 6). @returns null when there was nothing to fill. */
  fillEmpty(tx: Tx, call: Call, evidence: EvidenceRow, found: Found): Promise<EvidenceRow | null>
  /** Sorts an evidence by its local time as in another zone. @param taken the instant that the local time is there */
  reckonLocalStart(tx: Tx, call: Call, evidence: EvidenceRow, taken: Time, zone: string): Promise<void>
}

type LinkAction = 'evidence.linked' | 'evidence.unlinked' | 'evidence.confirmed' | 'evidence.moved'

export interface Relinked {
  readonly evidenceId: number
  readonly action: LinkAction
}

interface Found {
  readonly start?: Time | null
  /** As the file says it, where `start` was put right. */
  readonly recorded?: Time | null
  /** `gps` is named in the ledger. */
  readonly startFrom?: 'file' | 'gps' | null
  /** What the file says without a zone: it is kept beside a start, and alone it only sorts. */
  readonly local?: { readonly text: string; readonly taken: Time } | null
  readonly end?: Time | null
  readonly wkt?: string | null
}

export interface CompletedWith {
  /** For the ledger. */
  readonly detail?: Readonly<Record<string, string | number>>
  /** Of the key that an encrypted upload was encrypted for. */
  readonly certificateThumbprint?: string
  /** The hash that the camera's own list has for it, where its bytes have another. */
  readonly cameraSha256?: string
}

export interface FailedResource {
  readonly reason: string
  readonly quarantinePath: string | null
  readonly sha256: string | null
  readonly length: number | null
}

interface Deps extends RecordDeps {
  readonly versions: Pick<Versions, 'add' | 'addAll'>
  readonly jobs: Pick<JobQueue, 'enqueue'>
}

export { evidenceObject, principalThen, resourceObject, tagKey }

/** Most evidence in one statement: the event loop gets a turn after each, and few statements are prepared. */
const AT_ONCE = 100

/** The type of a resource whose client named none. */
const UNNAMED_TYPE = 'application/octet-stream'

export const createRecords = (deps: Deps): Records => ({
  ...createDerivedRecords(deps),
  ...createEvidenceChanges(deps),
  ...createEvidenceLifecycle(deps),
  ...createPartTimes(deps),
  ...createCameraList(deps),
  createEvidence: (tx, call, tenant, given, level) => createEvidence(deps, tx, call, tenant, given, level),
  createResource: (tx, call, evidence, given) => createResource(deps, tx, call, evidence, given),
  completeResource: (tx, call, resource, blob, more) => completeResource(deps, tx, call, resource, blob, more),
  failResource: (tx, call, resource, failure) => failResource(deps, tx, call, resource, failure),
  completeEvidence: async (tx, call, { evidence_id: id, tenant_id: tenant }, unfinished = false) => {
    await updateEvidence(tx, id, { state: 'UserCompleted', unfinished: unfinished ? 1 : 0 })
    const row = await evidenceVersion(deps, tx, call, id, tenant, 'evidence.completed')
    await deps.ledger.append(tx, call, {
      action: 'evidence.completed',
      object: evidenceObject(row),
      detail: { concurrencyId: row.concurrency_id },
    })
    return row
  },
  relinked: async (tx, call, { evidence_id: evidenceId, tenant_id: tenant }, action) => {
    await relinkedSome(deps, tx, call, tenant, [{ evidenceId, action }])
    return (await evidenceById(tx, tenant, evidenceId)) as EvidenceRow
  },
  relinkedAll: async (tx, call, tenant, changed) => {
    for (let at = 0; at < changed.length; at += AT_ONCE)
      await relinkedSome(deps, tx, call, tenant, changed.slice(at, at + AT_ONCE))
  },
  setFacts: (tx, call, resource, sniffedType, media) => setFacts(deps, tx, call, resource, sniffedType, media),
  fillEmpty: (tx, call, evidence, found) => fillEmpty(deps, tx, call, evidence, found),
  reckonLocalStart: async (
    tx,
    call,
    { evidence_id: id, tenant_id: tenant, container_start_utc: local },
    taken,
    zone,
  ) => {
    await updateEvidence(tx, id, { start_ticks: taken.ticks })
    const row = await evidenceVersion(deps, tx, call, id, tenant, 'evidence.filled')
    await deps.ledger.append(tx, call, {
      action: 'evidence.filled',
      object: evidenceObject(row),
      detail: { filled: ['LocalStartTime'], localTime: local, timeZone: zone },
    })
  },
})

async function createEvidence(
  deps: Deps,
  tx: Tx,
  call: Call,
  tenant: string,
  given: NewEvidence,
  level: 'Manage' | 'Edit' = 'Manage',
): Promise<EvidenceRow> {
  const now = timeOf(deps.clock.now())
  const id = await insertEvidence(
    tx,
    newEvidenceRow(tenant, given, now, principalThen(call.actor)),
    (given.Tags ?? []).map((tag) => ({ tag, key: tagKey(tag) })),
  )
  // The platform and the command line hold no rights; evidence they bring in belongs to nobody yet.
  if (call.actor.kind === 'user' || call.actor.kind === 'service')
    await insertPolicy(tx, id, Number(call.actor.id), level)
  for (const { principalId, level: held } of given.policies ?? []) await insertPolicy(tx, id, principalId, held)
  const row = await evidenceVersion(deps, tx, call, id, tenant, 'evidence.created')
  await deps.ledger.append(tx, call, {
    action: 'evidence.created',
    object: evidenceObject(row),
    detail: { concurrencyId: row.concurrency_id },
  })
  return row
}

async function createResource(deps: Deps, tx: Tx, call: Call, evidence: EvidenceRow, given: NewResource) {
  const id = await insertResource(tx, {
    ...emptyResource(
      evidence.evidence_id,
      given.name,
      given.mimeType,
      principalThen(call.actor),
      isoMillis(deps.clock.now()),
    ),
    role: 'original',
    start_utc: given.start?.text ?? null,
    start_ticks: given.start?.ticks ?? null,
    end_utc: given.end?.text ?? null,
    end_ticks: given.end?.ticks ?? null,
    time_offset: given.timeOffset,
    expected_sha256: given.expectedSha256,
    expected_length: given.expectedLength,
  })
  const row = await resourceVersion(deps, tx, call, id, 'resource.created')
  await deps.ledger.append(tx, call, {
    action: 'resource.created',
    object: resourceObject(row),
    detail: { evidenceId: String(evidence.evidence_id) },
  })
  return row
}

async function completeResource(
  deps: Deps,
  tx: Tx,
  call: Call,
  resource: ResourceRow,
  blob: PlacedBlob,
  { detail = {}, certificateThumbprint, cameraSha256 }: CompletedWith = {},
): Promise<ResourceRow> {
  const { ledger, jobs, clock } = deps
  await insertBlob(tx, blob, isoMillis(clock.now()))
  await updateResource(tx, resource.resource_id, {
    state: 'UserCompleted',
    sha256: blob.sha256,
    length: blob.length,
    uploaded_utc: isoMillis(clock.now()),
    uploaded_by: JSON.stringify(principalThen(call.actor)),
    ...(certificateThumbprint === undefined ? {} : { certificate_thumbprint: certificateThumbprint }),
    ...(cameraSha256 === undefined ? {} : { camera_sha256: cameraSha256 }),
  })
  const row = await resourceVersion(deps, tx, call, resource.resource_id, 'resource.completed')
  await ledger.append(tx, call, {
    action: 'resource.completed',
    object: resourceObject(row),
    bytes: blob.length,
    sha256: blob.sha256,
    detail: {
      ...detail,
      ...(cameraSha256 === undefined ? {} : { differsFrom: cameraSha256 }),
      evidenceId: String(row.evidence_id),
      readBack: blob.readBack,
      sameBytesAlreadyKept: blob.existed,
    },
  })
  await jobs.enqueue(tx, inspectJob(row.resource_id))
  await extended(deps, tx, call, row)
  return row
}

async function failResource(deps: Deps, tx: Tx, call: Call, resource: ResourceRow, failure: FailedResource) {
  if (failure.quarantinePath !== null) {
    await insertQuarantine(tx, {
      path: failure.quarantinePath,
      reason: failure.reason,
      sha256: failure.sha256,
      length: failure.length,
      resourceId: resource.resource_id,
      createdUtc: isoMillis(deps.clock.now()),
    })
  }
  await updateResource(tx, resource.resource_id, { state: 'Failed' })
  const row = await resourceVersion(deps, tx, call, resource.resource_id, 'resource.refused')
  await deps.ledger.append(tx, call, {
    action: 'resource.refused',
    object: resourceObject(row),
    outcome: 'failed',
    reason: failure.reason,
    ...(failure.length === null ? {} : { bytes: failure.length }),
    ...(failure.sha256 === null ? {} : { sha256: failure.sha256 }),
    detail: { evidenceId: String(row.evidence_id), quarantined: failure.quarantinePath !== null },
  })
  return row
}

async function setFacts(
  deps: Deps,
  tx: Tx,
  call: Call,
  resource: ResourceRow,
  sniffedType: string,
  media: MediaFacts | null,
): Promise<ResourceRow> {
  // The client's own word stays, unless it said nothing (decisions 13).
  const unnamed = resource.mime_type === UNNAMED_TYPE && sniffedType !== UNNAMED_TYPE
  await updateResource(tx, resource.resource_id, {
    sniffed_type: sniffedType,
    ...(unnamed ? { mime_type: sniffedType } : {}),
    media: media === null ? null : JSON.stringify(media),
  })
  const row = await resourceVersion(deps, tx, call, resource.resource_id, 'resource.inspected')
  await deps.ledger.append(tx, call, {
    action: 'resource.inspected',
    object: resourceObject(row),
    detail: { evidenceId: String(row.evidence_id), sniffedType, ...(unnamed ? { mimeType: sniffedType } : {}) },
  })
  return row
}

async function fillEmpty(deps: Deps, tx: Tx, call: Call, evidence: EvidenceRow, found: Found) {
  const set: Parameters<typeof updateEvidence>[2] = {}
  const filled: string[] = []
  const written = evidence.end_utc === null ? null : parseTime(evidence.end_utc, { utcMember: true })
  // A capture after the end that somebody wrote would turn the range around; it stays in the Exif.
  if (evidence.start_utc === null && found.start && (written === null || found.start.ticks <= written.ticks)) {
    Object.assign(set, {
      start_utc: found.start.text,
      start_ticks: found.start.ticks,
      container_start_utc: containerOf(found.start, found),
    })
    filled.push('StartTimeUtc')
    if (evidence.end_utc === null && found.end) {
      Object.assign(set, { end_utc: found.end.text, end_ticks: found.end.ticks })
      filled.push('EndTimeUtc')
    }
  }
  if (await mayTakeLocal(tx, evidence, found.start ?? null, found.local ?? null, written)) {
    Object.assign(set, { start_ticks: found.local?.taken.ticks, container_start_utc: found.local?.text })
    filled.push('LocalStartTime')
  }
  if (evidence.location_wkt === null && evidence.location_text === null && found.wkt) {
    set.location_wkt = found.wkt
    filled.push('LocationWKT')
  }
  if (filled.length === 0) return null
  await updateEvidence(tx, evidence.evidence_id, set)
  const { device, device_identity: identity } = evidence
  // Whose recording it is does not go by a time whose zone is not known.
  const start = set.start_utc === undefined ? null : (set.start_ticks ?? null)
  await keepRecording(tx, evidence.evidence_id, { device, identity, start })
  const row = await evidenceVersion(deps, tx, call, evidence.evidence_id, evidence.tenant_id, 'evidence.filled')
  await deps.ledger.append(tx, call, {
    action: 'evidence.filled',
    object: evidenceObject(row),
    detail: { filled, ...fillDetail(filled, found.startFrom, found.local) },
  })
  return row
}

async function relinkedSome(
  { ledger, versions, clock }: Deps,
  tx: Tx,
  call: Call,
  tenant: string,
  changed: readonly Relinked[],
): Promise<void> {
  const ids = changed.map(({ evidenceId }) => evidenceId)
  const links = Map.groupBy(await linksOfEvidences(tx, ids), (link) => link.evidence_id)
  const states = Map.groupBy(ids, (id) => associationOf(links.get(id) ?? []))
  for (const [state, some] of states) await setAssociation(tx, some, state)
  const rows = new Map((await evidencesById(tx, tenant, ids)).map((row) => [row.evidence_id, row]))
  const completed = [...rows.values()].filter((row) => row.state === 'UserCompleted').map((row) => row.evidence_id)
  const [tags, policies, files] = await Promise.all([
    tagsOf(tx, ids),
    policiesOf(tx, ids),
    completedOriginalsOf(tx, completed),
  ])
  const policiesBy = Map.groupBy(policies, (policy) => policy.evidence_id)
  const dateUtc = isoMillis(clock.now())
  const versioned = changed.map(({ evidenceId: id, action }) => {
    const row = rows.get(id) as EvidenceRow
    const originals = row.state === 'UserCompleted' ? (files.get(id) ?? []) : null
    const state = evidenceState(row, tags.get(id) ?? [], policiesBy.get(id) ?? [], links.get(id) ?? [], originals)
    return { entityId: id, state, action, author: call.actor, dateUtc }
  })
  const concurrencyIds = await versions.addAll(tx, 'evidence', versioned)
  await setConcurrencyIds(tx, new Map(ids.map((id, at) => [id, concurrencyIds[at] as string])))
  await Promise.all(
    changed.map(({ evidenceId, action }, at) =>
      ledger.append(tx, call, {
        action,
        object: evidenceObject(rows.get(evidenceId) as EvidenceRow),
        // Which case is told by its own entry: not everybody who reads the custody of the evidence may know of it.
        detail: { concurrencyId: concurrencyIds[at] as string },
      }),
    ),
  )
}

async function extended(deps: Deps, tx: Tx, call: Call, resource: ResourceRow): Promise<void> {
  const evidence = await evidenceOf(tx, resource.evidence_id)
  if (evidence.state !== 'UserCompleted') return
  const row = await evidenceVersion(deps, tx, call, evidence.evidence_id, evidence.tenant_id, 'evidence.extended')
  await deps.ledger.append(tx, call, {
    action: 'evidence.extended',
    object: evidenceObject(row),
    detail: { resourceId: String(resource.resource_id), concurrencyId: row.concurrency_id },
  })
}

function associationOf(links: readonly LinkRow[]): EvidenceRow['association_state'] {
  const kinds = new Set(links.map(({ kind }) => kind))
  return kinds.has('Manual') ? 'Manual' : kinds.has('Automatic') ? 'Automatic' : 'None'
}

/**
 * Whether the local time sorts the evidence: where nothing else says when it began. An end that somebody wrote before it would turn the
 * range around.
 */
async function mayTakeLocal(
  tx: Tx,
  { evidence_id: id, start_utc: stored, start_ticks: taken }: EvidenceRow,
  start: Time | null,
  local: { readonly taken: Time } | null,
  end: Time | null,
): Promise<boolean> {
  if (local === null || start !== null || stored !== null || taken !== null) return false
  if (end !== null && local.taken.ticks > end.ticks) return false
  return !(await hasTimedOriginal(tx, id))
}

/** What the file itself says, beside the start that was made of it. */
function containerOf(start: Time, { local, recorded, startFrom }: Found): string {
  if (local) return local.text
  return startFrom === 'gps' ? gpsContainer(start.text) : (recorded ?? start).text
}

/** Where the time came from, unless the file gives an instant itself. */
function fillDetail(
  filled: readonly string[],
  startFrom: 'file' | 'gps' | null | undefined,
  local: { readonly text: string } | null | undefined,
) {
  return {
    ...(startFrom === 'gps' && filled.includes('StartTimeUtc') ? { startTimeFrom: 'gps' } : {}),
    ...(local && (filled.includes('LocalStartTime') || filled.includes('StartTimeUtc'))
      ? { localTime: local.text }
      : {}),
  }
}
