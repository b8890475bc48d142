// @module-tag merge
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { blockList, putBlob, putBlock, putList, send, sendText, sha256Of } from '../../support/blob-client.ts'
import { removeStation, type Station, startStation } from './harness.ts'

const HOUR = 3600_000
const stations: Station[] = []
const start = async (...options: Parameters<typeof startStation>): Promise<Station> => {
  const station = await startStation(...options)
  stations.push(station)
  return station
}
afterEach(async () => {
  for (const station of stations.splice(0)) await removeStation(station)
})

const setState = (station: Station, id: string, state: string): Promise<unknown> =>
  station.database.transaction((tx) =>
    tx.updateTable('resources').set({ state }).where('resource_id', '=', Number(id)).execute(),
  )

describe('a complete resource', () => {
  test('refuses every write with 409 and tells its length and hash', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    await putBlock(uri, 'a', Buffer.from('hello'))
    await putList(uri, [['Latest', 'a']])
    await station.database.transaction(async (tx) => {
      const sha256 = sha256Of(Buffer.from('hello'))
      await tx
        .insertInto('blobs')
        .values({ sha256, length: 5, read_back: 'cache', created_utc: '2026-11-21T00:00:00Z' })
        .execute()
      await tx
        .updateTable('resources')
        .set({ state: 'UserCompleted', sha256, length: 5, uploaded_utc: '2026-11-21T00:00:00Z' })
        .where('resource_id', '=', Number(id))
        .execute()
    })
    await station.uploads.discard(Number(id))
    for (const answer of [
      await putBlock(uri, 'b', Buffer.from('x')),
      await putBlob(uri, Buffer.from('x')),
      await putList(uri, []),
      await putList(uri, [['Latest', 'a']]),
    ]) {
      expect([answer.status, answer.code]).toEqual([409, 'BlobImmutableDueToPolicy'])
    }
    const head = await send(uri, 'HEAD', '')
    expect([head.status, head.headers['content-length'], head.headers['etag'], head.headers['content-type']]).toEqual([
      200,
      '5',
      `"${sha256Of(Buffer.from('hello'))}"`,
      'video/mp4',
    ])
    expect(await station.staging.files(id)).toEqual([])
  })

  test('refuses blocks whose bytes were on their way when it was completed', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = new URL(station.uploadUri(id))
    const socket = connect(Number(uri.port), uri.hostname)
    socket.write(
      `PUT ${uri.pathname}${uri.search}&comp=block&blockid=YQ%3D%3D HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell`,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await setState(station, id, 'UserCompleted')
    socket.write('o')
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
    socket.destroy()
    expect(answer).toContain('409')
    expect(await station.database.read.selectFrom('upload_blocks').selectAll().execute()).toEqual([])
  })
})

describe('S19: an upload that is closed, or gone, while a write is under way takes nothing', () => {
  const call = { actor: INTERNAL, source: 'test', correlationId: 'request' }
  const options = { conditions: {}, md5: null, properties: {}, metadata: [] }
  const oneByte: Parameters<Station['uploads']['putBlob']>[4] = async (part) => {
    await part.push(Buffer.from('x'))
    return { length: 1 }
  }
  const setLifecycle = (station: Station, state: string): Promise<unknown> =>
    station.database.transaction((tx) => tx.updateTable('evidence').set({ lifecycle_state: state }).execute())
  const remove = (station: Station, id: string): Promise<unknown> =>
    station.database.transaction(async (tx) => {
      await station.uploads.forget(tx, Number(id))
      await tx.deleteFrom('resources').where('resource_id', '=', Number(id)).execute()
    })
  const changes: [string, (station: Station, id: string) => Promise<unknown>, string][] = [
    ['completed', (station, id) => setState(station, id, 'UserCompleted'), 'BlobImmutableDueToPolicy'],
    ['in the recycle bin', (station) => setLifecycle(station, 'Deleted'), 'ContainerBeingDeleted'],
    ['gone', remove, 'ResourceNotFound'],
  ]

  test.each(changes)('%s after it was found: no list and no whole blob is committed', async (_, change, code) => {
    const station = await start()
    const id = await station.newResource()
    await putBlock(station.uploadUri(id), 'a', Buffer.from('hello'))
    const upload = await station.uploads.find('station', id)
    await change(station, id)
    const list = station.uploads.putBlockList(call, upload, [{ kind: 'Latest', id: 'YQ==' }], options)
    await expect(list).rejects.toMatchObject({ code })
    const blob = station.uploads.putBlob(call, upload, 1, { md5: false, crc64: false }, oneByte, options)
    await expect(blob).rejects.toMatchObject({ code })
    expect(await station.uploads.committed(Number(id))).toBeNull()
  })

  test.each(changes.slice(0, 2))('%s before: it is refused before a body is read', async (_, change, code) => {
    const station = await start()
    const id = await station.newResource()
    await change(station, id)
    const upload = await station.uploads.find('station', id)
    await expect(station.uploads.admit(upload, 1)).rejects.toMatchObject({ code })
  })
})

