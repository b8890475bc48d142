/** C8: an export or an import that is killed, runs out of room, or finds bytes that are lost: nothing incomplete looks complete, and the next run goes on. */
// @module-tag merge
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ExportReport } from '../../server/features/packages/export/export.service.ts'
import type { ImportReport } from '../../server/features/packages/export/import-report.ts'
import { filesIn, makePlace, type Place, rows, running, say, start, succeedIn } from '../cli/world.ts'
import { patience, scale } from '../support/scale.ts'

const MIB = 1024 * 1024
const FILES = 24
const EACH = 4 * MIB
const KILLS = scale(3, 20)
const EMPTY = { changed: [], missing: [], untracked: [] }

let place: Place
/** Of an undisturbed run, in milliseconds. */
let usual = { export: 0, import: 0 }
let whole: string
let fingerprint = ''
const hashes: string[] = []

const exportTo = (to: string) => say(['export', '--to', to, '--json'], { data: place.data })
const importInto = (data: string, from: string) =>
  say(['import', from, '--fingerprint', fingerprint, '--json'], { data })
const report = <T>(stdout: string): T => JSON.parse(stdout) as T

beforeAll(async () => {
  place = makePlace('export')
  const media = place.folder('media')
  for (let no = 1; no <= FILES; no++) writeFileSync(path.join(media, `camera ${no}.bin`), randomBytes(EACH))
  await succeedIn(place.data, ['ingest', media])
  rmSync(media, { recursive: true })
  whole = place.folder('whole')
  let since = performance.now()
  const made = await exportTo(whole)
  expect(made.code, made.stderr).toBe(0)
  usual = { ...usual, export: performance.now() - since }
  ;({ fingerprint } = report<ExportReport>(made.stdout))
  since = performance.now()
  const taken = await importInto(place.path('first'), whole)
  expect(taken.code, taken.stderr).toBe(0)
  usual = { ...usual, import: performance.now() - since }
  hashes.push(...blobsIn(place.data))
}, patience(180_000))
afterAll(() => place?.remove())

const blobsIn = (data: string): string[] =>
  rows<{ sha256: string }>(data, 'SELECT sha256 FROM resources WHERE sha256 IS NOT NULL ORDER BY resource_id').map(
    ({ sha256 }) => sha256,
  )

/** A kill may come before the tables of a new database are committed. */
const hasSchema = (data: string): boolean =>
  existsSync(path.join(data, 'sallyport.db')) &&
  rows(data, "SELECT name FROM sqlite_schema WHERE name = 'resources'").length > 0

/** Blobs that the import has committed. */
const received = (data: string): number => {
  try {
    return rows(data, 'SELECT sha256 FROM blobs').length
  } catch {
    // There is no database yet.
    return 0
  }
}

async function until(is: () => boolean): Promise<void> {
  const end = performance.now() + patience(30_000)
  while (!is()) {
    if (performance.now() > end) throw new Error('it never came so far')
    await pause(5)
  }
}

describe('C8 an export that is killed', () => {
  it(`at ${KILLS} moments never looks complete, and the next run goes on`, {
    timeout: KILLS * patience(90_000),
  }, async () => {
    let resumed = 0
    for (let round = 0; round < KILLS; round++) {
      const out = place.folder(`out-${round}`)
      const station = round % 2 === 1 ? await running(place.data) : null
      const command = start(['export', '--to', out], { data: place.data })
      await until(() => readdirSync(out).length > 0)
      if (round === 0) await until(() => filesIn(out).length >= 5)
      else await pause(randomInt(0, Math.max(2, Math.round(usual.export * 0.8))))
      if (station === null) command.child.kill('SIGKILL')
      else await station.kill()
      const { code } = await command.ended
      const looksComplete = existsSync(path.join(out, 'station'))
      if (!looksComplete && code !== 0) {
        const early = await importInto(place.path(`early-${round}`), out)
        expect(early.code, early.stdout).not.toBe(0)
      }
      const again = await exportTo(out)
      expect(again.code, again.stderr).toBe(0)
      const made = report<ExportReport>(again.stdout)
      expect(made.lists).toEqual(EMPTY)
      resumed += made.resumed
      expect(readdirSync(out).filter((name) => name.endsWith('.unfinished'))).toEqual([])
      rmSync(out, { recursive: true })
    }
    expect(resumed).toBeGreaterThan(0)
  })
})

describe('C8 an import that is killed', () => {
  it(`at ${KILLS} moments leaves all records or none, and the next run goes on`, {
    timeout: KILLS * patience(90_000),
  }, async () => {
    let resumed = 0
    for (let round = 0; round < KILLS; round++) {
      const data = place.path(`in-${round}`)
      const command = start(['import', whole, '--fingerprint', fingerprint], { data })
      if (round === 0) await until(() => received(data) > 0)
      else await pause(randomInt(Math.round(usual.import * 0.2), Math.round(usual.import * 1.05)))
      command.child.kill('SIGKILL')
      await command.ended
      if (hasSchema(data) && blobsIn(data).length > 0) expect(blobsIn(data)).toEqual(hashes)
      const again = await importInto(data, whole)
      expect(again.code, again.stderr).toBe(0)
      const taken = report<ImportReport>(again.stdout)
      expect(taken.lists).toEqual(EMPTY)
      resumed += taken.resumed
      expect(blobsIn(data)).toEqual(hashes)
      const verified = await say(['verify'], { data })
      expect(verified.code, verified.stdout).toBe(0)
      rmSync(data, { recursive: true })
    }
    expect(resumed).toBeGreaterThan(0)
  })
})

