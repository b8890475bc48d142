/**
 * Sends one evidence to headquarters, step by step. Each step writes down what headquarters answered before the next one begins, so that an
 * interrupted item goes on where it was, and a repeated one changes nothing there.
 */
import { createHash } from 'node:crypto'
import type { Database } from '../../kernel/database/database.ts'
import { evidenceObject, resourceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf, type EvidenceRow, type ResourceRow, tagsOf } from '../../kernel/evidence/records.store.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Signer } from '../../kernel/ledger/signed-note.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type HeadquartersClient, HeadquartersRefusal, newKey, type RemoteCase, type RemoteResource } from './client.ts'
import { CUSTODY_TYPE, custodyName, makeCustodyRecord } from './custody.ts'
import { bodyOf, fieldsOf, fitFields, type RemoteCategory, remoteFields } from './fields.ts'
import * as rows from './forwarding.store.ts'
import { FIELD_NAMES, type Fields, KEY_LIFE_MS, mergeFields, type Rules, textOf } from './rules.ts'

export interface ForwardDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly store: Pick<BlobStore, 'open'>
  readonly clock: Clock
  readonly origin: string
  readonly signer: () => Signer
}

/** A contact with headquarters. */
export interface Contact {
  readonly tenant: string
  readonly rules: Rules
  readonly client: HeadquartersClient
  readonly categories: readonly RemoteCategory[]
  readonly call: Call
  /** @throws Interrupted when the window closed, the rules changed, or the station stops */
  readonly goOn: () => void
  /** Tells how much was sent, for the backlog and the measured pace. */
  readonly onSent: (bytes: number) => void
}

/** Forwarding pauses; the item goes on later where it is. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** A person has to look; trying again does not help. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson'
}

const BLOCK = 4 * 1024 * 1024
/** A list takes 50,000 blocks. */
const MOST_BLOCKS = 40_000
const NOTE_EVERY = 64 * 1024 * 1024

/** The name of an evidence of this station at other servers. */
export const sourceIdOf = (origin: string, evidenceId: number): string => `${origin}/evidence/${evidenceId}`

/** @throws HeadquartersAway, HeadquartersRefusal, Interrupted, NeedsPerson */
export async function forwardItem(deps: ForwardDeps, contact: Contact, evidenceId: number): Promise<void> {
  const item = (await rows.itemOf(deps.db.read, evidenceId)) as rows.ItemRow
  const evidence = await evidenceOf(deps.db.read, evidenceId)
  if (!['None', 'Protected'].includes(evidence.lifecycle_state)) {
    // Deletion is never forwarded; what was deleted before it was sent is not sent.
    await deps.db.inBackground.transaction((tx) => rows.changeItem(tx, evidenceId, done(deps, evidence)))
    return
  }
  const remoteId = await requireEvidence(deps, contact, item, evidence)
  const files = await sendFiles(deps, contact, evidence, remoteId)
  await sendFields(deps, contact, evidence, remoteId)
  const isDue = ((await rows.itemOf(deps.db.read, evidenceId)) as rows.ItemRow).custody_due === 1
  const custody = isDue ? await sendCustody(deps, contact, evidence, remoteId) : null
  if (item.completed === 0) await contact.client.completeEvidence(remoteId)
  if (contact.rules.WithCases) await linkCases(deps, contact, evidence, remoteId)
  await deps.db.inBackground.transaction(async (tx) => {
    // What was asked for meanwhile (a question that was settled, a request) waits for another round.
    const isAsked = (await rows.itemOf(tx, evidenceId))?.queued_at !== item.queued_at
    await rows.changeItem(tx, evidenceId, { ...(isAsked ? {} : done(deps, evidence)), completed: 1 })
    if (custody === null && item.completed === 1) return
    await deps.ledger.append(tx, contact.call, {
      action: 'evidence.forwarded',
      object: evidenceObject(evidence),
      detail: {
        address: contact.client.origin,
        remoteEvidenceId: remoteId,
        files,
        custody:
          custody === null ? null : { resourceId: custody.resourceId, sha256: custody.sha256, upTo: custody.seq },
      },
    })
  })
}

const done = ({ clock }: ForwardDeps, evidence: EvidenceRow) => ({
  state: 'done' as const,
  requested: 0,
  attempts: 0,
  next_at: 0,
  problem: null,
  done_at: clock.now(),
  // A version that came while this one was sent is found by the next sweep.
  sent_concurrency_id: evidence.concurrency_id,
})

