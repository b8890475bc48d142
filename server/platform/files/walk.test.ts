import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { displayPath } from './names.ts'
import { type FoundFile, walk, type WalkEntry, type WalkLimits, walkWithFolders } from './walk.ts'

function leadsTo(fd: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
  } catch {
    return false
  }
}

describe('walk', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sallyport-walk-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const all = async (limits?: WalkLimits, ...paths: string[]): Promise<WalkEntry[]> => {
    const entries: WalkEntry[] = []
    for await (const entry of walk(paths.length === 0 ? [folder] : paths, limits)) entries.push(entry)
    return entries
  }
  const shown = (entries: WalkEntry[]): string[] =>
    entries.map((entry) => `${entry.kind} ${path.relative(folder, entry.path)}`)

  it('S12 lists skipped entries: links, pipes, devices, missing files', async () => {
    await writeFile(path.join(folder, 'b'), 'bb')
    await mkdir(path.join(folder, 'a'))
    await writeFile(path.join(folder, 'a', 'z'), '')
    await symlink('/', path.join(folder, 'a', 'link'))
    await symlink(path.join(folder, 'b'), path.join(folder, 'c'))
    execFileSync('mkfifo', [path.join(folder, 'd')])
    const entries = await all(undefined, folder, path.join(folder, 'nothing'), '/dev/null')
    expect(shown(entries).slice(0, 6)).toEqual([
      'skipped a/link',
      'file a/z',
      'file b',
      'skipped c',
      'skipped d',
      'skipped nothing',
    ])
    expect(entries.at(-1)).toMatchObject({ kind: 'skipped', reason: 'It is a device, not a file.' })
    expect(entries[2]).toMatchObject({ length: 2, name: 'b' })
  })

  it('S12 accepts any bytes as a name, sorts by bytes, and gives the path as bytes', async () => {
    const byte = fc.integer({ min: 1, max: 255 }).filter((value) => value !== 0x2f)
    const name = fc.array(byte, { minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes))
    const names = fc.uniqueArray(name, { maxLength: 12, selector: (bytes) => bytes.toString('hex') })
    await fc.assert(
      fc.asyncProperty(names, async (drawn) => {
        const usable = drawn.filter((bytes) => !['.', '..'].includes(bytes.toString('latin1')))
        const dir = await mkdtemp(path.join(folder, 'n-'))
        const locations = usable.map((bytes) => Buffer.concat([Buffer.from(`${dir}/`), bytes]))
        for (const location of locations) await writeFile(location, location)
        const found = (await all(undefined, dir)) as FoundFile[]
        expect(found.map(({ location }) => location.toString('hex'))).toEqual(
          [...locations].sort(Buffer.compare).map((location) => location.toString('hex')),
        )
        expect(found.map(({ path: text }) => text)).toEqual(found.map(({ location }) => displayPath(location)))
      }),
      { numRuns: 30 },
    )
  })

  it('escapes a name that is not UTF-8 and leaves the others of the path alone', () => {
    const odd = Buffer.concat([Buffer.from('/é/'), Buffer.from([0xff, 0x41, 0x5c]), Buffer.from('/ü')])
    expect(displayPath(odd)).toBe('/é/\\xffA\\\\/ü')
  })

  it('S12 marks names that differ only in case or normal form, and lists both', async () => {
    for (const name of ['A.MP4', 'a.mp4', 'é'.normalize('NFC'), 'é'.normalize('NFD'), 'b'])
      await writeFile(path.join(folder, name), name)
    const found = (await all()) as FoundFile[]
    expect(found).toHaveLength(5)
    expect(found.filter(({ twin }) => !twin).map(({ name }) => name)).toEqual(['b'])
  })

  it('S12 reports the bytes on the disk of a sparse file', async () => {
    await writeFile(path.join(folder, 'holes'), '')
    await truncate(path.join(folder, 'holes'), 2 ** 30)
    expect(await all()).toMatchObject([{ length: 2 ** 30, allocated: 0 }])
  })

  it('ends when the signal aborts, also midway, and leaves nothing open', async () => {
    for (let i = 0; i < 1000; i++) await writeFile(path.join(folder, `f${i}`), '')
    const stop = new AbortController()
    const walking = walk([folder], { signal: stop.signal })
    await walking.next()
    stop.abort(new Error('enough'))
    await expect(
      (async () => {
        for await (const entry of walking) void entry
      })(),
    ).rejects.toThrow('enough')
    await expect.poll(() => readdirSync('/proc/self/fd').filter((fd) => leadsTo(fd, folder))).toEqual([])
  })

  it('lists folders on request, each before its entries', async () => {
    await mkdir(path.join(folder, 'DCIM/100ABCDE'), { recursive: true })
    await writeFile(path.join(folder, 'DCIM/a'), '')
    const told: string[] = []
    for await (const entry of walkWithFolders([folder])) told.push(`${entry.kind} ${path.relative(folder, entry.path)}`)
    expect(told).toEqual(['folder ', 'folder DCIM', 'folder DCIM/100ABCDE', 'file DCIM/a'])
  })

  it('S12 stops at its limits and reports that', async () => {
    await mkdir(path.join(folder, '1/2/3'), { recursive: true })
    await writeFile(path.join(folder, '1/2/3/deep'), 'x')
    expect(shown(await all({ depth: 2 }))).toEqual(['skipped 1/2/3'])
    expect(shown(await all({ depth: 3 }))).toEqual(['file 1/2/3/deep'])
    for (let i = 0; i < 9; i++) await writeFile(path.join(folder, `f${i}`), '')
    const few = await all({ entries: 5 })
    expect(few.filter(({ kind }) => kind === 'file').length).toBeLessThanOrEqual(5)
    expect(few.at(-1)).toMatchObject({ kind: 'skipped', path: folder })
  })
})
