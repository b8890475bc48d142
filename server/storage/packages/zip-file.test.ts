/** Checksums of a ZIP file are worked out by Node: those of the library take half of the time of a package. */
import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { expect, it } from 'vitest'
import './zip-file.ts'

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
