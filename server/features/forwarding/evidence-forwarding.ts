/** Where the originals of an evidence are, and what a person asks for: to forward it, or to fetch an original back. */
import type { z } from 'zod'
import type * as contract from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { evidenceObject, resourceObject } from '../../kernel/evidence/objects.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import { FETCH_JOB, fetchJob } from './fetch.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import * as rows from './forwarding.store.ts'
import { requireHeadquarters } from './headquarters.ts'

export type EvidenceOut = z.input<typeof contract.EvidenceForwardingModel>

async function forwardingOf({ db, jobs }: ForwardingDeps, tenant: string, evidenceId: number): Promise<EvidenceOut> {
  const row = await rows.headquartersOf(db.read, tenant)
  const item = await rows.itemOf(db.read, evidenceId)
  const receipts = await rows.receiptsOf(db.read, evidenceId)
  const cleared = await rows.forwardedBlobs(
    db.read,
    receipts.map(({ sha256 }) => sha256),
  )
  const fetches = await jobs.ofSubjects(receipts.map(({ resource_id: id }) => `resource:${id}`))
  return {
    State: item?.state ?? 'none',
    Address: row?.address ?? null,
    RemoteEvidenceId: item?.remote_evidence_id ?? null,
    Resources: receipts.map((receipt) => {
      const last = fetches
        .filter(({ kind, subject }) => kind === FETCH_JOB.name && subject === `resource:${receipt.resource_id}`)
        .at(-1)
      return {
        ResourceId: String(receipt.resource_id),
        Sha256: receipt.sha256,
        LengthInBytes: receipt.length,
        Address: receipt.address,
        RemoteEvidenceId: receipt.remote_evidence_id,
        RemoteResourceId: receipt.remote_resource_id,
        ConfirmedTimeUtc: receipt.confirmed_utc,
        ClearedTimeUtc: cleared.get(receipt.sha256)?.cleared_utc ?? null,
        Fetching: last !== undefined && ['queued', 'running', 'waiting'].includes(last.state),
        Problem: last !== undefined && ['failed', 'waiting'].includes(last.state) ? last.message : null,
      }
    }),
  }
}

export async function readForwarding(
  deps: ForwardingDeps,
  call: HttpCall,
  tenant: string,
  evidenceId: string,
): Promise<EvidenceOut> {
  const { evidence } = await createReach(deps).reach(deps.db.read, call, tenant, evidenceId, 'View')
  return forwardingOf(deps, tenant, evidence.evidence_id)
}

/** @throws Fault HeadquartersNotSet, EvidenceNotCompleted */
export async function requestForwarding(
  deps: ForwardingDeps,
  call: HttpCall,
  tenant: string,
  evidenceId: string,
): Promise<EvidenceOut> {
  const { db, ledger, clock } = deps
  const id = await db.transaction(async (tx) => {
    const { evidence } = await createReach(deps).reach(tx, call, tenant, evidenceId, 'Edit')
    await requireHeadquarters(tx, tenant)
    if (evidence.state !== 'UserCompleted')
      throw fault('EvidenceNotCompleted', 'This evidence is not complete yet. It is forwarded when it is.')
    const originals = await rows.originalsOf(tx, evidence.evidence_id)
    const item = await rows.itemOf(tx, evidence.evidence_id)
    const wish = { state: 'waiting', requested: 1, attempts: 0, next_at: 0 } as const
    if (item === undefined)
      await rows.insertItem(tx, {
        ...wish,
        evidence_id: evidence.evidence_id,
        tenant_id: tenant,
        ground: 'requested',
        created_at: Date.parse(evidence.created_utc),
        bytes: originals.reduce((sum, { length }) => sum + (length ?? 0), 0),
        queued_at: clock.now(),
      })
    else if (item.state !== 'done' || item.sent_concurrency_id !== evidence.concurrency_id)
      await rows.changeItem(tx, evidence.evidence_id, {
        ...wish,
        queued_at: Math.max(clock.now(), item.queued_at + 1),
      })
    await ledger.append(tx, call, { action: 'forwarding.requested', object: evidenceObject(evidence) })
    return evidence.evidence_id
  })
  return forwardingOf(deps, tenant, id)
}

/** Nothing is fetched where the bytes are here. @throws Fault HeadquartersNotSet */
export async function requestFetch(
  deps: ForwardingDeps,
  call: HttpCall,
  tenant: string,
  evidenceId: string,
  resourceId: string,
): Promise<EvidenceOut> {
  const { db, ledger, jobs } = deps
  const { reach, reachRows } = createReach(deps)
  const { evidence, resource } = await reachRows(call, 'View', { tenant, evidenceId, resourceId })
  const row = resource as ResourceRow
  await db.transaction(async (tx) => {
    await reach(tx, call, tenant, evidenceId, 'View')
    const receipt = await rows.receiptOf(tx, row.resource_id)
    if (receipt !== undefined && (await rows.forwardedBlob(tx, receipt.sha256)) !== undefined) {
      await requireHeadquarters(tx, tenant)
      await jobs.enqueue(tx, fetchJob(row.resource_id))
    }
    await ledger.append(tx, call, {
      action: 'resource.fetchRequested',
      object: resourceObject(row),
      detail: { evidenceId: String(evidence.evidence_id), address: receipt?.address ?? null },
    })
  })
  jobs.kick()
  return forwardingOf(deps, tenant, evidence.evidence_id)
}
