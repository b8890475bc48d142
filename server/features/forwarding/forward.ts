/**
 * Sends one evidence to headquarters, step by step. Each step writes down what headquarters answered before the next one begins, so that an
 * interrupted item goes on where it was, and a repeated one changes nothing there.
 */
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf, type EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { Contact, ForwardDeps } from './contact.ts'
import { linkCases } from './forward-cases.ts'
import { sendCustody } from './forward-custody.ts'
import { sendFiles } from './forward-files.ts'
import { requireEvidence, sendFields } from './forward-record.ts'
import * as rows from './forwarding.store.ts'

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
