/** C8: a station is exported whole, and taken into an empty one. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportReport } from '../../server/features/packages/export/export.service.ts'
import { verifyExport } from '../../server/features/packages/export/read-export.ts'
import type { VerifiedImport } from '../../server/features/packages/export/verify-imports.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { givenStation, OS_USER } from '../support/given.ts'
import { isOnPostgres } from '../support/postgres-given.ts'
import { patience, sampled, scale } from '../support/scale.ts'
import { textOfKey } from '../support/station-keys.ts'
import { edit, type EmptyStation, emptyStation, type ExportWorld, exportStation, signAgain } from './export-world.ts'

const EVIDENCE = scale(200, 10_000)
const EMPTY = { changed: [], missing: [], untracked: [] }
const NOTHING_HERE = 'SELECT count(*) AS n FROM evidence UNION ALL SELECT count(*) FROM blobs'

let world: ExportWorld
let out: string
let made: ExportReport
/** Another station with a handful of evidence. */
let small: ExportWorld
let smallOut: string
let smallMade: ExportReport
/** Its key for packages, with which somebody signs what they altered. */
let key = ''
beforeAll(async () => {
  small = await exportStation()
  smallOut = small.folder('out')
  smallMade = await small.export(smallOut)
  key = await textOfKey(small.given, 'package')
  world = await exportStation(EVIDENCE)
  out = world.folder('out')
  made = await world.export(out)
}, patience(300_000))
afterAll(async () => {
  await world?.given.close()
  await small?.given.close()
})

const asThere = <T>(text: string): T[] => world.given.database((db) => db.prepare(text).all() as T[])

describe('C8 an export', () => {
  it('has a package for each case and one for the rest, and its three lists are empty', () => {
    expect(made.lists).toEqual(EMPTY)
    expect(made.packages).toBe(3)
    const names = readdirSync(out).filter((name) => !name.includes('.'))
    expect(names.toSorted()).toEqual([
      expect.stringMatching(/^Burglary-14-Tanner-s-Row-P\d{6}$/),
      expect.stringMatching(/^Evidence-of-no-case-P\d{6}$/),
      expect.stringMatching(/^Other-matter-P\d{6}$/),
      'station',
    ])
  })

  it('I1: leaves in the ledger that it was begun, made and compared', () => {
    const entries = small.given.ledger().filter(({ action }) => action.startsWith('export.'))
    const { packages, blobs, entries: size, fingerprint } = smallMade
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'export.begun', outcome: 'ok', bytes: expect.any(Number) },
      { action: 'export.made', detail: { packages, blobs, entries: size, key: fingerprint, broken: 0 } },
      { action: 'export.compared', outcome: 'ok', detail: { changed: 0, missing: 0, untracked: 0 } },
    ])
  })

  it('I1: a list of its packages for the terminal is an entry', async () => {
    expect(await small.given.command('package.list', {})).toHaveLength(smallMade.packages)
    expect(small.given.ledger().at(-1)).toMatchObject({ action: 'package.listed', object: { type: 'package' } })
  })

  it('holds no secret of the station and of its people', () => {
    const text = readdirSync(path.join(out, 'station', 'data'))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(path.join(out, 'station', 'data', name), 'utf8'))
      .join('')
    const hashes = asThere<{ password_hash: string }>(
      'SELECT password_hash FROM principals WHERE password_hash IS NOT NULL',
    )
    expect(hashes.length).toBeGreaterThan(1)
    for (const { password_hash } of hashes) expect(text).not.toContain(password_hash)
    expect(text).not.toContain('"sealed"')
  })

  it('keeps what may not be disclosed out of every package', () => {
    const hash = asThere<{ sha256: string }>(
      `SELECT sha256 FROM resources WHERE evidence_id = ${world.evidence.restricted}`,
    )[0]?.sha256
    const places = readFileSync(path.join(out, 'station', 'meta', 'blobs.jsonl'), 'utf8')
    const line = places.split('\n').find((one) => one.includes(hash as string)) as string
    expect(JSON.parse(line).at).toEqual([`station/data/${hash}`])
  })

  it('C5: has packages of no recipient: nothing supplements one, and none is recorded as given to anybody', async () => {
    const [row] = small.given.database((db) =>
      db.prepare('SELECT package_id AS id, case_id AS caseId FROM packages WHERE case_id IS NOT NULL').all(),
    ) as { id: number; caseId: number }[]
    expect(small.given.database((db) => db.prepare('SELECT count(*) FROM package_exports').pluck().get())).toBe(
      smallMade.packages,
    )
    const { id, caseId } = row as { id: number; caseId: number }
    const supplement = small.given.command('package.create', {
      of: { caseId: String(caseId) },
      target: small.folder('supplement'),
      variant: 'court',
      parts: [],
      papers: [],
      language: 'en',
      supplements: id,
    })
    await expect(supplement).rejects.toThrow(/part of an export of the station/)
    const body = {
      Recipient: { Name: 'The court', Role: 'court' },
      Authority: 'An order',
      Medium: 'disc',
      PackageId: String(id),
    }
    const given = small.given.command('disclosure.create', { caseId: String(caseId), body })
    await expect(given).rejects.toThrow(/part of an export of the station/)
  })

  it('that is complete is compared with the station as it is, and nothing is written over it', {
    timeout: patience(60_000),
  }, async () => {
    const again = await world.export(out)
    expect(again).toMatchObject({ compared: true, lists: EMPTY })
  })
})

