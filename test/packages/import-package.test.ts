/** C8: a single package of another station is taken in beside what is here, and refused when it does not hold. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '../../server/features/packages/export/import-report.ts'
import type { VerifiedImport } from '../../server/features/packages/export/verify-imports.ts'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { type DisclosureWorld, disclosureStation } from '../api/disclosure/world.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { patience } from '../support/scale.ts'
import { textOfKey } from '../support/station-keys.ts'
import { edit, emptyStation, signAgain } from './export-world.ts'

let world: DisclosureWorld
let here: Given
let made: MadePackage
let evidence: string
/** With which somebody signs what they altered. */
let key = ''
beforeAll(async () => {
  world = await disclosureStation({ fresh: true })
  here = await givenStation({ fresh: true })
  evidence = await world.add('Stop at Quay Road', ['one.txt', 'Übersicht <b>.txt'])
  const caseId = await world.newCase('Burglary')
  await world.link(caseId, evidence)
  made = await world.make(caseId, { variant: 'court' })
  key = await textOfKey(world.given, 'package')
}, patience(120_000))
afterAll(async () => {
  await world?.given.close()
  await here?.close()
})

const take = (from: string, fingerprint: string | null = made.fingerprint): Promise<ImportReport> =>
  here.command('import', { path: from, fingerprint }) as Promise<ImportReport>

let folders = 0
function altered(alter: (at: string) => void): string {
  const at = path.join(world.given.dir, `altered-${++folders}`)
  mkdirSync(at)
  cpSync(made.path, at, { recursive: true })
  alter(at)
  return at
}
const counts = (): number[] =>
  here.database((db) => [
    Number(db.prepare('SELECT count(*) FROM evidence').pluck().get()),
    Number(db.prepare('SELECT count(*) FROM imports').pluck().get()),
    Number(db.prepare('SELECT count(*) FROM imported_entries').pluck().get()),
  ])
const firstFile = (at: string): string => path.join(at, 'data', readdirSync(path.join(at, 'data'))[1] as string)

const REFUSED: readonly { readonly what: string; readonly alter: (at: string) => void; readonly says: RegExp }[] = [
  {
    what: 'with a file that was changed',
    alter: (at) => truncateSync(firstFile(at), 1),
    says: /data\/.*: it was changed/,
  },
  { what: 'with a file that is missing', alter: (at) => rmSync(firstFile(at)), says: /data\/.*: it is missing/ },
  { what: 'with a file more', alter: (at) => writeFileSync(path.join(at, 'data', 'x.txt'), ''), says: /it was added/ },
  {
    what: 'with another line of the ledger, signed again',
    alter: (at) => {
      edit(path.join(at, 'meta/custody.jsonl'), '"outcome":"ok"', '"outcome":"no"')
      signAgain(at, key)
    },
    says: /its line is not the one of the ledger/,
  },
  {
    what: 'with an item that leads out of it, signed again',
    alter: (at) => {
      edit(path.join(at, 'meta/items.json'), /"path":"data\/[^"]*"/, '"path":"data/../../secret"')
      signAgain(at, key)
    },
    says: /meta\/items\.json: it is no list of items/,
  },
  {
    what: 'with an item under the hash of another one, signed again',
    alter: (at) => {
      edit(path.join(at, 'meta/items.json'), /"sha256":"[0-9a-f]{64}"/, `"sha256":"${'0'.repeat(64)}"`)
      signAgain(at, key)
    },
    says: /is listed with another hash/,
  },
  {
    what: 'whose list of items is no JSON, signed again',
    alter: (at) => {
      writeFileSync(path.join(at, 'meta/items.json'), '['.repeat(100_000))
      signAgain(at, key)
    },
    says: /meta\/items\.json: /,
  },
]

