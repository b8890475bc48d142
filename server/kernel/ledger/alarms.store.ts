import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { AlarmKind, AlarmsTable } from '../database/tables-integrity.ts'

export type AlarmRow = Selectable<AlarmsTable>

/** The last alarm of this kind about this subject, acknowledged or not. */
export const lastAlarmOf = (from: Tx, kind: AlarmKind, subject: string): Promise<AlarmRow | undefined> =>
  from
    .selectFrom('alarms')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .orderBy('alarm_id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertAlarm(tx: Tx, row: Insertable<AlarmsTable>): Promise<number> {
  const { alarm_id } = await tx.insertInto('alarms').values(row).returning('alarm_id').executeTakeFirstOrThrow()
  return alarm_id
}

export const alarmById = (from: Tx, id: number): Promise<AlarmRow | undefined> =>
  from.selectFrom('alarms').selectAll().where('alarm_id', '=', id).executeTakeFirst()

export async function acknowledgeAlarm(
  tx: Tx,
  id: number,
  about: { at: number; by: string; reason: string },
): Promise<void> {
  await tx
    .updateTable('alarms')
    .set({ acknowledged_at: about.at, acknowledged_by: about.by, reason: about.reason })
    .where('alarm_id', '=', id)
    .execute()
}

/** Open ones first, each newest first. */
export const alarmRows = (from: Tx, count: number): Promise<AlarmRow[]> =>
  from
    .selectFrom('alarms')
    .selectAll()
    .orderBy((e) => e('acknowledged_at', 'is not', null))
    .orderBy('alarm_id', 'desc')
    .limit(count)
    .execute()

export async function openAlarms(from: Tx): Promise<number> {
  const row = await from
    .selectFrom('alarms')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('acknowledged_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.n
}
