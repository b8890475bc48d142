import type { z } from 'zod'
import type { CategoryModel } from '../../../shared/cases/categories.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
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

export interface GivenCategory {
  readonly name: string
  readonly description: string | null
  readonly color: string | null
  readonly retentionDays: number | null
  /** Null: as it was; of a new one enabled. */
  readonly enabled: boolean | null
}

/** Categories (decisions 4): their rules; every change makes a version and an entry. */
export interface Categories {
  /** @throws Fault CategoryWithSameNameAlreadyExists */
  create(call: HttpCall, tenant: string, given: GivenCategory): Promise<CategoryOut>
  list(tenant: string): Promise<CategoryOut[]>
  /** @throws Fault CategoryNotFound */
  read(tenant: string, id: string): Promise<CategoryOut>
  /** @throws Fault CategoryNotFound, CategoryWithSameNameAlreadyExists, ConcurrentWritingError */
  update(call: HttpCall, tenant: string, id: string, given: GivenCategory, concurrencyId: string): Promise<CategoryOut>
  /** Whether an id names a category, enabled or not. */
  exists(from: Tx, tenant: string, id: string): Promise<boolean>
  /** Whether something may be filed under it; null where an id names no category. */
  isEnabled(from: Tx, tenant: string, id: string): Promise<boolean | null>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
}

export function createCategories({ db, ledger, versions, clock }: Deps): Categories {
  const found = async (from: Tx, tenant: string, id: string): Promise<CategoryRow | null> => {
    const row = await categoryById(from, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    return row === undefined || String(row.category_id) !== id ? null : row
  }
  const needed = async (from: Tx, tenant: string, id: string): Promise<CategoryRow> => {
    const row = await found(from, tenant, id)
    if (row === null) throw fault('CategoryNotFound', `There is no category ${id}.`)
    return row
  }
  const refuseTakenName = async (tx: Tx, tenant: string, key: string, own: number | null): Promise<void> => {
    const other = await categoryByKey(tx, tenant, key)
    if (other !== undefined && other.category_id !== own)
      throw fault('CategoryWithSameNameAlreadyExists', `There is a category "${other.name}" already.`, [
        { Path: 'Name', Message: 'is taken' },
      ])
  }
  /** The row as it stands becomes a version and an entry. */
  const versioned = async (
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
    create: (call, tenant, given) =>
      db.transaction(async (tx) => {
        const key = nameKey(given.name)
        await refuseTakenName(tx, tenant, key, null)
        const now = isoMillis(clock.now())
        const id = await insertCategory(tx, {
          tenant_id: tenant,
          ...columnsOf(given, key),
          enabled: given.enabled === false ? 0 : 1,
          concurrency_id: '',
          created_utc: now,
          modified_utc: now,
          modified_by: JSON.stringify(principalOut(call.actor)),
        })
        return call.once(tx, await versioned(tx, call, tenant, id, 'category.created'))
      }),

    list: async (tenant) => (await categoriesOf(db.read, tenant)).map(categoryModel),

    read: async (tenant, id) => categoryModel(await needed(db.read, tenant, id)),

    update: (call, tenant, id, given, concurrencyId) =>
      db.transaction(async (tx) => {
        const row = await needed(tx, tenant, id)
        if (row.concurrency_id !== concurrencyId)
          throw fault('ConcurrentWritingError', 'Somebody changed this category since you read it. Read it again.', [
            { Path: 'ConcurrencyId', Message: 'is not the current one' },
          ])
        const key = nameKey(given.name)
        await refuseTakenName(tx, tenant, key, row.category_id)
        await updateCategory(tx, row.category_id, {
          ...columnsOf(given, key),
          ...(given.enabled === null ? {} : { enabled: given.enabled ? 1 : 0 }),
          modified_utc: isoMillis(clock.now()),
          modified_by: JSON.stringify(principalOut(call.actor)),
        })
        return versioned(tx, call, tenant, row.category_id, 'category.changed')
      }),

    exists: async (from, tenant, id) => (await found(from, tenant, id)) !== null,

    isEnabled: async (from, tenant, id) => {
      const row = await found(from, tenant, id)
      return row === null ? null : row.enabled === 1
    },
  }
}

const columnsOf = (given: GivenCategory, key: string) => ({
  name: given.name,
  name_key: key,
  description: given.description,
  color: given.color,
  retention_days: given.retentionDays,
})

const objectOf = (row: CategoryRow) => ({ type: 'category', id: String(row.category_id), name: row.name })

/** Stored state alone (decisions 4, versions): nothing that depends on who asks. */
const stateOf = (row: CategoryRow) => ({
  CategoryId: String(row.category_id),
  Name: row.name,
  Description: row.description,
  Color: row.color,
  RetentionDays: row.retention_days,
  Enabled: row.enabled === 1,
})

const principalOut = (who: Principal) => ({
  PrincipalId: who.id,
  KId: who.kId,
  Name: who.name,
  Username: who.name,
  PrincipalType: who.kind,
})

const categoryModel = (row: CategoryRow): CategoryOut => ({
  ...stateOf(row),
  ConcurrencyId: row.concurrency_id,
  CreatedUtcTime: row.created_utc,
  LastModifiedUtcTime: row.modified_utc,
  LastModifiedBy: JSON.parse(row.modified_by) as CategoryOut['LastModifiedBy'],
})
