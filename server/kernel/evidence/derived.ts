import type { Derivation } from '../../../shared/media/rules.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import type { Call } from '../ledger/call.ts'
import type { Tx } from '../database/database.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { findByExif } from './search-index.store.ts'
import type { PlacedBlob } from '../../storage/store.ts'
import type { MediaFacts, ResourceRole } from './model.ts'
import { principalThen, resourceObject } from './objects.ts'
import {
  evidenceOf,
  insertBlob,
  insertResource,
  type ResourceRow,
  updateEvidence,
  updateResource,
} from './records.store.ts'
import { evidenceVersion, resourceVersion, type RecordDeps } from './row-versions.ts'
import { emptyResource } from './rows.ts'
import { insertView, type ViewRow } from './views.store.ts'

/** The rows of what is made from an original, each inside the caller's transaction (decisions 6, "Derivation"). */
export interface DerivedRecords {
  /** A resource that the platform made from `parent`. */
  addDerived(tx: Tx, call: Call, parent: ResourceRow, derived: DerivedResource): Promise<ResourceRow>
  /** One frame of `parent` that somebody took. */
  addStill(tx: Tx, call: Call, parent: ResourceRow, still: Still): Promise<ResourceRow>
  /** A part of `parent` that somebody asked for. */
  addClip(tx: Tx, call: Call, parent: ResourceRow, clip: Clip): Promise<ResourceRow>
  /** A part of the picture `parent`. */
  addCrop(tx: Tx, call: Call, parent: ResourceRow, crop: Crop): Promise<ResourceRow>
  /** Captions of `parent`, made from a file that somebody brought. */
  addCaptions(tx: Tx, call: Call, parent: ResourceRow, captions: NewCaptions): Promise<ResourceRow>
  /**
   * Takes captions from their recording, or gives them back: one more version of them. Their bytes and what they were made of stay.
   * @returns them as they are then
   */
  setCaptions(tx: Tx, call: Call, captions: ResourceRow, attached: boolean): Promise<ResourceRow>
  setThumbnail(
    tx: Tx,
    call: Call,
    resource: ResourceRow,
    blob: PlacedBlob,
    derivation: Derivation,
  ): Promise<ResourceRow>
  /** Something for looking only. It is no part of the resource's state, so that there is no new version of it. */
  addView(tx: Tx, call: Call, resource: ResourceRow, view: NewView): Promise<void>
}

export interface DerivedResource {
  readonly role: Exclude<ResourceRole, 'original'>
  readonly name: string
  readonly mimeType: string
  readonly blob: PlacedBlob
  readonly derivation: Derivation
  readonly media: MediaFacts | null
  /** What the evidence is found by from now on (evidence/search/exif-words.ts). */
  readonly words?: string
}

export interface Still extends Omit<DerivedResource, 'role' | 'media' | 'words'> {
  readonly media: MediaFacts & { readonly Still: number }
  /** When the frame was recorded, by the camera's clock; null where the original does not say when it began. */
  readonly start: Time | null
  /** The frame itself: its time on the original's own clock, seconds. */
  readonly frameSeconds: number
}

export interface Clip extends Omit<DerivedResource, 'role' | 'media' | 'words'> {
  readonly media: MediaFacts & { readonly Clip: NonNullable<MediaFacts['Clip']> }
  /** By the camera's clock; null where the original does not say when it began. */
  readonly start: Time | null
  readonly end: Time | null
  readonly frames: number
  /** Of an untouched stream: the hash of its frames, which is that of the original's. */
  readonly frameHash: string | null
}

export interface Crop extends Omit<DerivedResource, 'role' | 'media' | 'words'> {
  readonly media: MediaFacts & { readonly Crop: NonNullable<MediaFacts['Crop']> }
}

export interface NewCaptions extends Omit<DerivedResource, 'role' | 'media'> {
  readonly media: MediaFacts & { readonly Captions: NonNullable<MediaFacts['Captions']> }
}

export interface NewView {
  readonly kind: ViewRow['kind']
  readonly mimeType: string
  readonly layout: Readonly<Record<string, number>>
  readonly blob: PlacedBlob
  readonly derivation: Derivation
}

