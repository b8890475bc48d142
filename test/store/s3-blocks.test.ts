/** B2: blocks of uploads as objects, so that each may come to another node: two nodes over one bucket and one database. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { type Station, startStation, type StationOptions } from '../api/blobs/harness.ts'
import { followModel } from '../api/blobs/model.ts'
import { putBlob, putBlock, putList, sha256Of } from '../support/blob-client.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { scale } from '../support/scale.ts'

const missing = missingForS3()
const MIB = 2 ** 20

describe.skipIf(missing !== null)(missing ?? 'B2: blocks of uploads in an object store', () => {
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: string
  const nodes: Station[] = []
  const addressAt = (endpoint: string) => ({ bucket, prefix: 'p/', endpoint, region: S3_REGION, pathStyle: true })
  const start = (options: StationOptions = {}): Promise<Station> =>
    startStation({ bucket: addressAt(server.endpoint), ...options })
  beforeAll(async () => {
    useS3Credentials()
    server = await startS3Server()
    bucket = await server.bucket()
    const first = await start()
    proxy = await startFaultyProxy(server.endpoint, damageStored)
    nodes.push(first, await start({ database: first.database, bucket: addressAt(proxy.endpoint) }))
  }, STARTING)
  afterAll(async () => {
    for (const node of nodes.toReversed()) {
      await node.close()
      await rm(node.folder, { recursive: true, force: true })
    }
    await proxy?.close()
    await server?.close()
  })

  let turn = 0
  const next = (): Station => nodes[turn++ % 2] as Station
  const keysBelow = async (prefix: string): Promise<string[]> =>
    (
      (await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `p/${prefix}` }))).Contents ?? []
    ).map(({ Key }) => (Key as string).slice(2))
  const bytesAt = async (key: string): Promise<Buffer> => {
    const answer = await server.client.send(new GetObjectCommand({ Bucket: bucket, Key: `p/${key}` }))
    return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
  }
  const damage = async (key: string): Promise<void> => {
    const bytes = await bytesAt(key)
    bytes[0] = (bytes[0] as number) ^ 2
    await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: `p/${key}`, Body: bytes }))
  }
  const damageStored = async (address: string): Promise<void> => {
    const [, key] =
      /^\/[^/]+\/p\/((?:blobs|staging)\/[^?]+)(\?x-id=PutObject)?$/.exec(decodeURIComponent(address)) ?? []
    if (key !== undefined) await damage(key)
  }
  /** No file of a block stays at a node. */
  const local = (): string[] =>
    nodes.flatMap((node) => {
      const folder = path.join(node.folder, 'blobs', '.staging')
      const names = readdirSync(folder, { recursive: true }) as string[]
      return names.filter((name) => !['uploads', 'uploads/incoming'].includes(name))
    })

  it('U2 any sequence of uploading, sending again, committing, cutting and completing at two nodes', async () => {
    await followModel(
      {
        next,
        restart: async () => {
          const [first, second] = nodes as [Station, Station]
          await second.close()
          nodes[1] = await start({ folder: second.folder, database: first.database, bucket: addressAt(proxy.endpoint) })
        },
        left: (resource) => keysBelow(`staging/${resource}/`),
      },
      scale(4, 100),
    )
    expect(local()).toEqual([])
  }, 600_000)

  it('the public client library sends blocks to two nodes in turn, and either completes', async () => {
    const data = randomBytes(23 * MIB + 77)
    for (const completing of [0, 1]) {
      const id = await (nodes[0] as Station).newResource()
      const clients = nodes.map((node) => new BlockBlobClient(node.uploadUri(id)))
      // Sizes on both sides of the least part of S3.
      const sizes = [6 * MIB, 1000, MIB, 5 * MIB, 3 * MIB, 1, 7 * MIB]
      const ids: string[] = []
      let at = 0
      for (const [index, size] of [...sizes, data.length - sizes.reduce((sum, one) => sum + one)].entries()) {
        const block = Buffer.from(`block-${String(index).padStart(5, '0')}`).toString('base64')
        await (clients[index % 2] as BlockBlobClient).stageBlock(block, data.subarray(at, at + size), size)
        ids.push(block)
        at += size
      }
      await (clients[1 - completing] as BlockBlobClient).commitBlockList(ids)
      expect(await (nodes[completing] as Station).complete(id)).toBe(sha256Of(data))
      expect((await (nodes[0] as Station).store.verifyBlob(sha256Of(data))).result).toBe('ok')
      expect(await keysBelow(`staging/${id}/`)).toEqual([])
    }
  }, 120_000)

  it('ids that a sender chose are no part of a key, and uploads have no names in common', async () => {
    const resources = await Promise.all([next().newResource(), next().newResource()])
    const hostile = ['../../blobs/aa', '/etc/x/', '..', '%2e%2e/', 'a\nb', 'staging', '\0\0\0', 'é'.repeat(20)]
    for (const id of hostile) {
      for (const resource of resources) {
        await next().uploads.discard(Number(resource))
        const bytes = randomBytes(50)
        expect((await putBlock(next().uploadUri(resource), id, bytes)).status).toBe(201)
        const [key = '', ...more] = await keysBelow(`staging/${resource}/`)
        expect(more).toEqual([])
        expect(key).toMatch(new RegExp(`^staging/${resource}/b-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`))
        expect((await bytesAt(key)).equals(bytes)).toBe(true)
      }
    }
    for (const resource of resources) await next().uploads.discard(Number(resource))
    expect((await keysBelow('')).filter((key) => !/^(blobs|probe)\//.test(key))).toEqual([])
  })

  it(`the same id at both nodes at once, ${scale(6, 60)} times: one of the blocks counts, whole, and the other object goes`, async () => {
    for (let round = 0; round < scale(6, 60); round++) {
      const id = await next().newResource()
      const blocks = [randomBytes(40_000), randomBytes(40_000)] as const
      const answers = await Promise.all(
        nodes.map((node, index) => putBlock(node.uploadUri(id), 'same', blocks[index] as Buffer)),
      )
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      expect(await keysBelow(`staging/${id}/`)).toHaveLength(1)
      expect((await putList(next().uploadUri(id), [['Latest', 'same']])).status).toBe(201)
      expect(blocks.map(sha256Of)).toContain(await next().complete(id))
      // The same bytes again are the same block.
      const again = await next().newResource()
      for (const node of nodes) expect((await putBlock(node.uploadUri(again), 'same', blocks[0])).status).toBe(201)
      expect(await keysBelow(`staging/${again}/`)).toHaveLength(1)
      await next().uploads.discard(Number(again))
    }
  }, 120_000)

  it('a completion at one node excludes senders and completions at the other one, until it ends', async () => {
    const [one, other] = nodes as [Station, Station]
    const id = await one.newResource()
    const bytes = randomBytes(70_000)
    const uri = other.uploadUri(id)
    await putBlob(one.uploadUri(id), bytes)
    const made = await one.uploads.assemble(Number(id), one.store)
    for (const answer of [await putBlock(uri, 'late', bytes), await putBlob(uri, bytes), await putList(uri, [])])
      expect([answer.status, answer.code]).toEqual([409, 'PendingCopyOperation'])
    expect(await keysBelow(`staging/${id}/`)).toHaveLength(1)
    let second: string | null | undefined
    const completing = other.complete(id).then((sha256) => (second = sha256))
    await sleep(600)
    expect(second).toBeUndefined()
    // The first one gives up, and the second one goes on.
    expect(made?.staged.sha256).toBe(sha256Of(bytes))
    await one.uploads.release(Number(id))
    expect(await completing).toBe(sha256Of(bytes))
    // There is nothing left to complete.
    expect(await one.complete(id)).toBeNull()
  })

  it('a node that dies during a completion holds the upload for a minute, and one that was only slow completes nothing', async () => {
    const [one, other] = nodes as [Station, Station]
    const id = await one.newResource()
    const bytes = randomBytes(70_000)
    await putBlob(one.uploadUri(id), bytes)
    await one.uploads.assemble(Number(id), one.store)
    const age = (by: number) =>
      one.database.transaction(async (tx) => {
        await tx
          .updateTable('upload_completions')
          .set({ held_at: Date.now() - by })
          .where('resource_id', '=', Number(id))
          .execute()
      })
    await age(50_000)
    expect((await putBlock(other.uploadUri(id), 'late', bytes)).status).toBe(409)
    await age(61_000)
    const made = await other.uploads.assemble(Number(id), other.store)
    expect(made?.staged.sha256).toBe(sha256Of(bytes))
    // The first one is back, and holds the upload no more.
    const ending = one.database.transaction((tx) => one.uploads.forget(tx, Number(id)))
    await expect(ending).rejects.toMatchObject({ code: 'StoreAway' })
    await one.uploads.release(Number(id))
    await other.database.transaction((tx) => other.uploads.forget(tx, Number(id)))
    await other.uploads.discard(Number(id))
  })

  it('an upload that is being completed is not purged, however old its last block is', async () => {
    const [one, other] = nodes as [Station, Station]
    const id = await one.newResource()
    await putBlob(one.uploadUri(id), randomBytes(1000))
    // The clock is not believed in the first hour after a start.
    const later = 2 * 60 * 60 * 1000
    const reading = { wall: systemClock.now() + later, monotonic: systemClock.monotonic() + later }
    const purgeable = (): Promise<boolean> =>
      other.database.transaction(async (tx) => {
        await tx.updateTable('uploads').set({ last_block_at: 1 }).where('resource_id', '=', Number(id)).execute()
        return other.uploads.isPurgeable(tx, Number(id), reading)
      })
    expect(await purgeable()).toBe(true)
    await one.uploads.assemble(Number(id), one.store)
    expect(await purgeable()).toBe(false)
    await one.uploads.release(Number(id))
    await one.uploads.discard(Number(id))
  })

  it('a block that is damaged in the store fails the completion, and can be sent again', async () => {
    const id = await next().newResource()
    const [first, second] = [randomBytes(50_000), randomBytes(60_000)]
    const send = async () => {
      expect((await putBlock(next().uploadUri(id), 'a-00000', first)).status).toBe(201)
      expect((await putBlock(next().uploadUri(id), 'a-00001', second)).status).toBe(201)
      const list = [
        ['Latest', 'a-00000'],
        ['Latest', 'a-00001'],
      ] as const
      expect((await putList(next().uploadUri(id), list)).status).toBe(201)
    }
    await send()
    await damage((await keysBelow(`staging/${id}/`))[1] as string)
    await expect(next().complete(id)).rejects.toMatchObject({ code: 'PieceMismatch' })
    await send()
    expect(await next().complete(id)).toBe(sha256Of(Buffer.concat([first, second])))
    expect(await keysBelow(`staging/${id}/`)).toEqual([])
  })

  it('staged objects without a row are removed after a day, those of an open upload never', async () => {
    const [one] = nodes as [Station]
    const id = await one.newResource()
    const bytes = randomBytes(1000)
    expect((await putBlock(one.uploadUri(id), 'kept', bytes)).status).toBe(201)
    const [kept] = await keysBelow(`staging/${id}/`)
    const lost = [`staging/${id}/b-lost`, 'staging/999999/b-lost', 'staging/odd', 'staging/a/b/c']
    for (const key of lost)
      await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: `p/${key}`, Body: 'x' }))
    expect(await one.uploads.removeLeftovers()).toBe(0)
    let now = Date.now()
    const clock = { now: () => now, monotonic: () => performance.now() }
    const later = await start({ database: one.database, clock })
    expect(await later.uploads.removeLeftovers()).toBe(0)
    now += 25 * 60 * 60 * 1000
    expect(await later.uploads.removeLeftovers()).toBe(lost.length)
    expect(await keysBelow('staging/')).toEqual([kept])
    await later.close()
    await rm(later.folder, { recursive: true, force: true })
    await putList(one.uploadUri(id), [['Latest', 'kept']])
    expect(await one.complete(id)).toBe(sha256Of(bytes))
    await one.uploads.discard(Number(id))
  })
})
