import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { commitOptions, contentLength, readBlockId, readChecks } from './headers.ts'
import { STRUCTURED } from './structured.ts'

const code = (expected: string): unknown => expect.objectContaining({ code: expected })
const md5 = createHash('md5').update('hello').digest('base64')

describe('S19: the length of a body is refused', () => {
  it('where none is announced', () => {
    expect(contentLength({ 'content-length': '5' }, 5)).toBe(5)
    expect(() => contentLength({}, 5)).toThrow(code('MissingContentLengthHeader'))
  })

  it('where it comes in chunks, whatever length is announced besides', () => {
    for (const coding of ['chunked', 'gzip', ''])
      expect(() => contentLength({ 'content-length': '5', 'transfer-encoding': coding }, 5), coding).toThrow(
        code('MissingContentLengthHeader'),
      )
  })

  it('where it is no decimal number', () => {
    for (const text of ['', '-1', '+5', '0x5', '5e0', '5.0', ' 5', '5, 5', 'five', 'NaN'])
      expect(() => contentLength({ 'content-length': text }, 100), text).toThrow(code('InvalidHeaderValue'))
  })
})

describe('S19: the announced length of structured content is refused', () => {
  const read = (length: string): unknown =>
    readChecks({ 'x-ms-structured-body': STRUCTURED, 'x-ms-structured-content-length': length }, 100)

  it('where it is no decimal number', () => {
    expect(read('5')).toEqual({ structured: 5 })
    for (const text of ['', '-1', '+5', '0x5', '5e0', '5.5', ' 5', 'five', 'NaN'])
      expect(() => read(text), text).toThrow(code('InvalidHeaderValue'))
  })
})

describe('S19: a checksum is refused where it is not the base64 of its length', () => {
  const wrong = [
    ['of too few bytes', Buffer.alloc(15).toString('base64')],
    ['of too many bytes', Buffer.alloc(18).toString('base64')],
    ['nothing', ''],
    ['without padding', md5.slice(0, -2)],
    ['with white space', `${md5.slice(0, 8)} ${md5.slice(8)}`],
    ['with letters that base64 does not have', `!${md5}`],
    ['in the alphabet of addresses', Buffer.alloc(16, 0xff).toString('base64').replaceAll('/', '_')],
  ] as const

  it.each(wrong)('%s', (_, text) => {
    expect(() => readChecks({ 'content-md5': text }, 5)).toThrow(code('InvalidMd5'))
    expect(() => commitOptions({ 'x-ms-blob-content-md5': text })).toThrow(code('InvalidMd5'))
  })

  it('and a right one is taken', () => {
    expect(readChecks({ 'content-md5': md5 }, 5)).toEqual({ md5 })
    expect(commitOptions({ 'x-ms-blob-content-md5': md5 }).md5).toBe(md5)
  })
})

it('S19: a block id that is missing, or no base64, is named as such', () => {
  for (const text of [undefined, ''])
    expect(() => readBlockId(text), text).toThrow(code('MissingRequiredQueryParameter'))
  expect(readBlockId('YQ==')).toEqual(Buffer.from('a'))
  for (const text of ['a', '-_-_', 'YQ', 'YQ=', 'YQ=!'])
    expect(() => readBlockId(text), text).toThrow('blockid is not base64.')
  expect(() => readBlockId('YR==')).toThrow('blockid is not at most 64 bytes in base64.')
})
