/** What a package does to the station: entries, rows, and what becomes of one that was not finished. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
beforeAll(async () => {
  world = await packagesStation()
}, 120_000)
afterAll(() => world?.given.close())

const states = (): { name: string; state: string }[] =>
  world.given.database(
    (db) =>
      db.prepare('SELECT name, state FROM packages ORDER BY package_id').all() as { name: string; state: string }[],
  )

it('I1: stands in the custody of each item, with its hash', async () => {
  const before = world.given.ledger().at(-1)?.seq ?? 0
  const made = await world.make(world.folder('acts'))
  const entries = world.given.ledger(before)
  const items = entries.filter(({ action }) => action === 'resource.packaged')
  expect(items).toHaveLength(made.items)
  for (const { sha256, detail } of items)
    expect([sha256?.length, detail?.['packageId'], detail?.['caseId'], detail?.['evidenceId']]).toEqual([
      64,
      made.packageId.split('/').at(-1),
      world.caseId,
      expect.stringMatching(/^\d+$/),
    ])
  expect(entries.map(({ action }) => action).filter((action) => action.startsWith('package.'))).toEqual([
    'package.begun',
    'package.made',
  ])
})

it('leaves evidence in the recycle bin out, and says so', async () => {
  const { given, evidence } = world
  const token = { token: world.token }
  await given.expecting(200, given.call('DELETE', `${given.documents}/evidence/${evidence.statement}`, token))
  try {
    const made = await world.make(world.folder('without'), {
      of: { evidenceIds: [evidence.photo, evidence.statement] },
    })
    expect(made.leftOut).toEqual([{ evidenceId: Number(evidence.statement), title: 'Statement', why: 'deleted' }])
    expect(readdirSync(path.join(made.path, 'data')).filter((name) => name.startsWith('0001'))).toHaveLength(1)
  } finally {
    await given.meddle((db) =>
      db
        .prepare(
          "UPDATE evidence SET lifecycle_state = 'None', deleted_utc = NULL, deleted_by = NULL WHERE evidence_id = ?",
        )
        .run(Number(evidence.statement)),
    )
  }
})

it('of a selection has a list numbered as the package, without a case', async () => {
  const { evidence } = world
  const made = await world.make(world.folder('list'), { of: { evidenceIds: [evidence.photo, evidence.statement] } })
  const csv = readFileSync(path.join(made.path, 'forms/schedule.csv'), 'utf8')
  const [, ...lines] = csv.trim().split(/\r?\n/)
  const named = readdirSync(path.join(made.path, 'data'))
    .map((name) => name.slice(0, 4))
    .filter((no) => no !== '0000')
  expect(lines).toHaveLength(made.items)
  expect(lines.map((line) => line.split(',').slice(0, 2).join())).toEqual(
    [...new Set(named)].sort().map((no) => expect.stringMatching(`"?list"?,"?${Number(no)}"?`)),
  )
  expect(existsSync(path.join(made.path, 'forms/schedule.pdf'))).toBe(true)
  expect((await verifyPackage(made.path)).problems).toEqual([])
})

it('C3: that was recorded and did not get its name any more is finished by the same request', async () => {
  const target = world.folder('cut-off')
  const made = await world.make(target)
  // As if the station had ended between the entry and the name.
  renameSync(made.path, `${made.path}.unfinished`)
  rmSync(path.join(`${made.path}.unfinished`, 'tagmanifest.sig'))
  const again = await world.make(target)
  expect([again.path, again.resumed]).toEqual([made.path, made.items])
  expect((await verifyPackage(again.path)).problems).toEqual([])
  expect(readdirSync(target).sort()).toEqual([path.basename(made.path), `${path.basename(made.path)}.receipt.pdf`])
})

it('C3: files of an interrupted one count only with their bytes', async () => {
  const target = world.folder('altered')
  const made = await world.make(target)
  const unfinished = `${made.path}.unfinished`
  renameSync(made.path, unfinished)
  const [first = '', second = ''] = readdirSync(path.join(unfinished, 'data')).filter(
    (name) => !name.startsWith('0000'),
  )
  writeFileSync(path.join(unfinished, 'data', first), 'short')
  writeFileSync(path.join(unfinished, 'data', 'planted.mp4'), 'x')
  rmSync(path.join(unfinished, 'data', second))
  symlinkSync('/etc/passwd', path.join(unfinished, 'data', second))
  const again = await world.make(target)
  expect(again.resumed).toBe(made.items - 2)
  expect((await verifyPackage(again.path)).problems).toEqual([])
})

it.each([
  ['a folder that is not there', (at: string) => rmSync(at, { recursive: true }), /There is no folder/],
  ['a link in its way', (at: string) => symlinkSync('/tmp', path.join(at, nextName('.unfinished'))), /is in the way/],
  ['something with its name', (at: string) => mkdirSync(path.join(at, nextName())), /There is something at/],
])('refuses %s before anything is written', async (what, prepare, expected) => {
  const target = world.folder(what)
  prepare(target)
  const before = existsSync(target) ? readdirSync(target) : null
  await expect(world.make(target)).rejects.toThrow(expected)
  expect(existsSync(target) ? readdirSync(target) : null).toEqual(before)
  expect(states().at(-1)?.state).toBe('Making')
})

/** Of the package that is made next. */
const nextName = (ending = ''): string =>
  `Burglary-14-Tanner-s-Row-P${String(states().length + 1).padStart(6, '0')}${ending}`

it('ends when evidence is deleted while it is made, and nothing of it is left', async () => {
  const target = world.folder('deleted-meanwhile')
  const { given, evidence } = world
  const before = given.ledger().at(-1)?.seq ?? 0
  // The transaction that records it finds the evidence deleted.
  await given.meddle((db) =>
    db.exec(`CREATE TRIGGER deleted_meanwhile AFTER INSERT ON package_items BEGIN
      UPDATE evidence SET lifecycle_state = 'Deleted' WHERE evidence_id = ${Number(evidence.old)}; END`),
  )
  try {
    await expect(world.make(target)).rejects.toThrow(/was deleted while the package was made/)
  } finally {
    await given.meddle((db) => {
      db.exec('DROP TRIGGER deleted_meanwhile')
      db.prepare("UPDATE evidence SET lifecycle_state = 'None' WHERE evidence_id = ?").run(Number(evidence.old))
    })
  }
  expect(states().at(-1)?.state).toBe('Failed')
  // Nothing went out, and no custody says that it did.
  expect(given.ledger(before).filter(({ action }) => action === 'resource.packaged')).toEqual([])
  // What may not leave any more is on no volume either.
  expect(readdirSync(target)).toEqual([])
})
