import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { type ColumnInfo, COVERED_TABLES, TABLES_NOT_COVERED } from '../../server/kernel/database/row-coverage.ts'
import { COLUMNS_SQL } from '../../server/kernel/database/sqlite/row-text.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { temporaryFolder } from '../support/station.ts'

async function schema(): Promise<{ tables: string[]; columns: ColumnInfo[] }> {
  const { dir, dispose } = await temporaryFolder('coverage')
  onTestFinished(dispose)
  const file = path.join(dir, 'a.db')
  await (await openDatabase({ file })).close()
  const db = openRaw(file, { readOnly: true })
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')")
    .pluck()
    .all() as string[]
  const columns = db.prepare(COLUMNS_SQL).all() as ColumnInfo[]
  db.close()
  return { tables: tables.filter((name) => name !== 'sqlite_schema'), columns }
}

it('I3+: every table is covered by the ledger, or listed as not covered with a reason', async () => {
  const { tables } = await schema()
  const listed = [...Object.keys(COVERED_TABLES), ...Object.keys(TABLES_NOT_COVERED)]
  expect(listed.toSorted()).toEqual([...tables].sort())
  for (const why of Object.values(TABLES_NOT_COVERED)) expect(why).toMatch(/\w+ \w+ \w+/)
})

it('I3+: every column that is left out is one that there is, and no part of a key', async () => {
  const { columns } = await schema()
  for (const [table, { except = [] }] of Object.entries(COVERED_TABLES))
    for (const name of except)
      expect([table, name, columns.find((one) => one.table === table && one.name === name)?.pk]).toEqual([
        table,
        name,
        0,
      ])
})
