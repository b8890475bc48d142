/** B6: a station whose bucket is lost comes back from a snapshot: restored into a folder, and moved into another bucket. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restore, rootOf } from '../backup/world.ts'
import { type Given, givenStation, sha256Of } from '../support/given.ts'
import { commandIn, startAt } from '../support/moving.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'

const missing = missingForS3()
const documents = '/documentstore/api/v1/tenant/station'
const PASSPHRASE = 'the keys of a station that was lost'

describe.skipIf(missing !== null)(missing ?? 'B6: a snapshot comes back into a bucket', () => {
  let s3: S3Server
  let given: Given
  let bucket = ''
  const urlOf = (prefix: string): string =>
    `s3://${bucket}/${prefix}?endpoint=${s3.endpoint}&region=${S3_REGION}&pathStyle=true`
  beforeAll(async () => {
    useS3Credentials()
    s3 = await startS3Server()
    bucket = await s3.bucket()
    given = await givenStation({ settings: { blobUrl: urlOf('lost') }, fresh: true })
  }, STARTING)
  afterAll(async () => {
    await given?.close()
    await s3?.close()
  })

  it('whole, with its keys; and not over bytes that came after it', { timeout: 400_000 }, async () => {
    const kept = await Promise.all([randomBytes(40_000), randomBytes(900_000)].map((bytes) => given.completed(bytes)))
    const drive = path.join(given.dir, 'drive')
    await given.command('backup', { to: drive, passphrase: PASSPHRASE })
    const later = await given.completed(randomBytes(5000))
    await given.stop()

    const data = path.join(given.dir, 'restored')
    const { problems, keys } = await restore(drive, data, { roots: rootOf(given.data), passphrase: PASSPHRASE })
    expect([problems, keys]).toEqual([[], 'restored'])
    const restored = { ...given, data, settings: { ...given.settings, data } }
    const inFolder = await startAt(restored, {})
    try {
      // The old bucket has a file that the snapshot does not know: nothing there is removed.
      await expect(commandIn(data, 'move', { database: null, blobs: urlOf('lost') })).rejects.toThrow(
        /bytes that are not this station’s/,
      )
      expect((await commandIn(data, 'move', { database: null, blobs: urlOf('new') })).copied.blobs).toBe(2)
    } finally {
      await inFolder.close()
    }
    const old = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'lost/blobs/' }))
    expect(old.Contents?.map(({ Key = '' }) => path.basename(Key))).toContain(later.sha256)

    const station = await startAt(restored, { blobUrl: urlOf('new') })
    try {
      for (const { evidenceId, resourceId, sha256 } of kept) {
        const read = await station.call('GET', `${documents}/evidence/${evidenceId}/resource/${resourceId}/content`)
        expect(sha256Of(Buffer.from(await read.arrayBuffer()))).toBe(sha256)
        const Key = `new/blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
        const { Body } = await s3.client.send(new GetObjectCommand({ Bucket: bucket, Key }))
        expect(sha256Of((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(sha256)
      }
      expect((await commandIn(data, 'verify', { fast: false, checkpoints: null })).problems).toEqual([])
    } finally {
      await station.close()
    }
  })
})
