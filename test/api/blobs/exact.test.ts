import { createHmac, randomBytes } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  base64,
  blockList,
  listXml,
  putBlob,
  putBlock,
  putList,
  type RawAnswer,
  send,
  sendText,
  sha256Of,
} from '../../support/blob-client.ts'
import { removeStation, type Station, startStation } from './harness.ts'

const MIB = 2 ** 20
const HUGE = 5000 * MIB + 5000 * MIB

let station: Station
let uri: string
let id: string
beforeAll(async () => {
  station = await startStation()
})
afterAll(() => removeStation(station))
const fresh = async (): Promise<void> => {
  id = await station.newResource()
  uri = station.uploadUri(id)
}

describe('U5 lengths: each its exact bytes', () => {
  const stride = 64 * 1024
  const lengths = [
    0,
    1,
    2,
    4095,
    4096,
    4097,
    stride - 1,
    stride,
    stride + 1,
    3 * stride - 1,
    3 * stride,
    3 * stride + 1,
    524_287,
    524_288,
    524_289,
    2 * MIB + 1,
  ]

  test.each(lengths)('%i bytes as a whole blob', async (length) => {
    await fresh()
    const data = randomBytes(length)
    expect((await putBlob(uri, data)).status).toBe(201)
    expect((await send(uri, 'HEAD', '')).headers['content-length']).toBe(String(length))
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [] })
    expect((await station.assembled(id))?.staged).toMatchObject({
      length,
      sha256: sha256Of(data),
    })
  })

  test.each(lengths.slice(1).flatMap((length) => [stride, 65_537].map((block) => [length, block] as const)))(
    '%i bytes in blocks of %i',
    async (length, block) => {
      await fresh()
      const data = randomBytes(length)
      const count = Math.ceil(length / block)
      for (let i = 0; i < count; i++)
        expect(
          (await putBlock(uri, `b-${String(i).padStart(5, '0')}`, data.subarray(i * block, (i + 1) * block))).status,
        ).toBe(201)
      const list = Array.from({ length: count }, (_, i) => ['Uncommitted', `b-${String(i).padStart(5, '0')}`] as const)
      expect((await putList(uri, list)).status).toBe(201)
      expect(await station.staging.files(id)).toHaveLength(1)
      expect((await station.assembled(id))?.staged).toMatchObject({
        length,
        sha256: sha256Of(data),
      })
    },
  )

  test('an empty list is an empty blob', async () => {
    await fresh()
    expect((await putList(uri, [])).status).toBe(201)
    expect((await station.assembled(id))?.staged).toMatchObject({
      length: 0,
      sha256: sha256Of(Buffer.alloc(0)),
    })
  })

  test('a block larger than its place, or at one that is taken, harms no other', async () => {
    await fresh()
    const blocks = [randomBytes(1000), randomBytes(1500), randomBytes(1000), randomBytes(10)]
    for (const [i, block] of blocks.entries()) expect((await putBlock(uri, `0000${i}`, block)).status).toBe(201)
    const again = randomBytes(1000)
    expect((await putBlock(uri, '00002', again)).status).toBe(201)
    expect(
      (
        await putList(
          uri,
          [0, 1, 2, 3].map((i) => ['Latest', `0000${i}`] as const),
        )
      ).status,
    ).toBe(201)
    const whole = Buffer.concat([blocks[0] as Buffer, blocks[1] as Buffer, again, blocks[3] as Buffer])
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(whole))
  })
})

