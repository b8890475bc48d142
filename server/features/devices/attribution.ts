/**
 * Whose recording it is (decisions 5): that of the officers with whom a device, active then, was associated when it recorded. Only evidence
 * whose device was proved is anybody's. The officer may also look at it, by `AccessFilesFromMyDevice`, over the periods that an association
 * gives access for: what lies ahead of it at once, what somebody changed of the past once another one has confirmed it.
 */
import { commonTo, holds, joined, type Period, upTo, without } from '../../../shared/kernel/periods.ts'
import { parseTime, type Time } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Tx } from '../../kernel/database/database.ts'
import {
  accessesOf,
  type AssociationRow,
  associationsOf,
  deleteAssociation,
  recordingsIn,
  replaceAccesses,
  updateAssociation,
} from './associations.store.ts'
import type { DeviceRow } from './devices.store.ts'

type Stated = Pick<AssociationRow, 'from_utc' | 'to_utc'>

/** Exactly as it was sent: the columns of ticks are for SQL to compare, a number does not hold them. */
export function statedBy({ from_utc: from, to_utc: to }: Stated): Period {
  const ticks = (text: string): bigint => (parseTime(text, { utcMember: true }) as Time).ticks
  return { from: ticks(from), to: to === null ? null : ticks(to) }
}

/** Who changed what of its past waits. */
export const makersOf = ({ makers }: Pick<AssociationRow, 'makers'>): string[] => JSON.parse(makers) as string[]

export interface Standing {
  /** Over which recordings it gives access. */
  readonly access: readonly Period[]
  /** What of its time waits for a confirmation. */
  readonly pending: readonly Period[]
}

export const standingOf = (stated: Period, access: readonly Period[], activity: readonly Period[]): Standing => ({
  access,
  pending: without(commonTo([stated], activity), access),
})

/** After a change: what it gave before and still says, and what lies ahead. Everything else of the past waits. */
export function changedStanding(
  stated: Period,
  before: readonly Period[],
  activity: readonly Period[],
  now: bigint,
): Standing {
  const all = commonTo([stated], activity)
  const access = joined([...commonTo(all, before), ...commonTo(all, [{ from: now, to: null }])])
  return standingOf(stated, access, activity)
}

export interface Attribution {
  /**
   * Tells, of each recording of the device in these periods, whose it is now: after a change of its associations, in the transaction.
   * @returns how many there are
   */
  tell(tx: Tx, call: Call, device: DeviceRow, activity: readonly Period[], periods: readonly Period[]): Promise<number>
  /** The device is active no more: what goes on ends now, what was still to come does not come. @returns ids of associations */
  endAll(tx: Tx, device: DeviceRow, now: Time): Promise<string[]>
}

export function createAttribution({ ledger }: { ledger: Pick<Ledger, 'append'> }): Attribution {
  return {
    tell: async (tx, call, device, activity, periods) => {
      const associations = await associationsOf(tx, device.device_id)
      const officers = (at: bigint): string[] =>
        activity.some((one) => holds(one, at))
          ? associations.filter((one) => holds(statedBy(one), at)).map((one) => String(one.principal_id))
          : []
      let recorded = 0
      for (const period of periods)
        for (const row of await recordingsIn(tx, device.device_id, period)) {
          const whose = officers(row.recorded).sort((one, other) => Number(one) - Number(other))
          await ledger.append(tx, call, {
            action: 'evidence.attributed',
            object: { type: 'evidence', id: String(row.evidence_id), name: row.name },
            detail: { deviceId: device.device_id, officers: whose },
          })
          recorded++
        }
      return recorded
    },

    endAll: async (tx, device, now) => {
      const ended: string[] = []
      const accesses = await accessesOf(tx, device.device_id)
      for (const row of await associationsOf(tx, device.device_id)) {
        const { from, to } = statedBy(row)
        if (to !== null && to <= now.ticks) continue
        ended.push(String(row.association_id))
        if (from >= now.ticks) {
          await deleteAssociation(tx, row.association_id)
          continue
        }
        await updateAssociation(tx, row.association_id, { to_utc: now.text, to_ticks: now.ticks })
        const own = accesses.filter(({ associationId }) => associationId === row.association_id)
        await replaceAccesses(tx, row, commonTo(own, [upTo(now.ticks)]))
      }
      return ended.sort((one, other) => Number(one) - Number(other))
    },
  }
}
