/** Rows of packages, and what a package says of its items, a few statements for many. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'
import type {
  PackageItemsTable,
  PackageOrdersTable,
  PackagesTable,
  PackageWitnessesTable,
} from '../../kernel/database/tables-packages.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'

/** Of one folder: older ones are not taken up any more. */
const MOST_LOOKED_AT = 50

export type PackageRow = Selectable<PackagesTable>
export type PackageOrderRow = Selectable<PackageOrdersTable>
export type WitnessRow = Selectable<PackageWitnessesTable>

export const packageById = (from: Tx, tenant: string, id: number): Promise<PackageRow | undefined> =>
  from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('package_id', '=', id)
    .executeTakeFirst()

/** Newest first. */
export const newestPackages = (from: Tx, tenant: string, most: number): Promise<PackageRow[]> =>
  from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .orderBy('package_id', 'desc')
    .limit(most)
    .execute()

/** Newest first. @param page only those of a case where one is named */
export const packagesBefore = (
  from: Tx,
  tenant: string,
  page: { readonly caseId: string | null; readonly before: number; readonly count: number },
): Promise<PackageRow[]> => {
  let found = from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('package_id', '<', page.before)
    .orderBy('package_id', 'desc')
    .limit(page.count)
  if (page.caseId !== null) found = found.where('case_id', '=', Number(page.caseId))
  return found.execute()
}

/** Packages that the command line makes into one folder, or made; the newest first. One that was ordered is its job's. */
export const newestIn = (from: Tx, tenant: string, target: string): Promise<PackageRow[]> =>
  from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('target', '=', target)
    .where('state', 'in', ['Making', 'Made'])
    .where('package_id', 'not in', (of) => of.selectFrom('package_orders').select('package_orders.package_id'))
    .limit(MOST_LOOKED_AT)
    .orderBy('package_id', 'desc')
    .execute()

export async function insertPackage(tx: Tx, row: Insertable<PackagesTable>): Promise<number> {
  const { package_id } = await tx.insertInto('packages').values(row).returning('package_id').executeTakeFirstOrThrow()
  return package_id
}

export async function insertOfExport(tx: Tx, id: number): Promise<void> {
  await tx.insertInto('package_exports').values({ package_id: id }).execute()
}

/** Those of the packages that are part of an export of the whole station. */
export async function ofExportAmong(from: Tx, ids: readonly number[]): Promise<Set<number>> {
  const found = await from.selectFrom('package_exports').select('package_id').where('package_id', 'in', ids).execute()
  return new Set(found.map((row) => row.package_id))
}

export const isOfExport = async (from: Tx, id: number): Promise<boolean> => (await ofExportAmong(from, [id])).has(id)

export async function insertOrder(tx: Tx, row: Insertable<PackageOrdersTable>): Promise<void> {
  await tx.insertInto('package_orders').values(row).execute()
}

/** Of packages that were made by the command line, or before orders had rows, there is none. */
export const orderOf = (from: Tx, id: number): Promise<PackageOrderRow | undefined> =>
  from.selectFrom('package_orders').selectAll().where('package_id', '=', id).executeTakeFirst()

export const ordersOf = (from: Tx, ids: readonly number[]): Promise<PackageOrderRow[]> =>
  from.selectFrom('package_orders').selectAll().where('package_id', 'in', ids).execute()

export async function updatePackage(tx: Tx, id: number, set: Partial<Insertable<PackagesTable>>): Promise<void> {
  await tx.updateTable('packages').set(set).where('package_id', '=', id).execute()
}

/** Recorded as made, and perhaps without its name: the station ended between the two. */
export const isCutOff = ({ state, problem }: Pick<PackageRow, 'state' | 'problem'>): boolean =>
  state === 'Made' && problem !== ''

