/** B2: blocks in an object store whose network and servers fail, nodes that are killed, and destruction beside completion. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobRemovals, removeBlob } from '../../server/kernel/evidence/blob-removals.ts'
import { blobIsKnown } from '../../server/kernel/evidence/records.store.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import { type Station, startStation, type StationOptions } from '../api/blobs/harness.ts'
import { type Entry, putBlock, putList, sha256Of } from '../support/blob-client.ts'
import { type Fault, FAULTS, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { isLong, scale } from '../support/scale.ts'

const missing = missingForS3()
const CASES = scale(16, 1000)
const KILLS = scale(3, 60)
const MIB = 2 ** 20
const SEED = isLong ? randomBytes(4).readUInt32LE() : 20_261_125

/** The same choices for the same seed. */
function chooser(seed: string) {
  let turn = 0
  const below = (count: number): number =>
    createHash('sha256').update(`${seed} ${turn++}`).digest().readUInt32LE() % count
  return { below, of: <T>(values: readonly T[]): T => values[below(values.length)] as T }
}

describe.skipIf(missing !== null)(missing ?? 'B2: faults around blocks in an object store', () => {
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: string
  /** The second one reaches the store through the proxy. */
  const nodes: Station[] = []
  const addressAt = (endpoint: string) => ({ bucket, prefix: '', endpoint, region: S3_REGION, pathStyle: true })
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

  const bytesAt = async (key: string): Promise<Buffer | null> => {
    try {
      const answer = await server.client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
    } catch (error) {
      if (error instanceof NoSuchKey) return null
      throw error
    }
  }
  /** What the bucket holds of these bytes. */
  const held = async (sha256: string): Promise<string> => {
    const bytes = await bytesAt(keyOf(sha256))
    if (bytes === null) return `${keyOf(sha256)} is missing`
    return sha256Of(bytes) === sha256 ? 'whole' : `${keyOf(sha256)} has ${bytes.length} other bytes`
  }
  const isWhole = async (sha256: string): Promise<boolean> => (await held(sha256)) === 'whole'
  const damageStored = async (address: string): Promise<void> => {
    const [, key = ''] =
      /^\/[^/]+\/((?:blobs|staging)\/[^?]+)(\?x-id=PutObject)?$/.exec(decodeURIComponent(address)) ?? []
    const bytes = key === '' ? null : await bytesAt(key)
    if (bytes === null || bytes.length === 0) return
    bytes[0] = (bytes[0] as number) ^ 2
    await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }))
  }
  const keysBelow = async (prefix: string): Promise<string[]> =>
    ((await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))).Contents ?? []).map(
      ({ Key }) => Key as string,
    )
  /** What a client does with an answer that asks it to repeat. */
  const insisting = async (send: () => Promise<{ status: number }>): Promise<number> => {
    for (let tries = 0; ; tries++) {
      const { status } = await send()
      if (status !== 503 || tries > 20) return status
    }
  }
  /** Completes, and again after a fault that says so. */
  const completing = async (node: Station, id: string): Promise<string | null> => {
    for (let tries = 0; ; tries++) {
      try {
        return await node.complete(id)
      } catch (error) {
        const again = ['StoreAway', 'ReadBackMismatch', 'NotReady'].includes((error as { code?: string }).code ?? '')
        if (!again || tries > 20) throw error
      }
    }
  }

  it(`B2 ${CASES} uploads at two nodes meet faults: what is acknowledged is whole, and every upload arrives`, {
    timeout: scale(240_000, 3_600_000),
  }, async () => {
    const met = new Set<string>()
    for (let index = 0; index < CASES; index++) {
      const choose = chooser(`blocks ${SEED} ${index}`)
      const plan = (count: number): void => {
        const faults = Array.from({ length: count }, () => (choose.below(3) === 0 ? choose.of(FAULTS) : null))
        // Rare by chance, and what reading back is for.
        if (index % 4 === 0) faults[0] = 'damage stored'
        // Two flips in the two readings of a block are a server that damages what it gives.
        const flips = faults.flatMap((fault, place) => (fault === 'flip answer' ? [place] : []))
        for (const place of flips.slice(1)) faults[place] = 'slow'
        for (const fault of faults) met.add(String(fault))
        proxy.plan(faults as (Fault | null)[])
      }
      const id = await (nodes[0] as Station).newResource()
      const sizes = choose.below(12) === 0 ? [6 * MIB, 1000, 5 * MIB + 1] : [choose.of([1, 4096, 90_001]), 700]
      const blocks = sizes.map((size) => randomBytes(size))
      const list: Entry[] = []
      for (const [place, bytes] of blocks.entries()) {
        plan(4)
        const name = `b-${place}`
        const node = nodes[(place + index) % 2] as Station
        expect(await insisting(() => putBlock(node.uploadUri(id), name, bytes))).toBe(201)
        list.push(['Latest', name])
      }
      proxy.plan([])
      const staged = await Promise.all((await keysBelow(`staging/${id}/`)).map(bytesAt))
      for (const bytes of blocks) expect(staged.some((one) => one?.equals(bytes))).toBe(true)
      expect((await putList((nodes[1] as Station).uploadUri(id), list)).status).toBe(201)
      plan(8)
      const whole = sha256Of(Buffer.concat(blocks))
      expect(await completing(nodes[1] as Station, id)).toBe(whole)
      proxy.plan([])
      expect(await isWhole(whole)).toBe(true)
    }
    expect([...met].sort()).toEqual(['null', ...FAULTS].sort())
  })

  it('a store that stays away refuses blocks with 503, a full one with 507, and one that damages all it is given with 503', async () => {
    const node = nodes[1] as Station
    const id = await node.newResource()
    const send = async () => {
      const { status, code } = await putBlock(node.uploadUri(id), 'one', randomBytes(1000))
      return [status, code]
    }
    proxy.always('refuse with 503')
    expect(await send()).toEqual([503, 'ServerBusy'])
    proxy.always('full')
    expect(await send()).toEqual([507, 'InsufficientStorage'])
    proxy.always('damage stored')
    expect(await send()).toEqual([503, 'ServerBusy'])
    proxy.always(null)
    expect(await send()).toEqual([201, ''])
    await node.uploads.discard(Number(id))
    expect(await keysBelow(`staging/${id}/`)).toEqual([])
  })

  it('a store that copies no parts gets the bytes sent again, in bounded parts', async () => {
    let refused = 0
    const noCopies = await startFaultyProxy(
      server.endpoint,
      async () => {},
      async ({ headers }) => {
        if (headers['x-amz-copy-source'] === undefined) return null
        refused += 1
        return 501
      },
    )
    const node = await start({ database: (nodes[0] as Station).database, bucket: addressAt(noCopies.endpoint) })
    for (let round = 0; round < 2; round++) {
      const id = await node.newResource()
      const blocks = [randomBytes(6 * MIB), randomBytes(5 * MIB + 9)]
      for (const [place, bytes] of blocks.entries()) await putBlock(node.uploadUri(id), `b-${place}`, bytes)
      const list = blocks.map((_, place): Entry => ['Latest', `b-${place}`])
      expect((await putList(node.uploadUri(id), list)).status).toBe(201)
      expect(await node.complete(id)).toBe(sha256Of(Buffer.concat(blocks)))
    }
    // It is asked once, by as many parts as are made at the same time.
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThanOrEqual(4)
    await node.close()
    await noCopies.close()
    await rm(node.folder, { recursive: true, force: true })
  })

  /** An upload with these bytes, ready to be completed. */
  const uploaded = async (node: Station, bytes: Buffer): Promise<string> => {
    const id = await node.newResource()
    await putBlock(node.uploadUri(id), 'b', bytes)
    await putList(node.uploadUri(id), [['Latest', 'b']])
    return id
  }
  /** Removes the row of a blob, as a destruction does, where no other one needs it. */
  const destroyRow = (sha256: string) =>
    (nodes[0] as Station).database.transaction(async (tx) => {
      await tx.updateTable('resources').set({ state: 'Failed', sha256: null }).where('sha256', '=', sha256).execute()
      await tx.deleteFrom('blobs').where('sha256', '=', sha256).execute()
    })
  const destroyBytes = (node: Station, sha256: string) =>
    removeBlob({ db: node.database, store: node.store }, blobIsKnown, (isKnown) => node.store.remove(sha256, isKnown))

  it('a completion that found the bytes there does not name them when another node destroys them before its commit', async () => {
    const [one, other] = nodes as [Station, Station]
    const bytes = randomBytes(30_000)
    const sha256 = sha256Of(bytes)
    expect(await one.complete(await uploaded(one, bytes))).toBe(sha256)
    const id = await uploaded(one, bytes)
    const { place } = one.store
    let existed: boolean | null = null
    Object.assign(one.store, {
      place: async (staged: Parameters<typeof place>[0]) => {
        const placed = await place(staged)
        existed = placed.existed
        await destroyRow(sha256)
        expect(await destroyBytes(other, sha256)).toBe('removed')
        return placed
      },
    })
    await expect(one.complete(id)).rejects.toMatchObject({ code: 'NotReady' })
    Object.assign(one.store, { place })
    expect(existed).toBe(true)
    expect([await blobIsKnown(one.database.read, sha256), await bytesAt(keyOf(sha256))]).toEqual([false, null])
    // Nothing is lost: the blocks are still there.
    expect(await one.complete(id)).toBe(sha256)
    expect(await isWhole(sha256)).toBe(true)
  })

  it('a placing waits while its bytes are being removed', async () => {
    const [one, other] = nodes as [Station, Station]
    const bytes = randomBytes(30_000)
    const sha256 = sha256Of(bytes)
    const id = await uploaded(one, bytes)
    const removals = blobRemovals({ db: other.database, store: other.store }, blobIsKnown)
    expect(await removals.isKnown(sha256, 'remove')).toBe(false)
    // Two removals at once could end each other's.
    await expect(destroyBytes(one, sha256)).rejects.toMatchObject({ code: 'NotReady' })
    let completed = false
    const completion = one.complete(id).then((found) => {
      completed = true
      return found
    })
    await sleep(800)
    expect([completed, await bytesAt(keyOf(sha256))]).toEqual([false, null])
    await removals.end()
    expect(await completion).toBe(sha256)
  })

  it(`a destruction meets a completion of the same bytes ${scale(6, 200)} times: a blob with a row is there, whole`, {
    timeout: scale(120_000, 1_800_000),
  }, async () => {
    const [one, other] = nodes as [Station, Station]
    const choose = chooser(`race ${SEED}`)
    for (let round = 0; round < scale(6, 200); round++) {
      const bytes = randomBytes(20_000)
      const sha256 = sha256Of(bytes)
      await one.complete(await uploaded(one, bytes))
      const id = await uploaded(one, bytes)
      const destruction = (async () => {
        await sleep(choose.below(120))
        await destroyRow(sha256)
        await sleep(choose.below(30))
        return destroyBytes(other, sha256)
      })()
      const completion = completing(one, id)
      await Promise.all([destruction, completion])
      const { state } = await one.database.read
        .selectFrom('resources')
        .select('state')
        .where('resource_id', '=', Number(id))
        .executeTakeFirstOrThrow()
      // Destroyed with the first one, or completed afterwards.
      if (state === 'UserCompleted') expect(await isWhole(sha256)).toBe(true)
      expect(await blobIsKnown(one.database.read, sha256)).toBe(state === 'UserCompleted')
    }
  })

  it(`B2 ${KILLS} nodes are killed between blocks, lists and completions: another node has all that was acknowledged`, {
    timeout: scale(240_000, 1_800_000),
  }, async () => {
    const program = fileURLToPath(new URL('s3-uploader.ts', import.meta.url))
    const choose = chooser(`kills ${SEED}`)
    let acknowledged = 0
    for (let turn = 0; turn < KILLS; turn++) {
      bucket = await server.bucket()
      const folder = await mkdtemp(path.join(tmpdir(), 'sallyport-killed-'))
      const log = path.join(folder, 'acknowledged')
      writeFileSync(log, '')
      const child = spawn(process.execPath, [program, server.endpoint, bucket, folder, log], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      const deadline = Date.now() + 30_000
      while (turn % 2 === 0 && !readFileSync(log, 'utf8').includes('completed') && Date.now() < deadline)
        await sleep(20)
      await sleep(choose.below(1500))
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
      acknowledged += lines.length
      const after = await start({ folder, orphanAge: 0 })
      await expectKept(after, lines)
      // The dead node sends nothing more: what no row names goes, and nothing else.
      await after.uploads.removeLeftovers()
      const rows = await after.database.read.selectFrom('upload_blocks').select(['resource_id', 'file']).execute()
      const named = rows.map(({ resource_id: id, file }) => `staging/${id}/${file}`)
      expect((await keysBelow('staging/')).sort()).toEqual([...new Set(named)].sort())
      await after.close()
      await rm(folder, { recursive: true, force: true })
    }
    expect(acknowledged).toBeGreaterThan(KILLS)
  })

  /** @param lines of s3-uploader.ts */
  const expectKept = async (after: Station, lines: readonly string[]): Promise<void> => {
    const uploads = new Map<string, { blocks: Map<string, string>; listed: string | null; completed: boolean }>()
    for (const line of lines) {
      const [what = '', id = '', name = '', sha256 = ''] = line.split(' ')
      const upload = uploads.get(id) ?? { blocks: new Map<string, string>(), listed: null, completed: false }
      uploads.set(id, upload)
      if (what === 'block') upload.blocks.set(name, sha256)
      else if (what === 'list') upload.listed = name
      else upload.completed = true
    }
    for (const [id, { blocks, listed, completed }] of uploads) {
      const row = await after.database.read
        .selectFrom('resources')
        .select(['state', 'sha256'])
        .where('resource_id', '=', Number(id))
        .executeTakeFirstOrThrow()
      if (completed) expect(row.state).toBe('UserCompleted')
      if (row.state !== 'UserCompleted') {
        // The list may have been committed without its answer.
        const list = [...blocks.keys()].map((name): Entry => ['Latest', name])
        expect((await putList(after.uploadUri(id), list)).status).toBe(201)
        const whole = await after.complete(id)
        if (listed !== null) expect(whole).toBe(listed)
        for (const key of await keysBelow(`staging/${id}/`)) throw new Error(`${key} is left`)
        expect(await held(whole as string)).toBe('whole')
      } else expect(await held(row.sha256 as string)).toBe('whole')
    }
  }
})
