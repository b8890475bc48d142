import { authorOf } from '../../kernel/evidence/objects.ts'
import type { z } from 'zod'
import type { CategoryModel } from '../../../shared/cases/categories.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  categoriesOf,
  categoryById,
  categoryByKey,
  type CategoryRow,
  insertCategory,
  updateCategory,
} from './categories.store.ts'

export type CategoryOut = z.input<typeof CategoryModel>

export interface CategoryInput {
  readonly name: string
  readonly description: string | null
  readonly color: string | null
  readonly retentionDays: number | null
  /** Null: unchanged; a new category is enabled. */
  readonly enabled: boolean | null
}

/** Categories and their rules (decisions 4). Every change makes a version and a ledger entry. */
export interface Categories {
  /** @throws Fault CategoryWithSameNameAlreadyExists */
  create(call: HttpCall, tenant: string, input: CategoryInput): Promise<CategoryOut>
  list(tenant: string): Promise<CategoryOut[]>
  /** @throws Fault CategoryNotFound */
  read(tenant: string, id: string): Promise<CategoryOut>
  /** @throws Fault CategoryNotFound, CategoryWithSameNameAlreadyExists, ConcurrentWritingError */
  update(call: HttpCall, tenant: string, id: string, input: CategoryInput, concurrencyId: string): Promise<CategoryOut>
  /** Whether an id names a category, enabled or not. */
  exists(from: Tx, tenant: string, id: string): Promise<boolean>
  /** Whether cases and evidence may be given this category; null when the id names none. */
  isEnabled(from: Tx, tenant: string, id: string): Promise<boolean | null>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
}

export function createCategories({ db, ledger, versions, clock }: Deps): Categories {
  const findCategory = async (from: Tx, tenant: string, id: string): Promise<CategoryRow | null> => {
    const row = await categoryById(from, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another category.
    return row === undefined || String(row.category_id) !== id ? null : row
  }
  const requireCategory = async (from: Tx, tenant: string, id: string): Promise<CategoryRow> => {
    const row = await findCategory(from, tenant, id)
    if (row === null) throw fault('CategoryNotFound', `There is no category ${id}.`)
    return row
  }
  const refuseTakenName = async (tx: Tx, tenant: string, key: string, ownId: number | null): Promise<void> => {
    const other = await categoryByKey(tx, tenant, key)
    if (other !== undefined && other.category_id !== ownId)
      throw fault('CategoryWithSameNameAlreadyExists', `There is a category "${other.name}" already.`, [
        { Path: 'Name', Message: 'is taken' },
      ])
  }
  /** Records the stored row as a version and a ledger entry. */
  const saveVersion = async (
    tx: Tx,
    call: HttpCall,
    tenant: string,
    id: number,
    action: 'category.created' | 'category.changed',
  ): Promise<CategoryOut> => {
    const row = (await categoryById(tx, tenant, id)) as CategoryRow
    const concurrencyId = await versions.add(tx, {
      entity: 'category',
      entityId: id,
      state: stateOf(row),
      action,
      author: call.actor,
      dateUtc: row.modified_utc,
    })
    await updateCategory(tx, id, { concurrency_id: concurrencyId })
    await ledger.append(tx, call, { action, object: objectOf(row), detail: { concurrencyId } })
    return categoryModel({ ...row, concurrency_id: concurrencyId })
  }

  return {
    create: (call, tenant, input) =>
      db.transaction(async (tx) => {
        const key = nameKey(input.name)
        await refuseTakenName(tx, tenant, key, null)
        const now = isoMillis(clock.now())
        const id = await insertCategory(tx, {
          tenant_id: tenant,
          ...columnsOf(input, key),
          enabled: input.enabled === false ? 0 : 1,
          concurrency_id: '',
          created_utc: now,
          modified_utc: now,
          modified_by: JSON.stringify(authorOf(call.actor)),
        })
        return call.rememberAnswer(tx, await saveVersion(tx, call, tenant, id, 'category.created'))
      }),

    list: async (tenant) => (await categoriesOf(db.read, tenant)).map(categoryModel),

    read: async (tenant, id) => categoryModel(await requireCategory(db.read, tenant, id)),

    update: (call, tenant, id, input, concurrencyId) =>
      db.transaction(async (tx) => {
        const row = await requireCategory(tx, tenant, id)
        if (row.concurrency_id !== concurrencyId)
          throw fault('ConcurrentWritingError', 'Somebody changed this category since you read it. Read it again.', [
            { Path: 'ConcurrencyId', Message: 'is not the current one' },
          ])
        const key = nameKey(input.name)
        await refuseTakenName(tx, tenant, key, row.category_id)
        await updateCategory(tx, row.category_id, {
          ...columnsOf(input, key),
          ...(input.enabled === null ? {} : { enabled: input.enabled ? 1 : 0 }),
          modified_utc: isoMillis(clock.now()),
          modified_by: JSON.stringify(authorOf(call.actor)),
        })
        return saveVersion(tx, call, tenant, row.category_id, 'category.changed')
      }),

    exists: async (from, tenant, id) => (await findCategory(from, tenant, id)) !== null,

    isEnabled: async (from, tenant, id) => {
      const row = await findCategory(from, tenant, id)
      return row === null ? null : row.enabled === 1
    },
  }
}

const columnsOf = (input: CategoryInput, key: string) => ({
  name: input.name,
  name_key: key,
  description: input.description,
  color: input.color,
  retention_days: input.retentionDays,
})

const objectOf = (row: CategoryRow) => ({ type: 'category', id: String(row.category_id), name: row.name })

/** Only stored state (decisions 4, versions), nothing that depends on the caller. */
const stateOf = (row: CategoryRow) => ({
  CategoryId: String(row.category_id),
  Name: row.name,
  Description: row.description,
  Color: row.color,
  RetentionDays: row.retention_days,
  Enabled: row.enabled === 1,
})

const categoryModel = (row: CategoryRow): CategoryOut => ({
  ...stateOf(row),
  ConcurrencyId: row.concurrency_id,
  CreatedUtcTime: row.created_utc,
  LastModifiedUtcTime: row.modified_utc,
  LastModifiedBy: JSON.parse(row.modified_by) as CategoryOut['LastModifiedBy'],
})
