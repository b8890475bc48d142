// @module-tag merge
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VerifyReport } from '../../server/features/integrity/verification/verify.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { sha256 } from '../support/integrator.ts'
import type { Station } from '../support/station.ts'
import { ledger, makePlace, type Place, rows, running, say, sayJson } from './world.ts'
import { sampled } from '../support/scale.ts'

let place: Place
const CONTENTS = ['first', 'second', 'third'].map((word) => word.repeat(1000))
const HASHES = CONTENTS.map((text) => sha256(Buffer.from(text))) as [string, string, string]
const STRANGER = 'ab'.repeat(32)

const blob = (data: string, hash: string): string => join(data, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash)

beforeAll(async () => {
  place = makePlace('verify')
  const media = place.folder('media')
  for (const [at, text] of CONTENTS.entries()) writeFileSync(join(media, `${at}.txt`), text)
  await sayJson(['ingest', media], { data: place.data })
})
afterAll(() => place.remove())

/** Files of an ingest may be numbered in another order, and what is derived from one may come before the next. */
function idsOf(hash: string): { resource: number; evidence: number } {
  const [found] = rows<{ resource: number; evidence: number }>(
    place.data,
    `SELECT resource_id AS resource, evidence_id AS evidence FROM resources WHERE sha256 = '${hash}' AND role = 'original'`,
  )
  if (found === undefined) throw new Error(`${hash} is no original`)
  return found
}

interface Damage {
  readonly title: string
  /** What the list names. */
  readonly named: RegExp
  /** Seen without reading blobs too. */
  readonly fast: boolean
  readonly make: (data: string) => void
}

const DAMAGES: readonly Damage[] = [
  {
    title: 'a flipped byte in a blob',
    named: new RegExp(`^changed {2}${HASHES[0]}: `, 'm'),
    fast: false,
    make: (data) => {
      const file = blob(data, HASHES[0])
      const bytes = readFileSync(file)
      bytes[7] = (bytes[7] as number) ^ 1
      // Beside and renamed: what is in place is read-only for an ordinary user.
      writeFileSync(join(data, 'damaged'), bytes)
      renameSync(join(data, 'damaged'), file)
    },
  },
  {
    title: 'a missing blob',
    named: new RegExp(`^missing {2}${HASHES[1]}: `, 'm'),
    fast: true,
    make: (data) => rmSync(blob(data, HASHES[1])),
  },
  {
    title: 'a stranger among the blobs',
    named: new RegExp(`^untracked {2}.*${STRANGER}`, 'm'),
    fast: true,
    make: (data) => {
      mkdirSync(join(data, 'blobs/ab/ab'), { recursive: true })
      writeFileSync(blob(data, STRANGER), 'nobody knows me')
    },
  },
  {
    title: 'the copies of checkpoints beside the database taken away',
    named: /^ledger\.checkpoint {2}checkpoint \d+: Its copy beside the database is missing\.$/m,
    fast: true,
    make: (data) => {
      for (const name of readdirSync(join(data, 'checkpoints'))) rmSync(join(data, 'checkpoints', name))
    },
  },
  {
    title: 'an original taken out of files and rows',
    get named() {
      const { resource, evidence } = idsOf(HASHES[2])
      return new RegExp(
        `^record {2}resource ${resource}: Entry \\d+ says that it was completed as a file of evidence ${evidence}, and its blob is not listed any more\\.`,
        'm',
      )
    },
    fast: true,
    make: (data) => {
      rmSync(blob(data, HASHES[2]), { force: true })
      const db = openRaw(join(data, 'sallyport.db'))
      db.pragma('foreign_keys = 0')
      db.prepare('DELETE FROM blobs WHERE sha256 = ?').run(HASHES[2])
      db.close()
    },
  },
  {
    title: 'an evidence renamed in the database',
    named: /^record {2}evidence 2: It is not what entry \d+ says: it was changed in the database\.$/m,
    fast: true,
    make: (data) => {
      const db = openRaw(join(data, 'sallyport.db'))
      db.exec("UPDATE evidence SET description = 'Somebody else did it' WHERE evidence_id = 2")
      db.close()
    },
  },
  {
    title: 'a trigger of somebody else in the database',
    named: /^schema {2}trigger implant: /m,
    fast: true,
    make: (data) => {
      const db = openRaw(join(data, 'sallyport.db'))
      db.exec('CREATE TRIGGER implant AFTER INSERT ON saved_searches BEGIN SELECT 1; END')
      db.close()
    },
  },
  {
    title: 'an edited row of the ledger',
    named: /^ledger\.\w+ {2}entry 4: /m,
    fast: true,
    make: (data) => {
      const db = openRaw(join(data, 'sallyport.db'))
      db.exec('DROP TRIGGER IF EXISTS ledger_no_update')
      db.exec(
        `UPDATE ledger SET body = CAST(replace(CAST(body AS TEXT), '"outcome":"ok"', '"outcome":"no"') AS BLOB) WHERE seq = 4`,
      )
      db.close()
    },
  },
]

