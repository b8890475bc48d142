/** Supplementary packages: they hold what was added since an earlier one, and nothing of what that one has. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { media } from '../ui/support/media.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
let first: MadePackage
beforeAll(async () => {
  world = await packagesStation()
  first = await world.make(world.folder('first'), { parts: [] })
}, 120_000)
afterAll(() => world?.given.close())

const numberOf = ({ number }: MadePackage): number => Number(number.slice(1))
const filesIn = ({ path: at }: MadePackage): string[] =>
  readdirSync(path.join(at, 'data')).filter((name) => !name.startsWith('0000'))
const textOf = ({ path: at }: MadePackage, name: string): string => readFileSync(path.join(at, name), 'utf8')
const itemsOf = (made: MadePackage): { no: number; kind: string; parent: number | null; sha256: string }[] =>
  JSON.parse(textOf(made, 'meta/items.json'))
/** Links a new evidence with one file to the case. */
async function added(name: string): Promise<string> {
  const { given, caseId, token } = world
  const { picture } = await media()
  const StartTimeUtc = '2026-11-21T09:00:00Z'
  const { EvidenceId } = await given.evidence({ Name: name, StartTimeUtc })
  await given.completed(Buffer.concat([readFileSync(picture), Buffer.from(name)]), {
    name: `${name}.jpg`,
    evidenceId: EvidenceId,
  })
  await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`))
  await given.settled(EvidenceId)
  const body = { Evidences: [{ EvidenceId }] }
  await given.expecting(204, given.call('POST', `/api/v1/case/station/${caseId}/link-evidences`, { token, body }))
  return EvidenceId
}

describe('a supplementary package', () => {
  it('holds only what was added, numbered on, and names what it supplements', async () => {
    await added('second-camera')
    const second = await world.make(world.folder('second'), { parts: [], supplements: numberOf(first) })
    expect(filesIn(second)).toEqual(['0005_second-camera.jpg'])
    expect((await verifyPackage(second.path)).problems).toEqual([])
    const given = new Set(itemsOf(first).map(({ sha256 }) => sha256))
    for (const { sha256 } of itemsOf(second)) expect(given.has(sha256)).toBe(false)
    const [id, hash] = [first.packageId, first.signedSha256]
    expect(textOf(second, 'bag-info.txt')).toContain(`\nSupplements: ${id}\n`)
    for (const page of ['README.html', 'README.fr.html']) {
      expect(textOf(second, page)).toContain(id)
      expect(textOf(second, page)).toContain(hash)
      expect(textOf(first, page)).not.toContain('tagmanifest-sha256.txt has')
    }
    const paper = execFileSync('pdftotext', ['-raw', `${second.path}.receipt.pdf`, '-'], { encoding: 'utf8' })
    expect(paper.replaceAll(/\s/g, '')).toContain(hash)
    const entry = world.given.ledger().findLast(({ action }) => action === 'package.begun')
    expect(entry?.detail?.['supplements']).toEqual({ package: id, signedSha256: hash })
  })

  it('of a supplementary package leaves out what either of the others has', async () => {
    await added('third-camera')
    const second = await world.make(world.folder('again'), { parts: [], supplements: numberOf(first) })
    expect(filesIn(second).map((name) => name.slice(0, 4))).toEqual(['0005', '0006'])
    await added('fourth-camera')
    const third = await world.make(world.folder('third'), { parts: [], supplements: numberOf(second) })
    expect(filesIn(third)).toEqual(['0007_fourth-camera.jpg'])
  })

  it('has a copy to play of an original that was given, with the number of that one', async () => {
    const copies = await world.make(world.folder('copies'), { parts: ['copies'], supplements: numberOf(first) })
    const made = itemsOf(copies).filter(({ kind }) => kind === 'copy')
    expect(made.length).toBeGreaterThan(0)
    const old = itemsOf(first).find(({ no }) => no === made[0]?.no)
    expect([old?.kind, made[0]?.parent]).toEqual(['original', old?.no])
    expect(filesIn(copies)).not.toContain(filesIn(first)[0])
    expect((await verifyPackage(copies.path)).problems).toEqual([])
  })

  it('that was interrupted is gone on with, and not taken for one that supplements nothing', async () => {
    const target = world.folder('interrupted')
    const made = await world.make(target, { parts: [], supplements: numberOf(first) })
    renameSync(made.path, `${made.path}.unfinished`)
    rmSync(path.join(`${made.path}.unfinished`, 'tagmanifest.sig'))
    // Another package, of which the station knows the same files: what supplements it has the same items, and names that one.
    const twin = await world.make(world.folder('twin'), { of: { caseId: world.caseId }, parts: [] })
    await world.given.meddle((db) =>
      db.prepare('DELETE FROM package_items WHERE package_id = ? AND no > 4').run(numberOf(twin)),
    )
    const ofTwin = await world.make(target, { parts: [], supplements: numberOf(twin) })
    expect([ofTwin.items, ofTwin.resumed]).toEqual([made.items, 0])
    const whole = await world.make(target, { parts: [] })
    expect(whole.resumed).toBe(0)
    const again = await world.make(target, { parts: [], supplements: numberOf(first) })
    expect([again.path, again.resumed]).toEqual([made.path, made.items])
  })
})

describe('is refused, and nothing is written,', () => {
  const refused = async (more: Record<string, unknown>, why: RegExp): Promise<void> => {
    const target = world.folder(`refused-${Math.random()}`)
    await expect(world.make(target, { parts: [], ...more })).rejects.toThrow(why)
    expect(readdirSync(target)).toEqual([])
  }

  it('where nothing was added', async () => {
    const all = await world.make(world.folder('all'), { parts: [] })
    await refused({ supplements: numberOf(all) }, /are in package \d+ or one that it supplements/)
  })

  it('of a package of another case, for somebody else, or that there is not', async () => {
    const of = { caseId: world.otherCase }
    await refused({ of, supplements: numberOf(first) }, /of another case/)
    await refused({ of: { evidenceIds: [world.evidence.photo] }, supplements: numberOf(first) }, /of another case/)
    await refused({ variant: 'defence', supplements: numberOf(first) }, /for prosecution, not for defence/)
    await refused({ supplements: 999_999 }, /There is no package 999999/)
  })

  it('of a package that is not made', async () => {
    const broken = path.join(world.folder('broken'), 'gone')
    await expect(world.make(broken, { parts: [] })).rejects.toThrow()
    expect(existsSync(broken)).toBe(false)
    const making = world.given.database(
      (db) => db.prepare("SELECT package_id FROM packages WHERE state = 'Making'").get() as { package_id: number },
    )
    await refused({ supplements: making.package_id }, /is not made, so nothing can supplement it/)
  })
})
