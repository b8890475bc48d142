/** Checksums of a ZIP file are worked out by Node: those of the library take half of the time of a package. */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { expect, it } from 'vitest'
import { slicesOf } from './zip-file.ts'

it('yazl takes its checksums from the function that was put in the place of its own', async () => {
  const checksums = createRequire(createRequire(import.meta.url).resolve('yazl'))('buffer-crc32') as {
    unsigned: (bytes: Uint8Array, before?: number) => number
  }
  const put = checksums.unsigned
  expect(put(Buffer.from('123456789'))).toBe(0xcbf43926)
  expect(put(Buffer.from('6789'), put(Buffer.from('12345')))).toBe(0xcbf43926)
  let asked = 0
  checksums.unsigned = (bytes, before) => {
    asked++
    return put(bytes, before)
  }
  try {
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('content'), 'file', { compress: false })
    zip.end()
    const chunks: Buffer[] = []
    for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk)
    expect(asked).toBe(1)
    expect(Buffer.concat(chunks).readUInt32LE(14)).toBe(crc32('content'))
  } finally {
    checksums.unsigned = put
  }
})

it('a buffer is read into again only when what was in it is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-zip-'))
  const path = join(folder, 'source')
  await writeFile(path, 'aaaabbbbccccdd')
  const file = await open(path)
  try {
    const release = new Map<number, () => void>()
    const isWritten = (bytes: number): Promise<void> =>
      bytes === 0 ? Promise.resolve() : new Promise((resolve) => release.set(bytes, resolve))
    const slices = slicesOf(file, [Buffer.alloc(4), Buffer.alloc(4)], isWritten)
    const next = async (): Promise<Buffer> => (await slices.next()).value as Buffer
    const [first, second] = [await next(), await next()]
    const third = next()
    await new Promise((later) => setTimeout(later, 50))
    expect(String(first) + String(second)).toBe('aaaabbbb')
    release.get(4)?.()
    expect(String(await third)).toBe('cccc')
    expect(String(second)).toBe('bbbb')
    const fourth = next()
    release.get(8)?.()
    expect(String(await fourth)).toBe('dd')
  } finally {
    await file.close()
    await rm(folder, { recursive: true })
  }
})
