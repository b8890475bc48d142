/**
 * Compares the schema of a headquarters with the one that the migrations of its version make. A planted trigger or rule would run with the
 * station's own writes; without its triggers the ledger is not protected.
 *
 * The server writes definitions in its own words, which may differ between its versions. So the catalogue is compared by its digest first.
 * Where that is not one of the known ones, the steps make a second schema in a transaction that is rolled back, and the same server
 * describes both.
 */
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { newestSchema, stepsTo } from '../migrate.ts'
import { differenceOf, type SchemaDifference } from '../schema-difference.ts'
import { CATALOGUE, type CatalogueRow, ONLY_THIS_SCHEMA } from './catalogue.ts'
import { configOf, failureOf, runOn } from './connections.ts'
import { DatabaseUnsuitable, makeStep, type Run, schemaOf } from './migrate.ts'
import { KNOWN_SCHEMAS } from './schema/digests.ts'
import { SCHEMA_LOCK } from './writer.ts'

export interface PostgresDifference extends SchemaDifference {
  /** As it is in the database; null for what is missing. */
  readonly found: string | null
  /** Statements that bring the object back to what the station made, or take a foreign one away; null where rows could be lost. */
  readonly repair: { readonly remove: string | null; readonly make: string | null } | null
}

/**
 * @param known digests by version @returns the differences from the schema of the migrations; with a schema of a newer program, what that may
 * not have made @throws DatabaseUnsuitable, DatabaseNewer, DatabaseBeforeRelease, SqlFailure
 */
