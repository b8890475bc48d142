import type { Time } from '../../../shared/kernel/time.ts'
import type { Call } from '../ledger/call.ts'
import type { Tx } from '../database/database.ts'
import { resourceObject } from './objects.ts'
import { type ResourceRow, updateResource } from './records.store.ts'
import { resourceVersion, type RecordDeps } from './row-versions.ts'

export interface PartTimes {
  /**
   * A part of a recording whose camera does not say when it began: it goes on where the part before it ends. Only what is empty is filled.
   * @returns null when there was nothing to fill
   */
  timePart(
    tx: Tx,
    call: Call,
    resource: ResourceRow,
    times: { readonly start: Time | null; readonly end: Time | null },
  ): Promise<ResourceRow | null>
}

export const createPartTimes = (deps: RecordDeps): PartTimes => ({
  timePart: async (tx, call, resource, { start, end }) => {
    const set = {
      ...(resource.start_utc === null && start !== null ? { start_utc: start.text, start_ticks: start.ticks } : {}),
      ...(resource.end_utc === null && end !== null ? { end_utc: end.text, end_ticks: end.ticks } : {}),
    }
    if (Object.keys(set).length === 0) return null
    await updateResource(tx, resource.resource_id, set)
    const row = await resourceVersion(deps, tx, call, resource.resource_id, 'resource.timed')
    await deps.ledger.append(tx, call, {
      action: 'resource.timed',
      object: resourceObject(row),
      detail: {
        evidenceId: String(row.evidence_id),
        filled: Object.keys(set).flatMap((member) =>
          member === 'start_utc' ? ['StartTimeUtc'] : member === 'end_utc' ? ['EndTimeUtc'] : [],
        ),
      },
    })
    return row
  },
})