describe('verify without a station', () => {
  it('finds all as it was written, and says so in the ledger', async () => {
    const { code, stdout } = await say(['verify'], { data: place.data })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Ledger, files and rows are as recorded: \d+ entries, (1 checkpoint|(?!1 )\d+ checkpoints), 3 blobs, \d+ rows\.\n/,
    )
    expect(stdout).toMatch(/^No checkpoint from outside the station was given/m)
    expect(stdout).toMatch(/^Rows are covered since \d{4}-\d\d-\d\dT/m)
    expect(stdout).toMatch(/^Not covered:\n(.*\n)*.*search_words.*: the search index/m)
    const again = await sayJson<VerifyReport>(['verify', '--fast'], { data: place.data })
    const unsigned = again.entries - again.signedEntries
    expect(unsigned).toBeGreaterThan(0)
    expect(again.summary).toMatch(
      new RegExp(
        `^${unsigned} ${unsigned === 1 ? 'entry was' : 'entries were'} written after the newest signed checkpoint`,
        'm',
      ),
    )
    expect(again).toMatchObject({
      problems: [],
      blobs: 3,
      bytes: 0,
      fast: true,
    })
    expect(ledger(place.data).filter(({ action }) => action === 'ledger.verified')).toMatchObject([
      { source: 'cli', actor: { kind: 'cli' }, outcome: 'ok', detail: { fast: false } },
      { source: 'cli', actor: { kind: 'cli' }, outcome: 'ok', detail: { fast: true } },
    ])
  })

  for (const { some, tags } of sampled(DAMAGES, 4))
    it.each(some)('exits 1 and names $title', { tags }, async ({ title, named, fast, make }) => {
      const data = place.path(title)
      cpSync(place.data, data, { recursive: true })
      make(data)
      const { code, stdout } = await say(['verify', ...(fast ? ['--fast'] : [])], { data })
      expect(code).toBe(1)
      expect(stdout).toMatch(named)
      expect(stdout).toMatch(/^[1-9]\d* problems? in \d+ entries/m)
      // The stranger is still there: verifying changes nothing.
      if (title.includes('stranger')) expect(readFileSync(blob(data, STRANGER), 'utf8')).toBe('nobody knows me')
    })

  it('names a page of the database file that was overwritten, and continues with the rest', {
    tags: ['merge'],
  }, async () => {
    const data = place.path('overwritten')
    cpSync(place.data, data, { recursive: true })
    const file = join(data, 'sallyport.db')
    const db = openRaw(file, { readOnly: true })
    const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'passkeys_by_principal'").pluck().get()
    const size = db.pragma('page_size', { simple: true }) as number
    db.close()
    const descriptor = openSync(file, 'r+')
    // An index of nothing that says it holds 400 cells.
    writeSync(descriptor, Buffer.from([400 >> 8, 400 & 0xff]), 0, 2, ((page as number) - 1) * size + 3)
    closeSync(descriptor)
    rmSync(blob(data, HASHES[1]))
    const { code, stdout } = await say(['verify'], { data })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^database {2}the database file: SQLite finds it damaged: .*, and \d+ findings more\./m)
    expect(stdout).toMatch(/^database {2}the rows of the database: It could not be read to its end/m)
    expect(stdout).toMatch(new RegExp(`^missing {2}${HASHES[1]}: `, 'm'))
    expect(ledger(data).findLast(({ action }) => action === 'ledger.verified')).toMatchObject({ outcome: 'failed' })
  })

  it('refuses a folder in which no station ever was, and makes none there', async () => {
    const { code, stdout, stderr } = await say(['verify', '--data', place.path('mistyped')])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/There is no station in .*mistyped/)
  })
})

describe('verify while the station runs', () => {
  let station: Station
  const data = (): string => place.path('live')
  beforeAll(async () => {
    cpSync(place.data, data(), { recursive: true })
    station = await running(data())
  })
  afterAll(() => station.kill())

  it('is done by the station, and finds every damage at once', async () => {
    expect(await say(['verify'], { data: data() })).toMatchObject({ code: 0 })
    for (const { make } of DAMAGES) make(data())
    const found = await say(['verify'], { data: data() })
    expect(found.code).toBe(1)
    for (const { named } of DAMAGES) expect(found.stdout).toMatch(named)

    const { code, stdout } = await say(['verify', '--fast', '--json'], { data: data() })
    expect(code).toBe(1)
    const kinds = (JSON.parse(stdout) as VerifyReport).problems.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['missing', 'untracked']))
    expect(kinds).not.toContain('changed')
    expect(ledger(data()).findLast(({ action }) => action === 'ledger.verified')).toMatchObject({ outcome: 'failed' })
  })
})
