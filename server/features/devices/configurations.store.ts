import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type {
  DeviceCredentialsTable,
  DeviceTransactionsTable,
  DeviceTypeConfigurationsTable,
} from '../../kernel/database/tables-devices.ts'

/** Credentials, negotiations, and what is expected of types of devices. */

export type CredentialRow = Selectable<DeviceCredentialsTable>
export type TransactionRow = Selectable<DeviceTransactionsTable>
export type TypeRow = Selectable<DeviceTypeConfigurationsTable>

/** Current ones first, each in the order in which they came. */
export const credentialsOf = (from: Tx, deviceId: string): Promise<CredentialRow[]> =>
  from
    .selectFrom('device_credentials')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'Failed')
    .orderBy('state')
    .orderBy('credential_id')
    .execute()

export const credentialBy = (from: Tx, deviceId: string, fingerprint: string): Promise<CredentialRow | undefined> =>
  from
    .selectFrom('device_credentials')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()

export async function insertCredential(tx: Tx, row: Insertable<DeviceCredentialsTable>): Promise<void> {
  await tx.insertInto('device_credentials').values(row).execute()
}

export async function updateCredential(tx: Tx, id: number, set: Updateable<DeviceCredentialsTable>): Promise<void> {
  await tx.updateTable('device_credentials').set(set).where('credential_id', '=', id).execute()
}

export async function deleteCredential(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('device_credentials').where('credential_id', '=', id).execute()
}

/** @returns how many */
export async function makePendingCurrent(tx: Tx, deviceId: string): Promise<number> {
  const done = await tx
    .updateTable('device_credentials')
    .set({ state: 'Current' })
    .where('device_id', '=', deviceId)
    .where('state', '=', 'Pending')
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

export const transactionById = (from: Tx, deviceId: string, id: string): Promise<TransactionRow | undefined> =>
  from
    .selectFrom('device_transactions')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('transaction_id', '=', id)
    .executeTakeFirst()

export const newestTransaction = (from: Tx, deviceId: string): Promise<TransactionRow | undefined> =>
  from
    .selectFrom('device_transactions')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function newestTransactions(from: Tx, ids: readonly string[]): Promise<Map<string, TransactionRow>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('device_transactions as t')
    .selectAll()
    .where('t.device_id', 'in', ids)
    .where((e) =>
      e(
        't.number',
        '=',
        e
          .selectFrom('device_transactions as n')
          .select((f) => f.fn.max('n.number').as('last'))
          .whereRef('n.device_id', '=', 't.device_id'),
      ),
    )
    .execute()
  return new Map(rows.map((row) => [row.device_id, row]))
}

export async function insertTransaction(tx: Tx, row: DeviceTransactionsTable): Promise<void> {
  await tx.insertInto('device_transactions').values(row).execute()
}

export async function updateTransaction(tx: Tx, id: string, set: Updateable<DeviceTransactionsTable>): Promise<void> {
  await tx.updateTable('device_transactions').set(set).where('transaction_id', '=', id).execute()
}

/** Of a device, those up to a number. */
export async function forgetTransactions(tx: Tx, deviceId: string, upTo: number): Promise<void> {
  await tx.deleteFrom('device_transactions').where('device_id', '=', deviceId).where('number', '<=', upTo).execute()
}

export const typeConfiguration = (from: Tx, tenant: string, type: string): Promise<TypeRow | undefined> =>
  from
    .selectFrom('device_type_configurations')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('device_type', '=', type)
    .executeTakeFirst()

export const typeConfigurations = (from: Tx, tenant: string): Promise<TypeRow[]> =>
  from
    .selectFrom('device_type_configurations')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .orderBy('device_type')
    .execute()

export async function setTypeConfiguration(tx: Tx, row: DeviceTypeConfigurationsTable): Promise<void> {
  const { sealed, modified_utc, modified_by } = row
  await tx
    .insertInto('device_type_configurations')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'device_type']).doUpdateSet({ sealed, modified_utc, modified_by }),
    )
    .execute()
}

export async function deleteTypeConfiguration(tx: Tx, tenant: string, type: string): Promise<void> {
  await tx
    .deleteFrom('device_type_configurations')
    .where('tenant_id', '=', tenant)
    .where('device_type', '=', type)
    .execute()
}