describe('C8 an export of a ledger that was altered', () => {
  const isAltered = async (sql: string, says: RegExp): Promise<void> => {
    const given = await givenStation()
    try {
      await given.completed(Buffer.from('one\n'), { name: 'one.txt' })
      await given.meddle((db) => {
        const guards = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger'")
        for (const name of guards.pluck().all() as string[]) db.exec(`DROP TRIGGER ${name}`)
        db.exec(sql)
      })
      const to = path.join(given.dir, 'altered')
      mkdirSync(to)
      await expect(given.command('export', { to })).rejects.toThrow(says)
      expect(existsSync(path.join(to, 'station'))).toBe(false)
    } finally {
      await given.close()
    }
  }
  it.skipIf(isOnPostgres)('is not made where an entry is gone', () =>
    isAltered('DELETE FROM ledger WHERE seq = 3', /entry 3|ledger/i),
  )
  it.skipIf(isOnPostgres)('is not made where an entry says something else', () =>
    isAltered(
      `UPDATE ledger SET body = CAST(replace(CAST(body AS TEXT), '"ok"', '"no"') AS BLOB) WHERE seq = 3`,
      /ledger/i,
    ),
  )
})

it('C8 an import that was begun is ended before another one', {
  tags: ['merge'],
  timeout: patience(60_000),
}, async () => {
  const target = await emptyStation()
  try {
    const stopped = new AbortController()
    const importing = callControl(
      target.data,
      { command: 'import', args: { path: out, fingerprint: made.fingerprint }, user: OS_USER },
      () => {},
      stopped.signal,
    ).catch(() => 'stopped')
    await expect
      .poll(() => target.rows('SELECT import_id FROM imports').length, { timeout: patience(60_000), interval: 5 })
      .toBe(1)
    stopped.abort()
    expect(await importing).toBe('stopped')
    // The command ends with its connection, and the station a moment later.
    await expect
      .poll(
        () =>
          target.import(smallOut, smallMade.fingerprint).then(
            () => '',
            (error: Error) => error.message,
          ),
        {
          timeout: patience(30_000),
        },
      )
      .toMatch(/was begun here and is not complete/)
    expect(await target.import(out, made.fingerprint)).toMatchObject({ state: 'made', lists: EMPTY })
  } finally {
    await target.close()
  }
})

it('C8 what is missing in a complete export is named when it is compared', { timeout: patience(60_000) }, async () => {
  const at = small.folder('with a file less')
  cpSync(smallOut, at, { recursive: true })
  const file = path.join(at, firstIn(at), 'data', readdirSync(path.join(at, firstIn(at), 'data'))[1] as string)
  rmSync(file)
  const { compared, lists } = await small.export(at)
  expect(compared).toBe(true)
  expect(lists.missing).toContainEqual(expect.stringContaining(`/data/${path.basename(file)}`))
})

