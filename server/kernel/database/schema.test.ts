// @module-tag merge
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { workerConnection } from './sqlite/connections.ts'
import { DatabaseBeforeRelease, DatabaseNewer, MIGRATIONS, migrate } from './migrate.ts'
import { openRaw, type RawDatabase } from './sqlite/raw.ts'
import { schemaDifferences, schemaDifferencesRaw } from './sqlite/schema.ts'

const GOLDEN = fileURLToPath(new URL('../../../test/fixtures/golden', import.meta.url))

describe('I3: the schema of a database', () => {
  let folder: string
  let db: RawDatabase
  const file = () => join(folder, 'a.db')
  const make = async (target?: number): Promise<void> => {
    const connection = await workerConnection(file(), { readOnly: false })
    await migrate(connection, target)
    await connection.close()
  }
  const found = () => schemaDifferencesRaw(db).map(({ what, type, name }) => `${what} ${type} ${name}`)

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-schema-'))
    await make()
    db = openRaw(file())
  })
  afterEach(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })

  it('matches the migrations at every version when it is untouched', async () => {
    expect(schemaDifferencesRaw(db)).toEqual([])
    for (const { version } of MIGRATIONS) {
      db.close()
      rmSync(file())
      await make(version)
      db = openRaw(file())
      expect(schemaDifferencesRaw(db)).toEqual([])
    }
  })

  it('matches the migrations in every golden database, before and after the update', async () => {
    const golden = readdirSync(GOLDEN).filter((name) => name.endsWith('.db'))
    expect(golden.length).toBe(MIGRATIONS.length)
    for (const name of golden) {
      db.close()
      rmSync(file())
      copyFileSync(join(GOLDEN, name), file())
      const connection = await workerConnection(file(), { readOnly: false })
      expect(await schemaDifferences(connection)).toEqual([])
      await migrate(connection)
      expect(await schemaDifferences(connection)).toEqual([])
      await connection.close()
      db = openRaw(file())
    }
  })

  it('ignores whitespace and the statistics of ANALYZE', () => {
    db.exec('ANALYZE')
    db.exec('DROP INDEX cases_deleted')
    db.exec("CREATE INDEX cases_deleted\n\tON  cases(\n case_id )\n WHERE lifecycle_state = 'Deleted'")
    expect(found()).toEqual([])
  })

  it('reports planted objects', () => {
    db.exec('CREATE TRIGGER implant AFTER INSERT ON sessions BEGIN UPDATE principals SET enabled = 1; END')
    db.exec('CREATE TABLE notes_of_mine (a)')
    db.exec('CREATE INDEX quick ON evidence (name)')
    db.exec('CREATE VIEW all_of_it AS SELECT * FROM evidence')
    expect(found()).toEqual([
      'foreign trigger implant',
      'foreign table notes_of_mine',
      'foreign index quick',
      'foreign view all_of_it',
    ])
    expect(schemaDifferencesRaw(db)[0]?.message).toBe('The trigger implant of the table sessions is not the station’s.')
  })

  it('reports missing objects', () => {
    db.exec('DROP TRIGGER ledger_no_update; DROP TABLE search_exif; DROP INDEX cases_deleted')
    expect(found()).toEqual(
      expect.arrayContaining([
        'missing trigger ledger_no_update',
        'missing table search_exif',
        'missing index cases_deleted',
      ]),
    )
  })

  it('reports changed objects', () => {
    db.exec('DROP TRIGGER ledger_no_delete')
    db.exec('CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger WHEN 0 BEGIN SELECT 1; END')
    db.exec('ALTER TABLE evidence ADD COLUMN doubled TEXT GENERATED ALWAYS AS (name || name) VIRTUAL')
    expect(found().sort()).toEqual(['changed table evidence', 'changed trigger ledger_no_delete'])
  })

  it('reports a view in the place of a table', () => {
    db.pragma('foreign_keys = 0')
    db.exec('ALTER TABLE search_exif RENAME TO elsewhere; CREATE VIEW search_exif AS SELECT * FROM elsewhere')
    expect(found()).toEqual(
      expect.arrayContaining(['foreign view search_exif', 'missing table search_exif', 'foreign table elsewhere']),
    )
  })

  it('reports a changed text, and a comment that hides the rest of a statement', () => {
    db.exec('DROP TRIGGER ledger_no_delete')
    db.exec(
      "CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the  ledger is append-only'); END",
    )
    db.exec('DROP INDEX cases_deleted')
    db.exec("CREATE INDEX cases_deleted ON cases (case_id) -- WHERE lifecycle_state = 'Deleted'")
    expect(found().sort()).toEqual(['changed index cases_deleted', 'changed trigger ledger_no_delete'])
  })

  it('reports rows that were written into sqlite_schema', () => {
    db.unsafeMode(true)
    db.pragma('writable_schema = 1')
    db.exec("UPDATE sqlite_schema SET sql = sql || ' ' || '/* mine */' WHERE name = 'tenants'")
    db.exec(
      "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('trigger', 'sqlite_x', 'ledger', 0, 'CREATE TRIGGER sqlite_x AFTER INSERT ON ledger BEGIN SELECT 1; END')",
    )
    expect(found().sort()).toEqual(['changed table tenants', 'foreign trigger sqlite_x'])
  })

  it('is not compared when a newer program made it', () => {
    db.pragma('user_version = 999')
    expect(() => schemaDifferencesRaw(db)).toThrow(DatabaseNewer)
  })

  it('is not compared when a program before the first release made it', () => {
    db.pragma('user_version = 10')
    expect(() => schemaDifferencesRaw(db)).toThrow(DatabaseBeforeRelease)
  })

  it('is reported as foreign when the version was set back', () => {
    db.pragma('user_version = 0')
    expect(found().length).toBeGreaterThan(300)
  })
})
