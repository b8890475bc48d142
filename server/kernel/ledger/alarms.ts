import { fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../database/database.ts'
import type { AlarmKind } from '../database/tables-integrity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { acknowledgeAlarm, type AlarmRow, alarmById, insertAlarm, lastAlarmOf } from './alarms.store.ts'
import type { Call } from './call.ts'
import type { Ledger } from './ledger.ts'

export interface Alarm {
  readonly kind: AlarmKind
  /** Such as a blob's hash or a folder. There is one open alarm for each kind and subject. */
  readonly subject: string
  /** A sentence for people. */
  readonly message: string
  /** Plain JSON. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Alarms about faults of the station or its evidence, shown until a person acknowledges them (promise I5). */
export interface Alarms {
  /** In the caller's transaction. @returns false when the same alarm is open, or was acknowledged recently with the same message */
  raise(tx: Tx, call: Call, alarm: Alarm): Promise<boolean>
  /** In the caller's transaction. @throws Fault AlarmNotFound, AlarmAcknowledged */
  acknowledge(tx: Tx, call: Call, id: string, reason: string): Promise<AlarmRow>
}

interface Deps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly log: Log
}

/** Milliseconds without a new alarm after an acknowledgement: the time between two checks of a blob. */
const QUIET_FOR = 90 * 86_400_000

export function createAlarms({ ledger, clock, log }: Deps): Alarms {
  return {
    raise: async (tx, call, { kind, subject, message, detail = {} }) => {
      const last = await lastAlarmOf(tx, kind, subject)
      if (last !== undefined) {
        if (last.acknowledged_at === null) return false
        if (last.message === message && clock.now() - last.acknowledged_at < QUIET_FOR) return false
      }
      const id = await insertAlarm(tx, {
        kind,
        subject,
        message,
        detail: JSON.stringify(detail),
        raised_at: clock.now(),
        acknowledged_at: null,
        acknowledged_by: null,
        reason: null,
      })
      await ledger.append(tx, call, {
        action: 'alarm.raised',
        object: { type: 'alarm', id: String(id), name: kind },
        outcome: 'failed',
        reason: message,
        detail: { ...detail, subject },
      })
      log.error({ alarm: id, kind, subject }, `ALARM: ${message}`)
      return true
    },

    acknowledge: async (tx, call, id, reason) => {
      const row = await alarmById(tx, Number(id))
      if (row === undefined) throw fault('AlarmNotFound', `There is no alarm ${id}.`)
      if (row.acknowledged_at !== null) throw fault('AlarmAcknowledged', 'Somebody acknowledged this alarm already.')
      const at = clock.now()
      const by = JSON.stringify(storedPrincipal(call.actor))
      await acknowledgeAlarm(tx, row.alarm_id, { at, by, reason })
      await ledger.append(tx, call, {
        action: 'alarm.acknowledged',
        object: { type: 'alarm', id: String(row.alarm_id), name: row.kind },
        reason,
        detail: { subject: row.subject },
      })
      return { ...row, acknowledged_at: at, acknowledged_by: by, reason }
    },
  }
}

/** A principal as stored in rows, with its name at that time. */
export const storedPrincipal = (who: Principal): { PrincipalId: string; Name: string; PrincipalType: string } => ({
  PrincipalId: who.id,
  Name: who.name,
  PrincipalType: who.kind,
})