describe('C8 an empty station', () => {
  let station: EmptyStation
  beforeAll(async () => {
    station = await emptyStation()
  }, patience(60_000))
  afterAll(() => station?.close())

  it(`takes ${EVIDENCE} evidences in: three lists empty, all hashes equal`, {
    timeout: patience(300_000),
  }, async () => {
    const report = await station.import(out, made.fingerprint)
    expect(report).toMatchObject({ state: 'made', kind: 'station', problems: [], lists: EMPTY, cases: 2, people: 2 })
    expect(report.evidence).toBe(EVIDENCE + 4)
    const files =
      'SELECT resource_id, evidence_id, name, role, sha256, length FROM resources WHERE sha256 IS NOT NULL ORDER BY resource_id'
    expect(station.rows(files)).toEqual(asThere(files))
    const records =
      'SELECT evidence_id, name, description, custom_fields, lifecycle_state, state, created_utc, concurrency_id FROM evidence ORDER BY evidence_id'
    expect(station.rows(records)).toEqual(asThere(records))
    const kept = 'SELECT evidence_id, kind, reason, set_utc FROM evidence_restrictions ORDER BY restriction_id'
    expect(station.rows(kept)).toEqual(asThere(kept))
    expect(station.rows(kept)).toHaveLength(1)
    for (const text of [
      'SELECT * FROM notes',
      'SELECT * FROM evidence_tags',
      'SELECT name, retention_days FROM categories',
      'SELECT * FROM disclosures',
    ]) {
      expect(station.rows(text)).toEqual(asThere(text))
      expect(station.rows(text)).toHaveLength(1)
    }
    // The list of evidence is made by the station itself.
    const list = 'SELECT evidence_id, name_key, type, length, originals, status FROM evidence_list ORDER BY evidence_id'
    expect(station.rows(list)).toEqual(asThere(list))
  })

  it('I1: leaves in its own ledger what came: begun, every file, every table, made, compared', () => {
    const all = station
      .rows<{ body: Uint8Array }>('SELECT body FROM ledger ORDER BY seq')
      .map(({ body }) => JSON.parse(Buffer.from(body).toString()))
      .filter(({ action }) => action.startsWith('import.'))
    const received = all.filter(({ action }) => action === 'import.received')
    expect(all.filter((entry) => !received.includes(entry))).toMatchObject([
      { action: 'import.begun', detail: { kind: 'station', key: made.fingerprint, entries: made.entries } },
      { action: 'import.made', detail: { kind: 'station', key: made.fingerprint, entries: made.entries } },
      { action: 'import.compared', outcome: 'ok', detail: { changed: 0, missing: 0, untracked: 0 } },
    ])
    const sum = (of: (entry: (typeof received)[0]) => number | undefined): number =>
      received.reduce((total, entry) => total + (of(entry) ?? 0), 0)
    const [blobs] = station.rows<{ n: number; bytes: number }>('SELECT count(*) AS n, sum(length) AS bytes FROM blobs')
    expect([sum(({ detail }) => detail.files), sum(({ bytes }) => bytes)]).toEqual([blobs?.n, blobs?.bytes])
    const [evidence] = station.rows<{ n: number }>('SELECT count(*) AS n FROM evidence')
    // A table of many rows is stated in several entries.
    const rowsOf = (table: string): number => sum(({ detail }) => (detail.table === table ? detail.rows : 0))
    expect([rowsOf('evidence'), rowsOf('cases')]).toEqual([evidence?.n, 2])
  })

  it('keeps the other ledger byte for byte beside its own, and can verify it', {
    timeout: patience(60_000),
  }, async () => {
    const there = asThere<{ body: Uint8Array }>(`SELECT body FROM ledger WHERE seq <= ${made.entries} ORDER BY seq`)
    const here = station.rows<{ body: Uint8Array }>('SELECT body FROM imported_entries ORDER BY seq')
    expect(here).toHaveLength(made.entries)
    expect(here.map(({ body }) => Buffer.from(body).toString())).toEqual(
      there.map(({ body }) => Buffer.from(body).toString()),
    )
    const [found] = await station.command<VerifiedImport[]>('imports.verify')
    expect(found).toMatchObject({ origin: made.origin, entries: made.entries, problems: [] })
    const [last] = station.rows<{ body: Uint8Array }>('SELECT body FROM ledger ORDER BY seq DESC LIMIT 1')
    expect(JSON.parse(Buffer.from(last?.body ?? []).toString())).toMatchObject({
      action: 'import.verified',
      outcome: 'ok',
      detail: { imports: 1, problems: 0 },
    })
  })

  it('verifies: its own ledger says where everything came from', { timeout: patience(60_000) }, async () => {
    const verified = await station.command<{ problems: unknown[] }>('verify', { fast: false })
    expect(verified.problems).toEqual([])
    const [entry] = station.rows<{ body: Uint8Array }>(
      `SELECT body FROM ledger WHERE object_type = 'evidence' AND object_id = '${world.evidence.inBoth}' ORDER BY seq`,
    )
    expect(JSON.parse(Buffer.from(entry?.body ?? '').toString())).toMatchObject({
      action: 'evidence.imported',
      detail: { origin: made.origin, sourceId: world.evidence.inBoth },
    })
  })

  it('takes the same export in once', { timeout: patience(60_000) }, async () => {
    const report = await station.import(out, made.fingerprint)
    expect(report).toMatchObject({ state: 'here', lists: EMPTY })
  })

  it('lets people in with a new password', async () => {
    await station.command('user.reset', { username: 'sergeant', password: 'ten ropes by the harbour' })
    const [row] = station.rows<{ password_hash: string | null }>(
      "SELECT password_hash FROM principals WHERE name = 'sergeant'",
    )
    expect(row?.password_hash).not.toBeNull()
  })

  it('gives new records numbers behind those that came', async () => {
    const [{ most } = { most: 0 }] = station.rows<{ most: number }>('SELECT max(evidence_id) AS most FROM evidence')
    const file = path.join(world.folder('after'), 'after.txt')
    writeFileSync(file, 'after the import\n')
    const { ingested } = await station.command<{ ingested: { evidenceId: string }[] }>('ingest', {
      paths: [file],
      case: null,
    })
    expect(Number(ingested[0]?.evidenceId)).toBeGreaterThan(most)
  })

  it('that is not empty any more takes no other export', async () => {
    await expect(station.import(smallOut, smallMade.fingerprint)).rejects.toMatchObject({ code: 'StationNotEmpty' })
  })
})