describe('U5 block ids and names: each its exact answer', () => {
  const ids: [string, string | Uint8Array, number, string][] = [
    ['a path', '../../x', 201, ''],
    ['an absolute path', '/etc/passwd', 201, ''],
    ['a member of every object', '__proto__', 201, ''],
    ['another', 'constructor', 201, ''],
    ['a zero byte', '\0', 201, ''],
    ['line breaks', 'a\r\nb', 201, ''],
    ['markup', '<Block/>&"\'', 201, ''],
    ['not UTF-8', Uint8Array.of(0xff, 0xfe, 0x80), 201, ''],
    ['text in two directions', 'a\u202Eb', 201, ''],
    ['64 bytes', 'x'.repeat(64), 201, ''],
    ['65 bytes', 'x'.repeat(65), 400, 'InvalidQueryParameterValue'],
    ['a number beyond every place', '99999', 201, ''],
    ['the last place', '49999', 201, ''],
    ['a number beyond every integer', '9'.repeat(60), 201, ''],
    ['a negative number', '-00001', 201, ''],
  ]
  test.each(ids)('%s', async (_, blockId, status, code) => {
    await fresh()
    const answer = await putBlock(uri, blockId, Buffer.from('hello'))
    expect([answer.status, answer.code]).toEqual([status, code])
    if (status !== 201) return
    const list = await send(uri, 'GET', 'comp=blocklist&blocklisttype=uncommitted')
    expect(list.body).toContain(`<Name>${base64(blockId)}</Name><Size>5</Size>`)
    expect(
      (await send(uri, 'PUT', 'comp=blocklist', {}, `<BlockList><Latest>${base64(blockId)}</Latest></BlockList>`))
        .status,
    ).toBe(201)
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(Buffer.from('hello')))
  })

  test.each([
    ['none', '', 'MissingRequiredQueryParameter'],
    ['an empty one', '&blockid=', 'MissingRequiredQueryParameter'],
    ['no base64', '&blockid=a', 'InvalidQueryParameterValue'],
    ['base64 of URLs', '&blockid=-_-_', 'InvalidQueryParameterValue'],
    ['base64 with bits left over', '&blockid=YR%3D%3D', 'InvalidQueryParameterValue'],
    ['base64 without its end', '&blockid=YQ', 'InvalidQueryParameterValue'],
  ])('a block id that is %s', async (_, query, code) => {
    await fresh()
    const answer = await send(uri, 'PUT', `comp=block${query}`, {}, 'x')
    expect([answer.status, answer.code]).toEqual([400, code])
  })

  test('ids of another length than those before', async () => {
    await fresh()
    expect((await putBlock(uri, 'aa', Buffer.from('1'))).status).toBe(201)
    const answer = await putBlock(uri, 'aaa', Buffer.from('2'))
    expect([answer.status, answer.code]).toEqual([400, 'InvalidBlobOrBlock'])
    expect((await blockList(uri, 'all')).uncommitted).toEqual([['aa', 1]])
  })

  test.each([
    '../../x',
    '..%2f..%2fx',
    '__proto__',
    '',
    '0',
    '-1',
    '1e3',
    '01',
    '9007199254740993',
    '99999999999999999999',
    '1%00',
    '999999',
    'constructor',
    '1.0',
  ])('a blob named %j is not there', async (name) => {
    const wanted = decodeURIComponent(name)
    const link = station.url + station.signer.pathFor('station', wanted, Date.now(), '1')
    const answers = [
      await putBlock(link, 'a', Buffer.from('x')),
      await putBlob(link, Buffer.from('x')),
      await send(link, 'GET', 'comp=blocklist'),
    ]
    for (const answer of answers) expect([answer.status, answer.code]).toEqual([404, 'ResourceNotFound'])
    expect((await send(link, 'HEAD', '')).status).toBe(404)
  })

  test.each(['Station', 'other', '...', '__proto__'])('nor is it in a container named %j', async (container) => {
    await fresh()
    const link = station.url + station.signer.pathFor(container, id, Date.now(), '1')
    expect((await putBlob(link, Buffer.from('x'))).status).toBe(404)
  })
})