// The record

async function localFields(
  { db }: ForwardDeps,
  evidence: EvidenceRow,
  categories: readonly RemoteCategory[],
): Promise<Fields> {
  const tags = (await tagsOf(db.read, [evidence.evidence_id])).get(evidence.evidence_id) ?? []
  return fitFields(fieldsOf(evidence, tags, await rows.categoryName(db.read, evidence.category_id)), categories)
}

/** @returns its id at headquarters, where it was created once, whatever was interrupted */
async function requireEvidence(
  deps: ForwardDeps,
  { client, categories }: Contact,
  item: rows.ItemRow,
  evidence: EvidenceRow,
): Promise<string> {
  if (item.remote_evidence_id !== null) return item.remote_evidence_id
  const { db, clock, origin } = deps
  const id = evidence.evidence_id
  const sourceId = sourceIdOf(origin, id)
  let { create_key: key, create_body: body } = item
  const remember = (remoteId: string, sent: Fields): Promise<void> =>
    db.inBackground.transaction((tx) =>
      rows.changeItem(tx, id, { remote_evidence_id: remoteId, sent: JSON.stringify(sent) }),
    )
  const isKeyOld = item.create_at !== null && clock.now() - item.create_at > KEY_LIFE_MS
  if (key === null || body === null || isKeyOld) {
    // Headquarters may have forgotten the key: whether the first attempt arrived is found out by the station's own name for it.
    const found = item.create_at === null ? null : await client.findEvidence(sourceId)
    if (found !== null) {
      await remember(found.EvidenceId, remoteFields(found, categories))
      return found.EvidenceId
    }
    const fields = await localFields(deps, evidence, categories)
    const Device = evidence.device === null ? null : deviceOf(evidence.device)
    key = newKey()
    body = JSON.stringify({ fields, sent: { ...bodyOf(fields, FIELD_NAMES, categories), Device, SourceId: sourceId } })
    const kept = { create_key: key, create_at: clock.now(), create_body: body }
    await db.inBackground.transaction((tx) => rows.changeItem(tx, id, kept))
  }
  // The same key needs the same body, whatever was changed here meanwhile.
  const { fields, sent } = JSON.parse(body) as { fields: Fields; sent: object }
  const made = await client.createEvidence(sent, key)
  await remember(made.EvidenceId, fields)
  return made.EvidenceId
}

function deviceOf(text: string): object {
  const { DeviceType, Manufacturer, SerialNumber, Model } = JSON.parse(text) as Record<string, string | null>
  return { DeviceType, Manufacturer, SerialNumber, Model }
}

