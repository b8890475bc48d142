/** U2 and B2 on PostgreSQL: blocks as objects, their rows in a database that nodes share. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { blobIsKnown } from '../../server/kernel/evidence/records.store.ts'
import { removeBlob } from '../../server/kernel/evidence/blob-removals.ts'
import { type Station, startStation } from '../api/blobs/harness.ts'
import { followModel } from '../api/blobs/model.ts'
import { putBlob, putBlock, sha256Of } from '../support/blob-client.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { scale } from '../support/scale.ts'

const missing = (await postgresMissing()) ?? missingForS3()
const MIB = 2 ** 20

describe('uploads with rows on PostgreSQL and blocks in an object store', () => {
  let postgres: PostgresServer
  let server: S3Server
  let database: Database
  const nodes: Station[] = []
  let start: (folder?: string) => Promise<Station>
  beforeAll(async () => {
    if (missing !== null) return
    useS3Credentials()
    ;[postgres, server] = await Promise.all([startPostgres(), startS3Server()])
    database = await openPostgres({ url: await postgres.create('uploads') })
    const bucket = {
      bucket: await server.bucket(),
      prefix: '',
      endpoint: server.endpoint,
      region: S3_REGION,
      pathStyle: true,
    }
    start = (folder) => startStation({ database, bucket, ...(folder === undefined ? {} : { folder }) })
    nodes.push(await start(), await start())
  }, STARTING)
  beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
  afterAll(async () => {
    for (const node of nodes) {
      await node.close()
      await rm(node.folder, { recursive: true, force: true })
    }
    await database?.close()
    await Promise.all([postgres?.stop(), server?.close()])
  })
  let turn = 0
  const next = (): Station => nodes[turn++ % 2] as Station

  it('U2 any sequence of uploading, sending again, committing, cutting and completing', async () => {
    await followModel(
      {
        next,
        restart: async () => {
          const { folder, close } = nodes[1] as Station
          await close()
          nodes[1] = await start(folder)
        },
        left: async (resource) =>
          (
            await database.read
              .selectFrom('upload_blocks')
              .select('file')
              .where('resource_id', '=', Number(resource))
              .execute()
          ).map(({ file }) => file),
      },
      scale(2, 50),
    )
  }, 600_000)

  it('takes blocks at two nodes in turn, excludes senders while one completes, and destroys', async () => {
    const [one, other] = nodes as [Station, Station]
    const id = await one.newResource()
    const data = randomBytes(6 * MIB + 5)
    const sizes = [5 * MIB, data.length - 5 * MIB]
    const ids = ['b-0', 'b-1'].map((name) => Buffer.from(name).toString('base64'))
    for (const [index, size] of sizes.entries()) {
      const client = new BlockBlobClient((nodes[index] as Station).uploadUri(id))
      await client.stageBlock(ids[index] as string, data.subarray(index * 5 * MIB, index * 5 * MIB + size), size)
    }
    await new BlockBlobClient(one.uploadUri(id)).commitBlockList(ids)
    await one.uploads.assemble(Number(id), one.store)
    expect((await putBlock(other.uploadUri(id), 'late', data.subarray(0, 10))).status).toBe(409)
    await one.uploads.release(Number(id))
    const sha256 = sha256Of(data)
    expect(await other.complete(id)).toBe(sha256)
    // A row names the blob: it stays.
    const remove = () =>
      removeBlob({ db: database, store: one.store }, blobIsKnown, (isKnown) => one.store.remove(sha256, isKnown))
    expect(await remove()).toBe('kept')
    await database.transaction(async (tx) => {
      await tx.updateTable('resources').set({ sha256: null }).where('sha256', '=', sha256).execute()
      await tx.deleteFrom('blobs').where('sha256', '=', sha256).execute()
    })
    expect(await remove()).toBe('removed')
    const again = await other.newResource()
    await putBlob(one.uploadUri(again), data)
    expect(await other.complete(again)).toBe(sha256)
    expect((await one.store.verifyBlob(sha256)).result).toBe('ok')
  })
})