describe('conditions of a write', () => {
  test('If-None-Match and If-Match, stars and tags', async () => {
    const station = await start()
    const uri = station.uploadUri(await station.newResource())
    const data = Buffer.from('x')
    expect((await putBlob(uri, data, { 'if-match': '*' })).code).toBe('ConditionNotMet')
    const first = await putBlob(uri, data, { 'if-none-match': '*' })
    expect(first.status).toBe(201)
    const etag = String(first.headers['etag'])
    const again = await putBlob(uri, data, { 'if-none-match': '*' })
    expect([again.status, again.code]).toEqual([409, 'BlobAlreadyExists'])
    expect((await putList(uri, [], { 'if-match': '"0x1"' })).status).toBe(412)
    expect((await putList(uri, [], { 'if-none-match': etag })).status).toBe(412)
    expect((await putList(uri, [], { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' })).status).toBe(412)
    const second = await putList(uri, [], { 'if-match': etag })
    expect(second.status).toBe(201)
    expect(second.headers['etag']).not.toBe(etag)
    expect((await putBlob(uri, data, { 'if-match': etag })).status).toBe(412)
    expect((await putBlob(uri, data, { 'if-match': '*' })).status).toBe(201)
  })

  test('S19: tags of an upload to which nothing was committed', async () => {
    const station = await start()
    const uri = station.uploadUri(await station.newResource())
    const answer = await putBlob(uri, Buffer.from('x'), { 'if-match': '"0x1"' })
    expect([answer.status, answer.code]).toEqual([412, 'ConditionNotMet'])
    expect((await putBlob(uri, Buffer.from('x'), { 'if-none-match': '"0x1"' })).status).toBe(201)
  })

  test('S19: If-Modified-Since, to the second', async () => {
    const clock = manualClock()
    const station = await start({ clock })
    const uri = station.uploadUri(await station.newResource())
    const since = (ms: number): { 'if-modified-since': string } => ({
      'if-modified-since': new Date(clock.now() + ms).toUTCString(),
    })
    expect((await putList(uri, [], since(0))).status).toBe(201)
    for (const ms of [0, 1000]) {
      const answer = await putList(uri, [], since(ms))
      expect([answer.status, answer.code]).toEqual([412, 'ConditionNotMet'])
    }
    expect((await putList(uri, [], since(-1000))).status).toBe(201)
  })

  test('S19: a condition that does not hold is found before a body is read', async () => {
    const station = await start()
    const id = await station.newResource()
    await putBlob(station.uploadUri(id), Buffer.from('x'))
    const upload = await station.uploads.find('station', id)
    await expect(station.uploads.admit(upload, 1, { ifMatch: '"0x1"' })).rejects.toMatchObject({
      code: 'ConditionNotMet',
    })
    await expect(station.uploads.admit(upload, 1, { ifNoneMatch: '*' })).rejects.toMatchObject({
      code: 'BlobAlreadyExists',
    })
    await station.uploads.admit(upload, 1, { ifMatch: String(upload.committed_etag) })
  })

  test('S19: a condition that holds no more when the write is committed', async () => {
    const station = await start()
    const id = await station.newResource()
    const upload = await station.uploads.find('station', id)
    const conditions = { ifNoneMatch: '*' }
    await station.uploads.admit(upload, 1, conditions)
    await putBlob(station.uploadUri(id), Buffer.from('x'))
    const call = { actor: INTERNAL, source: 'test', correlationId: 'request' }
    const late = station.uploads.putBlockList(call, upload, [], { conditions, md5: null, properties: {}, metadata: [] })
    await expect(late).rejects.toMatchObject({ code: 'BlobAlreadyExists' })
    expect(await station.uploads.committed(Number(id))).toMatchObject({ length: 1 })
  })

  test('of two racing first blobs one wins', async () => {
    const station = await start()
    const uri = station.uploadUri(await station.newResource())
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => putBlob(uri, Buffer.from(`${i}`), { 'if-none-match': '*' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })
})

describe('completing', () => {
  test('before anything was committed gives nothing', async () => {
    const station = await start()
    const id = await station.newResource()
    expect(await station.assembled(id)).toBeNull()
    await putBlock(station.uploadUri(id), 'a', Buffer.from('x'))
    expect(await station.assembled(id)).toBeNull()
    expect((await blockList(station.uploadUri(id), 'all')).uncommitted).toEqual([['a', 1]])
  })

  test('sends away who is still writing, with 409', async () => {
    const station = await start()
    const id = await station.newResource()
    await putBlob(station.uploadUri(id), Buffer.from('x'))
    const uri = new URL(station.uploadUri(id))
    const answer = sendText(
      station.uploadUri(id),
      [
        `PUT ${uri.pathname}${uri.search}&comp=block&blockid=YQ%3D%3D HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nhell`,
      ],
      9000,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(Buffer.from('x')))
    expect(await answer).toContain('PendingCopyOperation')
  })

  test('keeps writers out until it is released or discarded', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    await putBlob(uri, Buffer.from('x'))
    await station.uploads.assemble(Number(id), station.store)
    for (const answer of [
      await putBlob(uri, Buffer.from('y')),
      await putBlock(uri, 'a', Buffer.from('y')),
      await putList(uri, []),
    ]) {
      expect([answer.status, answer.code]).toEqual([409, 'PendingCopyOperation'])
    }
    await station.uploads.assemble(Number(id), station.store)
    await station.uploads.release(Number(id))
    expect((await putBlob(uri, Buffer.from('y'))).status).toBe(201)
    await Promise.all([station.uploads.discard(Number(id)), station.uploads.discard(Number(id))])
    expect((await putBlob(uri, Buffer.from('z'))).status).toBe(201)
  })

  test('that was cut short after the blob was placed loses nothing, and its bytes are never written again', async () => {
    const station = await start()
    const id = await station.newResource()
    const blocks = [randomBytes(8192), randomBytes(8192), randomBytes(100)]
    const uri = station.uploadUri(id)
    for (const [i, block] of blocks.entries()) await putBlock(uri, `0000${i}`, block)
    await putList(uri, [
      ['Latest', '00000'],
      ['Latest', '00001'],
    ])
    const { staged } = (await station.uploads.assemble(Number(id), station.store)) ?? {}
    // As the store places it; then the power goes, before the database knows.
    const blob = join(station.folder, 'blob')
    await rename(String(staged?.path), blob)
    await station.close()
    const again = await startStation({ folder: station.folder })
    stations.splice(0, 1, again)
    const later = again.uploadUri(id)
    expect((await putBlock(later, '00001', randomBytes(8192))).status).toBe(201)
    expect((await putBlock(later, '00002', blocks[2] as Buffer)).status).toBe(201)
    expect((await putBlock(later, '00003', blocks[0] as Buffer)).status).toBe(201)
    expect(sha256Of(await readFile(blob))).toBe(staged?.sha256)
    expect((await again.assembled(id))?.staged.sha256).toBe(staged?.sha256)
    await putList(later, [
      ['Latest', '00000'],
      ['Latest', '00002'],
    ])
    expect((await again.assembled(id))?.staged.sha256).toBe(
      sha256Of(Buffer.concat([blocks[0] as Buffer, blocks[2] as Buffer])),
    )
    expect(sha256Of(await readFile(blob))).toBe(staged?.sha256)
    await again.uploads.discard(Number(id))
    expect(sha256Of(await readFile(blob))).toBe(staged?.sha256)
  })

  test('what rotted in between is found', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    for (const i of [0, 1, 2]) await putBlock(uri, `0000${i}`, randomBytes(5000))
    await putList(uri, [
      ['Latest', '00000'],
      ['Latest', '00001'],
      ['Latest', '00002'],
    ])
    const [file = ''] = await station.staging.files(id)
    const path = station.staging.pathOf(id, file)
    const bytes = await readFile(path)
    bytes[7777] = (bytes[7777] as number) ^ 1
    await writeFile(path, bytes)
    await expect(station.assembled(id)).rejects.toThrow()
  })
})

describe('U1 at start', () => {
  test('what is acknowledged stays, what is nobody’s goes', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    await putBlock(uri, '00000', Buffer.from('kept'))
    await mkdir(join(station.staging.root, '999'))
    await writeFile(join(station.staging.root, '999', 's-1'), 'of no upload')
    await writeFile(station.staging.pathOf(id, 'b-1'), 'of no block')
    await station.close()
    const again = await startStation({ folder: station.folder })
    stations.splice(0, 1, again)
    expect(await again.staging.uploads()).toEqual([id])
    expect(await again.staging.files(id)).toHaveLength(1)
    expect((await blockList(again.uploadUri(id), 'uncommitted')).uncommitted).toEqual([['00000', 4]])
  })

  test('nothing goes once the folder is another station’s', async () => {
    const station = await start()
    const id = await station.newResource()
    await putBlock(station.uploadUri(id), '00000', Buffer.from('kept'))
    await mkdir(join(station.staging.root, '999'))
    await writeFile(join(station.staging.root, 'adopt-999-b-1'), '')
    await writeFile(station.staging.pathOf(id, 'b-1'), 'of no block')
    const there = async () => [await readdir(station.staging.root), await station.staging.files(id)]
    // Each of the three kinds of removal has its own question: a folder of no upload, second names, files of no block.
    const kept = [['999', 'adopt-999-b-1', id], ['adopt-999-b-1', id], [id]]
    for (const [asked, names] of kept.entries()) {
      let left = asked
      const requireOwn = async (): Promise<void> => {
        if (left-- === 0) throw new Error('the folder of another station')
      }
      await mkdir(join(station.staging.root, '999'), { recursive: true })
      await writeFile(join(station.staging.root, 'adopt-999-b-1'), '')
      await expect(station.uploads.recover(requireOwn)).rejects.toThrow('another station')
      expect(await there()).toEqual([names.toSorted(), expect.arrayContaining(['b-1'])])
    }
    await station.uploads.recover()
    expect(await there()).toEqual([[id], [expect.not.stringMatching(/^b-1$/)]])
  })

  test('a block sent again after a lost answer is not stored twice', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    const block = randomBytes(9000)
    for (let i = 0; i < 5; i++) expect((await putBlock(uri, '00000', block)).status).toBe(201)
    expect(await station.staging.files(id)).toHaveLength(1)
    expect((await stat(station.staging.pathOf(id, (await station.staging.files(id))[0] ?? ''))).size).toBe(9000)
  })
})

describe('places', () => {
  test('a sender that gives more than it announced does not reach its neighbour', async () => {
    const station = await start()
    const id = await station.newResource()
    const neighbour = randomBytes(4096)
    await putBlock(station.uploadUri(id), '00001', neighbour)
    const upload = await station.uploads.find('station', id)
    const greedy = station.uploads.putBlock(
      upload,
      Buffer.from('00000'),
      4096,
      { md5: false, crc64: false },
      async (part) => {
        await part.push(randomBytes(6000))
        return { length: 4096 }
      },
    )
    await expect(greedy).rejects.toMatchObject({ code: 'IncompleteBody' })
    await putList(station.uploadUri(id), [['Latest', '00001']])
    expect((await station.assembled(id))?.staged.sha256).toBe(sha256Of(neighbour))
  })
})

describe('a station that takes no writes', () => {
  test('full is 507, read-only 503 with Retry-After; reading goes on', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = station.uploadUri(id)
    await putBlock(uri, 'a', Buffer.from('x'))
    station.admission = 'full'
    for (const answer of [await putBlock(uri, 'b', Buffer.from('x')), await putBlob(uri, Buffer.from('x'))])
      expect([answer.status, answer.code]).toEqual([507, 'InsufficientStorage'])
    station.admission = 'read-only'
    const answer = await putBlock(uri, 'b', Buffer.from('x'))
    expect([answer.status, answer.code, answer.headers['retry-after']]).toEqual([503, 'ServerBusy', '5'])
    expect((await blockList(uri, 'uncommitted')).uncommitted).toEqual([['a', 1]])
  })
})

describe('U8 slow senders', () => {
  test('a silent one and a dripping one are given up; one above the floor is not', async () => {
    const station = await start({ patience: { windowMs: 1500, floorBytesPerSecond: 1024 } })
    const head = (uri: string, length: number): string => {
      const { pathname, search } = new URL(uri)
      return `PUT ${pathname}${search}&comp=block&blockid=YQ%3D%3D HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
    }
    const drip = async (bytes: number, everyMs: number): Promise<string> => {
      const uri = station.uploadUri(await station.newResource())
      const socket: Socket = connect(Number(new URL(uri).port), '127.0.0.1')
      socket.write(head(uri, 4000))
      // Not one byte more than announced: it would be the beginning of another request.
      let left = 4000
      const timer = setInterval(() => {
        const some = Math.min(bytes, left)
        left -= some
        if (some > 0) socket.write(Buffer.alloc(some))
      }, everyMs)
      const text = await new Promise<string>((resolve) => {
        socket.once('data', (chunk) => resolve(chunk.toString()))
        socket.once('error', () => resolve('error'))
        socket.once('close', () => resolve('closed'))
      })
      clearInterval(timer)
      socket.destroy()
      return text.slice(0, 12)
    }
    const since = performance.now()
    const [silent, dripping, slow] = await Promise.all([drip(0, 1000), drip(1, 20), drip(400, 50)])
    expect([silent, slow]).toEqual(['HTTP/1.1 408', 'HTTP/1.1 201'])
    // One that goes on writing may see the connection end before it reads the answer.
    expect(dripping).toMatch(/^(HTTP\/1.1 408|error|closed)$/)
    expect(performance.now() - since).toBeLessThan(9000)
  })

  test('200 connections at one byte a second do not slow the others', async () => {
    const station = await start()
    const id = await station.newResource()
    const uri = new URL(station.uploadUri(id))
    const round = async (): Promise<number> => {
      const since = performance.now()
      for (let i = 0; i < 40; i++)
        expect((await putBlock(station.uploadUri(id), `${i % 7}-00000`, randomBytes(200_000))).status).toBe(201)
      return performance.now() - since
    }
    await round()
    const alone = [await round(), await round()]
    const sockets = Array.from({ length: 200 }, (_, i) => {
      const socket = connect(Number(uri.port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `PUT ${uri.pathname}${uri.search}&comp=block&blockid=${Buffer.from(`${String(i).padStart(3, '0')}slow`).toString('base64url')} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n`,
      )
      return socket
    })
    const timer = setInterval(() => {
      for (const socket of sockets) socket.write('x')
    }, 1000)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const among = Math.min(await round(), await round(), await round())
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    // Before and after: the machine itself is slower at one time than at another.
    alone.push(await round(), await round())
    expect(among).toBeLessThan((2 * alone.reduce((sum, one) => sum + one, 0)) / alone.length)
  })
})

describe('purging', () => {
  const reading = (clock: ReturnType<typeof manualClock>) => ({ wall: clock.now(), monotonic: clock.monotonic() })
  const aStation = async () => {
    const clock = manualClock()
    const station = await start({ clock })
    const id = await station.newResource()
    await putBlock(station.uploadUri(id), 'a', Buffer.from('x'))
    return { clock, station, id, purgeable: () => station.uploads.purgeable(reading(clock)) }
  }

  test('24 h after the last acknowledged block, and only what was never completed', async () => {
    const { clock, station, id, purgeable } = await aStation()
    const done = await station.newResource()
    await setState(station, done, 'UserCompleted')
    clock.advance(23 * HOUR)
    expect(await purgeable()).toEqual([])
    await putBlock(station.uploadUri(id), 'b', Buffer.from('x'))
    clock.advance(2 * HOUR)
    expect(await purgeable()).toEqual([])
    clock.advance(22 * HOUR)
    expect(await purgeable()).toEqual([Number(id)])
    expect(
      await station.database.transaction((tx) => station.uploads.isPurgeable(tx, Number(id), reading(clock))),
    ).toBe(true)
    expect(
      await station.database.transaction((tx) => station.uploads.isPurgeable(tx, Number(done), reading(clock))),
    ).toBe(false)
    await station.database.transaction((tx) => station.uploads.forget(tx, Number(id)))
    await station.uploads.discard(Number(id))
    expect(await station.staging.uploads()).toEqual([])
  })

  test.each([25 * HOUR, -25 * HOUR, 400 * 24 * HOUR])(
    'not after the clock jumped by %i ms, until a day later',
    async (jump) => {
      const { clock, id, purgeable } = await aStation()
      clock.advance(2 * HOUR)
      clock.set(clock.now() + jump)
      expect(await purgeable()).toEqual([])
      clock.advance(23 * HOUR)
      expect(await purgeable()).toEqual([])
      clock.advance(26 * HOUR)
      expect(await purgeable()).toEqual([Number(id)])
    },
  )

  test('a clock set by less than an hour is believed; nothing is purged in the first hour of a run', async () => {
    const { clock, station, id } = await aStation()
    clock.advance(10 * HOUR)
    clock.set(clock.now() + 50 * 60_000)
    clock.advance(14 * HOUR)
    await station.close()
    const again = await startStation({ folder: station.folder, clock })
    stations.splice(0, 1, again)
    expect(await again.uploads.purgeable(reading(clock))).toEqual([])
    clock.advance(HOUR)
    expect(await again.uploads.purgeable(reading(clock))).toEqual([Number(id)])
  })

  test('S19: a resource made under a clock at 1970 is not purged while the clock that was set right is not believed', async () => {
    const clock = manualClock(0)
    const station = await start({ clock })
    const id = Number(await station.newResource())
    const isPurgeable = (): Promise<boolean> =>
      station.database.transaction((tx) => station.uploads.isPurgeable(tx, id, reading(clock)))
    clock.set(Date.UTC(2026, 10, 21))
    expect(await isPurgeable()).toBe(false)
    clock.advance(23 * HOUR)
    expect(await isPurgeable()).toBe(false)
    clock.advance(HOUR)
    expect(await isPurgeable()).toBe(true)
  })
})
