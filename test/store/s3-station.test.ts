/** B2: a whole station whose blobs lie in an object store. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../server/index.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import { clipOf, resourcePath } from '../api/documents/clip.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { temporaryFolder } from '../support/station.ts'

const missing = missingForS3()

describe.skipIf(missing !== null)(missing ?? 'B2: a station with object storage', () => {
  let server: S3Server
  let bucket: string
  let given: Given
  const blobUrl = (prefix: string): string =>
    `s3://${bucket}/${prefix}?endpoint=${server.endpoint}&region=${S3_REGION}&pathStyle=true`
  beforeAll(async () => {
    useS3Credentials()
    server = await startS3Server()
    bucket = await server.bucket()
    given = await givenStation({ settings: { blobUrl: blobUrl('station') }, fresh: true })
  }, STARTING)
  afterAll(async () => {
    await given?.close()
    await server?.close()
  })
  const at = (key: string) => ({ Bucket: bucket, Key: `station/${key}` })
  const bytesAt = async (key: string): Promise<Buffer> => {
    const answer = await server.client.send(new GetObjectCommand(at(key)))
    return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
  }
  const contentOf = (one: { evidenceId: string; resourceId: string }, range?: string) =>
    given.call(
      'GET',
      `${given.documents}/evidence/${one.evidenceId}/resource/${one.resourceId}/content`,
      range === undefined ? {} : { headers: { range } },
    )
  const flip = async (sha256: string): Promise<void> => {
    const bytes = await bytesAt(keyOf(sha256))
    bytes[7] = (bytes[7] as number) ^ 1
    await server.client.send(new PutObjectCommand({ ...at(keyOf(sha256)), Body: bytes }))
  }

  it('takes an upload, keeps it as an object, and gives it back whole and in ranges', async () => {
    const bytes = randomBytes(3_000_000)
    const one = await given.completed(bytes)
    expect((await bytesAt(keyOf(one.sha256))).equals(bytes)).toBe(true)
    expect(Buffer.from((await contentOf(one)).bytes).equals(bytes)).toBe(true)
    const part = await contentOf(one, 'bytes=1000000-1999999')
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000000-1999999/3000000'])
    expect(Buffer.from(part.bytes).equals(bytes.subarray(1_000_000, 2_000_000))).toBe(true)
    // Nothing of it stays on this machine.
    const scratch = path.join(given.data, 'scratch')
    expect(readdirSync(path.join(scratch, '.intents'))).toEqual([])
    expect(readdirSync(scratch).filter((name) => /^[0-9a-f]{2}$/.test(name))).toEqual([])
  })

  it('makes what is shown of a video from a copy that it releases', async () => {
    const clip: Json = await clipOf({ given })
    expect(clip.Thumbnail).toMatch(/\/thumbnail$/)
    const thumbnail = await given.call('GET', clip.Thumbnail)
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const still = await given.call('POST', `${resourcePath(given, clip)}/still`, { body: { Seconds: 0.5 } })
    expect(still.status).toBe(201)
    await given.settled(clip.EvidenceId)
    const staging = readdirSync(path.join(given.data, 'scratch', '.staging'))
    expect(staging.filter((name) => name !== 'uploads')).toEqual([])
  })

  it('finds a byte that was flipped in an object, when it verifies and when a check is asked for', async () => {
    const one = await given.completed(randomBytes(100_000))
    await given.settled(one.evidenceId)
    expect((await given.command('verify', { fast: false })).problems).toEqual([])
    await flip(one.sha256)
    const { problems } = await given.command('verify', { fast: false })
    expect(problems).toMatchObject([{ kind: 'changed', what: one.sha256 }])
    const address = `${given.documents}/evidence/${one.evidenceId}/resource/${one.resourceId}`
    await given.expecting(202, given.call('POST', `${address}/check`))
    await expect
      .poll(async () => (await given.call('GET', address)).json.LastCheck?.Result, { timeout: 20_000 })
      .toBe('changed')
    await flip(one.sha256)
  })

  it('is ready, and says where its blobs lie and what protects them there', async () => {
    const { json } = await given.call('GET', '/readyz')
    expect(JSON.stringify(json)).toContain(`takes bytes, in the bucket ${bucket} (prefix station/)`)
    expect(JSON.stringify(json)).toContain('versioning off')
    const { text } = await given.call('GET', '/metrics', { token: null })
    const [, all, checks] =
      /\nsallyport_object_store_requests (\d+)[^]*\nsallyport_object_store_check_requests (\d+)/.exec(text) ?? []
    expect(Number(checks)).toBeGreaterThan(0)
    expect(Number(all)).toBeGreaterThan(Number(checks))
  })

  it('makes a snapshot of all of it on a disk', async () => {
    const one = await given.completed(randomBytes(50_000))
    const { dir, dispose } = await temporaryFolder('backup')
    const made = await given.command('backup', { to: path.join(dir, 'backup'), passphrase: null })
    expect(made).toMatchObject({ manifest: { blobs: { damaged: [] } } })
    const folder = path.join(dir, 'backup', 'blobs', one.sha256.slice(0, 2), one.sha256.slice(2, 4))
    expect(readdirSync(folder)).toEqual([one.sha256])
    await dispose()
  })

  it('does not start over the bucket of another station, and leaves it as it is', async () => {
    const listed = async (): Promise<string[]> =>
      ((await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'station/' }))).Contents ?? []).map(
        ({ Key, ETag }) => `${Key} ${ETag}`,
      )
    const before = await listed()
    await expect(givenStation({ settings: { blobUrl: blobUrl('station') }, fresh: true })).rejects.toThrow(
      /belongs to another station/,
    )
    expect(await listed()).toEqual(before)
  })

  it('does not start over an empty place when it has files, and does with its own again', async () => {
    const one = await given.completed(randomBytes(10_000))
    await given.stop()
    const settings = { ...given.settings, blobUrl: { ...given.settings.blobUrl, prefix: 'elsewhere/' } }
    await expect(startServer(settings as typeof given.settings)).rejects.toThrow(/is empty, and the station has files/)
    const folder = path.join(given.data, 'blobs')
    await expect(startServer({ ...given.settings, blobUrl: undefined })).rejects.toThrow(/station has files/)
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual([])
    // The scratch folder of a new node is empty.
    const again = await startServer({
      ...given.settings,
      port: Number(new URL(given.url).port),
      blobsDir: path.join(given.dir, 'new scratch'),
    })
    try {
      const answer = await fetch(
        `${again.url}${given.documents}/evidence/${one.evidenceId}/resource/${one.resourceId}/content`,
        {
          headers: { authorization: `Bearer ${given.token}` },
        },
      )
      expect((await answer.arrayBuffer()).byteLength).toBe(10_000)
    } finally {
      await again.close()
    }
  })
})
