/** docs/develop/database.md: every table of the schema with what it holds, and every reference between tables. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../server/kernel/database/migrate.ts'
import { workerConnection } from '../../server/kernel/database/sqlite/connections.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/develop/database.md', import.meta.url))
/** Tables that SQLite makes for a full-text index. */
const OF_INDEX = /^(?:search|evidence)_words_(?:config|data|docsize|idx)$/

it('the picture of the schema names each table and each reference, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-picture-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const connection = await workerConnection(join(folder, 'a.db'), { readOnly: false })
  await migrate(connection)
  await connection.close()
  const db = openRaw(join(folder, 'a.db'), { readOnly: true })
  onTestFinished(() => {
    db.close()
  })
  const all = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[]
  const tables = all.filter((name) => !OF_INDEX.test(name))
  const references = tables.flatMap((table) =>
    (db.pragma(`foreign_key_list(${table})`) as { table: string }[])
      .filter((to) => to.table !== 'tenants')
      .map((to) => `${to.table} ||--o{ ${table}`),
  )
  const text = readFileSync(DOCUMENT, 'utf8')
  const drawn = [...text.matchAll(/^ {4}(\w+ \|\|--o\{ \w+) : ""$/gm)].map(([, line]) => line as string)
  const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string)
  expect(named.toSorted()).toEqual(tables.toSorted())
  expect(drawn.toSorted()).toEqual([...new Set(references)].toSorted())
})
