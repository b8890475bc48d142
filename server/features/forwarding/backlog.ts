/** The items of the backlog. */
import type { z } from 'zod'
import type * as contract from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf } from '../../kernel/evidence/records.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import * as rows from './forwarding.store.ts'

export type ItemOut = z.input<typeof contract.ForwardingItemModel>

export interface ItemsPage {
  readonly Items: ItemOut[]
  /** The last one of the page; null: there are no more. */
  readonly last: number | null
}

export async function listBacklog(
  { db }: ForwardingDeps,
  tenant: string,
  state: ItemOut['State'],
  page: { readonly after: number; readonly count: number },
): Promise<ItemsPage> {
  const found = await rows.listItems(db.read, tenant, state, { after: page.after, count: page.count + 1 })
  const shown = found.slice(0, page.count)
  return {
    Items: shown.map((row) => ({
      EvidenceId: String(row.evidence_id),
      Name: row.name,
      State: row.state,
      Ground: row.ground,
      Bytes: row.bytes,
      QueuedTimeUtc: isoMillis(row.queued_at),
      DoneTimeUtc: row.done_at === null ? null : isoMillis(row.done_at),
      Attempts: row.attempts,
      NextTryUtc: row.state === 'waiting' && row.next_at > 0 ? isoMillis(row.next_at) : null,
      Problem: row.problem,
      RemoteEvidenceId: row.remote_evidence_id,
    })),
    last: found.length > page.count ? (shown.at(-1)?.evidence_id ?? null) : null,
  }
}

/** @throws Fault ForwardingNotFailed */
export async function retryItem(
  { db, ledger }: ForwardingDeps,
  call: Call,
  tenant: string,
  evidenceId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const item = await rows.itemOf(tx, Number(evidenceId))
    if (
      item === undefined ||
      item.tenant_id !== tenant ||
      item.state !== 'failed' ||
      String(item.evidence_id) !== evidenceId
    )
      throw fault('ForwardingNotFailed', 'This is not among what failed.')
    await rows.changeItem(tx, item.evidence_id, { state: 'waiting', attempts: 0, next_at: 0 })
    await ledger.append(tx, call, {
      action: 'forwarding.retried',
      object: evidenceObject(await evidenceOf(tx, item.evidence_id)),
    })
  })
}
