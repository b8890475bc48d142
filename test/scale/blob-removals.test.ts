/**
 * B2: one node removes the bytes of a blob while another one takes in the same bytes: two nodes, each with connections of its own to one
 * PostgreSQL database, and one bucket. A proxy before the bucket holds requests of the node that stands still at the dangerous moment.
 */
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeCleared } from '../../server/features/forwarding/clearing.ts'
import { createDisposition } from '../../server/features/retention/disposition/disposition.ts'
import type { Database, Tx } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import {
  blobRemovals,
  removalsAtStart,
  removeBlob,
  removeBlobUnlessBusy,
} from '../../server/kernel/evidence/blob-removals.ts'
import { placeAndCommit } from '../../server/kernel/evidence/place-and-commit.ts'
import { blobIsKnown } from '../../server/kernel/evidence/records.store.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import type { IsKnown, PlacedBlob, StagedBlob } from '../../server/storage/types.ts'
import { type Station, startStation, type StationOptions } from '../api/blobs/harness.ts'
import { putBlock, putList, sha256Of } from '../support/blob-client.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import {
  missingForS3,
  S3_CREDENTIALS,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'

const missing = (await postgresMissing()) ?? missingForS3()
const SOON = { timeout: 30_000, interval: 30 }
const PATIENT = 120_000

async function written(folder: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, 'file')
  await writeFile(file, bytes)
  return file
}