describe('U5 lying lengths', () => {
  const line = (query: string): string => {
    const { pathname, search } = new URL(uri)
    return `PUT ${pathname}${search}${query} HTTP/1.1\r\nHost: x\r\nx-ms-blob-type: BlockBlob\r\n`
  }
  const nothing = async (): Promise<void> =>
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [] })

  test.each(['&comp=block&blockid=YQ%3D%3D', '', '&comp=blocklist'])(
    'less than announced, then gone (%j)',
    async (query) => {
      await fresh()
      await sendText(uri, [`${line(query)}Content-Length: 1000\r\n\r\n`, 'x'.repeat(999)], 300)
      await sendText(uri, [`${line(query)}Content-Length: 1000\r\n\r\n`, 'x'.repeat(999)], 300, true)
      await nothing()
    },
  )

  test.each(['&comp=block&blockid=YQ%3D%3D', ''])(
    'more than announced: the rest is another request (%j)',
    async (query) => {
      await fresh()
      const text = await sendText(
        uri,
        [`${line(query)}Content-Length: 5\r\n\r\n`, 'hello world, this is not HTTP\r\n\r\n'],
        2000,
      )
      expect(text).toContain('HTTP/1.1 400')
      for (const [, length] of (await blockList(uri, 'all')).uncommitted) expect(length).toBe(5)
      expect((await send(uri, 'HEAD', '')).headers['content-length'] ?? '5').toBe('5')
    },
  )

  test.each([
    ['&comp=block&blockid=YQ%3D%3D', '400', 'InvalidHeaderValue', 'Content-Length: 0'],
    ['&comp=block&blockid=YQ%3D%3D', '413', 'RequestBodyTooLarge', `Content-Length: ${HUGE}`],
    ['', '413', 'RequestBodyTooLarge', `Content-Length: ${HUGE}`],
    ['&comp=blocklist', '413', 'RequestBodyTooLarge', 'Content-Length: 99999999'],
    ['&comp=block&blockid=YQ%3D%3D', '413', 'RequestBodyTooLarge', `Content-Length: ${4000 * MIB + 1}`],
    ['', '413', 'RequestBodyTooLarge', `Content-Length: ${5000 * MIB + 1}`],
  ])('%s is answered %s %s with %s', async (query, status, code, header) => {
    await fresh()
    const text = await sendText(uri, [`${line(query)}${header}\r\nConnection: close\r\n\r\n`], 8000)
    expect(text).toContain(`HTTP/1.1 ${status}`)
    expect(text).toContain(`<Code>${code}</Code>`)
    await nothing()
  })

  test.each(['comp=block&blockid=YQ%3D%3D', '', 'comp=blocklist'])(
    'no announcement at all, in chunks (%j)',
    async (query) => {
      await fresh()
      const answer = await send(
        uri,
        'PUT',
        query,
        { 'transfer-encoding': 'chunked', 'x-ms-blob-type': 'BlockBlob' },
        'hello',
      )
      expect([answer.status, answer.code]).toEqual([411, 'MissingContentLengthHeader'])
      await nothing()
    },
  )

  test('100-continue is asked for and answered', async () => {
    await fresh()
    const text = await sendText(
      uri,
      [`${line('')}Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`, 'hello'],
      3000,
    )
    expect(text).toContain('HTTP/1.1 100')
    expect(text).toContain('HTTP/1.1 201')
  })
})

