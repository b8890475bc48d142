import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBareJpeg } from './jpeg-bare.ts'

const segment = (marker: number, data: Uint8Array | string): Buffer => {
  const body = Buffer.from(data as string, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
const JFIF = segment(0xe0, 'JFIF\0\x01\x02')
const TABLES = segment(0xdb, 'quantisation')
const FRAME = segment(0xc0, 'eight bits, size')
// Coded data with a stuffed byte and a restart in it.
const SCAN = Buffer.concat([segment(0xda, 'scan'), Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4])])
const file = (...parts: Buffer[]) => Buffer.concat([START, ...parts])
const bare = (bytes: Buffer) =>
  isBareJpeg(bytes.length, async (offset, length) => bytes.subarray(offset, offset + length))

describe('a JPEG without anything but the picture', () => {
  test.each([
    ['plain', file(JFIF, TABLES, FRAME, SCAN, END), true],
    [
      'progressive: several scans',
      file(JFIF, TABLES, segment(0xc2, 'x'), SCAN, segment(0xc4, 'huffman'), SCAN, END),
      true,
    ],
    ['colours', file(JFIF, segment(0xe2, 'ICC_PROFILE\0..'), TABLES, FRAME, SCAN, END), true],
    ['Exif', file(JFIF, segment(0xe1, 'Exif\0\0MM'), TABLES, FRAME, SCAN, END), false],
    ['XMP', file(segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>'), TABLES, FRAME, SCAN, END), false],
    ['IPTC', file(JFIF, segment(0xed, 'Photoshop 3.0\0'), TABLES, FRAME, SCAN, END), false],
    ['a comment', file(JFIF, segment(0xfe, 'Lavc59'), TABLES, FRAME, SCAN, END), false],
    ['several pictures', file(JFIF, segment(0xe2, 'MPF\0'), TABLES, FRAME, SCAN, END), false],
    ['Exif between scans', file(JFIF, FRAME, SCAN, segment(0xe1, 'Exif\0\0'), SCAN, END), false],
    ['something behind the end', file(JFIF, TABLES, FRAME, SCAN, END, Buffer.from('hidden')), false],
    ['cut off', file(JFIF, TABLES, FRAME, SCAN), false],
    ['no JPEG', Buffer.from('GIF89a'), false],
    ['nothing', Buffer.alloc(0), false],
  ])('%s', async (_, bytes, expected) => expect(await bare(bytes)).toBe(expected))

  test('text of any kind put anywhere between the parts is found, and no bytes make it fail', async () => {
    const parts = [JFIF, TABLES, FRAME, SCAN]
    const strange = fc.constantFrom(0xe1, 0xe3, 0xe5, 0xec, 0xed, 0xef, 0xfe)
    await fc.assert(
      fc.asyncProperty(fc.nat(4), strange, fc.string({ maxLength: 40 }), async (at, marker, words) => {
        const with_ = file(...parts.slice(0, at), segment(marker, words), ...parts.slice(at), END)
        expect(await bare(with_)).toBe(false)
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(typeof (await bare(Buffer.concat([START, bytes])))).toBe('boolean')
      }),
    )
  })
})