describe('B2: a removal of bytes at one node, and a new use of them at another', () => {
  let postgres: PostgresServer
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: string
  let client: pg.Client
  /** Removes; its requests go through the proxy. */
  let a: Station
  /** Takes in. */
  let b: Station
  const databases: Database[] = []
  const folders: string[] = []
  let open: () => Promise<Database>

  /** Requests of `a` that wait: the first that matches is held until it is let go. */
  let wanted: ((method: string, url: string, isCopy: boolean) => boolean) | null = null
  let held: { letGo: () => void } | null = null
  const hold = (which: NonNullable<typeof wanted>): void => {
    held = null
    wanted = which
  }
  const letGo = (): void => {
    wanted = null
    held?.letGo()
  }

  const startAt = async (endpoint: string, options: StationOptions = {}): Promise<Station> => {
    const made = await startStation({
      bucket: { bucket, prefix: '', endpoint, region: S3_REGION, pathStyle: true },
      ...options,
    })
    folders.push(made.folder)
    return made
  }
  beforeAll(async () => {
    if (missing !== null) return
    useS3Credentials()
    ;[postgres, server] = await Promise.all([startPostgres(), startS3Server()])
    const url = await postgres.create('removals')
    open = async () => {
      const made = await openPostgres({ url })
      databases.push(made)
      return made
    }
    client = new pg.Client({ connectionString: url })
    await client.connect()
    bucket = await server.bucket()
    proxy = await startFaultyProxy(
      server.endpoint,
      async () => {},
      async ({ method = '', url: address = '', headers }) => {
        if (held !== null || wanted?.(method, address, headers['x-amz-copy-source'] !== undefined) !== true) return null
        await new Promise<void>((resolve) => {
          held = { letGo: resolve }
        })
        return null
      },
    )
    b = await startAt(server.endpoint, { database: await open() })
    a = await startAt(proxy.endpoint, { database: await open(), limits: { writePatience: 60_000, silence: 60_000 } })
  }, STARTING)
  beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
  afterEach(letGo)
  afterAll(async () => {
    letGo()
    for (const node of [a, b]) await node?.close()
    for (const database of databases) await database.close()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
    await client?.end()
    await proxy?.close()
    await Promise.all([postgres?.stop(), server?.close()])
  })

  const bytesAt = async (key: string): Promise<Buffer | null> => {
    try {
      const answer = await server.client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
    } catch (error) {
      if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return null
      throw error
    }
  }
  const isWhole = async (sha256: string): Promise<boolean> => {
    const found = await bytesAt(keyOf(sha256))
    return found !== null && sha256Of(found) === sha256
  }
  const quarantinedOf = async (sha256: string): Promise<string[]> => {
    const { Contents = [] } = await server.client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `quarantine/${sha256}` }),
    )
    return Contents.map(({ Key = '' }) => Key).filter((key) => !key.endsWith('.json'))
  }
  /** An upload with these bytes, ready to be completed. */
  const uploaded = async (bytes: Buffer): Promise<string> => {
    const id = await b.newResource()
    await putBlock(b.uploadUri(id), 'b', bytes)
    await putList(b.uploadUri(id), [['Latest', 'b']])
    return id
  }
  /** Bytes that are in the store, and that no row names any more: the commit of their destruction took place. */
  const destroyed = async (length = 30_000): Promise<{ bytes: Buffer; sha256: string; again: string }> => {
    const bytes = randomBytes(length)
    const sha256 = sha256Of(bytes)
    expect(await b.complete(await uploaded(bytes))).toBe(sha256)
    const again = await uploaded(bytes)
    await destroyRows(sha256)
    return { bytes, sha256, again }
  }
  const destroyRows = (sha256: string): Promise<void> =>
    a.database.transaction(async (tx) => {
      await tx.updateTable('resources').set({ state: 'Failed', sha256: null }).where('sha256', '=', sha256).execute()
      await tx.deleteFrom('blobs').where('sha256', '=', sha256).execute()
    })
  /** Completes an upload, and something happens between its placing and its transaction. */
  const completedWith = (id: string, meanwhile: (placed: PlacedBlob) => Promise<void>): Promise<string | null> => {
    const { place } = b.store
    Object.assign(b.store, {
      place: async (staged: StagedBlob) => {
        const placed = await place(staged)
        await meanwhile(placed)
        return placed
      },
    })
    return b.complete(id).finally(() => Object.assign(b.store, { place }))
  }
  const parts = (node: Station) => ({ db: node.database, store: node.store })
  const removeAt = (node: Station, sha256: string, wrap: (isKnown: IsKnown) => IsKnown = (same) => same) =>
    removeBlob(parts(node), blobIsKnown, (isKnown) => node.store.remove(sha256, wrap(isKnown)))
  /** Time passes for the database: a removal that nobody ended is over. */
  const removalsGrowOld = (): Promise<unknown> => client.query('UPDATE blob_removals SET begun_at = begun_at - 1300000')
  const removal = async (sha256: string): Promise<{ times: number; pending: number } | undefined> =>
    (await client.query('SELECT times::int, pending::int FROM blob_removals WHERE sha256 = $1', [sha256])).rows[0]
  const ofBlob =
    (sha256: string, wantedMethod: string) =>
    (method: string, url: string): boolean =>
      method === wantedMethod && url.includes(keyOf(sha256))
  /** A row names the blob, and its bytes are there. Without a row nothing is asked. */
  const nothingIsLost = async (sha256: string): Promise<void> => {
    if (await blobIsKnown(b.database.read, sha256)) expect(await isWhole(sha256)).toBe(true)
  }

  it(
    'a completion waits for the removal that began before it, and its bytes are there afterwards',
    async () => {
      const { sha256, again } = await destroyed()
      hold(ofBlob(sha256, 'DELETE'))
      const removing = removeAt(a, sha256)
      await expect.poll(() => held !== null, SOON).toBe(true)
      let completed = false
      const completion = b.complete(again).then((found) => {
        completed = true
        return found
      })
      await sleep(1000)
      // The object is still there: a look at the store alone finds it, and is wrong a moment later.
      const meanwhile = [completed, await isWhole(sha256)]
      letGo()
      expect(await removing).toBe('removed')
      expect(await completion).toBe(sha256)
      // What was acknowledged is there.
      expect(await isWhole(sha256)).toBe(true)
      expect(meanwhile).toEqual([false, true])
    },
    PATIENT,
  )

  it(
    'a completion that read the object before its removal does not name it, and the next attempt stores the bytes',
    async () => {
      const { sha256, again } = await destroyed()
      let removed: string | null = null
      const first = await completedWith(again, async ({ existed }) => {
        removed = existed ? await removeAt(a, sha256) : null
      }).catch((error: { code: string }) => error.code)
      expect(removed).toBe('removed')
      // What was acknowledged is there.
      await nothingIsLost(sha256)
      expect([first, await bytesAt(keyOf(sha256))]).toEqual(['NotReady', null])
      expect(await b.complete(again)).toBe(sha256)
      expect(await isWhole(sha256)).toBe(true)
    },
    PATIENT,
  )

  it(
    'a row that was committed before the removal begins keeps the object',
    async () => {
      const { sha256, again } = await destroyed()
      const answer = await removeAt(a, sha256, (isKnown) => async (...asked) => {
        if (asked[1] === 'remove') expect(await b.complete(again)).toBe(sha256)
        return isKnown(...asked)
      })
      expect([answer, await isWhole(sha256)]).toEqual(['kept', true])
    },
    PATIENT,
  )

  it(
    'a node that stood still until its removal was over sends nothing, and what was placed meanwhile stays',
    async () => {
      const { sha256, again } = await destroyed()
      const late = await startAt(server.endpoint, { database: await open(), removalMs: 500 })
      const removing = removeAt(late, sha256, (isKnown) => async (...asked) => {
        const known = await isKnown(...asked)
        await removalsGrowOld()
        expect(await b.complete(again)).toBe(sha256)
        await sleep(600)
        return known
      })
      await expect(removing).rejects.toMatchObject({ code: 'StoreFailed' })
      expect(await isWhole(sha256)).toBe(true)
      // Nor does it end what another node began: the row still says that this one was never ended.
      expect(await removal(sha256)).toEqual({ times: 1, pending: 1 })
      await late.close()
    },
    PATIENT,
  )

  it(
    'a removal that the store refuses for too long is not tried again',
    async () => {
      const { sha256, again } = await destroyed()
      const late = await startAt(proxy.endpoint, {
        database: await open(),
        removalMs: 1500,
        limits: { writePatience: 60_000 },
      })
      proxy.always('refuse with 503')
      const removing = removeAt(late, sha256).catch((error: { code: string }) => error.code)
      await sleep(2500)
      proxy.always(null)
      expect([await removing, await isWhole(sha256)]).toEqual(['StoreFailed', true])
      // One that was refused may be under way all the same: nobody places the bytes before it is over.
      await expect(b.complete(again)).rejects.toMatchObject({ code: 'NotReady' })
      await removalsGrowOld()
      expect(await b.complete(again)).toBe(sha256)
      await late.close()
    },
    PATIENT,
  )

  it(
    'the store refuses a request to delete that was signed more than 15 minutes ago',
    async () => {
      const { sha256 } = await destroyed()
      const behind = (minutes: number) =>
        new S3Client({
          endpoint: server.endpoint,
          region: S3_REGION,
          forcePathStyle: true,
          credentials: S3_CREDENTIALS,
          maxAttempts: 1,
          systemClockOffset: -minutes * 60_000,
        })
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(sha256) })
      const old = behind(16)
      await expect(old.send(command)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
      expect(await isWhole(sha256)).toBe(true)
      const young = behind(13)
      await young.send(command)
      expect(await bytesAt(keyOf(sha256))).toBeNull()
      old.destroy()
      young.destroy()
    },
    PATIENT,
  )

  it(
    'the end of a removal that took too long does not end the next one',
    async () => {
      const { sha256 } = await destroyed()
      const first = blobRemovals(parts(a), blobIsKnown)
      expect(await first.isKnown(sha256, 'remove')).toBe(false)
      await expect(removeAt(b, sha256)).rejects.toMatchObject({ code: 'NotReady' })
      await removalsGrowOld()
      const second = blobRemovals(parts(b), blobIsKnown)
      expect(await second.isKnown(sha256, 'remove')).toBe(false)
      await first.end()
      expect(await removal(sha256)).toEqual({ times: 2, pending: 1 })
      await second.end()
      expect(await removal(sha256)).toEqual({ times: 2, pending: 0 })
    },
    PATIENT,
  )

  it(
    'a node that dies between the mark and the removal leaves nothing: another one removes the object once nothing can come late',
    async () => {
      const { sha256, again } = await destroyed()
      // It dies here: `end` is never called.
      expect(await blobRemovals(parts(a), blobIsKnown).isKnown(sha256, 'remove')).toBe(false)
      const sweep = () => removeBlobUnlessBusy(parts(b), blobIsKnown, (isKnown) => b.store.remove(sha256, isKnown))
      expect([await sweep(), await isWhole(sha256)]).toEqual([null, true])
      await removalsGrowOld()
      expect([await sweep(), await bytesAt(keyOf(sha256))]).toEqual(['removed', null])
      expect(await b.complete(again)).toBe(sha256)
      expect(await isWhole(sha256)).toBe(true)
    },
    PATIENT,
  )

  it(
    'a mark whose connection is lost removes nothing',
    async () => {
      const { sha256 } = await destroyed()
      const cut = async (from: Tx, asked: string): Promise<boolean> => {
        const known = await blobIsKnown(from, asked)
        const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(from)
        await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
        return known
      }
      await expect(removeBlob(parts(a), cut, (isKnown) => a.store.remove(sha256, isKnown))).rejects.toThrow()
      expect([await isWhole(sha256), await removal(sha256)]).toEqual([true, undefined])
      expect(await removeAt(a, sha256)).toBe('removed')
    },
    PATIENT,
  )

  it(
    'bytes of a transaction that was rolled back go to quarantine only while nobody named them',
    async () => {
      const bytes = randomBytes(30_000)
      const sha256 = sha256Of(bytes)
      const temporary = await a.store.temporary('test')
      const staged = await a.store.copyIn(await written(temporary.dir, bytes))
      // The copy of a large object takes hours: nothing may be marked meanwhile.
      hold((method, url, isCopy) => method === 'PUT' && isCopy && url.includes('quarantine/'))
      const failing = placeAndCommit(parts(a), staged, async () => {
        throw new Error('rolled back')
      })
      const ended = failing.catch((error: Error) => error.message)
      await expect.poll(() => held !== null, SOON).toBe(true)
      expect(await removal(sha256)).toBeUndefined()
      expect(await b.complete(await uploaded(bytes))).toBe(sha256)
      letGo()
      expect(await ended).toBe('rolled back')
      expect([await isWhole(sha256), await quarantinedOf(sha256)]).toEqual([true, []])
      await temporary.dispose()
    },
    PATIENT,
  )

  it(
    'a comparison of names leaves alone what another node is about to name',
    async () => {
      const bytes = randomBytes(30_000)
      const sha256 = sha256Of(bytes)
      let aside: unknown
      // It is younger than a day. A mark would refuse this completion.
      const completed = await completedWith(await uploaded(bytes), async () => {
        aside = await removeBlob(parts(a), blobIsKnown, (isKnown) => a.store.setAside(keyOf(sha256), isKnown, 'test'))
      })
      expect([completed, aside]).toEqual([sha256, null])
      expect(await isWhole(sha256)).toBe(true)
    },
    PATIENT,
  )

  it(
    'a node that starts leaves what another removal holds, and what it cannot tell others of, for its next start',
    async () => {
      const bytes = randomBytes(30_000)
      const sha256 = sha256Of(bytes)
      const node = await startAt(server.endpoint, { database: await open() })
      const temporary = await node.store.temporary('test')
      // Placed, and the node ended before its transaction.
      await node.store.place(await node.store.copyIn(await written(temporary.dir, bytes)))
      const mark = blobRemovals(parts(a), blobIsKnown)
      expect(await mark.isKnown(sha256, 'remove')).toBe(false)
      const startOf = async (mayWrite: boolean) => {
        const removals = removalsAtStart({ ...parts(node), mayWrite: () => mayWrite }, blobIsKnown)
        const report = await node.store.recover(removals.isKnown, ['uploads'])
        await removals.end()
        return report.quarantined.map((one) => one.sha256)
      }
      expect([await startOf(true), await isWhole(sha256)]).toEqual([[], true])
      await mark.end()
      expect([await startOf(false), await isWhole(sha256)]).toEqual([[], true])
      expect([await startOf(true), await bytesAt(keyOf(sha256))]).toEqual([[sha256], null])
      expect(await removal(sha256)).toEqual({ times: 2, pending: 0 })
      expect(await quarantinedOf(sha256)).toHaveLength(1)
      await node.close()
    },
    PATIENT,
  )

  it(
    'disposition, and the clearing of forwarded originals, tell the other nodes before bytes go',
    async () => {
      const list = await Promise.all([destroyed(), destroyed()])
      const [first, second] = list as [(typeof list)[0], (typeof list)[0]]
      // Neither certificates nor receipts are needed here.
      await client.query('SET session_replication_role = replica')
      await client.query('INSERT INTO destroyed_blobs (sha256, certificate_id) VALUES ($1, 1)', [first.sha256])
      const deps = {
        ...parts(a),
        clock: systemClock,
        log: createLog('silent'),
        times: {},
        mayWrite: () => true,
        clockIsSteady: () => true,
      }
      const disposition = createDisposition(deps as never)
      hold(ofBlob(first.sha256, 'DELETE'))
      const recovered = disposition.recover()
      await expect.poll(() => held !== null, SOON).toBe(true)
      const marked = [await removal(first.sha256)]
      letGo()
      marked.push(await recovered.then(() => removal(first.sha256)))

      expect(await b.complete(second.again)).toBe(second.sha256)
      await client.query(
        `INSERT INTO forwarded_blobs (sha256, length, resource_id, cleared_utc, removed)
       SELECT sha256, length, resource_id, '', 0 FROM resources WHERE sha256 = $1`,
        [second.sha256],
      )
      hold(ofBlob(second.sha256, 'DELETE'))
      const cleared = removeCleared({ ...parts(a), clock: systemClock, mayRemove: () => true } as never)
      await expect.poll(() => held !== null, SOON).toBe(true)
      marked.push(await removal(second.sha256))
      letGo()
      marked.push(await cleared.then(() => removal(second.sha256)))
      const told = [
        { times: 1, pending: 1 },
        { times: 1, pending: 0 },
      ]
      expect(marked).toEqual([...told, ...told])
      expect(await bytesAt(keyOf(first.sha256))).toBeNull()
    },
    PATIENT,
  )
})
