/** What every blob store must do. Run against each implementation. */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { finished } from 'node:stream/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BlobStore, type Difference, type PlacedBlob, pieceDigest } from '../../server/storage/store.ts'
import { scale } from '../support/scale.ts'

const MIB = 2 ** 20

export interface Subject {
  store: BlobStore
  /** Changes bytes of a blob behind the store's back. */
  damage(sha256: string, at: number): Promise<void> | void
  removeBlob(sha256: string): Promise<void> | void
  /** Puts so many bytes of nothing in a blob's place. */
  cut(sha256: string, length: number): Promise<void> | void
  /** Puts something that is no blob beside one. @returns its path, as a comparison tells it */
  putStranger(beside: string): Promise<string>
  /** What lies at a path in quarantine, or the description beside it. */
  bytesAt(path: string): Promise<Buffer>
  /** A second store over the same bytes, as after a crash; the first is not used again. */
  reopen(): Promise<BlobStore>
  dispose(): Promise<void>
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The same length afterwards: only its time tells. */
async function writeOver(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(randomBytes(8), 0, 8, 1000)
  await handle.close()
}

/** Sizes where slices, blocks and pages begin and end. */
export const awkwardSize = fc.oneof(
  fc.constantFrom(0, 1, 511, 512, 4095, 4096, 4097, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 4096, 3 * MIB - 1),
  fc.integer({ min: 0, max: 300_000 }),
  fc.integer({ min: MIB, max: 5 * MIB }),
)

/** @param counts fewer of them where each costs several requests of a server */
export function blobStoreConformance(
  name: string,
  make: () => Promise<Subject>,
  counts = { sizes: scale(40, 400), ranges: scale(150, 2000) },
): void {
  describe(`blob store: ${name}`, () => {
    let subject: Subject
    let folder: string
    let files = 0
    beforeEach(async () => {
      subject = await make()
      folder = await mkdtemp(path.join(tmpdir(), 'sallyport-source-'))
    })
    afterEach(async () => {
      await subject.dispose()
      await rm(folder, { recursive: true, force: true })
    })
    const source = async (bytes: Uint8Array): Promise<string> => {
      const file = path.join(folder, `source-${++files}`)
      await writeFile(file, bytes)
      return file
    }
    const keep = async (bytes: Uint8Array): Promise<PlacedBlob> => {
      const placed = await subject.store.place(await subject.store.copyIn(await source(bytes)))
      await subject.store.confirm(placed)
      return placed
    }
    const code = (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (error: { code?: string; name: string }) => error.code ?? error.name,
      )
    const read = async (sha256: string, start?: number, end?: number): Promise<Buffer> => {
      const blob = await subject.store.open(sha256)
      const parts: Buffer[] = []
      for await (const part of blob.stream(start, end)) parts.push(part as Buffer)
      return Buffer.concat(parts)
    }
    const staging = (): string[] => readdirSync(path.join(subject.store.root, '.staging'))
    const intents = (): string[] => readdirSync(path.join(subject.store.root, '.intents'))

    it(`gives back what it was given, ${counts.sizes} sizes`, async () => {
      await fc.assert(
        fc.asyncProperty(awkwardSize, async (size) => {
          const bytes = randomBytes(size)
          const placed = await keep(bytes)
          expect(placed).toMatchObject({ sha256: sha256Of(bytes), length: size })
          expect((await read(placed.sha256)).equals(bytes)).toBe(true)
          expect((await subject.store.verifyBlob(placed.sha256)).result).toBe('ok')
        }),
        { numRuns: counts.sizes },
      )
      expect([staging(), intents()]).toEqual([[], []])
    })

    it(`S8 ranges are exact, ${counts.ranges} of them`, async () => {
      const bytes = randomBytes(MIB + 12_345)
      const { sha256 } = await keep(bytes)
      const point = fc.oneof(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.constantFrom(0, 4095, 4096, 262_143, 262_144, MIB - 1, MIB, bytes.length - 1),
      )
      await fc.assert(
        fc.asyncProperty(point, point, async (one, other) => {
          const [start, end] = one < other ? [one, other] : [other, one]
          expect((await read(sha256, start, end)).equals(bytes.subarray(start, end + 1))).toBe(true)
        }),
        { numRuns: counts.ranges },
      )
      const blob = await subject.store.open(sha256)
      for (const [start, end] of [
        [0, bytes.length],
        [-1, 3],
        [5, 3],
        [0.5, 3],
        [bytes.length + 1, bytes.length + 1],
      ] as const)
        expect(() => blob.stream(start, end)).toThrow(RangeError)
    })

    it('S8 an aborted reader leaves no descriptor open', async () => {
      const { sha256 } = await keep(randomBytes(4 * MIB))
      const descriptors = (): number => readdirSync('/proc/self/fd').length
      const before = descriptors()
      const blob = await subject.store.open(sha256)
      const streams = Array.from({ length: 60 }, () => blob.stream())
      for (const [index, stream] of streams.entries()) {
        // Destroyed before it is open, while it is being opened, after the first bytes.
        if (index % 3 === 1) await new Promise(setImmediate)
        if (index % 3 === 2) await new Promise((resolve) => stream.once('data', resolve))
        stream.destroy()
        await finished(stream).catch(() => {})
      }
      const left = blob.stream()
      left.resume()
      await new Promise((resolve) => left.once('data', resolve))
      blob.close()
      await finished(left).catch(() => {})
      for (let i = 0; i < 50 && descriptors() > before; i++) await sleep(10)
      expect(descriptors()).toBeLessThanOrEqual(before)
    })

    it('a blob that is cut short fails its reader instead of ending early', async () => {
      const { sha256 } = await keep(randomBytes(MIB))
      const blob = await subject.store.open(sha256)
      await subject.cut(sha256, 1000)
      await expect(async () => {
        for await (const _ of blob.stream()) continue
      }).rejects.toMatchObject({ code: 'BlobDamaged' })
      expect(await code(subject.store.open('0'.repeat(64)))).toBe('BlobMissing')
      await expect(subject.store.localCopy('../../etc/passwd')).rejects.toThrow()
    })

    it('the same bytes twice are one blob, read before the second copy goes', async () => {
      const bytes = randomBytes(2 * MIB + 7)
      const first = await keep(bytes)
      const second = await keep(bytes)
      expect([first.existed, second.existed]).toEqual([false, true])
      expect(second.replaced).toBeUndefined()
      expect([staging(), intents()]).toEqual([[], []])
    })

    it.each([
      ['small', 5000],
      ['large', 3 * MIB],
    ])('a damaged %s blob is put aside when its bytes come again', async (_, size) => {
      const bytes = randomBytes(size)
      const { sha256 } = await keep(bytes)
      await subject.damage(sha256, size - 1)
      expect(await subject.store.verifyBlob(sha256)).toMatchObject({ result: 'changed', length: size })
      const again = await keep(bytes)
      expect(again.existed).toBe(false)
      expect(again.replaced?.sha256).not.toBe(sha256)
      expect(sha256Of(await subject.bytesAt(again.replaced?.path as string))).toBe(again.replaced?.sha256)
      expect((await subject.store.verifyBlob(sha256)).result).toBe('ok')
    })

    it('two requests with the same bytes at once both get the blob; the intent stays until both are done', async () => {
      const bytes = randomBytes(50_000)
      const staged = await Promise.all(
        [await source(bytes), await source(bytes)].map((file) => subject.store.copyIn(file)),
      )
      const placed = await Promise.all(staged.map((one) => subject.store.place(one)))
      expect(placed.map(({ existed }) => existed).sort()).toEqual([false, true])
      await subject.store.confirm(placed[0] as PlacedBlob)
      expect(intents()).toEqual([sha256Of(bytes)])
      // The other one's transaction was rolled back; the first one's row is there.
      expect(await subject.store.abandon(placed[1] as PlacedBlob, async () => true, 'rolled back')).toBeNull()
      expect(intents()).toEqual([])
      expect((await read(sha256Of(bytes))).equals(bytes)).toBe(true)
    })

    it('a blob whose transaction was rolled back goes to quarantine with its reason', async () => {
      const bytes = randomBytes(700)
      const placed = await subject.store.place(await subject.store.copyIn(await source(bytes)))
      const put = await subject.store.abandon(placed, async () => false, 'rolled back')
      expect((await subject.bytesAt(put?.path as string)).equals(bytes)).toBe(true)
      expect(JSON.parse((await subject.bytesAt(`${put?.path}.json`)).toString())).toMatchObject({
        reason: 'rolled back',
        length: 700,
      })
      expect(await code(subject.store.open(placed.sha256))).toBe('BlobMissing')
      expect(intents()).toEqual([])
    })

    it('refuses a source that is no file, is missing, or is not as expected, and leaves nothing', async () => {
      const file = await source(randomBytes(100))
      await symlink(file, path.join(folder, 'link'))
      const refused = [
        await code(subject.store.copyIn(path.join(folder, 'nothing'))),
        await code(subject.store.copyIn(folder)),
        await code(subject.store.copyIn(path.join(folder, 'link'))),
        await code(subject.store.copyIn('/dev/zero')),
        await code(subject.store.copyIn(file, { expect: { length: 99 } })),
        await code(subject.store.copyIn(file, { expect: { sha256: '0'.repeat(64) } })),
        await code(subject.store.adopt(file)),
      ]
      expect(refused).toEqual([
        'SourceMissing',
        'SourceNotRegular',
        'SourceNotRegular',
        'SourceNotRegular',
        'NotAsExpected',
        'NotAsExpected',
        'StoreFailed',
      ])
      expect(staging()).toEqual([])
    })

    it.each([
      ['grows', (file: string) => appendFile(file, 'more')],
      ['is written over in place', (file: string) => writeOver(file)],
    ])(`a file that %s while it is read is refused whole, ${scale(4, 40)} times`, async (_, change) => {
      const results: string[] = []
      for (let round = 0; round < scale(4, 40); round++) {
        const file = await source(randomBytes(24 * MIB))
        const copying = subject.store.copyIn(file).then(
          (staged) => subject.store.discard(staged).then(() => 'done'),
          (error: { code: string }) => error.code,
        )
        const changing = (async () => {
          for (let i = 0; i < 40; i++) await change(file).then(() => sleep(1))
        })()
        results.push(await copying)
        await changing
        expect(staging()).toEqual([])
        await rm(file)
      }
      // Now and then the copy is through before the first change is made.
      expect(results.filter((result) => result === 'SourceChanged').length).toBeGreaterThanOrEqual(results.length / 2)
      expect(results.filter((result) => result !== 'SourceChanged' && result !== 'done')).toEqual([])
    })

    it('a cancelled copy stops soon and leaves nothing', async () => {
      const file = await source(randomBytes(64 * MIB))
      const stop = new AbortController()
      const seen: number[] = []
      const copying = subject.store.copyIn(file, {
        signal: stop.signal,
        onProgress: (done) => {
          seen.push(done)
          stop.abort(new Error('pulled'))
        },
      })
      await expect(copying).rejects.toThrow('pulled')
      expect(seen.length).toBeGreaterThan(0)
      expect(staging()).toEqual([])
      await expect(subject.store.copyIn(file, { signal: stop.signal })).rejects.toThrow('pulled')
    })

    it('tells its progress to the last byte', async () => {
      const file = await source(randomBytes(40 * MIB + 1))
      let last: [number, number] = [0, 0]
      await subject.store.copyIn(file, { onProgress: (done, total) => (last = [done, total]) })
      expect(last).toEqual([80 * MIB + 2, 80 * MIB + 2])
    })

    it('finds a file by the bytes of its name', async () => {
      const bytes = randomBytes(10)
      const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe, 0x41])])
      await writeFile(name, bytes)
      expect((await subject.store.copyIn(name)).sha256).toBe(sha256Of(bytes))
      expect((await subject.store.hashFile(name)).sha256).toBe(sha256Of(bytes))
    })

    it(`adopts what lies in staging and compares its pieces, ${scale(40, 400)} layouts`, async () => {
      const layout = fc.array(fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constantFrom(4096, MIB, MIB + 1)), {
        maxLength: 6,
      })
      await fc.assert(
        fc.asyncProperty(layout, fc.boolean(), fc.nat(), async (lengths, strong, salt) => {
          const { dir, dispose } = await subject.store.temporary('test')
          const bytes = randomBytes(lengths.reduce((sum, length) => sum + length, 0))
          const file = path.join(dir, 'assembled')
          await writeFile(file, bytes)
          let offset = 0
          const pieces = lengths.map((length) => {
            const part = bytes.subarray(offset, offset + length)
            const piece = {
              path: file,
              offset,
              length,
              ...(strong ? { sha256: sha256Of(part) } : { crc32: pieceDigest(part) }),
            }
            offset += length
            return piece
          })
          const whole = { sha256: sha256Of(bytes), length: bytes.length }
          expect(await subject.store.adopt(file, { pieces })).toMatchObject({ ...whole, path: file })
          const turned = [...pieces].reverse()
          const mixed = Buffer.concat(turned.map((piece) => bytes.subarray(piece.offset, piece.offset + piece.length)))
          const assembled = await subject.store.adoptPieces(turned)
          expect(assembled).toMatchObject({ sha256: sha256Of(mixed), length: mixed.length })
          await subject.store.discard(assembled)
          if (bytes.length > 0) {
            const at = salt % bytes.length
            bytes[at] = (bytes[at] as number) ^ 1
            await writeFile(file, bytes)
            expect(await code(subject.store.adopt(file, { pieces }))).toBe('PieceMismatch')
            expect(await code(subject.store.adoptPieces(turned))).toBe('PieceMismatch')
          }
          await dispose()
        }),
        { numRuns: scale(40, 400) },
      )
      expect(staging()).toEqual([])
    })

    it('refuses pieces that overlap, are missing bytes or lie elsewhere', async () => {
      const { dir, dispose } = await subject.store.temporary('test')
      const file = path.join(dir, 'x')
      await writeFile(file, Buffer.alloc(100))
      const crc32 = 0
      expect(
        await code(
          subject.store.adopt(file, {
            pieces: [
              { offset: 0, length: 60, crc32 },
              { offset: 50, length: 50, crc32 },
            ],
          }),
        ),
      ).toBe('StoreFailed')
      expect(
        await code(
          subject.store.adopt(file, { pieces: [{ offset: 0, length: 101, sha256: sha256Of(Buffer.alloc(101)) }] }),
        ),
      ).toBe('PieceMismatch')
      expect(await code(subject.store.adoptPieces([{ path: file, offset: 50, length: 51 }]))).toBe('PieceMismatch')
      expect(await code(subject.store.adoptPieces([{ path: '/etc/passwd', offset: 0, length: 1 }]))).toBe('StoreFailed')
      await dispose()
    })

    it('recovers: temporaries are removed, live uploads stay, and orphans go to quarantine', async () => {
      const { store } = subject
      const known = await store.place(await store.copyIn(await source(randomBytes(10_000))))
      const unknown = await store.place(await store.copyIn(await source(randomBytes(20_000))))
      const lost = await store.place(await store.copyIn(await source(randomBytes(30_000))))
      await subject.removeBlob(lost.sha256)
      await store.copyIn(await source(randomBytes(100)))
      await store.temporary('derive')
      const live = path.join(store.root, '.staging', '17')
      const dead = path.join(store.root, '.staging', '18')
      for (const dir of [live, dead]) await mkdir(dir)
      await writeFile(path.join(live, 'block'), 'x')
      const after = await subject.reopen()
      const isKnown = async (sha256: string) => sha256 !== unknown.sha256
      const before = [staging(), intents()]
      for (const temporaries of [0, 3]) {
        let left = temporaries
        const requireOwn = async (): Promise<void> => {
          if (left-- === 0) throw new Error('the folder of another station')
        }
        await expect(after.recover(isKnown, ['17'], requireOwn)).rejects.toThrow('another station')
        expect([staging(), intents()]).toEqual(temporaries === 0 ? before : [['17'], before[1]])
        for (let again = 0; again < temporaries; again++)
          await writeFile(path.join(after.root, '.staging', `x-${again}`), '')
      }
      const report = await after.recover(isKnown, ['17'])
      expect(report).toMatchObject({ temporariesRemoved: 3, uploadsKept: 1, intentsSettled: 2, missing: [lost.sha256] })
      expect(report.quarantined.map(({ sha256 }) => sha256)).toEqual([unknown.sha256])
      expect(await subject.bytesAt(report.quarantined[0]?.path as string)).toHaveLength(20_000)
      expect([staging(), intents(), readdirSync(live)]).toEqual([['17'], [], ['block']])
      expect((await after.verifyBlob(known.sha256)).result).toBe('ok')
      expect(await after.recover(isKnown, ['17'])).toMatchObject({
        temporariesRemoved: 0,
        intentsSettled: 0,
        quarantined: [],
      })
      await after.close()
    })

    it('compares rows and blobs both ways', async () => {
      const { store } = subject
      const blobs: PlacedBlob[] = []
      for (let i = 0; i < 12; i++) blobs.push(await keep(randomBytes(1000 + i)))
      const [changed, missing, untracked] = blobs as [PlacedBlob, PlacedBlob, PlacedBlob]
      await subject.damage(changed.sha256, 5)
      await subject.removeBlob(missing.sha256)
      const stranger = await subject.putStranger(blobs[3]?.sha256 as string)
      // Being placed right now: no row yet, and no stranger.
      await store.place(await store.copyIn(await source(randomBytes(999))))
      const rows = blobs.filter((blob) => blob !== untracked).sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
      const run = async (read: boolean): Promise<string[]> => {
        const found: Difference[] = []
        const each = async function* () {
          yield* rows
        }
        const options = { rows: each(), isKnown: async () => false, read, bytesPerSecond: 10 ** 7 }
        for await (const difference of store.compare(options)) found.push(difference)
        return found.map(({ kind, sha256, path: file }) => `${kind} ${sha256 ?? file}`).sort()
      }
      const both = [`missing ${missing.sha256}`, `untracked ${untracked.sha256}`, `untracked ${stranger}`].sort()
      expect(await run(true)).toEqual([`changed ${changed.sha256}`, ...both])
      expect(await run(false)).toEqual(both)
    })

    it('64 lanes at once are all right, in bounded memory', async () => {
      const all = await Promise.all(
        Array.from({ length: 64 }, (_, i) => source(randomBytes(i % 2 === 0 ? 3000 + i : 2 * MIB + i))),
      )
      const done = await Promise.all(
        all.map(async (file) => ({ file, placed: await subject.store.place(await subject.store.copyIn(file)) })),
      )
      for (const { file, placed } of done) expect(placed.sha256).toBe(sha256Of(readFileSync(file)))
    })
  })
}