export async function schemaDifferencesOnPostgres(url: string, known = KNOWN_SCHEMAS): Promise<PostgresDifference[]> {
  return connected(url, async (run) => {
    // A node that changes the schema holds it: version and catalogue belong together.
    await run(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`)
    const { version } = await schemaOf(run)
    const found = await readCatalogue(run)
    if (known[version]?.includes(digestOf(found)) === true) return []
    // It would run with the statements that make the schema to compare with.
    const watching = found.filter(({ type }) => type === 'event trigger')
    if (watching.length > 0) return watching.map((row) => foreign(row))
    const expected = await expectedCatalogue(run, Math.min(version, newestSchema()))
    return compare(found, expected, version > newestSchema())
  })
}

/** Of the schema that the steps up to a version make, as this server describes it. */
export const schemaDigestAt = (url: string, version: number): Promise<string> =>
  connected(url, async (run) => digestOf(await expectedCatalogue(run, version)))

async function connected<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client(configOf(url))
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw failureOf(error)
  })
  try {
    return await work(async (text, parameters = []) => (await runOn(client, text, parameters)).rows)
  } finally {
    await client.end()
  }
}

async function readCatalogue(run: Run): Promise<readonly CatalogueRow[]> {
  await run('BEGIN READ ONLY')
  try {
    return await described(run)
  } finally {
    await run('ROLLBACK')
  }
}

async function described(run: Run): Promise<readonly CatalogueRow[]> {
  await run(ONLY_THIS_SCHEMA)
  return (await run(CATALOGUE)) as CatalogueRow[]
}

/** Everything that is compared, in an order of its own. */
function digestOf(rows: readonly CatalogueRow[]): string {
  const lines = rows.map(({ type, name, table, definition, state }) =>
    JSON.stringify([type, name, table, definition, state]),
  )
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('base64url')
}

/** By server and version: the steps of a version never change, and to make the schema takes seconds. */
const expectations = new Map<string, readonly CatalogueRow[]>()

/** @throws DatabaseUnsuitable when the account may make no schema */
async function expectedCatalogue(run: Run, version: number): Promise<readonly CatalogueRow[]> {
  const [{ server = '' } = {}] = (await run("SELECT current_setting('server_version_num') AS server")) as {
    server: string
  }[]
  const key = `${server} ${version}`
  const rows = expectations.get(key) ?? (await makeAndForget(run, version))
  expectations.set(key, rows)
  return rows
}

/** What the steps make, of which nothing stays. */
async function makeAndForget(run: Run, version: number): Promise<readonly CatalogueRow[]> {
  const name = `expected_${randomBytes(8).toString('hex')}`
  await run('BEGIN')
  try {
    await run(`CREATE SCHEMA ${name}`).catch((error: unknown) => {
      throw (error as { code?: string }).code === NOT_PERMITTED ? new DatabaseUnsuitable(MAY_NOT_COMPARE) : error
    })
    await run(`SET LOCAL search_path TO ${name}`)
    for (const step of stepsTo(version)) await makeStep(run, step)
    return await described(run)
  } finally {
    await run('ROLLBACK')
  }
}

const NOT_PERMITTED = '42501'
const MAY_NOT_COMPARE =
  'The schema has to be compared with one that is made for it and rolled back, and the account of Sallyport may not make one. ' +
  'Make it the owner of the database, or: GRANT CREATE ON DATABASE … TO ….'

/** Of two rows with the same key the second one is foreign. */
const keyOf = ({ type, name, table }: CatalogueRow): string => JSON.stringify([type, name, table])

function compare(
  found: readonly CatalogueRow[],
  expected: readonly CatalogueRow[],
  besideNewer: boolean,
): PostgresDifference[] {
  const wanted = new Map(expected.map((row) => [keyOf(row), row]))
  const known = new Set(expected.filter(({ type }) => type === 'table').map(({ name }) => name))
  const widened = new Set(
    found.filter((row) => row.type === 'column' && !wanted.has(keyOf(row))).map(({ table }) => table),
  )
  const differences: PostgresDifference[] = []
  for (const row of found) {
    const same = wanted.get(keyOf(row))
    wanted.delete(keyOf(row))
    if (same === undefined) {
      if (!besideNewer || !mayBeOfNewer(row, known)) differences.push(foreign(row))
    } else if (same.definition !== row.definition) {
      if (!besideNewer || !statesRows(row, widened)) differences.push(changed(row, same))
      else if (same.state !== row.state) differences.push(changed(row, same))
    } else if (same.state !== row.state) differences.push(changed(row, same))
  }
  for (const row of wanted.values()) differences.push(missing(row))
  return differences
}

/** What a step that leaves room for older programs adds (docs/decisions/0029): nothing of it runs with the writes of this program. */
const OF_NEWER: ReadonlySet<CatalogueRow['type']> = new Set([
  'table',
  'column',
  'constraint',
  'index',
  'sequence',
  'function',
])

const mayBeOfNewer = (row: CatalogueRow, known: ReadonlySet<string>): boolean =>
  OF_NEWER.has(row.type) || (row.type === 'trigger' && !known.has(row.table ?? ''))

/** The trigger that states rows, and its function: their texts name all columns, those of the newer program too. */
const statesRows = ({ type, name }: CatalogueRow, widened: ReadonlySet<string | null>): boolean =>
  [...widened].some((table) =>
    type === 'trigger' ? name === `1_rows_of_${table}` : type === 'function' && name === `rows_of_${table}()`,
  )

function foreign(row: CatalogueRow): PostgresDifference {
  const repair = row.remove === null ? null : { remove: row.remove, make: null }
  return { ...differenceOf('foreign', row), found: row.definition, repair }
}

function changed(row: CatalogueRow, same: CatalogueRow): PostgresDifference {
  // A function stays, since triggers use it, and is replaced.
  const remove = row.type === 'function' ? null : row.remove
  const repair = same.make === null ? null : { remove, make: same.make }
  const says = same.definition === row.definition ? 'is switched off' : undefined
  return { ...differenceOf('changed', row, says), found: row.definition, repair }
}

const missing = (row: CatalogueRow): PostgresDifference => ({
  ...differenceOf('missing', row),
  found: null,
  repair: row.make === null ? null : { remove: null, make: row.make },
})

/** Whether everything that a reader needs is there. */
export const isReadable = (differences: readonly SchemaDifference[]): boolean =>
  differences.every(({ what, type }) => what !== 'missing' || !['table', 'column'].includes(type))

/** In the order in which they are made; they are removed the other way round. */
const ORDER: readonly CatalogueRow['type'][] = ['function', 'view', 'index', 'constraint', 'trigger', 'rule', 'policy']

/** Statements that bring the schema back. What holds rows is in `beyond`. */
export function repairsOnPostgres(differences: readonly PostgresDifference[]): {
  readonly statements: readonly string[]
  readonly beyond: readonly PostgresDifference[]
} {
  const inOrder = differences.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))
  const statements = [
    ...inOrder.toReversed().map(({ repair }) => repair?.remove ?? null),
    ...inOrder.map(({ repair }) => repair?.make ?? null),
  ].filter((statement) => statement !== null)
  return { statements, beyond: differences.filter(({ repair }) => repair === null) }
}
