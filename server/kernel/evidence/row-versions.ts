import type { Call } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Versions } from '../versions/versions.ts'
import type { Tx } from '../database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { completedOriginals } from './lifecycle.store.ts'
import { linksOfEvidence } from './links.store.ts'
import {
  type EvidenceRow,
  evidenceById,
  policiesOf,
  type ResourceRow,
  resourceById,
  tagsOf,
  updateEvidence,
  updateResource,
} from './records.store.ts'
import { evidenceState, resourceState } from './rows.ts'

/** What a change of a row needs: its version and its entry commit with it. */
export interface RecordDeps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly versions: Pick<Versions, 'add'>
  readonly clock: Clock
}

/** One more version of the evidence as it stands in the transaction. */
export async function evidenceVersion(
  { versions, clock }: RecordDeps,
  tx: Tx,
  call: Call,
  id: number,
  tenant: string,
  action: string,
): Promise<EvidenceRow> {
  const row = (await evidenceById(tx, tenant, id)) as EvidenceRow
  const [tags, policies, links, files] = await Promise.all([
    tagsOf(tx, [id]),
    policiesOf(tx, [id]),
    linksOfEvidence(tx, id),
    row.state === 'UserCompleted' ? completedOriginals(tx, id) : null,
  ])
  const state = evidenceState(row, tags.get(id) ?? [], policies, links, files)
  const concurrencyId = await versions.add(tx, {
    entity: 'evidence',
    entityId: id,
    state,
    action,
    author: call.actor,
    dateUtc: isoMillis(clock.now()),
  })
  await updateEvidence(tx, id, { concurrency_id: concurrencyId })
  return { ...row, concurrency_id: concurrencyId }
}

/** One more version of the resource as it stands in the transaction. */
export async function resourceVersion(
  { versions, clock }: RecordDeps,
  tx: Tx,
  call: Call,
  id: number,
  action: string,
): Promise<ResourceRow> {
  const row = (await resourceById(tx, id)) as ResourceRow
  const concurrencyId = await versions.add(tx, {
    entity: 'resource',
    entityId: id,
    state: resourceState(row),
    action,
    author: call.actor,
    dateUtc: isoMillis(clock.now()),
  })
  await updateResource(tx, id, { concurrency_id: concurrencyId })
  return { ...row, concurrency_id: concurrencyId }
}
