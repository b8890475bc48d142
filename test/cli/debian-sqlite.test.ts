/** The database of a station in the hands of an expert with Debian's `sqlite3`, which is older than the station's own SQLite. */
// @module-tag merge
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workerConnection } from '../../server/kernel/database/sqlite/connections.ts'
import { migrate } from '../../server/kernel/database/migrate.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { succeed } from '../support/station.ts'

const sqlite3 = (...words: string[]): string => execFileSync('sqlite3', words, { encoding: 'utf8', stdio: 'pipe' })

describe('I3: Debian’s sqlite3', () => {
  let folder = ''
  let file = ''

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'sallyport-debian-'))
    const data = path.join(folder, 'data')
    const film = path.join(folder, 'Éclair de lune.txt')
    writeFileSync(film, 'a recording')
    await succeed(['ingest', film], { data })
    file = path.join(data, 'sallyport.db')
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is an older one than the station has', () => {
    expect(sqlite3('-version')).toMatch(/^3\.(3\d|4\d|50)\./)
  })

  it('opens the database of a station that was stopped, finds it whole, reads evidence and the ledger', () => {
    expect(sqlite3('-readonly', file, 'PRAGMA integrity_check')).toBe('ok\n')
    expect(sqlite3('-readonly', file, 'SELECT name FROM evidence')).toBe('Éclair de lune.txt\n')
    expect(sqlite3('-readonly', file, 'SELECT name_key FROM evidence_list')).toBe('eclair de lune.txt\n')
    const actions = sqlite3('-readonly', file, "SELECT json_extract(CAST(body AS TEXT), '$.action') FROM ledger")
    expect(actions).toContain('evidence.created\n')
    expect(actions).toContain('resource.completed\n')
  })

  it('opens a copy that may not be written at all', () => {
    expect(sqlite3(`file:${file}?immutable=1`, 'SELECT count(*) FROM evidence')).toBe('1\n')
  })

  it('dumps it', () => {
    const { status, stdout, stderr } = spawnSync('sqlite3', ['-readonly', file, '.dump'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/\nCOMMIT;\n$/)
    expect(stdout).toContain('Éclair de lune.txt')
    expect(stdout).not.toContain('ERROR')
  })

  it('parses every statement of the newest schema', async () => {
    const made = path.join(folder, 'newest.db')
    const connection = await workerConnection(made, { readOnly: false })
    await migrate(connection)
    await connection.close()
    const db = openRaw(made, { readOnly: true })
    const schema = db
      .prepare(
        "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\' ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END",
      )
      .all() as { name: string; sql: string }[]
    db.close()
    expect(schema.length).toBeGreaterThan(300)
    const { stderr } = spawnSync('sqlite3', [':memory:'], {
      input: schema.map(({ sql }) => `${sql};`).join('\n'),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
  })
})
