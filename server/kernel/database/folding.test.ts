import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workerConnection } from './sqlite/connections.ts'
import { migrate } from './migrate.ts'
import { openRaw } from './sqlite/raw.ts'

/** Every letter that is folded, some that are not, and what SQL could trip over. */
const NAMES = [
  ...Array.from({ length: 0x180 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
  Array.from({ length: 0x180 - 0xc0 }, (_, index) => String.fromCodePoint(0xc0 + index)).join(''),
  'e\u0301t\u00e9 \u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327',
  'Straße 7, Œuvre',
  'Łódź \u{1f600} 東京',
  "it's 100 % _ [a-z] * ?",
  'PLAIN Ascii\tname',
]

/** What the columns of a new row hold; `:name` and `:id` differ from row to row. */
const VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['principal_id', 'evidence_id', 'device_id', 'case_id', 'name_key', 'ordinal_number'].map((column) => [
      column,
      ':id',
    ]),
  ),
  ...Object.fromEntries(
    ['k_id', 'concurrency_id', 'serial_number', 'search_key'].map((column) => [column, "'' || :id"]),
  ),
  ...Object.fromEntries(['title', 'common_name'].map((column) => [column, ':name'])),
  ...Object.fromEntries(['created_ticks', 'ordinal_year', 'active'].map((column) => [column, '1'])),
  ...Object.fromEntries(
    ['tenant_id', 'created_utc', 'modified_utc', 'manufacturer', 'device_type'].map((column) => [column, "'x'"]),
  ),
  kind: "'user'",
  state: "'Open'",
  lifecycle_state: "'Normal'",
  source_type: "'Manual'",
  created_by: "'{}'",
  modified_by: "'{}'",
  tags: "'[]'",
  custom_fields: "'{}'",
}

describe('sort keys', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-folding-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** What the triggers of that version of the schema write for names that are added, and for names that are changed. */
  const keysOf = async (version?: number): Promise<unknown[]> => {
    const file = join(folder, `${version ?? 'newest'}.db`)
    const connection = await workerConnection(file, false)
    await migrate(connection, version)
    await connection.close()
    const db = openRaw(file)
    try {
      // Neither tenants nor owners matter here.
      db.pragma('foreign_keys = 0')
      db.exec('BEGIN')
      const insert = (table: string, columns: string) =>
        db.prepare(
          `INSERT INTO ${table} (${columns}) VALUES (${columns
            .split(', ')
            .map((column) => VALUES[column] ?? `:${column}`)
            .join(', ')})`,
        )
      const added = [
        insert('principals', 'principal_id, tenant_id, kind, name, name_key, k_id, created_utc, created_by'),
        insert('evidence', 'evidence_id, tenant_id, name, created_utc, created_ticks, created_by, concurrency_id'),
        insert(
          'devices',
          'device_id, tenant_id, serial_number, manufacturer, common_name, device_type, active, search_key, created_utc',
        ),
        insert(
          'cases',
          'case_id, tenant_id, ordinal_year, ordinal_number, title, state, lifecycle_state, tags, custom_fields, source_type, concurrency_id, created_utc, created_ticks, created_by, modified_utc, modified_by',
        ),
      ]
      const changed = [
        db.prepare('UPDATE principals SET name = :name WHERE principal_id = :id'),
        db.prepare('UPDATE evidence SET name = :name WHERE evidence_id = :id'),
        db.prepare('UPDATE devices SET common_name = :name WHERE device_id = :id'),
        db.prepare('UPDATE cases SET title = :name WHERE case_id = :id'),
      ]
      const write = (statements: typeof added, names: readonly string[]): void =>
        names.forEach((name, index) => {
          for (const statement of statements) statement.run({ name, id: index + 1 })
        })
      const keys = (): unknown[] => [
        db.prepare('SELECT kind, object_id, name_key FROM search_list ORDER BY kind, object_id').all(),
        db.prepare('SELECT evidence_id, name_key FROM evidence_list ORDER BY evidence_id').all(),
      ]
      write(added, NAMES)
      const afterAdding = keys()
      write(changed, [...NAMES].reverse())
      return [afterAdding, keys()]
    } finally {
      db.close()
    }
  }

  it('are what they were before the letters stood in a table', async () => {
    const keys = await keysOf()
    expect(keys).toEqual(await keysOf(10))
    expect(JSON.stringify(keys)).toContain('strasse 7, oeuvre')
  })
})
