/** The schema of both dialects, made from the same steps: tables, columns, keys, references and indexes are the same. */
// @module-tag merge
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATIONS, stepsTo, newestSchema } from '../../server/kernel/database/migrate.ts'
import { migratePostgres } from '../../server/kernel/database/postgres/migrate.ts'
import { wordsIn } from '../../server/kernel/database/postgres/text-search.ts'
import fc from 'fast-check'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
let client: pg.Client
const sqlite = new Sqlite(':memory:')
const missing = await postgresMissing()
beforeAll(async () => {
  for (const step of stepsTo(newestSchema())) sqlite.exec(step.sql)
  if (missing !== null) return
  server = await startPostgres()
  const url = await server.create('schema')
  await migratePostgres(url, { readOnly: false })
  client = new pg.Client({ connectionString: url })
  await client.connect()
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  sqlite.close()
  await client?.end()
  await server?.stop()
})

const OWN = /^(sqlite_|evidence_words|search_words|outcomes|changes|schema_version)/
const there = async (text: string): Promise<string[]> =>
  (await client.query<{ line: string }>(text)).rows
    .map(({ line }) => line)
    .filter((line) => !OWN.test(line))
    .toSorted()
const here = (text: string): string[] =>
  (sqlite.prepare(text).pluck().all() as string[]).filter((line) => !OWN.test(line)).toSorted()

describe('the schema of PostgreSQL', () => {
  it('has the version of SQLite', async () => {
    const { rows } = await client.query<{ version: string }>('SELECT version FROM schema_version ORDER BY version')
    expect(rows.map(({ version }) => Number(version))).toEqual(MIGRATIONS.map(({ version }) => version))
  })

  it('has the same tables and columns, with their types, and the same values that may be null', async () => {
    const types = `CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'TEXT' THEN 'text' WHEN 'BLOB' THEN 'bytea' WHEN 'REAL' THEN 'double precision' END`
    expect(
      await there(`SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type || ' ' || c.is_nullable AS line
        FROM information_schema.columns c WHERE table_schema = current_schema()`),
    ).toEqual(
      here(`SELECT t.name || '.' || c.name || ' ' || ${types} || ' ' || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN 'NO' ELSE 'YES' END
        FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'`),
    )
  })

  it('has the same primary keys and references', async () => {
    expect(
      await there(`SELECT c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' ORDER BY k.n) || ')' AS line FROM pg_constraint c
        CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum WHERE c.contype = 'p' AND c.connamespace = current_schema()::regnamespace GROUP BY c.oid, c.conrelid`),
    ).toEqual(
      here(`SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) || ')'
        FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE pk > 0)`),
    )
    expect(
      await there(`SELECT c.conrelid::regclass || '.' || a.attname || ' ' || c.confrelid::regclass || '.' || b.attname || ' ' ||
        CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'NO ACTION' END AS line FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1] WHERE c.contype = 'f'`),
    ).toEqual(
      here(`SELECT t.name || '.' || f."from" || ' ' || f."table" || '.' || f."to" || ' ' || f.on_delete
        FROM pragma_table_list t, pragma_foreign_key_list(t.name) f WHERE t.schema = 'main' AND t.type = 'table'`),
    )
  })

  it('has the same indexes, unique where they are', async () => {
    expect(
      await there(`SELECT i.indexrelid::regclass || ' ON ' || i.indrelid::regclass || CASE WHEN i.indisunique THEN ' unique' ELSE '' END AS line
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`),
    ).toEqual(
      here(`SELECT i.name || ' ON ' || t.name || CASE WHEN i."unique" = 1 THEN ' unique' ELSE '' END
        FROM pragma_table_list t, pragma_index_list(t.name) i WHERE t.schema = 'main' AND t.type = 'table' AND i.origin = 'c'`),
    )
  })
})

describe('what PostgreSQL computes as SQLite does', () => {
  const TEXTS = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'é',
          'Ü',
          'ß',
          'Æ',
          'Ł',
          '東',
          '京',
          'я',
          '٣',
          '_',
          '%',
          '-',
          '"',
          '\\',
          '\n',
          '\u001f',
          ' ',
          '\u0301',
          '😀',
          '’',
          '/',
        ),
        fc.string({ maxLength: 3 }),
        fc.constantFrom('Nord', 'B-7', '0042', '1e5', 'IMG_0001.JPG'),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('').replaceAll('\u0000', ''))

  it('B1 writes the state of a row byte for byte', async () => {
    const value = fc.oneof(TEXTS, fc.constant(null))
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }),
        async (text, whole, real) => {
          const rounded = Math.round(real * 1000) / 1000
          const { rows } = await client.query(
            `SELECT '{"t":' || row_value($1::text) || ',"n":' || row_value($2::bigint) || ',"b":' || row_value($3::bytea) || ',"r":' || row_value($4::float8) || '}' AS state`,
            [text, whole, Buffer.from(text ?? ''), rounded],
          )
          const state = sqlite
            .prepare("SELECT json_object('t', ?, 'n', CAST(? AS INTEGER), 'b', hex(?), 'r', CAST(? AS REAL))")
            .pluck()
            .get(text, BigInt(whole), Buffer.from(text ?? ''), rounded)
          expect((rows[0] as { state: string }).state).toBe(state)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('B1 folds sort keys as the list has them', async () => {
    const { foldedWithMarks } = await import('../../server/kernel/database/migrations/first-release/folding.ts')
    const fold = sqlite.prepare(`SELECT ${foldedWithMarks('given')} FROM (SELECT ? AS given)`).pluck()
    await fc.assert(
      fc.asyncProperty(TEXTS, async (text) => {
        const { rows } = await client.query('SELECT list_key_of($1) AS key', [text])
        expect((rows[0] as { key: string }).key).toBe(fold.get(text))
      }),
      { numRuns: 300 },
    )
  })

  it('B1 cuts texts into the words that questions are cut into', async () => {
    await fc.assert(
      fc.asyncProperty(TEXTS, async (text) => {
        for (const joining of ['', '_%']) {
          const { rows } = await client.query(
            `SELECT coalesce(array_agg(w.lexeme ORDER BY p.place), '{}') AS words FROM unnest(words_of($1, $2)) w, unnest(w.positions) AS p (place)`,
            [text, joining],
          )
          expect((rows[0] as { words: string[] }).words).toEqual(wordsIn(text, joining))
        }
      }),
      { numRuns: 400 },
    )
  })
})