describe('U5 what is not this protocol', () => {
  const put =
    (query: string, headers: OutgoingHttpHeaders = {}) =>
    (): Promise<RawAnswer> =>
      send(uri, 'PUT', query, { 'x-ms-blob-type': 'BlockBlob', ...headers }, 'hello')
  const get =
    (query: string, headers: OutgoingHttpHeaders = {}) =>
    (): Promise<RawAnswer> =>
      send(uri, 'GET', query, headers)
  test.each<[string, () => Promise<RawAnswer>, number, string]>([
    ...[
      'comp=',
      'comp=page',
      'comp=appendblock',
      'comp=metadata',
      'comp=properties',
      'comp=tier',
      'comp=lease',
      'comp=Block',
      'comp=BLOCKLIST',
      'comp=undelete',
      'comp=__proto__',
      'comp=copy',
      'comp=expiry',
      'comp=tags',
    ].map((query): [string, () => Promise<RawAnswer>, number, string] => [
      `PUT ${query}`,
      put(query),
      400,
      'InvalidQueryParameterValue',
    ]),
    ['PUT of no type', () => send(uri, 'PUT', '', {}, 'hello'), 400, 'MissingRequiredHeader'],
    ['PUT of pages', put('', { 'x-ms-blob-type': 'PageBlob' }), 400, 'InvalidHeaderValue'],
    ['PUT of appended blocks', put('', { 'x-ms-blob-type': 'AppendBlob' }), 400, 'InvalidHeaderValue'],
    ['PUT of a copy', put('', { 'x-ms-copy-source': 'http://127.0.0.1/x' }), 400, 'UnsupportedHeader'],
    [
      'PUT of a copied block',
      put('comp=block&blockid=YQ%3D%3D', { 'x-ms-copy-source': 'http://127.0.0.1/x' }),
      400,
      'UnsupportedHeader',
    ],
    ['PUT with a key of the sender', put('', { 'x-ms-encryption-key': 'x' }), 400, 'UnsupportedHeader'],
    ['PUT with a lease', put('', { 'x-ms-lease-id': 'x' }), 412, 'LeaseNotPresentWithBlobOperation'],
    ['PUT of a snapshot', put('snapshot=2026'), 400, 'UnsupportedQueryParameter'],
    ['PUT in an old version', put('', { 'x-ms-version': '2019-12-12' }), 400, 'InvalidHeaderValue'],
    ['PUT in no version', put('', { 'x-ms-version': 'latest' }), 400, 'InvalidHeaderValue'],
    ['PUT with metadata of a bad name', put('', { 'x-ms-meta-a-b': 'x' }), 400, 'InvalidMetadata'],
    ['PUT with metadata of no name', put('', { 'x-ms-meta-': 'x' }), 400, 'InvalidMetadata'],
    ['PUT with too much metadata', put('', { 'x-ms-meta-a': 'x'.repeat(9000) }), 400, 'MetadataTooLarge'],
    ['PUT on condition of no date', put('', { 'if-unmodified-since': 'yesterday' }), 400, 'InvalidHeaderValue'],
    ['GET', get(''), 403, 'AuthorizationPermissionMismatch'],
    ['GET of metadata', get('comp=metadata'), 400, 'InvalidQueryParameterValue'],
    ['GET of a list of another type', get('comp=blocklist&blocklisttype=none'), 400, 'InvalidQueryParameterValue'],
    ['GET of a list before anything', get('comp=blocklist&blocklisttype=all'), 404, 'BlobNotFound'],
    ['DELETE', () => send(uri, 'DELETE', ''), 405, 'UnsupportedHttpVerb'],
    ['POST', () => send(uri, 'POST', 'comp=query'), 405, 'UnsupportedHttpVerb'],
    ['PATCH', () => send(uri, 'PATCH', ''), 405, 'UnsupportedHttpVerb'],
  ])('%s', async (_, request, status, code) => {
    await fresh()
    const answer = await request()
    expect([answer.status, answer.code]).toEqual([status, code])
    expect(answer.headers['content-type']).toBe('application/xml')
    expect(answer.body).toContain(`<Code>${code}</Code>`)
    expect(answer.headers['x-ms-request-id']).toMatch(/./)
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [] })
  })

  test('S19: an address for reading alone does not write, and one for writing alone does not read', async () => {
    await fresh()
    await putBlob(uri, Buffer.from('x'))
    // The station gives out addresses for both. This one is signed here, with the secret of the harness.
    const only = (permission: string): string => {
      const address = new URL(uri)
      const [version, issued, ends, holder] = ['sv', 'st', 'se', 'saoid'].map((name) => address.searchParams.get(name))
      const text = ['sallyport-upload', version, 'station', id, issued, ends, permission, holder].join('\n')
      address.searchParams.set('sp', permission)
      address.searchParams.set('sig', createHmac('sha256', Buffer.alloc(32, 'test')).update(text).digest('base64url'))
      return address.href
    }
    expect((await send(only('r'), 'HEAD', '')).status).toBe(200)
    for (const answer of [
      await putBlob(only('r'), Buffer.from('y')),
      await putBlock(only('r'), 'a', Buffer.from('y')),
      await putList(only('r'), []),
      await send(only('w'), 'GET', 'comp=blocklist'),
    ])
      expect([answer.status, answer.code]).toEqual([403, 'AuthorizationPermissionMismatch'])
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(Buffer.from('x')))
    expect((await putBlob(only('w'), Buffer.from('y'))).status).toBe(201)
  })

  test.each([
    ['no XML', 'hello', 'InvalidXmlDocument'],
    ['nothing', '', 'InvalidXmlDocument'],
    ['another root', '<Blocks/>', 'InvalidXmlDocument'],
    ['no end', '<BlockList><Latest>YQ==</Latest>', 'InvalidXmlDocument'],
    ['another member', '<BlockList><Newest>YQ==</Newest></BlockList>', 'InvalidXmlDocument'],
    ['crossed members', '<BlockList><Latest>YQ==</Committed></BlockList>', 'InvalidXmlDocument'],
    ['text', '<BlockList>YQ==</BlockList>', 'InvalidXmlDocument'],
    ['a DTD', '<!DOCTYPE x [<!ENTITY a "b">]><BlockList><Latest>&a;</Latest></BlockList>', 'InvalidXmlDocument'],
    ['no id', '<BlockList><Latest></Latest></BlockList>', 'InvalidBlockList'],
    ['no base64', '<BlockList><Latest>a</Latest></BlockList>', 'InvalidBlockList'],
    ['a block that is not there', listXml([['Latest', 'b']]), 'InvalidBlockList'],
    ['one not committed', listXml([['Committed', 'a']]), 'InvalidBlockList'],
    [
      'one there and one not',
      listXml([
        ['Latest', 'a'],
        ['Latest', 'b'],
      ]),
      'InvalidBlockList',
    ],
    ['too many', listXml(Array.from({ length: 50_001 }, () => ['Latest', 'a'] as const)), 'BlockListTooLong'],
  ])('a block list that is or has %s: 400, nothing changed', async (_, xml, code) => {
    await fresh()
    await putBlock(uri, 'a', Buffer.from('hello'))
    const answer = await send(uri, 'PUT', 'comp=blocklist', {}, xml)
    expect([answer.status, answer.code]).toEqual([400, code])
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [['a', 5]] })
  })

  test('50,000 blocks in a list, comments and white space between', async () => {
    await fresh()
    await putBlock(uri, 'a', Buffer.from('hello'))
    const xml = `\uFEFF<?xml version="1.0"?>\n<BlockList>\n<!-- all -->${'<Latest>\nYQ==\n</Latest>\n'.repeat(50_000)}</BlockList>\n`
    expect((await send(uri, 'PUT', 'comp=blocklist', {}, xml)).status).toBe(201)
    expect((await send(uri, 'HEAD', '')).headers['content-length']).toBe('250000')
  })

  test('S19: a list of one block so often that the blob were longer than a tebibyte: 413, nothing changed', async () => {
    await fresh()
    await putBlock(uri, 'a', Buffer.alloc(21 * MIB))
    const most = Math.floor(2 ** 40 / (21 * MIB))
    expect(most).toBeLessThan(50_000)
    const times = (count: number): Promise<RawAnswer> =>
      putList(
        uri,
        Array.from({ length: count }, () => ['Latest', 'a'] as const),
      )
    const answer = await times(most + 1)
    expect([answer.status, answer.code]).toEqual([413, 'RequestBodyTooLarge'])
    expect(await blockList(uri, 'all')).toEqual({ committed: [], uncommitted: [['a', 21 * MIB]] })
    expect((await times(most)).status).toBe(201)
  })
})