it('C8 an export into a folder that is not there, or into which another one goes, is refused', {
  timeout: patience(60_000),
}, async () => {
  await expect(small.export(path.join(small.given.dir, 'nowhere'))).rejects.toThrow(/There is no folder/)
  const to = small.folder('twice')
  const ended = await Promise.allSettled([small.export(to), small.export(to)])
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'PackageInProgress', message: expect.stringContaining('An export into this folder') },
  })
})

it('C8 a station that somebody begins to use while an export comes in keeps what is theirs, and takes in none of it', {
  tags: ['merge'],
  timeout: patience(120_000),
}, async () => {
  const station = await emptyStation()
  try {
    const file = path.join(world.folder('meanwhile'), 'theirs.txt')
    writeFileSync(file, 'made meanwhile\n')
    const importing = station.import(out, made.fingerprint).then(
      () => null,
      (error: unknown) => error,
    )
    // Its bytes come first, and its records at the end.
    await expect
      .poll(() => station.rows('SELECT import_id FROM imports').length, { timeout: patience(60_000), interval: 5 })
      .toBe(1)
    await station.command('ingest', { paths: [file], case: null })
    expect(await importing).toMatchObject({ code: 'StationNotEmpty', message: expect.stringContaining('1 evidence') })
    expect(station.rows('SELECT name FROM resources WHERE parent_id IS NULL')).toEqual([{ name: 'theirs.txt' }])
    expect(station.rows("SELECT import_id FROM imports WHERE state = 'Made'")).toEqual([])
  } finally {
    await station.close()
  }
})

