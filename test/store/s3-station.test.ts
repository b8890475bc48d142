/** B2: a whole station whose blobs lie in an object store. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../server/index.ts'
import type { ValidationTold } from '../../server/bin/validation-command.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import { clipOf, resourcePath } from '../api/documents/clip.ts'
import { encrypted } from '../support/encrypting.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
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

  it('C7 validates itself with an object that it reads back and removes', { timeout: 120_000 }, async () => {
    const before = await keysBelow('')
    const { result } = (await given.command('validate', {})) as ValidationTold
    expect(result.counts.failed).toBe(0)
    expect(result.checks.find(({ name }) => name === 'volumes')).toMatchObject({
      result: 'ok',
      figures: { objectStore: expect.stringContaining(bucket), 'blobs.flippedBit': 'changed' },
    })
    expect(await keysBelow('')).toEqual(before)
  })

  const keysBelow = async (prefix: string): Promise<string[]> =>
    (
      (await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `station/${prefix}` }))).Contents ??
      []
    ).map(({ Key }) => (Key as string).slice('station/'.length))
  const opened = async (body: Json = {}): Promise<Json> => {
    const { EvidenceId } = await given.evidence()
    return { EvidenceId, ...(await given.resource(EvidenceId, body)) }
  }
  const complete = ({ EvidenceId, ResourceId }: Json, body: Json = {}) =>
    given.call('POST', `${given.documents}/evidence/${EvidenceId}/resource/${ResourceId}/complete`, { body })

  it('keeps blocks as objects until they are complete, also those of an encrypted upload', async () => {
    const plain = randomBytes(6_000_000)
    const key = await given.expecting(200, given.call('GET', '/keystore/api/v1/tenant/station/key'))
    const sealed = encrypted(plain, key)
    for (const [bytes, metadata] of [
      [plain, {}],
      [sealed.ciphertext, { encryptiondata: JSON.stringify(sealed.data) }],
    ] as const) {
      const open = await opened()
      const client = new BlockBlobClient(open.UploadUri)
      await client.uploadData(bytes, { blockSize: 1_000_000, maxSingleShotSize: 0, concurrency: 4, metadata })
      expect(await keysBelow(`staging/${open.ResourceId}/`)).toHaveLength(Math.ceil(bytes.length / 1_000_000))
      expect(readdirSync(path.join(given.data, 'scratch', '.staging', 'uploads', 'incoming'))).toEqual([])
      const done = await given.expecting(200, complete(open))
      expect(done.Sha256).toBe(sha256Of(plain))
      expect((await bytesAt(keyOf(sha256Of(plain)))).equals(plain)).toBe(true)
      const content = await contentOf({ evidenceId: open.EvidenceId, resourceId: open.ResourceId })
      expect(Buffer.from(content.bytes).equals(plain)).toBe(true)
      await given.settled(open.EvidenceId)
    }
    expect(await keysBelow('staging/')).toEqual([])
    expect((await given.command('verify', { fast: false })).problems).toEqual([])
  })

  it('puts an upload with other bytes than were announced into quarantine, out of its blocks', async () => {
    const bytes = randomBytes(2_500_000)
    const open = await opened()
    await new BlockBlobClient(open.UploadUri).uploadData(bytes, { blockSize: 1_000_000, maxSingleShotSize: 0 })
    const refused = await complete(open, { Sha256: '0'.repeat(64) })
    expect(refused.text).toContain('HashMismatch')
    const kept = (await keysBelow(`quarantine/${sha256Of(bytes)}-`)).filter((name) => !name.endsWith('.json'))
    expect(kept).toHaveLength(1)
    expect((await bytesAt(kept[0] as string)).equals(bytes)).toBe(true)
    expect(await keysBelow('staging/')).toEqual([])
  })

  it('makes what is shown of a video from a copy that it releases', { tags: ['merge'] }, async () => {
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

  it('finds a byte that was flipped in an object, when it verifies and when a check is asked for', {
    tags: ['merge'],
  }, async () => {
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

  it('makes a snapshot of all of it on a disk', { tags: ['merge'] }, async () => {
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