export const createDerivedRecords = (deps: RecordDeps): DerivedRecords => ({
  addDerived: (tx, call, parent, derived) => addDerived(deps, tx, call, parent, derived),
  addStill: (tx, call, parent, still) => addStill(deps, tx, call, parent, still),
  addClip: (tx, call, parent, clip) => addClip(deps, tx, call, parent, clip),
  addCrop: (tx, call, parent, crop) => addCrop(deps, tx, call, parent, crop),
  addCaptions: (tx, call, parent, captions) => addCaptions(deps, tx, call, parent, captions),
  setCaptions: (tx, call, captions, attached) => setCaptions(deps, tx, call, captions, attached),
  setThumbnail: (tx, call, resource, blob, derivation) => setThumbnail(deps, tx, call, resource, blob, derivation),
  addView: (tx, call, resource, view) => addView(deps, tx, call, resource, view),
})

async function addDerived(deps: RecordDeps, tx: Tx, call: Call, parent: ResourceRow, derived: DerivedResource) {
  const id = await insertDerived(deps, tx, call, parent, derived)
  if (derived.words !== undefined) await findByExif(tx, id, parent.evidence_id, derived.words)
  const row = await resourceVersion(deps, tx, call, id, 'derivation.added')
  await deps.ledger.append(tx, call, {
    action: 'derivation.added',
    object: resourceObject(row),
    bytes: derived.blob.length,
    sha256: derived.blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(parent.resource_id),
      role: derived.role,
      ...derivationDetail(derived.derivation),
    },
  })
  return row
}

async function addStill(deps: RecordDeps, tx: Tx, call: Call, parent: ResourceRow, still: Still): Promise<ResourceRow> {
  const id = await insertDerived(
    deps,
    tx,
    call,
    parent,
    { ...still, role: 'preview' },
    {
      start_utc: still.start?.text ?? null,
      start_ticks: still.start?.ticks ?? null,
      time_offset: parent.time_offset,
    },
  )
  const row = await resourceVersion(deps, tx, call, id, 'still.taken')
  await deps.ledger.append(tx, call, {
    action: 'still.taken',
    object: resourceObject(row),
    bytes: still.blob.length,
    sha256: still.blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(parent.resource_id),
      seconds: still.media.Still,
      frameSeconds: still.frameSeconds,
      ...derivationDetail(still.derivation),
    },
  })
  return row
}

async function addClip(deps: RecordDeps, tx: Tx, call: Call, parent: ResourceRow, clip: Clip): Promise<ResourceRow> {
  const { start, end, frames, frameHash } = clip
  const { Kind, AskedFrom, AskedTo, From, To } = clip.media.Clip
  const id = await insertDerived(
    deps,
    tx,
    call,
    parent,
    { ...clip, role: 'preview' },
    {
      start_utc: start?.text ?? null,
      start_ticks: start?.ticks ?? null,
      end_utc: end?.text ?? null,
      end_ticks: end?.ticks ?? null,
      time_offset: parent.time_offset,
    },
  )
  const row = await resourceVersion(deps, tx, call, id, 'clip.created')
  await deps.ledger.append(tx, call, {
    action: 'clip.created',
    object: resourceObject(row),
    bytes: clip.blob.length,
    sha256: clip.blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(parent.resource_id),
      kind: Kind,
      askedFrom: AskedFrom,
      askedTo: AskedTo,
      from: From,
      to: To,
      frames,
      ...(frameHash === null ? {} : { frameHash }),
      ...derivationDetail(clip.derivation),
    },
  })
  return row
}

async function addCrop(deps: RecordDeps, tx: Tx, call: Call, parent: ResourceRow, crop: Crop): Promise<ResourceRow> {
  const times = { start_utc: parent.start_utc, start_ticks: parent.start_ticks, time_offset: parent.time_offset }
  const id = await insertDerived(deps, tx, call, parent, { ...crop, role: 'preview' }, times)
  const row = await resourceVersion(deps, tx, call, id, 'picture.cropped')
  const { Left, Top, Width, Height } = crop.media.Crop
  await deps.ledger.append(tx, call, {
    action: 'picture.cropped',
    object: resourceObject(row),
    bytes: crop.blob.length,
    sha256: crop.blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(parent.resource_id),
      left: Left,
      top: Top,
      width: Width,
      height: Height,
      ...derivationDetail(crop.derivation),
    },
  })
  return row
}

async function addCaptions(deps: RecordDeps, tx: Tx, call: Call, parent: ResourceRow, captions: NewCaptions) {
  const id = await insertDerived(deps, tx, call, parent, { ...captions, role: 'preview' })
  const row = await resourceVersion(deps, tx, call, id, 'captions.added')
  await deps.ledger.append(tx, call, {
    action: 'captions.added',
    object: resourceObject(row),
    bytes: captions.blob.length,
    sha256: captions.blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(parent.resource_id),
      language: captions.media.Captions.Language,
      ...derivationDetail(captions.derivation),
    },
  })
  return row
}

