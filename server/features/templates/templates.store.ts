import type { Selectable } from 'kysely'
import type { CustomField } from '../../../shared/templates/custom-fields.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { TemplatesTable } from '../../kernel/database/tables-cases.ts'

export type TemplateRow = Selectable<TemplatesTable>
export type TemplateType = TemplateRow['type']

export interface RenamedField {
  readonly fieldId: string
  readonly customName: string
}

/** What a template says of fields, in its order. */
export interface Template {
  readonly renamedFields: readonly RenamedField[]
  readonly customFields: readonly CustomField[]
}

/** By type. */
export const templateRows = (from: Tx, tenant: string): Promise<TemplateRow[]> =>
  from.selectFrom('templates').selectAll().where('tenant_id', '=', tenant).orderBy('type').execute()

export const fieldsOf = (row: Pick<TemplateRow, 'renamed_fields' | 'custom_fields'>): Template => ({
  renamedFields: JSON.parse(row.renamed_fields) as RenamedField[],
  customFields: JSON.parse(row.custom_fields) as CustomField[],
})

/** For others whose values it gives types to; null where the tenant has none of the type. */
export async function templateOf(from: Tx, tenant: string, type: TemplateType): Promise<Template | null> {
  const row = await from
    .selectFrom('templates')
    .select(['renamed_fields', 'custom_fields'])
    .where('tenant_id', '=', tenant)
    .where('type', '=', type)
    .executeTakeFirst()
  return row === undefined ? null : fieldsOf(row)
}

export async function putTemplateRow(tx: Tx, row: TemplateRow): Promise<void> {
  const { tenant_id: _tenant, type: _type, ...set } = row
  await tx
    .insertInto('templates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'type']).doUpdateSet(set))
    .execute()
}

/** First and last name as they are now; empty ones of who has none, such as an integration. */
export const personalNames = (
  from: Tx,
  principalId: number,
): Promise<{ first_name: string; last_name: string } | undefined> =>
  from
    .selectFrom('principals')
    .select(['first_name', 'last_name'])
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
