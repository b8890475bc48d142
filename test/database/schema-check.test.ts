/** I3: the schema of a headquarters is compared with the one that the migrations make. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS, newestSchema } from '../../server/kernel/database/migrate.ts'
import { migratePostgres } from '../../server/kernel/database/postgres/migrate.ts'
import {
  isReadable,
  repairsOnPostgres,
  schemaDifferencesOnPostgres,
  schemaDigestAt,
} from '../../server/kernel/database/postgres/schema-check.ts'
import { KNOWN_SCHEMAS } from '../../server/kernel/database/postgres/schema/digests.ts'
import { postgresMissing, postgresProgram, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  await migratePostgres(await server.create('untouched'), { readOnly: false })
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(() => server?.stop(), 240_000)

interface Copy {
  readonly url: string
  readonly run: (...statements: string[]) => Promise<Record<string, unknown>[]>
}

/** A database as the program made it. @param from another one */
async function untouched(from = 'untouched'): Promise<Copy> {
  const name = `copy_${randomUUID()}`
  const url = await server.copy(from, name)
  onTestFinished(() => server.drop(name), 120_000)
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) rows = (await client.query(statement)).rows as Record<string, unknown>[]
      return rows
    } finally {
      await client.end()
    }
  }
  return { url, run }
}

const namesIn = async (url: string): Promise<string[]> =>
  (await schemaDifferencesOnPostgres(url)).map(({ what, type, name }) => `${what} ${type} ${name}`).toSorted()

const NO_OP = `CREATE OR REPLACE FUNCTION on_ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`
const PLANTED =
  'CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE principals SET enabled = 1; RETURN NULL; END $$'