/** In the place of what was said before. */
export async function keepWitness(tx: Tx, row: Insertable<PackageWitnessesTable>): Promise<void> {
  const { said, is_beside } = row
  await tx
    .insertInto('package_witnesses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['package_id', 'kind']).doUpdateSet({ said, is_beside }))
    .execute()
}

export const witnessesOf = (from: Tx, ids: readonly number[]): Promise<WitnessRow[]> =>
  from.selectFrom('package_witnesses').selectAll().where('package_id', 'in', ids).execute()

/** SQLite takes so many values in one statement. */
const ROWS_AT_ONCE = 500

export async function insertItems(tx: Tx, rows: readonly Insertable<PackageItemsTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('package_items')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

export const itemsOf = (from: Tx, id: number): Promise<Selectable<PackageItemsTable>[]> =>
  from.selectFrom('package_items').selectAll().where('package_id', '=', id).orderBy('no').orderBy('kind').execute()

/** Complete files of these evidences that have bytes, each evidence's by itself, the older one first. */
export async function filesOf(from: Tx, evidenceIds: readonly number[]): Promise<ResourceRow[]> {
  return from
    .selectFrom('resources')
    .selectAll()
    .where('evidence_id', 'in', sql<number>`${membersOf(listOf(evidenceIds))}`)
    .where('state', '=', 'UserCompleted')
    .where('sha256', 'is not', null)
    .orderBy('evidence_id')
    .orderBy('resource_id')
    .execute()
}

/** Evidence of a case that is not in the recycle bin, in the order of recording. */
export async function evidenceOfCase(from: Tx, caseId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT l.evidence_id AS id FROM evidence_list l JOIN evidence e ON e.evidence_id = l.evidence_id
    WHERE l.evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ${caseId})
      AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed')
    ORDER BY l.recorded_ticks, l.evidence_id`.execute(from)
  return rows.map(({ id }) => id)
}

export async function peopleNames(from: Tx, ids: Iterable<number>): Promise<Map<number, string>> {
  const { rows } = await sql<{
    principal_id: number
    name: string
    first_name: string | null
    last_name: string | null
  }>`
    SELECT principal_id, name, first_name, last_name FROM principals WHERE principal_id IN ${membersOf(listOf(ids))}`.execute(
    from,
  )
  return new Map(
    rows.map((row) => [
      row.principal_id,
      [row.first_name, row.last_name].filter((part) => part !== null && part !== '').join(' ') || row.name,
    ]),
  )
}

export async function categoryNames(from: Tx, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].map(Number).filter(Number.isSafeInteger)
  const { rows } = await sql<{ category_id: number; name: string }>`
    SELECT category_id, name FROM categories WHERE category_id IN ${membersOf(listOf(wanted))}`.execute(from)
  return new Map(rows.map((row) => [String(row.category_id), row.name]))
}

/** A case by its number, with its title. */
export const caseRow = (from: Tx, tenant: string, id: number) =>
  from
    .selectFrom('cases')
    .select(['case_id', 'title', 'ordinal_year', 'ordinal_number', 'lifecycle_state'])
    .where('tenant_id', '=', tenant)
    .where('case_id', '=', id)
    .executeTakeFirst()

/** The text of entries, by their number. */
export async function canonicalOf(from: Tx, seqs: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ seq: number; body: Uint8Array }>`
    SELECT seq, body FROM ledger WHERE seq IN ${membersOf(listOf(seqs))}`.execute(from)
  return new Map(rows.map(({ seq, body }) => [seq, Buffer.from(body).toString('utf8')]))
}

/** How files were made. */
export const derivationsOf = (
  from: Tx,
  ids: readonly number[],
): Promise<{ resource_id: number; derivation: string | null }[]> =>
  from
    .selectFrom('resources')
    .select(['resource_id', 'derivation'])
    .where('resource_id', 'in', membersOf(listOf(ids)))
    .execute()

/** Of these files, the hashes whose bytes are at headquarters only. */
export async function forwardedAmong(from: Tx, hashes: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < hashes.length; at += ROWS_AT_ONCE)
    for (const { sha256 } of await from
      .selectFrom('forwarded_blobs')
      .select('sha256')
      .where('sha256', 'in', hashes.slice(at, at + ROWS_AT_ONCE))
      .execute())
      found.add(sha256)
  return found
}
