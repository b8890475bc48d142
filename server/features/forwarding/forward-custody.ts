/** Sends the custody of an evidence: its ledger lines, as one more resource of it at headquarters. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { createHash } from 'node:crypto'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import { newKey } from './client.ts'
import { type Contact, type ForwardDeps, NeedsPerson, readResource, renewUpload } from './contact.ts'
import { LedgerDiffers } from '../../kernel/ledger/signed-head.ts'
import { CUSTODY_TYPE, custodyName, makeCustodyRecord } from './custody.ts'
import * as rows from './forwarding.store.ts'
import { KEY_LIFE_MS } from './rules.ts'

/** The ledger lines of the item, as one more resource of it at headquarters. */
export async function sendCustody(
  deps: ForwardDeps,
  { client, goOn }: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<{ resourceId: string; sha256: string; seq: number }> {
  const { db, clock, tree, origin, signer } = deps
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
    const open = remote?.State === 'None' ? await renewUpload(client, remoteId, remote) : remote
    // The answer to an earlier attempt was lost, and headquarters has what that one sent.
    const arrived = open?.State === 'UserCompleted' && open.Sha256 !== null && open.Sha256 === item.custody_sha256
    if (open?.State === 'None' && open.UploadUri !== undefined) {
      const maker = { db, tree, origin, signer: signer(), between: goOn }
      const record = await makeCustodyRecord(maker, id).catch((error: Error) => {
        throw error instanceof LedgerDiffers ? new NeedsPerson(error.message) : error
      })
      const bytes = Buffer.from(record.text)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await change({ custody_sha256: sha256, custody_seq: record.seq })
      await client.putBlob(open.UploadUri, bytes)
      const confirmed = await client.completeResource(remoteId, resourceId, {
        Sha256: sha256,
        LengthInBytes: bytes.length,
      })
      if (confirmed.Sha256 !== sha256) throw new NeedsPerson(connectionReason('otherCustodyHash'))
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
  throw new NeedsPerson(connectionReason('custodyNotKept'))
}
