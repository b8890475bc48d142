import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  base64,
  blockList,
  crc64Of,
  listXml,
  md5Of,
  putBlob,
  putBlock,
  putList,
  send,
  sha256Of,
  structured,
  structuredHeaders,
} from '../../support/blob-client.ts'
import { scale } from '../../support/scale.ts'
import { removeStation, type Station, startStation } from './harness.ts'

let station: Station
beforeAll(async () => {
  station = await startStation()
})
afterAll(() => removeStation(station))

const flip = (bytes: Buffer, bit: number): Buffer => {
  const flipped = Buffer.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
  return flipped
}

describe('U3 a wrong checksum stores nothing', () => {
  const data = randomBytes(70_001)
  const framed = structured(data, 20_000)

  test('right ones are taken and given back', async () => {
    const uri = station.uploadUri(await station.newResource())
    const md5 = await putBlock(uri, 'a', data, { 'content-md5': md5Of(data) })
    expect([md5.status, md5.headers['content-md5']]).toEqual([201, md5Of(data)])
    const crc = await putBlock(uri, 'b', data, { 'x-ms-content-crc64': crc64Of(data) })
    expect([crc.status, crc.headers['x-ms-content-crc64']]).toEqual([201, crc64Of(data)])
    const body = await putBlock(uri, 'c', framed, structuredHeaders(data.length))
    expect([body.status, body.headers['x-ms-structured-body'], body.headers['x-ms-content-crc64']]).toEqual([
      201,
      'XSM/1.0; properties=crc64',
      crc64Of(data),
    ])
    expect(
      (
        await putList(uri, [
          ['Latest', 'a'],
          ['Latest', 'b'],
          ['Latest', 'c'],
        ])
      ).status,
    ).toBe(201)
    expect((await blockList(uri, 'committed')).committed).toEqual([
      ['a', 70_001],
      ['b', 70_001],
      ['c', 70_001],
    ])
  })

  test('single bits flipped on the way are caught, wherever they are', async () => {
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('md5', 'crc64', 'structured', 'blob-md5', 'blob-structured'),
        fc.nat(data.length * 8 - 1),
        fc.nat(framed.length * 8 - 1),
        async (kind, bit, framedBit) => {
          const answer = await {
            md5: () => putBlock(uri, 'block-00001', flip(data, bit), { 'content-md5': md5Of(data) }),
            crc64: () => putBlock(uri, 'block-00001', flip(data, bit), { 'x-ms-content-crc64': crc64Of(data) }),
            structured: () => putBlock(uri, 'block-00001', flip(framed, framedBit), structuredHeaders(data.length)),
            'blob-md5': () => putBlob(uri, flip(data, bit), { 'content-md5': md5Of(data) }),
            'blob-structured': () => putBlob(uri, flip(framed, framedBit), structuredHeaders(data.length)),
          }[kind]()
          expect(answer.status).toBe(400)
          expect(['Md5Mismatch', 'Crc64Mismatch', 'InvalidStructuredBody']).toContain(answer.code)
          expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [] })
        },
      ),
      { numRuns: scale(50, 500) },
    )
    expect((await send(uri, 'HEAD', '')).status).toBe(404)
    // The slot that the wrong bytes were written to takes the right ones.
    expect((await putBlock(uri, 'block-00000', data, { 'content-md5': md5Of(data) })).status).toBe(201)
    expect((await putList(uri, [['Latest', 'block-00000']])).status).toBe(201)
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(data))
  })

  test('a wrong block does not harm the one acknowledged under its id', async () => {
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    expect((await putBlock(uri, 'block-00000', data)).status).toBe(201)
    expect((await putBlock(uri, 'block-00000', flip(data, 77), { 'content-md5': md5Of(data) })).code).toBe(
      'Md5Mismatch',
    )
    expect((await putList(uri, [['Latest', 'block-00000']])).status).toBe(201)
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(data))
    expect(await station.staging.files(id)).toHaveLength(1)
  })

  test('of a block list too', async () => {
    const uri = station.uploadUri(await station.newResource())
    await putBlock(uri, 'a', data)
    const xml = Buffer.from(listXml([['Latest', 'a']]))
    const wrong = Buffer.from(listXml([['Latest', 'b']]))
    expect((await send(uri, 'PUT', 'comp=blocklist', { 'content-md5': md5Of(xml) }, wrong)).code).toBe('Md5Mismatch')
    expect((await send(uri, 'PUT', 'comp=blocklist', { 'x-ms-content-crc64': crc64Of(xml) }, wrong)).code).toBe(
      'Crc64Mismatch',
    )
    expect((await send(uri, 'PUT', 'comp=blocklist', { 'content-md5': md5Of(xml) }, xml)).status).toBe(201)
  })

  const small = Buffer.from('hello')
  const message = structured(small, 100)
  const changed = (change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(message)
    change(copy)
    return copy
  }
  test.each<[string, Buffer, Record<string, string | number>, string]>([
    ['another version', changed((b) => b.writeUInt8(2, 0)), structuredHeaders(5) as never, 'InvalidStructuredBody'],
    ['a wrong length', changed((b) => b.writeUInt8(99, 1)), structuredHeaders(5) as never, 'InvalidStructuredBody'],
    ['no CRC', changed((b) => b.writeUInt8(0, 9)), structuredHeaders(5) as never, 'InvalidStructuredBody'],
    ['no segment', changed((b) => b.writeUInt8(0, 11)), structuredHeaders(5) as never, 'InvalidStructuredBody'],
    [
      'one segment too many',
      changed((b) => b.writeUInt8(2, 11)),
      structuredHeaders(5) as never,
      'InvalidStructuredBody',
    ],
    [
      'a segment out of order',
      changed((b) => b.writeUInt8(2, 13)),
      structuredHeaders(5) as never,
      'InvalidStructuredBody',
    ],
    [
      'a segment of 2^63 bytes',
      changed((b) => b.writeUInt8(0x80, 22)),
      structuredHeaders(5) as never,
      'InvalidStructuredBody',
    ],
    ['more content than announced', message, structuredHeaders(4) as never, 'InvalidStructuredBody'],
    ['less content than announced', message, structuredHeaders(6) as never, 'InvalidStructuredBody'],
    [
      'something behind its end',
      Buffer.concat([message, Buffer.from('x')]),
      structuredHeaders(5) as never,
      'InvalidStructuredBody',
    ],
    ['an end too early', message.subarray(0, 20), structuredHeaders(5) as never, 'InvalidStructuredBody'],
    [
      'a wrong CRC of the segment',
      changed((b) => b.writeUInt8((b[28] as number) ^ 1, 28)),
      structuredHeaders(5) as never,
      'Crc64Mismatch',
    ],
    [
      'a wrong CRC of all',
      changed((b) => b.writeUInt8((b[36] as number) ^ 1, 36)),
      structuredHeaders(5) as never,
      'Crc64Mismatch',
    ],
    ['no content length', message, { 'x-ms-structured-body': 'XSM/1.0; properties=crc64' }, 'MissingRequiredHeader'],
    [
      'another algorithm',
      message,
      { ...structuredHeaders(5), 'x-ms-structured-body': 'XSM/1.0; properties=md5' } as never,
      'InvalidHeaderValue',
    ],
    [
      'another form',
      message,
      { ...structuredHeaders(5), 'x-ms-structured-body': 'XSM/2.0' } as never,
      'InvalidHeaderValue',
    ],
    ['a content length beyond the body', message, structuredHeaders(5000) as never, 'InvalidHeaderValue'],
    [
      'a checksum of its own besides',
      message,
      { ...structuredHeaders(5), 'content-md5': md5Of(message) } as never,
      'InvalidHeaderValue',
    ],
    ['the length without the form', message, { 'x-ms-structured-content-length': 5 }, 'MissingRequiredHeader'],
    ['an MD5 that is none', small, { 'content-md5': 'abc' }, 'InvalidMd5'],
    ['an MD5 of 8 bytes', small, { 'content-md5': base64('12345678') }, 'InvalidMd5'],
    ['a CRC that is none', small, { 'x-ms-content-crc64': 'ff' }, 'InvalidCrc64'],
    [
      'two checksums',
      small,
      { 'content-md5': md5Of(small), 'x-ms-content-crc64': crc64Of(small) },
      'InvalidHeaderValue',
    ],
  ])('structured or announced with %s: 400, nothing stored', async (_, body, headers, code) => {
    const uri = station.uploadUri(await station.newResource())
    for (const answer of [await putBlock(uri, 'a', body, headers), await putBlob(uri, body, headers)])
      expect([answer.status, answer.code]).toEqual([400, code])
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [] })
  })

  test('the MD5 of a whole blob is held against its bytes', async () => {
    const uri = station.uploadUri(await station.newResource())
    expect((await putBlob(uri, small, { 'x-ms-blob-content-md5': md5Of(data) })).code).toBe('Md5Mismatch')
    expect((await putBlob(uri, small, { 'x-ms-blob-content-md5': md5Of(small) })).status).toBe(201)
    expect((await send(uri, 'HEAD', '')).headers['content-md5']).toBe(md5Of(small))
  })

  test('S19: two announcements of the MD5 of a whole blob that differ are refused, though one is right', async () => {
    const uri = station.uploadUri(await station.newResource())
    const [right, wrong] = [md5Of(small), md5Of(data)]
    for (const [body, blob] of [
      [right, wrong],
      [wrong, right],
    ]) {
      const answer = await putBlob(uri, small, { 'content-md5': body, 'x-ms-blob-content-md5': blob })
      expect([answer.status, answer.code]).toEqual([400, 'Md5Mismatch'])
      expect((await send(uri, 'HEAD', '')).status).toBe(404)
    }
    expect((await putBlob(uri, small, { 'content-md5': right, 'x-ms-blob-content-md5': right })).status).toBe(201)
  })

  test('S19: a block list is no structured body', async () => {
    const uri = station.uploadUri(await station.newResource())
    await putBlock(uri, 'a', small)
    const xml = Buffer.from(listXml([['Latest', 'a']]))
    for (const body of [xml, structured(xml, 100)]) {
      const answer = await send(uri, 'PUT', 'comp=blocklist', structuredHeaders(xml.length), body)
      expect([answer.status, answer.code]).toEqual([400, 'InvalidHeaderValue'])
    }
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [['a', 5]] })
  })
})