/** What somebody does, and what is found. What holds rows is not repaired by the program. */
const ALTERATIONS: readonly {
  readonly title: string
  readonly statements: readonly string[]
  readonly found: readonly string[]
  readonly repaired: boolean
  /** One of each kind. */
  readonly inGate?: boolean
}[] = [
  {
    title: 'a trigger of somebody else',
    statements: [PLANTED, 'CREATE TRIGGER planted AFTER INSERT ON sessions EXECUTE FUNCTION planted()'],
    found: ['foreign function planted()', 'foreign trigger planted'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'an append-only trigger that is switched off',
    statements: ['ALTER TABLE ledger DISABLE TRIGGER ledger_append_only'],
    found: ['changed trigger ledger_append_only'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'a trigger that runs for replicas alone',
    statements: ['ALTER TABLE ledger ENABLE REPLICA TRIGGER ledger_no_truncate'],
    found: ['changed trigger ledger_no_truncate'],
    repaired: true,
  },
  {
    title: 'an append-only trigger that was dropped',
    statements: ['DROP TRIGGER ledger_append_only ON ledger'],
    found: ['missing trigger ledger_append_only'],
    repaired: true,
  },
  {
    title: 'an append-only trigger for deletions alone',
    statements: [
      'DROP TRIGGER ledger_append_only ON ledger',
      'CREATE TRIGGER ledger_append_only BEFORE DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION on_ledger_append_only()',
    ],
    found: ['changed trigger ledger_append_only'],
    repaired: true,
  },
  {
    title: 'the function of an append-only trigger that does nothing',
    statements: [NO_OP],
    found: ['changed function on_ledger_append_only()'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'the function that states rows, made to state nothing',
    statements: [
      'CREATE OR REPLACE FUNCTION rows_of_evidence() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    ],
    found: ['changed function rows_of_evidence()'],
    repaired: true,
  },
  {
    title: 'a function that runs with the rights of its owner',
    statements: ['ALTER FUNCTION name_key_of(text) SECURITY DEFINER'],
    found: ['changed function name_key_of(text)'],
    repaired: true,
  },
  {
    title: 'a check that was dropped',
    statements: ['ALTER TABLE alarms DROP CONSTRAINT alarms_kind_check'],
    found: ['missing constraint alarms_kind_check'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'a check that lets everything pass',
    statements: [
      'ALTER TABLE alarms DROP CONSTRAINT alarms_kind_check',
      'ALTER TABLE alarms ADD CONSTRAINT alarms_kind_check CHECK (true)',
    ],
    found: ['changed constraint alarms_kind_check'],
    repaired: true,
  },
  {
    title: 'a reference that was dropped',
    statements: ['ALTER TABLE resources DROP CONSTRAINT resources_sha256_fkey'],
    found: ['missing constraint resources_sha256_fkey'],
    repaired: true,
  },
  {
    title: 'references that are switched off',
    statements: ['ALTER TABLE case_followers DISABLE TRIGGER ALL'],
    found: [
      'changed constraint case_followers_case_id_fkey',
      'changed constraint case_followers_principal_id_fkey',
      'changed trigger 1_rows_of_case_followers',
    ],
    repaired: true,
  },
  {
    title: 'a reference from outside the schema',
    statements: ['CREATE SCHEMA elsewhere', 'CREATE TABLE elsewhere.mine (seq bigint REFERENCES ledger (seq))'],
    found: ['foreign constraint mine_seq_fkey'],
    repaired: true,
  },
  {
    title: 'an index that was dropped',
    statements: ['DROP INDEX cases_deleted'],
    found: ['missing index cases_deleted'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'a unique index that is one no more',
    statements: [
      'DROP INDEX alarms_open',
      'CREATE INDEX alarms_open ON alarms (kind, subject) WHERE acknowledged_at IS NULL',
    ],
    found: ['changed index alarms_open'],
    repaired: true,
  },
  {
    title: 'an index that became invalid',
    statements: ["UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'alarms_open'::regclass"],
    found: ['changed index alarms_open'],
    repaired: true,
  },
  {
    title: 'a default that changed',
    statements: ['ALTER TABLE jobs ALTER COLUMN bound SET DEFAULT 1'],
    found: ['changed column bound'],
    repaired: false,
    inGate: true,
  },
  {
    title: 'a column that may be null',
    statements: ['ALTER TABLE evidence ALTER COLUMN name DROP NOT NULL'],
    found: ['changed column name'],
    repaired: false,
  },
  {
    title: 'a column of somebody else',
    statements: ['ALTER TABLE evidence ADD COLUMN doubled text GENERATED ALWAYS AS (name || name) STORED'],
    found: ['foreign column doubled'],
    repaired: false,
  },
  {
    title: 'a rule',
    statements: ['CREATE RULE silent AS ON DELETE TO evidence DO INSTEAD NOTHING'],
    found: ['foreign rule silent'],
    repaired: true,
    inGate: true,
  },
  {
    title: 'row security',
    statements: [
      'CREATE POLICY hidden ON evidence USING (evidence_id > 10)',
      'ALTER TABLE evidence ENABLE ROW LEVEL SECURITY',
    ],
    found: ['changed table evidence', 'foreign policy hidden'],
    repaired: false,
  },
  {
    title: 'a table of somebody else, and a view',
    statements: ['CREATE TABLE notes_of_mine (a int)', 'CREATE VIEW all_of_it AS SELECT * FROM evidence'],
    found: ['foreign column a', 'foreign table notes_of_mine', 'foreign view all_of_it'],
    repaired: false,
    inGate: true,
  },
  {
    title: 'a table whose rows are read with those of another one',
    statements: ['CREATE SCHEMA elsewhere', 'CREATE TABLE elsewhere.more () INHERITS (bookmarks)'],
    found: ['changed table bookmarks'],
    repaired: false,
  },
  {
    title: 'a function, an operator and a type that would be taken in place of the server’s',
    statements: [
      'CREATE FUNCTION lower(given bigint) RETURNS text LANGUAGE sql AS $$ SELECT given::text $$',
      'CREATE OPERATOR @@@ (RIGHTARG = bigint, FUNCTION = lower)',
      "CREATE TYPE kinds AS ENUM ('a')",
    ],
    found: ['foreign function lower(bigint)', 'foreign operator @@@(NONE,bigint)', 'foreign type kinds'],
    repaired: false,
  },
  {
    title: 'an event trigger',
    statements: [
      'CREATE FUNCTION on_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$',
      'CREATE EVENT TRIGGER watching ON ddl_command_start EXECUTE FUNCTION on_ddl()',
    ],
    found: ['foreign event trigger watching'],
    repaired: false,
  },
]

describe('I3: the schema of a headquarters', () => {
  it('is compared by its digest, for which an account needs no right to make a schema', async () => {
    const { url, run } = await untouched()
    await run('CREATE ROLE reader LOGIN', 'GRANT SELECT ON schema_version TO reader')
    const asReader = url.replace('//sallyport@', '//reader@')
    expect(await schemaDifferencesOnPostgres(asReader)).toEqual([])
    await expect(schemaDifferencesOnPostgres(asReader, {})).rejects.toThrow(/GRANT CREATE ON DATABASE/)
    await run('DROP OWNED BY reader', 'DROP ROLE reader')
  }, 120_000)

  it('is as the migrations make it when nobody touched it, at every version, by its digest and without', async () => {
    const url = await server.create('step_by_step')
    onTestFinished(() => server.drop('step_by_step'), 120_000)
    for (const { version } of MIGRATIONS) {
      await migratePostgres(url, { readOnly: false, target: version })
      expect(await schemaDifferencesOnPostgres(url)).toEqual([])
      expect(await schemaDifferencesOnPostgres(url, {})).toEqual([])
    }
  }, 400_000)

  it('has the digests that the program knows: released steps never change', async () => {
    const { url } = await untouched()
    const [{ version } = {}] = await server.administer(
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
    )
    if (version !== 15) return
    const made: Record<number, string[]> = {}
    for (const step of MIGRATIONS) made[step.version] = [await schemaDigestAt(url, step.version)]
    expect(KNOWN_SCHEMAS).toEqual(made)
  }, 120_000)

  const isNamedAndTakenBack = async ({ statements, found, repaired }: (typeof ALTERATIONS)[number]): Promise<void> => {
    const { url, run } = await untouched()
    await run(...statements)
    expect(await namesIn(url)).toEqual(found)
    const repairs = repairsOnPostgres(await schemaDifferencesOnPostgres(url))
    expect(repairs.beyond.length === 0).toBe(repaired)
    if (!repaired) return
    await run(...repairs.statements)
    expect(await namesIn(url)).toEqual([])
  }
  const named = 'names $title, and takes it back where it holds no rows'
  it.each(ALTERATIONS.filter(({ inGate }) => inGate === true))(named, { timeout: 120_000 }, isNamedAndTakenBack)
  it.each(ALTERATIONS.filter(({ inGate }) => inGate !== true))(
    named,
    { timeout: 120_000, tags: ['merge'] },
    isNamedAndTakenBack,
  )

  it('leaves nothing of what it compares with, and says what is switched off', async () => {
    const { url, run } = await untouched()
    await run('ALTER TABLE ledger DISABLE TRIGGER ledger_append_only')
    const [difference] = await schemaDifferencesOnPostgres(url)
    expect(difference?.message).toBe('The trigger ledger_append_only of the table ledger is switched off.')
    expect(await run("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'expected%'")).toEqual([])
  })

  it('can be read while no table and no column is missing', async () => {
    const { url, run } = await untouched()
    await run('DROP TABLE search_exif CASCADE')
    expect(isReadable(await schemaDifferencesOnPostgres(url))).toBe(false)
    const other = await untouched()
    await other.run('CREATE TABLE notes_of_mine (a int)')
    expect(isReadable(await schemaDifferencesOnPostgres(other.url))).toBe(true)
  })

  it('is the same after a dump and a restore', async () => {
    const { url, run } = await untouched()
    const dump = execFileSync(await postgresProgram('pg_dump'), ['--schema-only', (await untouched()).url])
    await run('DROP SCHEMA public CASCADE', 'CREATE SCHEMA public')
    execFileSync(await postgresProgram('psql'), ['-v', 'ON_ERROR_STOP=1', '-q', url], {
      input: dump.toString().replace('CREATE SCHEMA public;', ''),
    })
    for (const { version } of MIGRATIONS) await run(`INSERT INTO schema_version (version) VALUES (${version})`)
    expect(await namesIn(url)).toEqual([])
  }, 120_000)

  it('may have members of extensions, statistics and comments', async () => {
    const { url, run } = await untouched()
    await run(
      'CREATE EXTENSION tablefunc',
      'CREATE STATISTICS more ON name, description FROM evidence',
      "COMMENT ON TABLE evidence IS 'of the station'",
      'ANALYZE',
    )
    expect(await namesIn(url)).toEqual([])
  })
})

describe('B9: a program beside the schema of a newer one', () => {
  const ADDED = `
ALTER TABLE cases ADD COLUMN further TEXT;
ALTER TABLE cases ADD COLUMN counted INTEGER NOT NULL DEFAULT 7 CHECK (counted > 0);
CREATE TABLE further (further_id INTEGER PRIMARY KEY AUTOINCREMENT, case_id INTEGER NOT NULL REFERENCES cases (case_id)) STRICT;
CREATE INDEX cases_further ON cases (further);
`
  /** A database that a newer program upgraded, and a program that does not know the step. */
  async function upgraded(): Promise<Copy> {
    const copy = await untouched()
    const steps = MIGRATIONS as (typeof MIGRATIONS)[number][]
    const known = steps.length
    steps.push({ version: newestSchema() + 1, name: 'further', sql: ADDED, oldestProgram: newestSchema() })
    const forget = (): void => void steps.splice(known)
    onTestFinished(forget)
    await migratePostgres(copy.url, { readOnly: false })
    expect(await schemaDifferencesOnPostgres(copy.url)).toEqual([])
    forget()
    return copy
  }

  it('finds nothing in what that added', async () => {
    const { url } = await upgraded()
    expect(await namesIn(url)).toEqual([])
  }, 120_000)

  it('still finds what somebody else changed', async () => {
    const { url, run } = await upgraded()
    await run(
      PLANTED,
      'CREATE TRIGGER planted AFTER INSERT ON sessions EXECUTE FUNCTION planted()',
      NO_OP,
      'ALTER TABLE cases DISABLE TRIGGER "1_rows_of_cases"',
      'DROP INDEX cases_deleted',
      'CREATE RULE silent AS ON DELETE TO evidence DO INSTEAD NOTHING',
      'CREATE OR REPLACE FUNCTION rows_of_evidence() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    )
    expect(await namesIn(url)).toEqual([
      'changed function on_ledger_append_only()',
      'changed function rows_of_evidence()',
      'changed trigger 1_rows_of_cases',
      'foreign rule silent',
      'foreign trigger planted',
      'missing index cases_deleted',
    ])
  }, 120_000)
})
