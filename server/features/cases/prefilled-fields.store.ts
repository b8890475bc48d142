import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { PrefilledFieldsTable } from '../../kernel/database/tables-cases.ts'

export type PrefilledFieldRow = Selectable<PrefilledFieldsTable>

/** By id. */
export const prefilledFieldsOf = (from: Tx, tenant: string): Promise<PrefilledFieldRow[]> =>
  from
    .selectFrom('prefilled_fields')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .orderBy('prefilled_field_id')
    .execute()

export const prefilledFieldById = (from: Tx, tenant: string, id: string): Promise<PrefilledFieldRow | undefined> =>
  from
    .selectFrom('prefilled_fields')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('prefilled_field_id', '=', id)
    .executeTakeFirst()

export async function insertPrefilledField(tx: Tx, row: Insertable<PrefilledFieldsTable>): Promise<void> {
  await tx.insertInto('prefilled_fields').values(row).execute()
}

export async function updatePrefilledField(
  tx: Tx,
  tenant: string,
  id: string,
  set: Updateable<PrefilledFieldsTable>,
): Promise<void> {
  await tx
    .updateTable('prefilled_fields')
    .set(set)
    .where('tenant_id', '=', tenant)
    .where('prefilled_field_id', '=', id)
    .execute()
}

export async function deletePrefilledField(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx.deleteFrom('prefilled_fields').where('tenant_id', '=', tenant).where('prefilled_field_id', '=', id).execute()
}