const firstIn = (folder: string): string =>
  readdirSync(folder).find((name) => name.startsWith('Burglary') && !name.includes('.')) as string
const station = (at: string, file = ''): string => path.join(at, 'station', file)

interface Altered {
  readonly what: string
  readonly alter: (at: string) => void
  readonly says: RegExp
}

const ALTERED: readonly Altered[] = [
  {
    what: 'a forged ledger',
    alter: (at) => edit(station(at, 'meta/ledger.0001.jsonl'), '"outcome":"ok"', '"outcome":"no"'),
    says: /station\/meta\/ledger\.0001\.jsonl: it was changed/,
  },
  {
    what: 'a forged ledger, signed again with the key for packages',
    alter: (at) => {
      edit(station(at, 'meta/ledger.0001.jsonl'), '"outcome":"ok"', '"outcome":"no"')
      signAgain(station(at), key)
    },
    says: /the ledger: it is not the ledger whose head the station signed/,
  },
  {
    what: 'a ledger that ends early, signed again',
    alter: (at) => {
      edit(station(at, 'meta/ledger.0001.jsonl'), /\n[^\n]*\n$/, '\n')
      signAgain(station(at), key)
    },
    says: /the ledger: it is not the ledger/,
  },
  {
    what: 'a tree head of another size, signed again',
    alter: (at) => {
      edit(station(at, 'meta/station.json'), /"entries": \d+/, '"entries": 7')
      signAgain(station(at), key)
    },
    says: /station\/meta\/station\.json: it does not fit the signed tree head/,
  },
  {
    what: 'entries in another order, signed again',
    alter: (at) => {
      edit(station(at, 'meta/ledger.0001.jsonl'), /^([^\n]*\n)([^\n]*\n)/, '$2$1')
      signAgain(station(at), key)
    },
    says: /the ledger: Entry 2 stands where entry 1 belongs/,
  },
  ...['"type":7,"id":"1"', '"type":"case","id":7'].map((object) => ({
    what: `an entry about {${object}}, signed again`,
    alter: (at: string) => {
      edit(station(at, 'meta/ledger.0001.jsonl'), /"object":\{[^}]*\}/, `"object":{${object}}`)
      signAgain(station(at), key)
    },
    says: /the ledger: A line of meta\/ledger\.0001\.jsonl is no entry/,
  })),
  {
    what: 'an entry without its number, signed again',
    alter: (at) => {
      edit(station(at, 'meta/ledger.0001.jsonl'), /"seq":\d+/, '"seq":"1"')
      signAgain(station(at), key)
    },
    says: /the ledger: A line of meta\/ledger\.0001\.jsonl is no entry/,
  },
  {
    what: 'a blob that is listed twice, signed again',
    alter: (at) => {
      edit(station(at, 'meta/blobs.jsonl'), /^([^\n]*\n)/, '$1$1')
      signAgain(station(at), key)
    },
    says: /meta\/blobs\.jsonl: [0-9a-f]{64} is listed twice/,
  },
  {
    what: 'a record that was changed',
    alter: (at) => edit(station(at, 'data/evidence.0001.jsonl'), 'Shop camera', 'Shop Camera'),
    says: /station\/data\/evidence\.0001\.jsonl: it was changed/,
  },
  {
    what: 'a package with a file that was changed',
    alter: (at) => {
      const file = path.join(at, firstIn(at), 'data', readdirSync(path.join(at, firstIn(at), 'data'))[1] as string)
      truncateSync(file, 1)
    },
    says: /Burglary.*\/data\/.*: it was changed/,
  },
  {
    what: 'a package with a file that is a link',
    alter: (at) => {
      const file = path.join(at, firstIn(at), 'data', readdirSync(path.join(at, firstIn(at), 'data'))[1] as string)
      rmSync(file)
      symlinkSync('/etc/hostname', file)
    },
    says: /Burglary.*\/data\/.*: it is missing/,
  },
  {
    what: 'a package that is missing',
    alter: (at) => rmSync(path.join(at, firstIn(at)), { recursive: true }),
    says: /Burglary/,
  },
  {
    what: 'a package of the same station that belongs to another case',
    alter: (at) => {
      const other = readdirSync(at).find((name) => name.startsWith('Other') && !name.includes('.')) as string
      const to = path.join(at, firstIn(at))
      rmSync(to, { recursive: true })
      cpSync(path.join(at, other), to, { recursive: true })
    },
    says: /it is not the package that the export names/,
  },
  {
    what: 'a file beside that no list names',
    alter: (at) => writeFileSync(path.join(at, 'more.txt'), 'more'),
    says: /more\.txt: it was added/,
  },
  {
    what: 'a file in the station part that no list names',
    alter: (at) => writeFileSync(station(at, 'data/more.jsonl'), '{}\n'),
    says: /station\/data\/more\.jsonl: it was added/,
  },
  {
    what: 'a place of a blob outside of the export, signed again',
    alter: (at) => {
      edit(station(at, 'meta/blobs.jsonl'), /"at":\["[^"]*"/, '"at":["../../etc/passwd"')
      signAgain(station(at), key)
    },
    says: /station\/meta\/blobs\.jsonl: a line of it names no blob/,
  },
  {
    what: 'a place of a blob that holds another one, signed again',
    alter: (at) => {
      const text = readFileSync(station(at, 'meta/blobs.jsonl'), 'utf8').split('\n')
      const [one, two] = text as [string, string]
      writeFileSync(
        station(at, 'meta/blobs.jsonl'),
        [one.replace(/"at":.*/, two.slice(two.indexOf('"at":'))), ...text.slice(1)].join('\n'),
      )
      signAgain(station(at), key)
    },
    says: /is not listed with the hash/,
  },
  {
    what: 'the name of a package that leads out of the export, signed again',
    alter: (at) => {
      edit(station(at, 'meta/station.json'), /"folder": "[^"]*"/, '"folder": "../out"')
      signAgain(station(at), key)
    },
    says: /station\/meta\/station\.json: it is not the description of an export: packages\.0\.folder/,
  },
  {
    what: 'a table that no export carries, signed again',
    alter: (at) => {
      edit(station(at, 'meta/station.json'), '"tables": {', '"tables": { "sessions": { "rows": 0, "files": [] },')
      signAgain(station(at), key)
    },
    says: /there is a table sessions in it that no export carries/,
  },
  {
    what: 'a row that is none, signed again',
    alter: (at) => {
      edit(station(at, 'data/evidence.0001.jsonl'), /^\{/, '{"a":{"b":1},')
      signAgain(station(at), key)
    },
    says: /the table evidence: A line of .* is no row/,
  },
  {
    what: 'a row fewer, signed again',
    alter: (at) => {
      edit(station(at, 'data/evidence.0001.jsonl'), /^[^\n]*\n/, '')
      signAgain(station(at), key)
    },
    says: /the table evidence: it has \d+ rows, and should have \d+/,
  },
]

describe('C8 an import of', () => {
  let target: EmptyStation
  beforeAll(async () => {
    target = await emptyStation()
  }, patience(60_000))
  afterAll(() => target?.close())

  for (const { some, tags } of sampled(ALTERED, 3))
    it.each(some)(
      '$what is refused, and nothing is taken in',
      { tags, timeout: patience(60_000) },
      async ({ alter, says, what }) => {
        const at = path.join(small.given.dir, `altered ${ALTERED.findIndex((one) => one.what === what)}`)
        mkdirSync(at)
        cpSync(smallOut, at, { recursive: true })
        alter(at)
        const report = await target.import(at, smallMade.fingerprint)
        expect(report.state).toBe('refused')
        expect(report.problems.map(({ where, text }) => `${where}: ${text}`).join('\n')).toMatch(says)
        expect(target.rows<{ n: number }>(NOTHING_HERE).map(({ n }) => Number(n))).toEqual([0, 0])
        rmSync(at, { recursive: true })
      },
    )

  it('an export whose fingerprint nobody confirmed is refused, and told', async () => {
    await expect(target.import(smallOut, null)).rejects.toMatchObject({
      code: 'FingerprintNeeded',
      message: expect.stringContaining(smallMade.fingerprint),
    })
  })

  it('an export under another fingerprint is refused, and nothing of it is read', async () => {
    const report = await target.import(smallOut, 'ab'.repeat(32))
    expect(report).toMatchObject({ state: 'refused', origin: null })
    expect(report.problems.map(({ text }) => text).join()).toMatch(/somebody else made this package/)
  })

  it('a file that is changed after it was verified is not read', async () => {
    const at = path.join(small.given.dir, 'changed later')
    cpSync(smallOut, at, { recursive: true })
    const { signal } = new AbortController()
    const { problems, opened } = await verifyExport(at, {
      fingerprint: smallMade.fingerprint,
      signal,
      onProgress: () => {},
    })
    expect(problems).toEqual([])
    edit(station(at, 'data/evidence.0001.jsonl'), 'Shop camera', 'Shop Camera')
    await expect(opened?.part('data/evidence.0001.jsonl')).rejects.toThrow(/is not the file that was signed/)
    await expect(opened?.part('data/nothing.jsonl')).rejects.toThrow(/is not the file that was signed/)
    await expect(opened?.part('../../../etc/hostname')).rejects.toThrow(/is not the file that was signed/)
  })

  it.each([
    { what: 'records of another schema', from: /"schema": \d+/, to: '"schema": 12', says: /records of schema 12/ },
    { what: 'another tenant', from: /"tenant": "[^"]*"/, to: '"tenant": "harbour"', says: /SALLYPORT_TENANT=harbour/ },
  ])(
    'an export of $what is refused, with what to do',
    { timeout: patience(60_000) },
    async ({ what, from, to, says }) => {
      const at = path.join(small.given.dir, what)
      cpSync(smallOut, at, { recursive: true })
      edit(station(at, 'meta/station.json'), from, to)
      signAgain(station(at), key)
      await expect(target.import(at, smallMade.fingerprint)).rejects.toMatchObject({
        code: 'ImportUnsuitable',
        message: expect.stringMatching(says),
      })
    },
  )

  it.each([
    { what: 'a column more', from: /^\{/, to: '{"more":1,' },
    { what: 'another column', from: /^\{"[a-z_]+":/, to: '{"more":' },
  ])(
    'rows with $what is refused, and nothing is taken in',
    { tags: ['merge'], timeout: patience(60_000) },
    async ({ what, from, to }) => {
      const other = await emptyStation()
      try {
        const at = path.join(small.given.dir, `rows with ${what}`)
        cpSync(smallOut, at, { recursive: true })
        edit(station(at, 'data/categories.0001.jsonl'), from, to)
        signAgain(station(at), key)
        await expect(other.import(at, smallMade.fingerprint)).rejects.toThrow(/A row of categories has other columns/)
        expect(other.rows('SELECT evidence_id FROM evidence')).toEqual([])
      } finally {
        await other.close()
      }
    },
  )

  it('two exports at once: the second is refused', { tags: ['merge'], timeout: patience(60_000) }, async () => {
    const other = await emptyStation()
    try {
      const both = await Promise.allSettled([
        other.import(smallOut, smallMade.fingerprint),
        other.import(smallOut, smallMade.fingerprint),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'ImportUnfinished', message: expect.stringContaining('under way already') },
      })
    } finally {
      await other.close()
    }
  })

  it('an export where too little room would be left is refused before anything is taken in', {
    tags: ['merge'],
    timeout: patience(60_000),
  }, async () => {
    const other = await emptyStation({ minFreeBytes: 1e15 })
    try {
      await expect(other.import(smallOut, smallMade.fingerprint)).rejects.toThrow(/floor|free|room/i)
      expect(other.rows('SELECT import_id FROM imports')).toEqual([])
    } finally {
      await other.close()
    }
  })

  it('an export of the station itself is refused', async () => {
    await expect(
      small.given.command('import', { path: smallOut, fingerprint: smallMade.fingerprint }),
    ).rejects.toMatchObject({
      code: 'ImportUnsuitable',
    })
  })
})
