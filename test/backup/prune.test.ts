/** Older snapshots go by the rule, and blobs with the last snapshot that names them; nothing else goes. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backupFolder } from '../../server/features/integrity/backup/folder.ts'
import { pruneFolder } from '../../server/features/integrity/backup/prune.ts'
import { snapshotName } from '../../shared/integrity/kept-snapshots.ts'
import { sha256Of } from '../support/given.ts'
import { blobIn, snapshotsOf } from './world.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T12:00:00Z')
let dir: string
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sallyport-prune-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** One snapshot each day; the n-th names blobs n to n + 2, and one that all of them name. */
function folderOf(name: string, days: number, more: (at: string, day: number) => void = () => {}) {
  const folder = backupFolder(path.join(dir, name))
  const hashes = (day: number): string[] => [day, day + 1, day + 2, -1].map((one) => sha256Of(`blob ${one}`))
  for (let day = 0; day < days; day++) {
    const at = path.join(folder.snapshots, snapshotName(NOW - day * DAY))
    mkdirSync(at, { recursive: true })
    const named = hashes(day).sort()
    const list = named.map((sha256) => `${sha256} 4\n`).join('')
    writeFileSync(path.join(at, 'blobs.txt'), list)
    writeFileSync(path.join(at, 'manifest.json'), JSON.stringify({ blobs: { list: { length: list.length } } }))
    for (const sha256 of named) {
      mkdirSync(path.dirname(blobIn(folder.path, sha256)), { recursive: true })
      writeFileSync(blobIn(folder.path, sha256), 'blob')
    }
    more(at, day)
  }
  return { folder, hashes }
}

it('keeps blobs that a kept snapshot names, and removes the others', async () => {
  const { folder, hashes } = folderOf('rule', 60)
  const done = await pruneFolder(folder)
  const kept = snapshotsOf(folder.path)
  expect([done.snapshots + kept.length, kept.length < 12]).toEqual([60, true])
  const days = Array.from({ length: 60 }, (_, day) => day)
  const isKept = (day: number): boolean => kept.includes(snapshotName(NOW - day * DAY))
  const needed = new Set(days.filter(isKept).flatMap(hashes))
  let removed = 0
  for (const sha256 of new Set(days.flatMap(hashes))) {
    expect(existsSync(blobIn(folder.path, sha256))).toBe(needed.has(sha256))
    if (!needed.has(sha256)) removed += 1
  }
  expect(done.blobs).toBe(removed)
  expect(removed).toBeGreaterThan(10)
  expect(readdirSync(folder.snapshots).filter((name) => name.startsWith('.'))).toEqual([])
  expect(await pruneFolder(folder)).toEqual({ snapshots: 0, blobs: 0 })
})

it('never lets the last one with keys go', async () => {
  const { folder } = folderOf('keys', 30, (at, day) => {
    if (day === 19 || day === 25) writeFileSync(path.join(at, 'keys.sealed'), 'x')
  })
  await pruneFolder(folder)
  const kept = snapshotsOf(folder.path)
  expect([19, 25].map((day) => kept.includes(snapshotName(NOW - day * DAY)))).toEqual([true, false])
})

it.each<[string, (list: string) => string]>([
  ['cannot be read', () => 'zz\n'],
  ['was cut between two lines', (list) => list.slice(0, list.length / 2)],
  ['is empty', () => ''],
])('removes no blob while a list of a kept snapshot %s', async (how, change) => {
  const { folder, hashes } = folderOf(how, 30, (at, day) => {
    const file = path.join(at, 'blobs.txt')
    if (day === 1) writeFileSync(file, change(readFileSync(file, 'utf8')))
  })
  await expect(pruneFolder(folder)).rejects.toThrow(/not as it was written/)
  for (let day = 0; day < 30; day++)
    for (const sha256 of hashes(day)) expect(existsSync(blobIn(folder.path, sha256))).toBe(true)
})