async function setCaptions(deps: RecordDeps, tx: Tx, call: Call, captions: ResourceRow, attached: boolean) {
  const { Captions: about, ...facts } = JSON.parse(captions.media ?? '{}') as NewCaptions['media']
  const { Detached: _before, ...kept } = about
  const media: MediaFacts = { ...facts, Captions: attached ? kept : { ...kept, Detached: true } }
  await updateResource(tx, captions.resource_id, { media: JSON.stringify(media) })
  const action = attached ? 'captions.restored' : 'captions.removed'
  const row = await resourceVersion(deps, tx, call, captions.resource_id, action)
  await deps.ledger.append(tx, call, {
    action,
    object: resourceObject(row),
    ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
    detail: { evidenceId: String(row.evidence_id), parent: String(row.parent_id), language: kept.Language },
  })
  return row
}

async function setThumbnail(
  deps: RecordDeps,
  tx: Tx,
  call: Call,
  resource: ResourceRow,
  blob: PlacedBlob,
  derivation: Derivation,
): Promise<ResourceRow> {
  await insertBlob(tx, blob, isoMillis(deps.clock.now()))
  await updateResource(tx, resource.resource_id, {
    thumbnail_sha256: blob.sha256,
    thumbnail_derivation: JSON.stringify(derivation),
  })
  const row = await resourceVersion(deps, tx, call, resource.resource_id, 'derivation.added')
  await deps.ledger.append(tx, call, {
    action: 'derivation.added',
    object: resourceObject(row),
    bytes: blob.length,
    sha256: blob.sha256,
    detail: {
      evidenceId: String(row.evidence_id),
      parent: String(resource.resource_id),
      role: 'thumbnail',
      ...derivationDetail(derivation),
    },
  })
  const evidence = await evidenceOf(tx, resource.evidence_id)
  if (evidence.thumbnail_resource_id === null) {
    await updateEvidence(tx, evidence.evidence_id, { thumbnail_resource_id: resource.resource_id })
    await evidenceVersion(deps, tx, call, evidence.evidence_id, evidence.tenant_id, 'evidence.filled')
  }
  return row
}

async function addView({ ledger, clock }: RecordDeps, tx: Tx, call: Call, resource: ResourceRow, view: NewView) {
  await insertBlob(tx, view.blob, isoMillis(clock.now()))
  await insertView(tx, {
    resource_id: resource.resource_id,
    kind: view.kind,
    sha256: view.blob.sha256,
    mime_type: view.mimeType,
    layout: JSON.stringify(view.layout),
    derivation: JSON.stringify(view.derivation),
    created_utc: isoMillis(clock.now()),
  })
  await ledger.append(tx, call, {
    action: 'derivation.added',
    object: resourceObject(resource),
    bytes: view.blob.length,
    sha256: view.blob.sha256,
    detail: {
      evidenceId: String(resource.evidence_id),
      parent: String(resource.resource_id),
      role: view.kind,
      ...derivationDetail(view.derivation),
    },
  })
}

async function insertDerived(
  { clock }: RecordDeps,
  tx: Tx,
  call: Call,
  parent: ResourceRow,
  derived: DerivedResource,
  times: Partial<Pick<ResourceRow, 'start_utc' | 'start_ticks' | 'end_utc' | 'end_ticks' | 'time_offset'>> = {},
): Promise<number> {
  const now = isoMillis(clock.now())
  await insertBlob(tx, derived.blob, now)
  const { name, mimeType } = derived
  return insertResource(tx, {
    ...emptyResource(parent.evidence_id, name, mimeType, principalThen(call.actor), now),
    role: derived.role,
    sniffed_type: mimeType,
    parent_id: parent.resource_id,
    state: 'UserCompleted',
    sha256: derived.blob.sha256,
    length: derived.blob.length,
    derivation: JSON.stringify(derived.derivation),
    media: derived.media === null ? null : JSON.stringify(derived.media),
    uploaded_utc: now,
    ...times,
  })
}

const derivationDetail = (derivation: Derivation) => ({
  tool: derivation.Tool,
  version: derivation.Version,
  arguments: [...derivation.Arguments],
  inputSha256: derivation.InputSha256,
})
