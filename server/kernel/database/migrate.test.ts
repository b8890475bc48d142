// @module-tag merge
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as cases from '../../../shared/cases/fields.ts'
import * as devices from '../../../shared/devices/fields.ts'
import * as evidence from '../../../shared/evidence/fields.ts'
import { workerConnection } from './sqlite/connections.ts'
import { MIGRATIONS, migrate, newestSchema } from './migrate.ts'
import { openRaw, type RawDatabase } from './sqlite/raw.ts'

const derivedColumns: Readonly<Record<string, readonly string[]>> = {
  CaseFieldColumns: cases.CASE_FIELD_NAMES.flatMap(cases.columnsOf),
  DeviceFieldColumns: devices.DEVICE_FIELD_NAMES.map((name) => devices.fieldOf(name).column),
  EvidenceFieldColumns: evidence.EVIDENCE_FIELD_NAMES.flatMap(evidence.columnsOf),
}

const GOLDEN = fileURLToPath(new URL('../../../test/fixtures/golden', import.meta.url))

describe('migrations', () => {
  let folder: string
  const file = () => join(folder, 'a.db')
  const to = async (target?: number): Promise<void> => {
    const connection = await workerConnection(file(), { readOnly: false })
    try {
      await migrate(connection, target)
    } finally {
      await connection.close()
    }
  }
  const reading = <T>(read: (db: RawDatabase) => T): T => {
    const db = openRaw(file())
    try {
      return read(db)
    } finally {
      db.close()
    }
  }
  const schema = () =>
    reading((db) =>
      db.prepare("select type, name, sql from sqlite_master where name not like 'sqlite_%' order by type, name").all(),
    )

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-migrate-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are numbered without a gap', () => {
    expect(MIGRATIONS.map((step) => step.version)).toEqual(MIGRATIONS.map((_, index) => 11 + index))
  })

  it('give the schema of the snapshot', async () => {
    await to()
    expect(schema()).toMatchSnapshot()
  })

  it('lead from every prefix to the same schema', async () => {
    await to()
    const whole = schema()
    for (const step of MIGRATIONS) {
      rmSync(file())
      await to(step.version)
      await to()
      expect(schema()).toEqual(whole)
    }
  })

  it('are applied once', async () => {
    await to()
    await to()
    expect(reading((db) => db.pragma('user_version', { simple: true }))).toBe(newestSchema())
  })

  it('leave nothing of a step that fails', async () => {
    reading((db) => db.exec('create table versions (x)'))
    await expect(to()).rejects.toThrow('Migration 1')
    expect(reading((db) => db.prepare('select count(*) from sqlite_master').pluck().get())).toBe(1)
  })

  it('refuse a database from before the first release with a clear message', async () => {
    reading((db) => db.pragma('user_version = 10'))
    await expect(to()).rejects.toThrow('Start it once with the last program before the release')
  })

  it('refuse the database of a newer program with a clear message', async () => {
    reading((db) => db.pragma('user_version = 999'))
    await expect(to()).rejects.toThrow('Use the newer program')
  })

  it('update the golden database of every released schema and keep its rows', async () => {
    const golden = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter((name) => name.endsWith('.db')) : []
    expect(golden).toHaveLength(MIGRATIONS.length)
    await to()
    // ALTER TABLE writes a column to the end of the text, without the line of its own that it has here.
    const tight = () =>
      (schema() as { sql: string | null }[]).map((row) => ({ ...row, sql: row.sql?.replaceAll(/\s/g, '') }))
    const whole = tight()
    for (const name of golden) {
      rmSync(file())
      copyFileSync(join(GOLDEN, name), file())
      const before = reading((db) => db.prepare('select count(*) as n, max(seq) as head from ledger').get())
      await to()
      expect(tight()).toEqual(whole)
      expect(reading((db) => db.prepare('select count(*) as n, max(seq) as head from ledger').get())).toEqual(before)
      expect(reading((db) => db.pragma('integrity_check', { simple: true }))).toBe('ok')
      expect(reading((db) => db.pragma('foreign_key_check'))).toEqual([])
    }
  })

  it('match the tables as Kysely sees them', async () => {
    await to()
    const { readFileSync } = await import('node:fs')
    const folder = new URL('./', import.meta.url)
    const source = readdirSync(folder)
      .filter((name) => /^tables(-[\w-]+)?\.ts$/.test(name))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n')
    const tables = reading((db) =>
      (
        db
          .prepare(
            // Virtual tables and their shadow tables are not listed.
            "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
          )
          .pluck()
          .all() as string[]
      ).map((table) => ({
        table,
        columns: (db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]).sort(),
      })),
    )
    for (const { table, columns } of tables) {
      const type = new RegExp(`^ {2}${table}: (\\w+Table)$`, 'm').exec(source)?.[1]
      const [, base, body = ''] =
        new RegExp(`export interface ${type}(?: extends (\\w+))? \\{([^}]*)\\}`).exec(source) ?? []
      const derived = derivedColumns[base ?? ''] ?? []
      const seen = [...derived, ...[...body.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1] as string)]
      expect({ table, columns: seen.sort() }).toEqual({ table, columns })
    }
  })
})
