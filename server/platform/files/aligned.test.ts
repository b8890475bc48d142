import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alignedMemory, alignedWriter, openAligned } from './aligned.ts'
import { createExclusiveSync, makeFolder } from './durable.ts'
import { preallocate, spaceOf } from './space.ts'

describe('aligned files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sallyport-aligned-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const size = fc.oneof(fc.constantFrom(0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537), fc.nat(400_000))

  it('write and read back any length, with direct I/O or through the cache', async () => {
    const slice = alignedMemory(65_536)
    let files = 0
    await fc.assert(
      fc.asyncProperty(size, fc.boolean(), fc.boolean(), async (length, written, read) => {
        const bytes = randomBytes(length)
        const file = path.join(folder, String(++files))
        const writer = alignedWriter(createExclusiveSync(file), file, written)
        for (let at = 0; at < length; at += slice.length) {
          const part = bytes.subarray(at, at + slice.length)
          slice.set(part)
          writer.write(slice.subarray(0, part.length), at)
        }
        writer.close()
        expect(readFileSync(file).equals(bytes)).toBe(true)

        const reader = openAligned(file, read)
        const back: Buffer[] = []
        for (let at = 0; ; at += slice.length) {
          const count = at % 2 === 0 ? await reader.read(slice, at) : reader.readSync(slice, at)
          back.push(Buffer.from(slice.subarray(0, count)))
          if (count < slice.length) break
        }
        reader.close()
        expect(Buffer.concat(back).equals(bytes)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('write unaligned memory through the cache instead of failing', async () => {
    const file = path.join(folder, 'odd')
    const writer = alignedWriter(createExclusiveSync(file), file, true)
    const bytes = randomBytes(20_001)
    writer.write(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 0)
    writer.close()
    const reader = openAligned(file, true)
    const buffer = Buffer.alloc(20_002)
    const count = reader.readSync(buffer.subarray(1), 0)
    expect(count).toBe(20_001)
    expect(buffer.subarray(1).equals(bytes)).toBe(true)
    expect(reader.through()).toBe('cache')
    reader.close()
  })

  it('follow no link, wait for no pipe, replace no file', async () => {
    const file = path.join(folder, 'file')
    closeSync(createExclusiveSync(file))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const [link, pipe] = [path.join(folder, 'link'), path.join(folder, 'pipe')]
    await symlink(file, link)
    execFileSync('mkfifo', [pipe])
    for (const direct of [true, false]) {
      expect(() => openAligned(link, direct)).toThrow(/ELOOP/)
      const reader = openAligned(pipe, direct)
      expect(reader.stat.isFile()).toBe(false)
      reader.close()
    }
    for (const taken of [file, link, pipe]) expect(() => createExclusiveSync(taken)).toThrow(/EEXIST/)
  })

  it('makeFolder creates folders for their owner only, once', async () => {
    const deep = path.join(folder, 'a/b/c')
    expect([await makeFolder(deep), await makeFolder(deep)]).toEqual([true, false])
    expect((await stat(deep)).mode & 0o777).toBe(0o700)
  })

  it('keeps a reserve of written bytes and completes one that was cut short', async () => {
    const file = path.join(folder, 'reserve')
    await writeFile(file, Buffer.alloc(1_000_000))
    expect([await preallocate(file, 3_000_001), await preallocate(file, 3_000_001)]).toEqual([true, false])
    const { size: length, blocks } = await stat(file)
    expect(length).toBe(3_000_001)
    expect(blocks * 512).toBeGreaterThanOrEqual(length)
    const { free, total } = await spaceOf(folder)
    expect(free).toBeGreaterThan(0)
    expect(total).toBeGreaterThan(free)
  })
})
