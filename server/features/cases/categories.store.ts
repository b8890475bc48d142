import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { CategoriesTable } from '../../kernel/database/tables-cases.ts'

export type CategoryRow = Selectable<CategoriesTable>

export const categoryById = (from: Tx, tenant: string, id: number): Promise<CategoryRow | undefined> =>
  from
    .selectFrom('categories')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('category_id', '=', id)
    .executeTakeFirst()

export const categoryByKey = (from: Tx, tenant: string, nameKey: string): Promise<CategoryRow | undefined> =>
  from
    .selectFrom('categories')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()

/** By name. */
export const categoriesOf = (from: Tx, tenant: string): Promise<CategoryRow[]> =>
  from.selectFrom('categories').selectAll().where('tenant_id', '=', tenant).orderBy('name_key').execute()

export async function insertCategory(tx: Tx, row: Insertable<CategoriesTable>): Promise<number> {
  const { category_id: id } = await tx
    .insertInto('categories')
    .values(row)
    .returning('category_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateCategory(tx: Tx, id: number, set: Updateable<CategoriesTable>): Promise<void> {
  await tx.updateTable('categories').set(set).where('category_id', '=', id).execute()
}
