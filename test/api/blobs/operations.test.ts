/** The operations without the HTTP server, whose parser ends every body where it was announced to end. */
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bodyReader } from '../../../server/features/uploads/blobs/body.ts'
import { type Exchange, putBlock, putBlockList } from '../../../server/features/uploads/blobs/operations.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { blockList, listXml, putBlock as putBlockOverHttp, structured } from '../../support/blob-client.ts'
import { removeStation, type Station, startStation } from './harness.ts'

let station: Station
let id: string
beforeAll(async () => {
  station = await startStation()
})
afterAll(() => removeStation(station))
beforeEach(async () => {
  id = await station.newResource()
})

/** A sender that is silent for this long is given up: long after everything else has answered. */
const SILENCE_MS = 3000

async function exchange(
  body: Readable,
  headers: Record<string, string>,
  query: Record<string, string> = {},
): Promise<Exchange> {
  const { signal } = new AbortController()
  const params = { container: 'station', blob: id }
  return {
    request: { method: 'PUT', params, query, headers, url: '', origin: '', body, signal },
    call: { actor: INTERNAL, source: 'test', correlationId: 'request' },
    body: bodyReader(body, signal, { windowMs: SILENCE_MS, floorBytesPerSecond: 1 }),
    uploads: station.uploads,
    upload: await station.uploads.find('station', id),
  }
}

const lists = (): Promise<unknown> => blockList(station.uploadUri(id), 'all')
const NOTHING = { committed: [], uncommitted: [] }

describe('S19: a structured body with something behind its end is refused', () => {
  const content = Buffer.from('hello')
  const message = structured(content, 100)
  /** Its header counts the letter behind its end as well, so that the length is the announced one. */
  const longer = Buffer.concat([message, Buffer.from('x')])
  longer.writeBigUInt64LE(BigInt(longer.length), 1)
  const put = async (chunks: readonly Buffer[], length: number): Promise<unknown> =>
    putBlock(
      await exchange(
        Readable.from(chunks),
        {
          'content-length': String(length),
          'x-ms-structured-body': 'XSM/1.0; properties=crc64',
          'x-ms-structured-content-length': String(content.length),
        },
        { comp: 'block', blockid: 'YQ==' },
      ),
    )
  const end = longer.length - 1

  test('and one without is stored, however it is cut', async () => {
    await put([message.subarray(0, 20), message.subarray(20)], message.length)
    expect(await lists()).toEqual({ committed: [], uncommitted: [['a', 5]] })
  })

  test.each([
    ['in the chunk of its end', [longer]],
    ['in a chunk of its own', [longer.subarray(0, end), longer.subarray(end)]],
  ])('%s', async (_, chunks) => {
    await expect(put(chunks, longer.length)).rejects.toMatchObject({ code: 'InvalidStructuredBody' })
    expect(await lists()).toEqual(NOTHING)
  })
})

describe('S19: a block list is refused', () => {
  const xml = Buffer.from(listXml([['Latest', 'a']]))
  beforeEach(async () => {
    expect((await putBlockOverHttp(station.uploadUri(id), 'a', Buffer.from('hello'))).status).toBe(201)
  })
  const put = async (body: Readable, length: number): Promise<unknown> =>
    putBlockList(await exchange(body, { 'content-length': String(length) }, { comp: 'blocklist' }))
  const unchanged = async (): Promise<void> => expect(await lists()).toEqual({ committed: [], uncommitted: [['a', 5]] })

  test('where its body ends before the announced length, also when it is whole by itself', async () => {
    await expect(put(Readable.from([xml]), xml.length + 1)).rejects.toMatchObject({ code: 'IncompleteBody' })
    await unchanged()
  })

  test('as soon as its body is longer than announced, though more would follow', async () => {
    const body = new PassThrough()
    body.write(Buffer.concat([xml, Buffer.from('\n')]))
    await expect(put(body, xml.length)).rejects.toMatchObject({ code: 'IncompleteBody' })
    body.destroy()
    await unchanged()
  })
})

test('S19: a block whose place is chosen while a completion begins is sent away without its body being read', async () => {
  const silent = new PassThrough()
  const { uploads } = station
  let completion: Promise<unknown> = Promise.resolve()
  const sent = await exchange(silent, { 'content-length': '5' }, { comp: 'block', blockid: 'YQ==' })
  // The block is inside, and its place is not there yet: for that, files and folders are made durable first.
  const putWhileCompleting: typeof uploads.putBlock = (...block) => {
    const stored = uploads.putBlock(...block)
    completion = uploads.assemble(Number(id), station.store)
    return stored
  }
  await expect(putBlock({ ...sent, uploads: { ...uploads, putBlock: putWhileCompleting } })).rejects.toMatchObject({
    code: 'PendingCopyOperation',
  })
  expect(await completion).toBeNull()
  silent.destroy()
  expect(await lists()).toEqual(NOTHING)
})