/** Later changes, by PATCH with the concurrency id. */
async function sendFields(
  deps: ForwardDeps,
  { client, categories, tenant, call }: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<void> {
  const { db, ledger, clock } = deps
  const id = evidence.evidence_id
  for (let tries = 0; ; tries++) {
    const { sent } = (await rows.itemOf(db.read, id)) as rows.ItemRow
    const base = JSON.parse(sent as string) as Fields
    const ours = await localFields(deps, evidence, categories)
    if (FIELD_NAMES.every((name) => textOf(base, name) === textOf(ours, name))) return dropQuestion(deps, id)
    const remote = await client.readEvidence(remoteId)
    const theirs = remoteFields(remote, categories)
    const { send, conflicts } = mergeFields(base, ours, theirs)
    if (send.length > 0)
      try {
        await client.patchEvidence(remoteId, { ...bodyOf(ours, send, categories), ConcurrencyId: remote.ConcurrencyId })
      } catch (error) {
        // Somebody changed it between the two calls.
        if (error instanceof HeadquartersRefusal && error.code === 'EvidenceNotUpToDate' && tries < 5) continue
        throw error
      }
    // A field in question keeps its base until somebody decides.
    const agreed = Object.fromEntries(
      FIELD_NAMES.map((name) => [
        name,
        conflicts.includes(name) ? base[name] : textOf(ours, name) === textOf(base, name) ? base[name] : ours[name],
      ]),
    )
    const isKept = await db.inBackground.transaction(async (tx) => {
      // A person settled a question meanwhile, which gives the fields another base.
      if ((await rows.itemOf(tx, id))?.sent !== sent) return false
      await rows.changeItem(tx, id, { sent: JSON.stringify(agreed), ...(send.length > 0 ? { custody_due: 1 } : {}) })
      const open = await rows.openQuestionOf(tx, id)
      const fields = JSON.stringify(
        conflicts.map((Field) => ({
          Field,
          Ours: textOf(ours, Field),
          Theirs: textOf(theirs, Field),
          Value: theirs[Field],
        })),
      )
      if (open !== undefined && open.fields === fields) return true
      if (open !== undefined)
        await rows.settleQuestion(tx, open.question_id, { decision: 'outdated', settled_utc: isoMillis(clock.now()) })
      if (conflicts.length > 0)
        await rows.insertQuestion(tx, {
          tenant_id: tenant,
          evidence_id: id,
          fields,
          asked_utc: isoMillis(clock.now()),
          decision: null,
          settled_utc: null,
          settled_by: null,
        })
      if (open !== undefined || conflicts.length > 0)
        await ledger.append(tx, call, {
          action: 'forwarding.questionAsked',
          object: evidenceObject(evidence),
          detail: { fields: conflicts, address: client.origin },
        })
      return true
    })
    if (isKept) return
  }
}

/** The record here has the values that headquarters got: there is nothing to decide any more. */
async function dropQuestion({ db, clock }: ForwardDeps, evidenceId: number): Promise<void> {
  const open = await rows.openQuestionOf(db.read, evidenceId)
  if (open === undefined) return
  await db.inBackground.transaction((tx) =>
    rows.settleQuestion(tx, open.question_id, { decision: 'outdated', settled_utc: isoMillis(clock.now()) }),
  )
}

// The bytes

/** Sends every original without a receipt. @returns how many got one */
async function sendFiles(
  deps: ForwardDeps,
  contact: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<number> {
  let sent = 0
  for (const original of await rows.originalsOf(deps.db.read, evidence.evidence_id)) {
    if ((await rows.receiptOf(deps.db.read, original.resource_id)) !== undefined) continue
    contact.goOn()
    await sendFile(deps, contact, original, remoteId)
    sent++
  }
  return sent
}

async function sendFile(deps: ForwardDeps, contact: Contact, original: ResourceRow, remoteId: string): Promise<void> {
  const { client } = contact
  for (let tries = 0; tries < 3; tries++) {
    const { remote, isNew } = await requireResource(deps, contact, original, remoteId)
    if (remote.State === 'UserCompleted') return keepReceipt(deps, contact, original, remoteId, remote)
    if (remote.State === 'Failed') {
      await startAgain(deps, original)
      continue
    }
    const open = remote.UploadUri !== undefined && isNew ? remote : await renewed(contact, remoteId, remote)
    if (open === null) {
      // It was removed there, because nothing came for a day.
      await startAgain(deps, original)
      continue
    }
    if (open.State === 'UserCompleted') return keepReceipt(deps, contact, original, remoteId, open)
    if (open.State === 'Failed') {
      await startAgain(deps, original)
      continue
    }
    await sendBlocks(deps, contact, original, open.UploadUri as string)
    try {
      const confirmed = await client.completeResource(remoteId, remote.ResourceId, {
        Sha256: original.sha256,
        LengthInBytes: original.length,
      })
      return await keepReceipt(deps, contact, original, remoteId, confirmed)
    } catch (error) {
      if (
        !(error instanceof HeadquartersRefusal) ||
        !['HashMismatch', 'UploadDamaged', 'NothingUploaded'].includes(error.code)
      )
        throw error
      await startAgain(deps, original)
      if (tries === 2) {
        await raise(
          deps,
          contact,
          original,
          `Headquarters got other bytes of ${original.name} than its hash says. Check the original here.`,
          {
            refused: error.code,
          },
        )
        throw new NeedsPerson('Headquarters got other bytes than the hash says, three times. Check the original here.')
      }
    }
  }
  throw new NeedsPerson('Headquarters did not keep an upload, three times.')
}

/** Its place at headquarters, made once. */
async function requireResource(
  { db, clock }: ForwardDeps,
  { client }: Contact,
  original: ResourceRow,
  remoteId: string,
): Promise<{ remote: RemoteResource; isNew: boolean }> {
  const id = original.resource_id
  let file = await rows.fileOf(db.read, id)
  if (file?.remote_resource_id != null) {
    const found = await readResource(client, remoteId, file.remote_resource_id)
    if (found !== null) return { remote: found, isNew: false }
    file = undefined
  }
  if (file === undefined || clock.now() - file.create_at > KEY_LIFE_MS) {
    const there = file === undefined ? null : await findResource(client, original, remoteId)
    file = {
      resource_id: id,
      evidence_id: original.evidence_id,
      remote_resource_id: there?.ResourceId ?? null,
      create_key: newKey(),
      create_at: clock.now(),
      sent_bytes: 0,
    }
    const kept = file
    await db.inBackground.transaction((tx) => rows.putFile(tx, kept))
    if (there !== null) return { remote: there, isNew: false }
  }
  const remote = await client.createResource(
    remoteId,
    {
      Name: original.name.slice(0, 1024),
      MimeType: original.mime_type,
      StartTimeUtc: original.start_utc,
      EndTimeUtc: original.end_utc,
      TimeOffset: original.time_offset,
      LengthInBytes: original.length,
      Sha256: original.sha256,
    },
    file.create_key,
  )
  await db.inBackground.transaction((tx) => rows.changeFile(tx, id, { remote_resource_id: remote.ResourceId }))
  // The answer to a repeated call is that of the first one; what became of it since is asked.
  const now = (await readResource(client, remoteId, remote.ResourceId)) ?? { ...remote, State: 'Failed' as const }
  return { remote: { ...now, UploadUri: remote.UploadUri }, isNew: true }
}

async function readResource(client: HeadquartersClient, remoteId: string, id: string): Promise<RemoteResource | null> {
  try {
    return await client.readResource(remoteId, id)
  } catch (error) {
    if (error instanceof HeadquartersRefusal && error.code === 'ResourceNotFound') return null
    throw error
  }
}

/** The key is too old to tell whether it was made: then by its hash, or by its name while it is open. */
async function findResource(
  client: HeadquartersClient,
  original: ResourceRow,
  remoteId: string,
): Promise<RemoteResource | null> {
  const list = (await client.listResources(remoteId)).filter(({ Parent }) => Parent === null)
  return (
    list.find(({ State, Sha256 }) => State === 'UserCompleted' && Sha256 === original.sha256) ??
    list.find(({ State, Name }) => State === 'None' && Name === original.name) ??
    null
  )
}

/** Null when headquarters has removed it. */
async function renewed({ client }: Contact, remoteId: string, remote: RemoteResource): Promise<RemoteResource | null> {
  try {
    return await client.renewUploadUri(remoteId, remote.ResourceId)
  } catch (error) {
    if (!(error instanceof HeadquartersRefusal)) throw error
    if (error.code === 'ResourceNotOpen') return readResource(client, remoteId, remote.ResourceId)
    if (error.code === 'ResourceNotFound') return null
    throw error
  }
}

const startAgain = ({ db }: ForwardDeps, { resource_id: id }: ResourceRow): Promise<void> =>
  db.inBackground.transaction((tx) => rows.deleteFile(tx, id))

const blockId = (index: number): string => Buffer.from(String(index).padStart(8, '0')).toString('base64')

/** Sends the blocks that headquarters does not have yet, and the list that puts them together. */
async function sendBlocks(
  { db, store, clock }: ForwardDeps,
  contact: Contact,
  original: ResourceRow,
  uploadUri: string,
): Promise<void> {
  const { client, goOn, onSent } = contact
  const length = original.length as number
  if (length === 0) {
    await client.putBlob(uploadUri, new Uint8Array(0))
    return
  }
  const size = Math.max(BLOCK, Math.ceil(length / MOST_BLOCKS))
  const blob = await store.open(original.sha256 as string)
  const held = await client.heldBlocks(uploadUri)
  const ids: string[] = []
  let sent = 0
  let noted = 0
  const note = async (): Promise<void> => {
    noted = sent
    await db.inBackground.transaction((tx) => rows.changeFile(tx, original.resource_id, { sent_bytes: sent }))
  }
  for (let at = 0, index = 0; at < length; at += size, index++) {
    const end = Math.min(at + size, length)
    const id = blockId(index)
    ids.push(id)
    if (held.get(id) !== end - at) {
      goOn()
      const began = clock.monotonic()
      const chunks: Buffer[] = []
      for await (const chunk of blob.stream(at, end - 1)) chunks.push(chunk as Buffer)
      await client.putBlock(uploadUri, id, Buffer.concat(chunks))
      if (clock.monotonic() > began) onSent(end - at)
    }
    sent = end
    if (sent - noted >= NOTE_EVERY) await note()
  }
  await note()
  await client.putBlockList(uploadUri, ids)
}

/** The receipt. A hash other than that of the bytes here is an alarm and never a receipt. */
async function keepReceipt(
  deps: ForwardDeps,
  contact: Contact,
  original: ResourceRow,
  remoteId: string,
  confirmed: RemoteResource,
): Promise<void> {
  const { db, ledger, clock } = deps
  const { client, call } = contact
  if (
    confirmed.State !== 'UserCompleted' ||
    confirmed.Sha256 !== original.sha256 ||
    confirmed.LengthInBytes !== original.length
  ) {
    await raise(
      deps,
      contact,
      original,
      `Headquarters confirmed another hash for ${original.name} than the one of the bytes here.`,
      {
        expected: original.sha256,
        confirmed: confirmed.Sha256,
        length: confirmed.LengthInBytes,
        remoteResourceId: confirmed.ResourceId,
      },
    )
    throw new NeedsPerson(`Headquarters confirmed another hash (${confirmed.Sha256 ?? 'none'}). There is no receipt.`)
  }
  const now = isoMillis(clock.now())
  await db.inBackground.transaction(async (tx) => {
    if ((await rows.receiptOf(tx, original.resource_id)) !== undefined) return
    await rows.insertReceipt(tx, {
      resource_id: original.resource_id,
      evidence_id: original.evidence_id,
      sha256: confirmed.Sha256 as string,
      length: confirmed.LengthInBytes as number,
      address: client.origin,
      remote_tenant: client.tenantId,
      remote_evidence_id: remoteId,
      remote_resource_id: confirmed.ResourceId,
      confirmed_utc: now,
    })
    await rows.deleteFile(tx, original.resource_id)
    await rows.changeItem(tx, original.evidence_id, { custody_due: 1 })
    await ledger.append(tx, call, {
      action: 'resource.forwarded',
      object: resourceObject(original),
      sha256: confirmed.Sha256 as string,
      bytes: confirmed.LengthInBytes as number,
      detail: {
        evidenceId: String(original.evidence_id),
        address: client.origin,
        tenant: client.tenantId,
        remoteEvidenceId: remoteId,
        remoteResourceId: confirmed.ResourceId,
      },
    })
  })
}

const raise = (
  { db, alarms }: ForwardDeps,
  { call }: Contact,
  original: ResourceRow,
  message: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<boolean> =>
  db.inBackground.transaction((tx) =>
    alarms.raise(tx, call, {
      kind: 'forwarding',
      subject: `resource ${original.resource_id}`,
      message,
      detail: { ...detail, evidence: [String(original.evidence_id)] },
    }),
  )

// Custody

/** The ledger lines of the item, as one more resource of it at headquarters. */
async function sendCustody(
  deps: ForwardDeps,
  { client }: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<{ resourceId: string; sha256: string; seq: number }> {
  const { db, clock, origin, signer } = deps
  const id = evidence.evidence_id
  const change = (set: Parameters<typeof rows.changeItem>[2]): Promise<void> =>
    db.inBackground.transaction((tx) => rows.changeItem(tx, id, set))
  for (let tries = 0; tries < 3; tries++) {
    const item = (await rows.itemOf(db.read, id)) as rows.ItemRow
    let { custody_key: key, custody_resource_id: resourceId } = item
    if (key === null || clock.now() - (item.custody_at ?? 0) > KEY_LIFE_MS) {
      key = newKey()
      resourceId = null
      await change({ custody_key: key, custody_at: clock.now(), custody_resource_id: null, custody_sha256: null })
    }
    if (resourceId === null) {
      const made = await client.createResource(remoteId, { Name: custodyName(origin, id), MimeType: CUSTODY_TYPE }, key)
      resourceId = made.ResourceId
      await change({ custody_resource_id: resourceId })
    }
    const remote = await readResource(client, remoteId, resourceId)
    const open = remote?.State === 'None' ? await renewed({ client } as Contact, remoteId, remote) : remote
    // The answer to an earlier attempt was lost, and headquarters has what that one sent.
    const arrived = open?.State === 'UserCompleted' && open.Sha256 !== null && open.Sha256 === item.custody_sha256
    if (open?.State === 'None' && open.UploadUri !== undefined) {
      const record = await makeCustodyRecord(db, id, origin, signer())
      const bytes = Buffer.from(record.text)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await change({ custody_sha256: sha256, custody_seq: record.seq })
      await client.putBlob(open.UploadUri, bytes)
      const confirmed = await client.completeResource(remoteId, resourceId, {
        Sha256: sha256,
        LengthInBytes: bytes.length,
      })
      if (confirmed.Sha256 !== sha256)
        throw new NeedsPerson('Headquarters confirmed another hash for the custody record.')
    }
    const isThere = arrived || (open?.State === 'None' && open.UploadUri !== undefined)
    await change({
      custody_key: null,
      custody_resource_id: null,
      custody_at: null,
      ...(isThere ? { custody_due: 0 } : {}),
    })
    const now = (await rows.itemOf(db.read, id)) as rows.ItemRow
    if (isThere) return { resourceId, sha256: now.custody_sha256 as string, seq: now.custody_seq }
  }
  throw new NeedsPerson('Headquarters did not keep the custody record, three times.')
}

// Cases

const caseTag = (origin: string, caseId: number): string => `${origin} case ${caseId}`.slice(0, 64)

/** Finds or creates the cases of the evidence, and links it to them. */
async function linkCases(deps: ForwardDeps, contact: Contact, evidence: EvidenceRow, remoteId: string): Promise<void> {
  const { db } = deps
  for (const one of await rows.linkedCases(db.read, evidence.evidence_id)) {
    if (await rows.linkIsForwarded(db.read, evidence.evidence_id, one.case_id)) continue
    contact.goOn()
    try {
      const remoteCase = await requireCase(deps, contact, one)
      await contact.client.linkEvidence(remoteCase, remoteId)
    } catch (error) {
      // The case service says no more than that (decisions 2).
      if (!(error instanceof HeadquartersRefusal) || error.status !== 403) throw error
      throw new NeedsPerson(
        `Headquarters lets this station neither create nor change the case "${one.title}": its integration needs CreateCases, and Edit on that case.`,
      )
    }
    await db.inBackground.transaction((tx) => rows.insertForwardedLink(tx, evidence.evidence_id, one.case_id))
  }
}

async function requireCase(
  { db, clock, origin }: ForwardDeps,
  { client, categories }: Contact,
  one: CaseRow,
): Promise<string> {
  const known = await rows.caseForward(db.read, one.case_id)
  if (known?.remote_case_id != null) return known.remote_case_id
  const found = await findCase(client, origin, one)
  let row = known
  if (row === undefined || clock.now() - row.create_at > KEY_LIFE_MS) {
    const category = await rows.categoryName(db.read, one.category_id === null ? null : String(one.category_id))
    const body = {
      Title: one.title,
      Description: one.description,
      CategoryId: categories.find((there) => there.enabled && there.name === category)?.id ?? null,
      OccurredOn: one.occurred_on,
      EndedOn: one.ended_on,
      ExternalReferenceId1: one.external_reference_1,
      ExternalReferenceId2: one.external_reference_2,
      Tags: [caseTag(origin, one.case_id)],
    }
    row = {
      case_id: one.case_id,
      remote_case_id: null,
      create_key: newKey(),
      create_at: clock.now(),
      create_body: JSON.stringify(body),
    }
    const kept = row
    await db.inBackground.transaction((tx) => rows.putCaseForward(tx, kept))
  }
  const made = found ?? (await client.createCase(JSON.parse(row.create_body) as object, row.create_key))
  const settled = { ...row, remote_case_id: made.CaseId }
  await db.inBackground.transaction((tx) => rows.putCaseForward(tx, settled))
  return made.CaseId
}

/** By its incident number, its record number, or the tag that this station gave it. */
async function findCase(client: HeadquartersClient, origin: string, one: CaseRow): Promise<RemoteCase | null> {
  const { external_reference_1: record, external_reference_2: incident } = one
  const tag = caseTag(origin, one.case_id)
  const ways: [string | null, (found: RemoteCase) => boolean][] = [
    [incident, (found) => found.ExternalReferenceId2 === incident],
    [record, (found) => found.ExternalReferenceId1 === record],
    [tag, (found) => found.Tags.includes(tag)],
  ]
  for (const [words, fits] of ways) {
    if (words === null || words === '') continue
    const found = await client.findCase(words, fits)
    if (found !== null) return found
  }
  return null
}