describe('C8 a package of another station', () => {
  it.each(REFUSED)('$what is refused before anything of it is shown', async ({ alter, says }) => {
    const at = altered(alter)
    const report = await take(at)
    expect(report.state).toBe('refused')
    expect(report.problems.map(({ where, text }) => `${where}: ${text}`).join('\n')).toMatch(says)
    expect(counts()).toEqual([0, 0, 0])
    expect(here.ledger().at(-1)).toMatchObject({ action: 'import.refused', outcome: 'failed' })
  })

  it('whose fingerprint nobody confirmed, or another one than it has, is refused', async () => {
    await expect(take(made.path, null)).rejects.toMatchObject({ code: 'FingerprintNeeded' })
    expect(await take(made.path, 'ab'.repeat(32))).toMatchObject({ state: 'refused' })
    expect(counts()).toEqual([0, 0, 0])
  })

  it('is refused where too little room would be left, before anything is taken in', async () => {
    const full = await emptyStation({ minFreeBytes: 1e15 })
    try {
      await expect(full.import(made.path, made.fingerprint)).rejects.toThrow(/disk is full/)
      expect(full.rows('SELECT import_id FROM imports')).toEqual([])
    } finally {
      await full.close()
    }
  })

  it('is no package of the station itself', async () => {
    await expect(
      world.given.command('import', { path: made.path, fingerprint: made.fingerprint }),
    ).rejects.toMatchObject({ code: 'ImportUnsuitable' })
  })

  it('is taken in as evidence that names its station, with the hashes that it had there', async () => {
    const report = await take(made.path)
    expect(report).toMatchObject({ state: 'made', kind: 'package', problems: [], files: 2 })
    const [id] = report.made
    const { Name, SourceId, State } = (await here.expecting(
      200,
      here.call('GET', `${here.documents}/evidence/${id}`, { token: await allSeeing() }),
    )) as Json
    expect({ Name, SourceId, State }).toEqual({
      Name: 'Stop at Quay Road',
      SourceId: `${report.origin}/evidence/${evidence}`,
      State: 'UserCompleted',
    })
    const files = 'SELECT sha256 FROM resources WHERE role = ? ORDER BY sha256'
    const hashes = (given: Given): unknown[] => given.database((db) => db.prepare(files).pluck().all('original'))
    expect(hashes(here)).toEqual(hashes(world.given))
    const ofImport = here.ledger().filter(({ action }) => /^import\.(?:begun|made)$/.test(action))
    expect(ofImport.map(({ action, detail }) => [action, (detail as Json).kind])).toEqual([
      ['import.begun', 'package'],
      ['import.made', 'package'],
    ])
    const actions = here.ledger().filter(({ object }) => object.type === 'evidence' && object.id === id)
    expect(actions.map(({ action }) => action)).toContain('evidence.imported')
  })

  it('keeps its lines of the other ledger byte for byte, provable under the signed tree head', async () => {
    const lines = readFileSync(path.join(made.path, 'meta/custody.jsonl'), 'utf8').split('\n').slice(0, -1)
    const kept = here.database(
      (db) => db.prepare('SELECT body FROM imported_entries ORDER BY seq').pluck().all() as Uint8Array[],
    )
    expect(kept.map((body) => Buffer.from(body).toString())).toEqual(lines)
    const [found] = (await here.command('imports.verify', {})) as VerifiedImport[]
    expect(found).toMatchObject({ kind: 'package', entries: lines.length, problems: [] })
    expect((await here.command('verify', { fast: false })).problems).toEqual([])
  })

  it('is taken in once, and so is its evidence in another package', async () => {
    const before = counts()
    expect(await take(made.path)).toMatchObject({ state: 'here' })
    const another = await world.make(await caseWith(), { variant: 'prosecution' })
    const report = (await here.command('import', {
      path: another.path,
      fingerprint: another.fingerprint,
    })) as ImportReport
    expect(report).toMatchObject({ made: [], alreadyHere: [{ sourceId: evidence }] })
    expect(counts()[0]).toBe(before[0])
  })

  it.each([
    { what: 'has no proof', alter: () => null },
    { what: 'has the proof of another number', alter: (proof: string) => proof.replace(/^\d+/, '999999') },
    {
      what: 'has a proof under a tree of another size',
      alter: (proof: string) => proof.replace(/^(\d+ \d+ )\d+/, '$1999999'),
    },
    {
      what: 'has a proof that leads elsewhere',
      alter: (proof: string) => proof.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    },
  ])('is found when one of its lines $what', async ({ alter }) => {
    const { seq, proof } = here.database((db) =>
      db.prepare('SELECT seq, proof FROM imported_entries WHERE import_id = 1 ORDER BY seq').get(),
    ) as { readonly seq: number; readonly proof: string }
    const set = (to: string | null) =>
      here.meddle((db) =>
        db.prepare('UPDATE imported_entries SET proof = ? WHERE import_id = 1 AND seq = ?').run(to, seq),
      )
    expect(alter(proof)).not.toBe(proof)
    await set(alter(proof))
    const [found] = (await here.command('imports.verify', {})) as VerifiedImport[]
    await set(proof)
    expect(found?.problems).toEqual([expect.stringMatching(/^Entry \d+ is not under the tree head/)])
  })

  it('is found when one of its lines was given another number here', async () => {
    const last = () =>
      here.database(
        (db) => db.prepare('SELECT max(seq) FROM imported_entries WHERE import_id = 1').pluck().get() as number,
      )
    const seq = last()
    const set = (from: number, to: number) =>
      here.meddle((db) =>
        db.prepare('UPDATE imported_entries SET seq = ? WHERE import_id = 1 AND seq = ?').run(to, from),
      )
    await set(seq, seq + 1)
    const [found] = (await here.command('imports.verify', {})) as VerifiedImport[]
    await set(seq + 1, seq)
    expect(found?.problems).toEqual([`Entry ${seq + 1} is not under the tree head that the station signed.`])
  })

  it('is found when one of its lines was changed here', async () => {
    const [first] = here.database(
      (db) => db.prepare('SELECT min(seq) FROM imported_entries WHERE import_id = 1').pluck().all() as number[],
    )
    await here.meddle((db) =>
      db.prepare('UPDATE imported_entries SET body = ? WHERE import_id = 1 AND seq = ?').run(Buffer.from('{}'), first),
    )
    const [found] = (await here.command('imports.verify', {})) as VerifiedImport[]
    expect(found?.problems).toEqual([expect.stringMatching(/^Entry \d+ is not under the tree head/)])
  })
})

async function caseWith(): Promise<string> {
  const caseId = await world.newCase('Again')
  await world.link(caseId, evidence)
  return caseId
}

let token: string | null = null
async function allSeeing(): Promise<string> {
  const { signIn } = await import('../support/integrator.ts')
  token ??= await signIn(await here.integration('all', ['AccessUnassociatedFiles:Manage']), here.url)
  return token
}
