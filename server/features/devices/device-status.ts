/**
 * How a device stands, for the people who keep it: whether it has what is expected of it, when it was last docked, and what of its past
 * waits for somebody. Read, never stored: nothing decides by it.
 */
import type { z } from 'zod'
import type { DeviceStanding } from '../../../shared/devices/contract.ts'
import type { Period } from '../../../shared/kernel/periods.ts'
import { sameJson } from '../../../shared/kernel/same-json.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { accessesOf, associationsOf } from './associations.store.ts'
import { makersOf, standingOf, statedBy } from './attribution.ts'
import { newestTransactions, type TransactionRow, type TypeRow } from './configurations.store.ts'
import { activityOf, type DeviceRow } from './devices.store.ts'
import { configurationsOfTypes, devicesWithMakers, lastDocks } from './device-status.store.ts'
import type { FreeForm, Vault } from './vault.ts'

export type StandingOut = z.input<typeof DeviceStanding>

/** Of all these devices with few questions, however many they are. */
export async function standings(
  from: Tx,
  tenant: string,
  rows: readonly DeviceRow[],
  vault: Vault,
): Promise<(row: DeviceRow) => StandingOut> {
  const ids = rows.map((row) => row.device_id)
  const [types, transactions, docks, waiting] = await Promise.all([
    configurationsOfTypes(from, tenant, [...new Set(rows.map((row) => row.device_type))]),
    newestTransactions(from, ids),
    lastDocks(from, tenant, ids),
    unconfirmed(from, ids),
  ])
  return (row) => {
    const dock = docks.get(row.device_id)
    const { expected, source } = expectedOf(row, types.get(row.device_type), vault)
    return {
      Configuration: stateOf(row, expected, transactions.get(row.device_id), vault),
      ExpectedFrom: source,
      LastDock:
        dock === undefined
          ? null
          : {
              DockSessionId: String(dock.session_id),
              State: dock.state,
              DetectedTimeUtc: isoMillis(dock.detected_at),
            },
      Unconfirmed: waiting.get(row.device_id) ?? 0,
    }
  }
}

function expectedOf(row: DeviceRow, ofType: TypeRow | undefined, vault: Vault) {
  const own = vault.open(row.desired, 'desired', row.device_id)
  if (own !== null) return { expected: own, source: 'Device' as const }
  const type = ofType === undefined ? null : vault.open(ofType.sealed, 'type', ofType.device_type)
  return { expected: type, source: type === null ? null : ('Type' as const) }
}

function stateOf(
  row: DeviceRow,
  expected: FreeForm | null,
  newest: TransactionRow | undefined,
  vault: Vault,
): StandingOut['Configuration'] {
  if (newest?.state === 'Rejected' && !isEffectiveAfter(row, newest)) return 'Rejected'
  const effective = vault.open(row.effective, 'effective', row.device_id)
  if (effective === null) return expected === null && newest === undefined ? 'None' : 'Pending'
  return expected === null || sameJson(expected, effective) ? 'Agreed' : 'Pending'
}

/** Whether it was found since to have what is expected: such a negotiation leaves no transaction behind. */
const isEffectiveAfter = ({ effective_utc: since }: DeviceRow, { ended_utc: ended }: TransactionRow): boolean =>
  since !== null && ended !== null && since > ended

/** Computed only where there is a pending change: few devices have one. */
async function unconfirmed(from: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const id of await devicesWithMakers(from, ids)) {
    const activity: readonly Period[] = await activityOf(from, id)
    const accesses = Map.groupBy(await accessesOf(from, id), (one) => one.associationId)
    const waits = (await associationsOf(from, id)).filter((row) => {
      const { pending } = standingOf(statedBy(row), accesses.get(row.association_id) ?? [], activity)
      return pending.length > 0 && !makersOf(row).includes(String(row.principal_id))
    })
    found.set(id, waits.length)
  }
  return found
}
