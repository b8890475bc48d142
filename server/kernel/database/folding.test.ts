import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workerConnection } from './sqlite/connections.ts'
import { migrate } from './migrate.ts'
import { openRaw } from './sqlite/raw.ts'

/** All folded letters, some others, and characters that are special in SQL. */
const NAMES = [
  ...Array.from({ length: 0x180 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
  Array.from({ length: 0x180 - 0xc0 }, (_, index) => String.fromCodePoint(0xc0 + index)).join(''),
  'e\u0301t\u00e9 \u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327',
  'Straße 7, Œuvre',
  'Łódź \u{1f600} 東京',
  "it's 100 % _ [a-z] * ?",
  'PLAIN Ascii\tname',
]

/** Values of the columns of a new row; `:name` and `:id` differ between rows. */
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

interface Keys {
  readonly found: readonly unknown[]
  readonly listed: readonly unknown[]
}

describe('sort keys', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-folding-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The sort keys that the triggers write for added and for changed names. */
  const keys = async (): Promise<{ added: Keys; changed: Keys }> => {
    const file = join(folder, 'a.db')
    const connection = await workerConnection(file, { readOnly: false })
    await migrate(connection)
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
      const now = (): Keys => ({
        found: db.prepare('SELECT kind, object_id, name_key FROM search_list ORDER BY kind, object_id').all(),
        listed: db.prepare('SELECT evidence_id, name_key FROM evidence_list ORDER BY evidence_id').all(),
      })
      write(added, NAMES)
      const afterAdding = now()
      write(changed, [...NAMES].reverse())
      return { added: afterAdding, changed: now() }
    } finally {
      db.close()
    }
  }

  it('are the names in lower case, without the accents of Latin letters', async () => {
    const { added, changed } = await keys()
    expect(added).toEqual(expected(NAMES))
    expect(changed).toEqual(expected([...NAMES].reverse()))
    expect(JSON.stringify(added)).toContain('strasse 7, oeuvre')
  })
})

const SPECIAL: Readonly<Record<string, string>> = {
  Ø: 'o',
  ø: 'o',
  Æ: 'ae',
  æ: 'ae',
  Œ: 'oe',
  œ: 'oe',
  ß: 'ss',
  Ł: 'l',
  ł: 'l',
  Đ: 'd',
  đ: 'd',
  Þ: 'th',
  þ: 'th',
}
const MARKS = new Set(['\u0300', '\u0301', '\u0302', '\u0303', '\u0308', '\u030a', '\u030c', '\u0327'])

/** The rule once more, letter by letter. */
function foldedLetter(letter: string, marks: 'kept' | 'dropped'): string {
  if (marks === 'dropped' && MARKS.has(letter)) return ''
  const base = letter.normalize('NFD').charAt(0).toLowerCase()
  if (letter >= '\u00c0' && letter <= '\u017f' && /^[a-z]$/.test(base)) return base
  return SPECIAL[letter] ?? (/^[A-Z]$/.test(letter) ? letter.toLowerCase() : letter)
}
const keyOf = (name: string, marks: 'kept' | 'dropped'): string =>
  [...name].map((letter) => foldedLetter(letter, marks)).join('')

/**
 * Cases, evidence, people and devices with these names. Evidence has the key of its list, which drops combining marks. A device without a
 * name has that of its serial number, which is its position here.
 */
function expected(names: readonly string[]): Keys {
  const rows = (kind: number, marks: 'kept' | 'dropped', all = names) =>
    all.map((name, index) => ({ kind, object_id: index + 1, name_key: keyOf(name, marks) }))
  const devices = names.map((name, index) => (name === ' ' ? `${index + 1}.0` : name))
  return {
    found: [...rows(0, 'kept'), ...rows(1, 'dropped'), ...rows(2, 'kept'), ...rows(4, 'kept', devices)],
    listed: names.map((name, index) => ({ evidence_id: index + 1, name_key: keyOf(name, 'dropped') })),
  }
}
