import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mp4Layout } from './mp4-layout.ts'
import { pictureHeader } from './picture-header.ts'

const reading = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.subarray(Math.min(offset, bytes.length), Math.max(0, offset + length))
const box = (type: string, length: number) => {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32BE(length)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const file = (...boxes: Buffer[]) => Buffer.concat([Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom', 'latin1'), ...boxes])
const layout = (bytes: Buffer) => mp4Layout(bytes.length, reading(bytes))

describe('mp4Layout', () => {
  test.each([
    ['index first', file(box('moov', 40), box('mdat', 90)), true, true],
    ['index last', file(box('mdat', 90), box('moov', 40)), true, false],
    ['media cut off', file(box('moov', 40), box('mdat', 90).subarray(0, 50)), false, true],
    [
      'a tail that is no box',
      Buffer.concat([file(box('moov', 40), box('mdat', 90)), Buffer.from('tail')]),
      false,
      true,
    ],
    ['no media', file(box('moov', 40)), true, false],
  ])('%s', async (_, bytes, whole, indexFirst) => {
    expect(await layout(bytes)).toMatchObject({ whole, indexFirst, majorBrand: 'isom' })
  })

  test('lengths of 64 bits and "to the end"', async () => {
    const long = box('mdat', 100)
    long.writeUInt32BE(1)
    long.writeBigUInt64BE(100n, 8)
    expect(await layout(file(box('moov', 16), long))).toMatchObject({ whole: true, indexFirst: true })
    const open = box('mdat', 100)
    open.writeUInt32BE(0)
    expect(await layout(file(box('moov', 16), open))).toMatchObject({ whole: true })
  })

  test('not an MP4, or a box without a length: no verdict, no endless walk', async () => {
    expect(await layout(Buffer.from('not one at all, this'))).toBeNull()
    const bad = box('mdat', 20)
    bad.writeUInt32BE(3)
    expect(await layout(file(bad))).toMatchObject({ whole: false })
  })
})

describe('pictureHeader', () => {
  const tiff = Buffer.from(
    '49492a0008000000030000010400010000008002000001010300010000000001000012010300010000000800000000000000',
    'hex',
  )
  test('TIFF: size and orientation', async () => {
    expect(await pictureHeader('image/tiff', reading(tiff))).toEqual({ width: 640, height: 256, orientation: 8 })
  })

  test('JPEG: the frame after the Exif, whose orientation counts', async () => {
    const length = Buffer.from([0, tiff.length + 8])
    const exif = Buffer.concat([Buffer.from('ffe1', 'hex'), length, Buffer.from('Exif\0\0', 'latin1'), tiff])
    const frame = Buffer.from('ffc0001108000a00140301220002110103110100', 'hex')
    const jpeg = Buffer.concat([Buffer.from('ffd8', 'hex'), exif, frame])
    expect(await pictureHeader('image/jpeg', reading(jpeg))).toEqual({ width: 20, height: 10, orientation: 8 })
  })

  test('any bytes behind any signature end in an answer', async () => {
    const kinds = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/heic']
    const heads = [
      Buffer.from('ffd8ffe1', 'hex'),
      Buffer.from('49492a00', 'hex'),
      Buffer.from('RIFF\0\0\0\0WEBPVP8X', 'latin1'),
      Buffer.alloc(0),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.constantFrom(...heads),
        fc.uint8Array({ maxLength: 300 }),
        async (kind, head, rest) => {
          const bytes = Buffer.concat([head, rest])
          const header = await pictureHeader(kind, reading(bytes))
          if (header) expect(header.orientation).toBeGreaterThanOrEqual(1)
          await mp4Layout(bytes.length, reading(bytes))
        },
      ),
    )
  })
})
