/** Sends the originals of an evidence, block by block, and keeps the receipts. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { alarmReason } from '../../../shared/messages/alarm-reasons.ts'
import type { EvidenceRow, ResourceRow } from '../../kernel/evidence/records.store.ts'
import { resourceObject } from '../../kernel/evidence/objects.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { type HeadquartersClient, HeadquartersRefusal, newKey, type RemoteResource } from './client.ts'
import { type Contact, type ForwardDeps, NeedsPerson, readResource, renewUpload } from './contact.ts'
import * as rows from './forwarding.store.ts'
import { KEY_LIFE_MS } from './rules.ts'

const BLOCK = 4 * 1024 * 1024
/** A list takes 50,000 blocks. */
const MOST_BLOCKS = 40_000
const NOTE_EVERY = 64 * 1024 * 1024

/** Sends every original without a receipt. @returns how many got one */
export async function sendFiles(
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
    const open = remote.UploadUri !== undefined && isNew ? remote : await renewUpload(client, remoteId, remote)
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
        await raise(deps, contact, original, alarmReason('otherBytesThere', { name: original.name }), {
          refused: error.code,
        })
        throw new NeedsPerson(connectionReason('otherBytes'))
      }
    }
  }
  throw new NeedsPerson(connectionReason('uploadNotKept'))
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
    const there = await findResource(client, original, remoteId, await claimedBy(db, original))
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

/** Resources at headquarters that are those of other originals of the same evidence. */
async function claimedBy(db: ForwardDeps['db'], original: ResourceRow): Promise<ReadonlySet<string>> {
  const id = original.evidence_id
  const found = [...(await rows.receiptsOf(db.read, id)), ...(await rows.filesOf(db.read, id))]
  return new Set(
    found.flatMap((one) =>
      one.resource_id === original.resource_id || one.remote_resource_id === null ? [] : [one.remote_resource_id],
    ),
  )
}

/**
 * Headquarters may have it without a row here: the key was too old, or the station was restored. It is recognised by its hash, or by its name
 * while it is open.
 */
async function findResource(
  client: HeadquartersClient,
  original: ResourceRow,
  remoteId: string,
  claimed: ReadonlySet<string>,
): Promise<RemoteResource | null> {
  const list = (await client.listResources(remoteId)).filter(
    ({ Parent, ResourceId }) => Parent === null && !claimed.has(ResourceId),
  )
  return (
    list.find(({ State, Sha256 }) => State === 'UserCompleted' && Sha256 === original.sha256) ??
    list.find(({ State, Name }) => State === 'None' && Name === original.name) ??
    null
  )
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
    await raise(deps, contact, original, alarmReason('otherHash', { name: original.name }), {
      expected: original.sha256,
      confirmed: confirmed.Sha256,
      length: confirmed.LengthInBytes,
      remoteResourceId: confirmed.ResourceId,
    })
    throw new NeedsPerson(connectionReason('otherHash', { hash: confirmed.Sha256 ?? 'none' }))
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
