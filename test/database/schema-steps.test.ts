/** Steps of the schema of PostgreSQL beside nodes that go on working (docs/decisions/0029). */
// @module-tag merge
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseNewer, MIGRATIONS, newestSchema } from '../../server/kernel/database/migrate.ts'
import { DatabaseUnsuitable, migratePostgres } from '../../server/kernel/database/postgres/migrate.ts'
import { WRITE_LOCK } from '../../server/kernel/database/postgres/writer.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
let url: string
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing === null) server = await startPostgres()
}, 120_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
beforeEach(async ({ task }) => {
  url = await server.create(`steps_${task.id.replaceAll(/\W/g, '_')}`)
  await migratePostgres(url, { readOnly: false })
})
afterAll(() => server?.stop())

/** Until the test ends the program has one step more. @returns takes it away before */
function furtherStep(sql: string, oldestProgram?: number): () => void {
  const steps = MIGRATIONS as (typeof MIGRATIONS)[number][]
  const known = steps.length
  const version = newestSchema() + 1
  steps.push({ version, name: 'further', sql, ...(oldestProgram === undefined ? {} : { oldestProgram }) })
  const forget = (): void => void steps.splice(known)
  onTestFinished(forget)
  return forget
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const ADDED = 'ALTER TABLE cases ADD COLUMN further TEXT'
const migrated = (besideNewer = false): Promise<void> => migratePostgres(url, { readOnly: false, besideNewer })

/** A row of the list of nodes, heard of now. */
const running = (client: pg.Client, name: string, schema: number) =>
  client.query(
    `INSERT INTO nodes (node_id, run_id, name, version, schema_version, address, blobs, started_at, seen_at, clock_offset)
     VALUES ($1, $1, $1, '1', $2, '', 's3', 0, extract(epoch FROM clock_timestamp()) * 1000, 0)`,
    [name, schema],
  )

describe('B9: a step of the schema', () => {
  it('waits for a long read, and lets short ones and writers pass meanwhile', async () => {
    furtherStep(ADDED, newestSchema())
    const reader = await connected()
    await reader.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await reader.query('SELECT * FROM cases')
    let isDone = false
    const done = migrated().then(() => {
      isDone = true
    })
    const other = await connected()
    for (let round = 0; round < 3; round++) {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${WRITE_LOCK}); COMMIT`)
      await other.query('SELECT count(*) FROM cases')
      await new Promise((resolve) => setTimeout(resolve, 1500))
    }
    expect(isDone).toBe(false)
    await reader.query('COMMIT')
    await done
    await other.query('SELECT further FROM cases')
  }, 60_000)

  it('that leaves room for no older program is refused while a node of one runs, and changes nothing', async () => {
    const client = await connected()
    await running(client, 'east', newestSchema())
    furtherStep(ADDED)
    await expect(migrated()).rejects.toThrow(DatabaseUnsuitable)
    await expect(migrated()).rejects.toThrow(/do not understand: east\. Stop them first/)
    await expect(client.query('SELECT further FROM cases')).rejects.toThrow('does not exist')
    await client.query('UPDATE nodes SET stopped_at = 1')
    await migrated()
    const { rows } = await client.query<{ version: string }>('SELECT max(version) AS version FROM schema_version')
    expect(Number(rows[0]?.version)).toBe(newestSchema())
  })

  it.each([
    ['leaves room for it', 0, null],
    ['leaves room for the version after it only', 1, DatabaseNewer],
    ['says nothing', null, DatabaseNewer],
  ])('which %s: whether a node of the program before starts', async (_, above, refused) => {
    const before = newestSchema()
    const forget = furtherStep(ADDED, above === null ? undefined : before + above)
    await migrated()
    forget()
    if (refused === null) await migrated(true)
    else await expect(migrated(true)).rejects.toThrow(refused)
    // What copies rows must know every column.
    await expect(migrated(false)).rejects.toThrow(DatabaseNewer)
  })

  it('makes the triggers of those tables anew whose columns changed, and of no others', async () => {
    const client = await connected()
    const made = async () =>
      new Map(
        (
          await client.query<{ table: string; oid: number }>(
            `SELECT tgrelid::regclass::text AS "table", oid FROM pg_trigger WHERE tgname LIKE '1\\_rows\\_of\\_%'`,
          )
        ).rows.map(({ table, oid }) => [table, oid]),
      )
    const before = await made()
    furtherStep(ADDED, newestSchema())
    await migrated()
    const after = await made()
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
    expect([...after].filter(([table, oid]) => before.get(table) !== oid).map(([table]) => table)).toEqual(['cases'])
  })
})
