/** B6: uploads under way move with the blobs, from a folder to a bucket, to another bucket, and back; killed, resumed, with changed bytes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockList, type Entry, putBlob, putBlock, putList } from '../support/blob-client.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { startAt, type Started } from '../support/moving.ts'
import { programOf } from '../support/program.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { NODE } from '../support/station.ts'

const missing = missingForS3()
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const documents = '/documentstore/api/v1/tenant/station'
const LONG = 600_000
/** Blocks of the upload that is killed in the middle. */
const MANY = 60

interface Upload {
  readonly evidenceId: string
  readonly resourceId: string
  readonly uri: string
  /** What it holds in the end. */
  readonly content: Buffer[]
  readonly list: Entry[]
}

describe.skipIf(missing !== null)(missing ?? 'B6: uploads under way move with the blobs', () => {
  let s3: S3Server
  let proxy: FaultyProxy
  let given: Given
  let buckets: string[] = []
  const uploads: Upload[] = []

  const urlOf = (bucket: string): string =>
    `s3://${bucket}/hq?endpoint=${proxy.endpoint}&region=${S3_REGION}&pathStyle=true`
  const begin = async (): Promise<Upload> => {
    const { EvidenceId } = await given.evidence({ Name: 'Under way' })
    const { ResourceId, UploadUri } = await given.resource(EvidenceId, { Name: `upload ${uploads.length}.bin` })
    const upload = { evidenceId: EvidenceId, resourceId: ResourceId, uri: UploadUri, content: [], list: [] }
    uploads.push(upload)
    return upload
  }
  /** Sends a block at the home that the station has now. */
  const sent = async ({ uri, content, list }: Upload, id: string, length: number, at = given.url): Promise<void> => {
    const bytes = randomBytes(length)
    expect((await putBlock(uri.replace(given.url, at), id, bytes)).status).toBe(201)
    content.push(bytes)
    list.push(['Latest', id])
  }
  const completed = async (station: Started, { uri, evidenceId, resourceId, content, list }: Upload): Promise<void> => {
    expect((await putList(uri.replace(given.url, station.url), list)).status).toBe(201)
    const place = `${documents}/evidence/${evidenceId}/resource/${resourceId}`
    const done = await station.call('POST', `${place}/complete`, {})
    expect([done.status, await done.text()]).toEqual([200, expect.any(String)])
    const read = await station.call('GET', `${place}/content`)
    expect(sha256Of(Buffer.from(await read.arrayBuffer()))).toBe(sha256Of(Buffer.concat(content)))
  }
  const staged = async (bucket: string): Promise<string[]> => {
    const page = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'hq/staging/' }))
    return (page.Contents ?? []).map(({ Key = '' }) => Key)
  }
  const asked = (bucket: string): Json => ({ database: null, blobs: urlOf(bucket) })
  const failed = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'moved',
      (error: Error) => error.message,
    )

  beforeAll(async () => {
    useS3Credentials()
    s3 = await startS3Server()
    proxy = await startFaultyProxy(s3.endpoint, async (address) => {
      const [, Bucket = '', Key = ''] = /^\/([^/]+)\/([^?]+)/.exec(decodeURIComponent(address)) ?? []
      if (!Key.startsWith('hq/staging/')) return
      const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }))
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? [])
      bytes[0] = (bytes[0] as number) ^ 1
      await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: bytes }))
    })
    buckets = [await s3.bucket(), await s3.bucket()]
    given = await givenStation({ fresh: true })
    // Parts of one file, by the numbers in their ids, and one of another length.
    const numbered = await begin()
    for (const [at, length] of [40_000, 40_000, 40_000, 7000].entries()) await sent(numbered, `part-0000${at}`, length)
    // Two ids without a number.
    const named = await begin()
    for (const id of ['first', 'other']) await sent(named, id, 30_000)
    // A list, and behind it the same id with other bytes: both are kept until the next list.
    const twice = await begin()
    await sent(twice, 'again-00001', 20_000)
    expect((await putList(twice.uri, twice.list)).status).toBe(201)
    expect((await putBlock(twice.uri, 'again-00001', randomBytes(20_000))).status).toBe(201)
    twice.list.splice(0, 1, ['Committed', 'again-00001'])
    // A whole blob that was not completed.
    const whole = await begin()
    whole.content.push(randomBytes(50_000))
    expect((await putBlob(whole.uri, whole.content[0] as Buffer)).status).toBe(201)
    const many = await begin()
    for (let at = 0; at < MANY; at++) await sent(many, `many-${String(at).padStart(5, '0')}`, 3000 + at)
  }, STARTING)
  afterAll(async () => {
    await given?.close()
    await proxy?.close()
    await s3?.close()
  })

  const move = (bucket: string): { child: ChildProcess; said: () => string; ended: Promise<number | null> } => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|VITEST)/.test(name))
    const child = spawn(
      NODE,
      [programOf('server/bin/sallyport.ts'), 'move', '--blobs', urlOf(bucket), '--data', given.data],
      {
        cwd: ROOT,
        env: { ...Object.fromEntries(inherited), SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '65536' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
    return { child, said: () => text, ended: new Promise((resolve) => child.once('close', resolve)) }
  }

  it('a block that is damaged in the folder stops the move, which names its file', { timeout: LONG }, async () => {
    const [numbered] = uploads as [Upload]
    const folder = path.join(given.data, 'blobs', '.staging', 'uploads', numbered.resourceId)
    const file = readdirSync(folder).find((name) => name.startsWith('s-')) as string
    const bytes = readFileSync(path.join(folder, file))
    const changed = Buffer.from(bytes)
    changed[50_000] = (changed[50_000] as number) ^ 1
    writeFileSync(path.join(folder, file), changed)
    expect(await failed(given.command('move', asked(buckets[0] as string)))).toMatch(
      /Uploads are under way.+a block of upload 0\.bin is damaged or gone, and 4 more.+The station goes on where it is/,
    )
    writeFileSync(path.join(folder, file), bytes)
    await sent(numbered, 'part-00004', 9000)
  })

  it.each(['flip request', 'damage stored'] as const)(
    'a block that is changed on the way stops the move (%s)',
    { timeout: LONG },
    async (fault) => {
      const [numbered] = uploads as [Upload]
      proxy.always(fault)
      expect(await failed(given.command('move', asked(buckets[0] as string)))).not.toBe('moved')
      proxy.always(null)
      await sent(numbered, `part-0000${numbered.list.length}`, 5000)
    },
  )

  it('killed in the middle of the blocks it goes on; nothing counts before the end', { timeout: LONG }, async () => {
    await given.stop()
    const [first] = buckets as [string]
    const earlier = (await staged(first)).length
    const { child, ended } = move(first)
    let over = false
    void ended.then(() => (over = true))
    while (!over && (await staged(first)).length < earlier + 8) await sleep(2)
    expect(over).toBe(false)
    child.kill('SIGKILL')
    await ended
    const whole = (await staged(first)).length - earlier
    expect(whole).toBeLessThan(MANY)
    await expect(startAt(given, { blobUrl: urlOf(first) })).rejects.toThrow(/move has not ended/)
    const old = await startAt(given, {})
    await sent(uploads[0] as Upload, `part-0000${uploads[0]?.list.length}`, 1000, old.url)
    await old.close()
    const again = move(first)
    expect([await again.ended, again.said()]).toEqual([0, expect.stringContaining('blocks of uploads under way')])
    const present = Number(
      /were copied, (\d+) were there already/.exec(again.said().split('blocks of uploads')[1] ?? '')?.[1],
    )
    // Four are on their way at a time.
    expect(present).toBeGreaterThanOrEqual(whole - 4)
  })

  it('in the bucket their senders go on: what was sent before is listed, and one is completed', {
    timeout: LONG,
  }, async () => {
    const [first, second] = buckets as [string, string]
    const station = await startAt(given, { blobUrl: urlOf(first) })
    try {
      for (const { uri, list } of uploads.filter(({ list }) => list.length > 0)) {
        const { committed, uncommitted } = await blockList(uri.replace(given.url, station.url), 'all')
        const there = new Set([...committed, ...uncommitted].map(([id]) => id))
        expect(list.every(([, id]) => there.has(id))).toBe(true)
      }
      const [numbered, named, twice] = uploads as [Upload, Upload, Upload]
      await sent(numbered, `part-0000${numbered.list.length}`, 40_000, station.url)
      await completed(station, numbered)
      await sent(named, 'third', 30_000, station.url)
      await sent(twice, 'again-00002', 20_000, station.url)
      expect((await station.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
      const { blocks } = await station.command('move', asked(second))
      expect(blocks).toEqual({ copied: expect.any(Number), present: 0 })
      expect(blocks.copied).toBe((await staged(second)).length)
    } finally {
      await station.close()
    }
  })

  it('from the other bucket they come back to the folder, and every one is completed there', {
    timeout: LONG,
  }, async () => {
    const [, named, twice, whole, many] = uploads as [Upload, Upload, Upload, Upload, Upload]
    const station = await startAt(given, { blobUrl: urlOf(buckets[1] as string) })
    try {
      await sent(many, `many-${String(MANY).padStart(5, '0')}`, 3000, station.url)
      proxy.always('flip answer')
      expect(await failed(station.command('move', { database: null, blobs: 'folder' }))).not.toBe('moved')
      proxy.always(null)
      await sent(named, 'extra', 100, station.url)
      const { blocks } = await station.command('move', { database: null, blobs: 'folder' })
      expect(blocks.copied + blocks.present).toBeGreaterThan(MANY)
    } finally {
      proxy.always(null)
      await station.close()
    }
    const back = await startAt(given, {})
    try {
      await sent(many, `many-${String(MANY + 1).padStart(5, '0')}`, 3000, back.url)
      for (const upload of [named, twice, many]) await completed(back, upload)
      const place = `${documents}/evidence/${whole.evidenceId}/resource/${whole.resourceId}`
      expect((await back.call('POST', `${place}/complete`, {})).status).toBe(200)
      const read = await back.call('GET', `${place}/content`)
      expect(Buffer.from(await read.arrayBuffer()).equals(whole.content[0] as Buffer)).toBe(true)
      expect((await back.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
    } finally {
      await back.close()
    }
  })
})