describe('B1 the index of words takes texts of any length', () => {
  /** So many different words of so many letters each, from the alphabet that begins here. */
  const words = (count: number, letters: number, first: string, alphabet: number): string =>
    Array.from({ length: count }, (_, at) => {
      const word: string[] = []
      for (let rest = at, place = 0; place < letters; place++, rest = Math.floor(rest / alphabet))
        word.push(String.fromCodePoint((first.codePointAt(0) as number) + (rest % alphabet)))
      return word.join('')
    }).join(' ')
  it.each<[string, string]>([
    ['3,000 names of 250 letters', words(3000, 250, 'a', 26)],
    ['words of four letters', words(300_000, 4, 'a', 26)],
    ['names with marks', words(100_000, 12, 'à', 30)],
    ['Chinese words', words(200_000, 2, '\u4e00', 20_000)],
    ['single Korean letters, which become three each', words(11_000, 1, '\uac00', 11_000).repeat(20)],
    ['Korean words', words(150_000, 3, '\uac00', 11_000)],
    ['letters of four bytes', words(150_000, 3, '\u{20000}', 40_000)],
  ])('%s', async (_, text) => {
    const [first = ''] = text.split(' ')
    for (const given of [text, `${text} ${text}`]) {
      const { rows } = await client.query<{ found: boolean }>(
        `SELECT words_of('title') || words_apart() || words_of($1, $2) || words_apart() || words_of($3) @@ phraseto_tsquery('simple', $4) AS found`,
        [given, '_%', 'tag '.repeat(2000), wordsIn(first, '')[0] ?? ''],
      )
      expect(rows).toEqual([{ found: true }])
    }
  })
})

describe('what a change of a row on PostgreSQL costs', () => {
  it('B8 functions that are asked for each column stand in the plan with their bodies', async () => {
    const asked = ['title', 'case_id', 'ordinal_number'].map((column) => `row_value(${column})`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (VERBOSE, COSTS OFF) SELECT ${asked.join(', ')}, six_digits(ordinal_number) FROM cases`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/row_value|six_digits/)
    const others = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (VERBOSE, COSTS OFF) SELECT row_value(b.hash), row_value(s.west) FROM ledger b, search_list s`,
    )
    expect(others.rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('row_value')
  })

  it('B8 words and numbers of a case are written anew only when a text that they come from changed', async () => {
    await client.query(
      `CREATE TEMP TABLE row_changes (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "table" text, "key" text, state text)`,
    )
    await client.query("INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('t', 't', '')")
    const columns = (
      await client.query<{ name: string; type: string }>(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_name = 'cases' AND is_nullable = 'NO' AND column_name NOT IN ('case_id', 'tenant_id') AND table_schema = current_schema()`,
      )
    ).rows
    const value: Readonly<Record<string, string>> = {
      title: "'Burglary'",
      state: "'Open'",
      lifecycle_state: "'Normal'",
      source_type: "'Manual'",
      tags: "'[]'",
      custom_fields: "'{}'",
    }
    const values = columns.map(({ name, type }) => value[name] ?? (type === 'text' ? "'{}'" : '1'))
    await client.query(
      `INSERT INTO cases (case_id, tenant_id, ${columns.map(({ name }) => name).join(', ')}) VALUES (7, 't', ${values.join(', ')})`,
    )
    const written = async (set: string): Promise<readonly string[]> => {
      const look = async () =>
        (
          await client.query<{ words: string; numbers: string }>(
            `SELECT w.ctid::text || w.xmin::text AS words, (SELECT string_agg(n.ctid::text || n.xmin::text, ' ') FROM search_numbers n WHERE n.search_id = s.search_id) AS numbers
             FROM search_list s JOIN search_words w ON w.words_row = s.search_id WHERE s.kind = 0 AND s.object_id = 7`,
          )
        ).rows[0]
      const before = await look()
      await client.query(`UPDATE cases SET ${set} WHERE case_id = 7`)
      const after = await look()
      return (['words', 'numbers'] as const).filter((what) => before?.[what] !== after?.[what])
    }
    expect(
      await written(
        "title = title, description = description, external_reference_1 = external_reference_1, concurrency_id = 'x'",
      ),
    ).toEqual([])
    expect(await written("description = 'Back door'")).toEqual(['words'])
    expect(await written("external_reference_1 = 'R-1'")).toEqual(['words', 'numbers'])
    const found = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM search_words WHERE words @@ '''back'' <-> ''door'''::tsquery AND numbers @@ '''r'' <-> ''1'''::tsquery`,
    )
    expect(found.rows[0]?.n).toBe(1)
  })
})