describe('C8 a station that lost bytes', () => {
  it(
    'is exported with all else, and the lists name what is missing and what is changed',
    async () => {
      const data = place.path('lossy')
      expect((await importInto(data, whole)).code).toBe(0)
      const [lost, damaged] = [hashes[3] as string, hashes[7] as string]
      const blob = (sha256: string): string =>
        filesIn(path.join(data, 'blobs'))
          .map((name) => path.join(data, 'blobs', name))
          .find((name) => name.includes(sha256)) as string
      rmSync(blob(lost))
      truncateSync(blob(damaged), 100)
      const out = place.folder('lossy-out')
      const { code, stdout, stderr } = await say(['export', '--to', out, '--json'], { data })
      expect(code, stderr).toBe(1)
      const made = report<ExportReport>(stdout)
      expect(made.lists.missing).toEqual([expect.stringContaining(lost)])
      expect(made.lists.changed).toEqual([expect.stringContaining(damaged)])
      expect(made.lists.untracked).toEqual([])
      expect(made.blobs).toBe(FILES - 2)
      const taken = await say(['import', out, '--fingerprint', made.fingerprint, '--json'], {
        data: place.path('after'),
      })
      expect(taken.code).toBe(1)
      expect(report<ImportReport>(taken.stdout)).toMatchObject({
        state: 'made',
        evidence: FILES,
        lists: { missing: [expect.stringContaining(lost)], changed: [expect.stringContaining(damaged)], untracked: [] },
      })
    },
    patience(120_000),
  )
})

const isRoot = process.getuid?.() === 0
const mount = (mebibytes: number): string => {
  const at = mkdtempSync(path.join(tmpdir(), 'sallyport-volume-'))
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', at]).status).toBe(0)
  onTestFinished(() => {
    spawnSync('umount', ['-l', at])
    rmSync(at, { recursive: true, force: true })
  })
  return at
}

describe.skipIf(!isRoot)(`C8 too little room${isRoot ? '' : ' (skipped: only root mounts a volume)'}`, () => {
  it('for an export is found before anything is written', async () => {
    const at = mount(60)
    const told = () => rows(place.data, "SELECT seq FROM ledger WHERE object_type = 'export'").length
    const before = told()
    const { code, stderr } = await exportTo(at)
    expect(code).toBe(1)
    // Not even that it began.
    expect(told()).toBe(before)
    expect(stderr).toMatch(/needs \d+ bytes on the volume of .* are free\. Nothing was written\./)
    expect(readdirSync(at)).toEqual([])
  })

  it(
    'that an export finds in its midst is said, and the next run goes on',
    async () => {
      const at = mount(170)
      const command = start(['export', '--to', at], { data: place.data })
      await until(() => filesIn(at).length > 2)
      const filler = path.join(at, 'somebody else')
      spawnSync('sh', ['-c', `dd if=/dev/zero of='${filler}' bs=1M 2>/dev/null`])
      const { code, stderr } = await command.ended
      expect(code).toBe(1)
      expect(stderr).toMatch(/volume.* is full\. Make room, or name another one, and run it again\./)
      expect(existsSync(path.join(at, 'station'))).toBe(false)
      rmSync(filler)
      const again = await exportTo(at)
      expect(again.code, again.stderr).toBe(0)
      expect(report<ExportReport>(again.stdout).lists).toEqual(EMPTY)
    },
    patience(120_000),
  )

  it(
    'C8: a volume that is pulled ends an export with its reason, nothing goes to the disk below it, and back it goes on',
    async () => {
      const volume = mount(170)
      const at = place.folder('socket')
      const plug = (): void => void expect(spawnSync('mount', ['--bind', volume, at]).status).toBe(0)
      const pull = (): void => void spawnSync('umount', ['-l', at])
      plug()
      onTestFinished(pull)
      const command = start(['export', '--to', at], { data: place.data })
      await until(() => filesIn(at).length > 2)
      pull()
      const { code, stderr } = await command.ended
      expect([code, stderr]).toEqual([1, expect.stringMatching(/volume|no folder/i)])
      expect(filesIn(at)).toEqual([])
      expect(existsSync(path.join(volume, 'station'))).toBe(false)
      plug()
      const again = await exportTo(at)
      expect(again.code, again.stderr).toBe(0)
      expect(report<ExportReport>(again.stdout).lists).toEqual(EMPTY)
    },
    patience(120_000),
  )

  it('for an import is found before anything is taken in', async () => {
    const data = path.join(mount(60), 'data')
    const { code, stderr } = await importInto(data, whole)
    expect(code).toBe(1)
    expect(stderr).toMatch(/Nothing was taken in/)
    expect(rows(data, 'SELECT * FROM blobs')).toEqual([])
  })
})
