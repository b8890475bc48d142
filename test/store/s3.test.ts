// @module-tag merge
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe } from 'vitest'
import { openS3BlobStore, type S3Store } from '../../server/storage/s3/store.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import { scale } from '../support/scale.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { blobStoreConformance, type Subject } from './conformance.ts'

const missing = missingForS3()

describe.skipIf(missing !== null)(missing ?? 'B2: a blob store in an object store', () => {
  let server: S3Server
  beforeAll(async () => {
    useS3Credentials()
    server = await startS3Server()
  }, STARTING)
  afterAll(() => server.close())

  blobStoreConformance('in an object store', () => inBucket(server), {
    sizes: scale(15, 200),
    ranges: scale(40, 1000),
  })
})

async function inBucket(server: S3Server): Promise<Subject> {
  const root = await mkdtemp(path.join(tmpdir(), 'sallyport-scratch-'))
  const Bucket = await server.bucket()
  const { client } = server
  const at = (key: string) => ({ Bucket, Key: `prefix/${key}` })
  const bytesAt = async (key: string): Promise<Buffer> => {
    const answer = await client.send(new GetObjectCommand(at(key)))
    return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
  }
  const put = async (key: string, bytes: Uint8Array): Promise<void> => {
    await client.send(new PutObjectCommand({ ...at(key), Body: bytes }))
  }
  const opened: S3Store[] = []
  const open = async (): Promise<S3Store> => {
    const store = await openS3BlobStore({
      root,
      now: Date.now,
      address: { bucket: Bucket, prefix: 'prefix/', endpoint: server.endpoint, region: S3_REGION, pathStyle: true },
      owner: null,
      orphanAge: 0,
      probes: 1,
    })
    opened.push(store)
    return store
  }
  return {
    store: await open(),
    damage: async (sha256, at) => {
      const bytes = await bytesAt(keyOf(sha256))
      bytes[at] = (bytes[at] as number) ^ 0x10
      await put(keyOf(sha256), bytes)
    },
    removeBlob: async (sha256) => void (await client.send(new DeleteObjectCommand(at(keyOf(sha256))))),
    cut: (sha256, length) => put(keyOf(sha256), Buffer.alloc(length)),
    putStranger: async (beside) => {
      const key = keyOf(beside).replace(/[^/]*$/, 'notes.txt')
      await put(key, Buffer.from('x'))
      return key
    },
    bytesAt,
    reopen: open,
    dispose: async () => {
      await Promise.all(opened.map((one) => one.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
}
