/** B2: an object store whose network and servers fail, and nodes that are killed: what is said to be stored is stored, and nothing is lost. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  NoSuchKey,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partLength } from '../../server/storage/s3/bucket.ts'
import { keyOf } from '../../server/storage/s3/keys.ts'
import { openS3BlobStore, type S3Store } from '../../server/storage/s3/store.ts'
import { StorageFault } from '../../server/storage/store.ts'
import { type Fault, FAULTS, conditionalPuts, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import {
  missingForS3,
  S3_CREDENTIALS,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { isLong, scale } from '../support/scale.ts'
import { sha256Of } from './conformance.ts'

const missing = missingForS3()
const KILLS = scale(10, 100)
const CASES = scale(200, 2000) - KILLS
const MIB = 2 ** 20
const SEED = isLong ? randomBytes(4).readUInt32LE() : 20_261_125

/** A store with a proxy of its own: a fault of one operation does not meet another. */
interface Lane {
  readonly store: S3Store
  readonly proxy: FaultyProxy
}
const LANES = 2

/** The same choices for the same seed. */
function chooser(seed: string) {
  let turn = 0
  const below = (count: number): number =>
    createHash('sha256').update(`${seed} ${turn++}`).digest().readUInt32LE() % count
  return { below, of: <T>(values: readonly T[]): T => values[below(values.length)] as T }
}

describe.skipIf(missing !== null)(missing ?? 'B2: faults of an object store', () => {
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: string
  let root: string
  let store: S3Store
  let lanes: readonly Lane[] = []
  beforeAll(async () => {
    useS3Credentials()
    server = await startS3Server()
    bucket = await server.bucket()
    root = await mkdtemp(path.join(tmpdir(), 'sallyport-scratch-'))
    lanes = await Promise.all(Array.from({ length: LANES }, (_, index) => openLane(path.join(root, `lane-${index}`))))
    const [first] = lanes as [Lane]
    store = first.store
    proxy = first.proxy
  }, STARTING)
  afterAll(async () => {
    for (const lane of lanes) await lane.store.close()
    for (const lane of lanes) await lane.proxy.close()
    await server?.close()
    if (root !== undefined) await rm(root, { recursive: true, force: true })
  })

  const at = (key: string) => ({ Bucket: bucket, Key: key })
  /** What lies in the bucket, asked past the proxy. */
  const bytesAt = async (key: string): Promise<Buffer | null> => {
    try {
      const answer = await server.client.send(new GetObjectCommand(at(key)))
      return Buffer.from((await answer.Body?.transformToByteArray()) ?? [])
    } catch (error) {
      if (error instanceof NoSuchKey) return null
      throw error
    }
  }
  const put = (key: string, bytes: Uint8Array) => server.client.send(new PutObjectCommand({ ...at(key), Body: bytes }))
  const keysBelow = async (prefix: string): Promise<string[]> =>
    ((await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))).Contents ?? []).map(
      ({ Key }) => Key as string,
    )
  const isWhole = async (sha256: string): Promise<boolean> => {
    const bytes = await bytesAt(keyOf(sha256))
    return bytes !== null && sha256Of(bytes) === sha256
  }
  /** Of an object under its own key; parts of an upload are no objects yet. */
  const damageStored = async (address: string): Promise<void> => {
    const [, key = ''] = /^\/[^/]+\/(blobs\/[^?]+)(\?x-id=PutObject)?$/.exec(decodeURIComponent(address)) ?? []
    const bytes = key === '' ? null : await bytesAt(key)
    if (bytes === null || bytes.length === 0) return
    bytes[0] = (bytes[0] as number) ^ 2
    await put(key, bytes)
  }
  const openLane = async (scratch: string): Promise<Lane> => {
    const own = await startFaultyProxy(server.endpoint, damageStored)
    const opened = await openS3BlobStore({
      root: scratch,
      now: Date.now,
      address: { bucket, prefix: '', endpoint: own.endpoint, region: S3_REGION, pathStyle: true },
      owner: null,
      probes: 1,
      limits: { writePatience: 1500, readPatience: 1500, silence: 2000, partBytes: 5 * MIB },
    })
    return { store: opened, proxy: own }
  }
  const stageIn = async (into: S3Store, bytes: Uint8Array) => {
    const source = path.join(into.root, 'source')
    writeFileSync(source, bytes)
    const staged = await into.copyIn(source)
    await rm(source)
    return staged
  }
  /** @returns what it came to, or the code of its fault. Another error is a failure of the test. */
  const outcome = async <T>(work: () => Promise<T>): Promise<{ done: T } | { code: string }> => {
    try {
      return { done: await work() }
    } catch (error) {
      if (error instanceof StorageFault) return { code: error.code }
      throw error
    }
  }
  const MAY = ['StoreAway', 'ReadBackMismatch']
  const unknown = async (): Promise<boolean> => false

  interface Turn {
    readonly bytes: Buffer
    readonly sha256: string
    readonly faults: readonly (Fault | null)[]
  }
  const kindsOf = ({ store, proxy }: Lane): Readonly<Record<string, (turn: Turn) => Promise<void>>> => {
    const stage = (bytes: Uint8Array) => stageIn(store, bytes)
    const withFaults = async <T>(faults: Turn['faults'], work: () => Promise<T>) => {
      proxy.plan(faults)
      try {
        return await outcome(work)
      } finally {
        proxy.plan([])
      }
    }
    return {
      'places new bytes': async ({ bytes, sha256, faults }) => {
        const staged = await stage(bytes)
        const first = await withFaults(faults, () => store.place(staged))
        if ('code' in first) {
          expect(MAY).toContain(first.code)
          // The staged file is still there, so that whoever asks again succeeds.
          await store.place(staged)
        }
        expect(await isWhole(sha256)).toBe(true)
        await store.confirm({ sha256, length: bytes.length, readBack: 'direct', existed: false })
      },
      'places bytes that are there': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const staged = await stage(bytes)
        const first = await withFaults(faults, () => store.place(staged))
        expect(await isWhole(sha256)).toBe(true)
        if ('code' in first) {
          expect(MAY).toContain(first.code)
          await store.place(staged)
        } else expect(first.done.replaced).toBeUndefined()
        await store.confirm({ sha256, length: bytes.length, readBack: 'direct', existed: true })
      },
      'replaces a damaged object': async ({ bytes, sha256, faults }) => {
        const damaged = Buffer.from(bytes)
        damaged[0] = (damaged[0] as number) ^ 1
        await put(keyOf(sha256), damaged)
        const staged = await stage(bytes)
        const first = await withFaults(faults, () => store.place(staged))
        if ('code' in first) {
          expect(MAY).toContain(first.code)
          await store.place(staged)
        }
        expect(await isWhole(sha256)).toBe(true)
        const kept = await keysBelow(`quarantine/${sha256Of(damaged)}-`)
        expect(kept.filter((key) => !key.endsWith('.json')).length).toBeGreaterThan(0)
        for (const key of kept.filter((one) => !one.endsWith('.json')))
          expect((await bytesAt(key))?.equals(damaged)).toBe(true)
        await store.confirm({ sha256, length: bytes.length, readBack: 'direct', existed: false })
      },
      'reads a range': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const start = Math.floor(bytes.length / 3)
        // A flipped byte on the way cannot be seen in a range; TLS sees it.
        const visible = faults.filter((fault) => fault !== 'flip answer')
        const read = await withFaults(visible, async () => {
          const parts: Buffer[] = []
          for await (const part of (await store.open(sha256)).stream(start, bytes.length - 1))
            parts.push(part as Buffer)
          return Buffer.concat(parts)
        })
        if ('code' in read) expect(MAY).toContain(read.code)
        else expect(read.done.equals(bytes.subarray(start))).toBe(true)
      },
      'copies to the scratch folder': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const copy = await withFaults(faults, () => store.localCopy(sha256))
        if ('code' in copy) expect([...MAY, 'BlobDamaged']).toContain(copy.code)
        else {
          expect(readFileSync(copy.done.path).equals(bytes)).toBe(true)
          await copy.done.release()
          expect(existsSync(copy.done.path)).toBe(false)
        }
      },
      'verifies an object that is whole': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const found = await withFaults(faults, () => store.verifyBlob(sha256))
        if ('code' in found) expect(MAY).toContain(found.code)
        else expect(found.done).toMatchObject({ result: 'ok', found: sha256 })
      },
      'verifies an object that is damaged': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), Buffer.concat([bytes.subarray(1), Buffer.from('x')]))
        const found = await withFaults(faults, () => store.verifyBlob(sha256))
        if ('code' in found) expect(MAY).toContain(found.code)
        else expect(found.done.result).toBe('changed')
      },
      'puts a blob into quarantine': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const first = await withFaults(faults, () => store.quarantine(sha256, 'for a test'))
        const kept = (await keysBelow(`quarantine/${sha256}-`)).filter((key) => !key.endsWith('.json'))
        const whole = await Promise.all(kept.map(async (key) => (await bytesAt(key))?.equals(bytes) === true))
        if ('code' in first) {
          expect([...MAY, 'BlobMissing']).toContain(first.code)
          expect((await isWhole(sha256)) || whole.includes(true)).toBe(true)
          return
        }
        expect(await bytesAt(keyOf(sha256))).toBeNull()
        expect((await bytesAt(first.done.path))?.equals(bytes)).toBe(true)
        expect(await bytesAt(`${first.done.path}.json`)).not.toBeNull()
      },
      'removes a blob': async ({ bytes, sha256, faults }) => {
        await put(keyOf(sha256), bytes)
        const first = await withFaults(faults, () => store.remove(sha256, unknown))
        if ('code' in first) {
          expect(MAY).toContain(first.code)
          expect(await store.remove(sha256, unknown)).toBe('removed')
        }
        expect(await bytesAt(keyOf(sha256))).toBeNull()
      },
    }
  }

  it(`B2 ${CASES} operations meet faults; what succeeds is true, what fails lost nothing and succeeds later`, {
    timeout: scale(120_000, 3_600_000),
  }, async () => {
    const met = new Set<string>()
    let next = 0
    const work = async (lane: Lane): Promise<void> => {
      const kinds = Object.entries(kindsOf(lane))
      for (let index = next++; index < CASES; index = next++) {
        const choose = chooser(`${SEED} ${index}`)
        const [kind, perform] = kinds[index % kinds.length] as (typeof kinds)[number]
        const size =
          choose.below(50) === 0 ? 11 * MIB + choose.below(MIB) : choose.of([1, 700, 4096, 40_000, 90_001, MIB + 1])
        const bytes = randomBytes(size)
        const faults: (Fault | null)[] = Array.from({ length: 6 }, () =>
          choose.below(3) === 0 ? choose.of(FAULTS) : null,
        )
        // Two flips in the two readings of a verification are a server that damages what it gives: that is what it says then.
        const flips = faults.flatMap((fault, place) => (fault === 'flip answer' ? [place] : []))
        for (const place of flips.slice(1)) faults[place] = 'slow'
        for (const fault of faults) met.add(String(fault))
        await perform({ bytes, sha256: sha256Of(bytes), faults }).catch((error: unknown) => {
          throw new Error(`case ${index} of seed ${SEED}, ${kind}, ${size} bytes, ${faults.join(', ')}`, {
            cause: error,
          })
        })
      }
    }
    await Promise.all(lanes.map(work))
    expect([...met].sort()).toEqual(['null', ...FAULTS].sort())
  })

  it(`B2 ${KILLS} nodes are killed while they place: every row has its object, every object its row`, {
    timeout: scale(120_000, 1_800_000),
  }, async () => {
    const choose = chooser(`kills ${SEED}`)
    const program = fileURLToPath(new URL('s3-placer.ts', import.meta.url))
    let placed = 0
    for (let turn = 0; turn < KILLS; turn++) {
      const Bucket = await server.bucket()
      const scratch = path.join(root, `node-${turn}`)
      await mkdir(scratch)
      const rows = path.join(root, `rows-${turn}`)
      writeFileSync(rows, '')
      const child = spawn(process.execPath, [program, server.endpoint, Bucket, scratch, rows], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      // Every other node dies after its first row, however slow the machine is; the others at any moment.
      const deadline = Date.now() + 30_000
      while (turn % 2 === 0 && readFileSync(rows).length === 0 && Date.now() < deadline) await sleep(20)
      await sleep(choose.below(800))
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      const committed = new Set(
        readFileSync(rows, 'utf8')
          .split('\n')
          .filter((line) => line.length === 64),
      )
      placed += committed.size
      const after = await openS3BlobStore({
        root: scratch,
        now: Date.now,
        address: { bucket: Bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true },
        owner: null,
        probes: 0,
        orphanAge: 0,
      })
      const report = await after.recover(async (sha256) => committed.has(sha256), [])
      expect(report.missing).toEqual([])
      for (const sha256 of committed) expect(await after.verifyBlob(sha256)).toMatchObject({ result: 'ok' })
      // What the dead node had sent may be stored after the next one looked: a comparison finds it, and nothing else.
      const isKnown = async (sha256: string): Promise<boolean> => committed.has(sha256)
      const expected = async function* () {
        for (const sha256 of [...committed].sort()) yield { sha256, length: (await after.open(sha256)).size }
      }
      for await (const { kind, path: left } of after.compare({ rows: expected(), isKnown, read: false })) {
        expect(kind).toBe('untracked')
        await after.setAside(left, isKnown, 'for a test')
      }
      const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket, Prefix: 'blobs/' }))
      expect(Contents.map(({ Key }) => Key).sort()).toEqual([...committed].map(keyOf).sort())
      expect(await after.recover(async () => true, [])).toMatchObject({ temporariesRemoved: 0, intentsSettled: 0 })
      await after.close()
    }
    expect(placed).toBeGreaterThan(0)
  })

  it('a destruction removes every version that a bucket keeps', async () => {
    const Bucket = await server.bucket()
    await server.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }))
    const address = { bucket: Bucket, prefix: 'p/', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const scratch = path.join(root, 'versions')
    const versioned = await openS3BlobStore({ root: scratch, now: Date.now, address, owner: null, probes: 1 })
    expect(versioned.facts.versioning).toBe(true)
    const bytes = randomBytes(1000)
    const sha256 = sha256Of(bytes)
    const place = async () => {
      writeFileSync(path.join(scratch, 'source'), bytes)
      const placed = await versioned.place(await versioned.copyIn(path.join(scratch, 'source')))
      await versioned.confirm(placed)
      return placed
    }
    await place()
    const Key = `p/${keyOf(sha256)}`
    await server.client.send(new PutObjectCommand({ Bucket, Key, Body: 'damaged' }))
    expect((await place()).replaced?.sha256).toBe(sha256Of(Buffer.from('damaged')))
    const kept = async () =>
      ((await server.client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key }))).Versions ?? []).length
    expect(await kept()).toBe(3)
    expect(await versioned.remove(sha256, unknown)).toBe('removed')
    expect(await kept()).toBe(0)
    await versioned.close()
  })

  it('with conditional puts two nodes place the same bytes at the same moment, and one object is written', async () => {
    const Bucket = await server.bucket()
    const puts: string[] = []
    const conditional = await startFaultyProxy(server.endpoint, async () => {}, conditionalPuts(server.client, puts))
    const address = { bucket: Bucket, prefix: '', endpoint: conditional.endpoint, region: S3_REGION, pathStyle: true }
    const nodes = await Promise.all(
      ['one', 'other'].map((name) =>
        openS3BlobStore({ root: path.join(root, name), now: Date.now, address, owner: null, probes: 1 }),
      ),
    )
    expect(nodes.map(({ facts }) => facts.conditionalPuts)).toEqual([true, true])
    for (let turn = 0; turn < scale(5, 50); turn++) {
      const bytes = randomBytes(3000)
      const key = keyOf(sha256Of(bytes))
      const placed = await Promise.all(
        nodes.map(async (node) => {
          writeFileSync(path.join(node.root, 'source'), bytes)
          return node.place(await node.copyIn(path.join(node.root, 'source')))
        }),
      )
      expect(placed.filter(({ existed }) => !existed)).toHaveLength(1)
      expect(puts.filter((one) => one.endsWith(key))).toHaveLength(1)
      for (const [index, node] of nodes.entries()) await node.confirm(placed[index] as (typeof placed)[number])
    }
    await Promise.all(nodes.map((node) => node.close()))
    await conditional.close()
  })

  it('copies an object in parts to quarantine when it is too large for one copy', async () => {
    const address = { bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const scratch = path.join(root, 'parts')
    const limits = { copyBytes: 5 * MIB }
    const small = await openS3BlobStore({ root: scratch, now: Date.now, address, owner: null, probes: 1, limits })
    const bytes = randomBytes(11 * MIB + 5)
    const sha256 = sha256Of(bytes)
    await put(keyOf(sha256), bytes)
    const aside = await small.quarantine(sha256, 'for a test')
    expect((await bytesAt(aside.path))?.equals(bytes)).toBe(true)
    expect(await bytesAt(keyOf(sha256))).toBeNull()
    await small.close()
  })

  it.each([
    [16 * MIB, 16 * MIB, 1],
    [160_000 * MIB, 16 * MIB, 10_000],
    [2 ** 40, 105 * MIB, 9987],
    [5 * 2 ** 40, 525 * MIB, 9987],
  ])('a file of %i bytes is sent in parts of %i', (length, part, parts) => {
    expect(partLength(length, 16 * MIB)).toBe(part)
    expect(Math.ceil(length / part)).toBe(parts)
  })

  it('unfinished multipart uploads of dead nodes are removed after a day, and not the one of a file that is being sent', async () => {
    const Bucket = await server.bucket()
    const dead = keyOf(sha256Of(Buffer.from('dead')))
    const alive = sha256Of(Buffer.from('alive'))
    for (const Key of [dead, keyOf(alive)]) await server.client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const address = { bucket: Bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const scratch = path.join(root, 'sweeping')
    let now = Date.now()
    const sweeping = await openS3BlobStore({ root: scratch, now: () => now, address, owner: null, probes: 1 })
    writeFileSync(path.join(scratch, '.intents', alive), '')
    expect(await sweeping.removeLeftovers()).toBe(0)
    now += 25 * 60 * 60 * 1000
    expect(await sweeping.removeLeftovers()).toBe(1)
    const { Uploads = [] } = await server.client.send(new ListMultipartUploadsCommand({ Bucket }))
    expect(Uploads.map(({ Key }) => Key)).toEqual([keyOf(alive)])
    await sweeping.close()
  })

  it('an unfinished multipart upload whose last part is young is that of another node, and stays', async () => {
    const Bucket = await server.bucket()
    const Key = keyOf(sha256Of(Buffer.from('slow')))
    const { UploadId } = await server.client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const address = { bucket: Bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const common = { now: Date.now, address, owner: null, probes: 0, orphanAge: 4000 }
    const sweeping = await openS3BlobStore({ ...common, root: path.join(root, 'sweeping slow') })
    await sleep(5000)
    await server.client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'slow' }))
    expect(await sweeping.removeLeftovers()).toBe(0)
    await sleep(5000)
    expect(await sweeping.removeLeftovers()).toBe(1)
    await sweeping.close()
  })

  /** Swift's own interface, which shows what its S3 interface keeps apart: the marks and the parts of multipart uploads. */
  const nativeSwift = async () => {
    const { accessKeyId, secretAccessKey } = S3_CREDENTIALS
    const granted = await fetch(`${server.endpoint}/auth/v1.0`, {
      headers: { 'X-Auth-User': accessKeyId, 'X-Auth-Key': secretAccessKey },
    })
    const headers = { 'X-Auth-Token': granted.headers.get('X-Auth-Token') as string }
    const address = (container: string): string => `${granted.headers.get('X-Storage-Url')}/${container}%2Bsegments`
    return {
      parts: async (container: string): Promise<string[]> =>
        (await (await fetch(address(container), { headers })).text()).split('\n').filter((name) => name !== ''),
      mark: async (container: string, name: string): Promise<number> =>
        (await fetch(`${address(container)}/${name}`, { method: 'PUT', headers, body: '' })).status,
      removePart: async (container: string, name: string): Promise<number> =>
        (await fetch(`${address(container)}/${name}`, { method: 'DELETE', headers })).status,
    }
  }

  it('an upload that was completed while its mark stayed keeps its parts: the object is made of them', async () => {
    const Bucket = await server.bucket()
    const address = { bucket: Bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const limits = { partBytes: 5 * MIB }
    let now = Date.now()
    const sweeping = await openS3BlobStore({
      root: path.join(root, 'sweeping marks'),
      now: () => now,
      address,
      owner: null,
      probes: 1,
      limits,
    })
    const bytes = randomBytes(11 * MIB + 5)
    const sha256 = sha256Of(bytes)
    await sweeping.confirm(await sweeping.place(await stageIn(sweeping, bytes)))
    // A server that ends between the object and the removal of the mark leaves both.
    const swift = await nativeSwift()
    const parts = await swift.parts(Bucket)
    expect(parts).toHaveLength(3)
    expect(await swift.mark(Bucket, path.dirname(parts[0] as string))).toBe(201)
    const { Uploads = [] } = await server.client.send(new ListMultipartUploadsCommand({ Bucket }))
    expect(Uploads.map(({ Key }) => Key)).toEqual([keyOf(sha256)])
    // Of the same bytes, and cut off: it has not all of them.
    const cut = await server.client.send(new CreateMultipartUploadCommand({ Bucket, Key: keyOf(sha256) }))
    const part = { Bucket, Key: keyOf(sha256), UploadId: cut.UploadId, PartNumber: 1, Body: bytes.subarray(0, 5 * MIB) }
    await server.client.send(new UploadPartCommand(part))
    now += 25 * 60 * 60 * 1000
    expect(await sweeping.removeLeftovers()).toBe(1)
    expect(await sweeping.verifyBlob(sha256)).toMatchObject({ result: 'ok' })
    // Once the object is gone, what is left of the upload goes too.
    expect(await sweeping.remove(sha256, async () => false)).toBe('removed')
    expect(await sweeping.removeLeftovers()).toBe(1)
    expect(await swift.parts(Bucket)).toEqual([])
    await sweeping.close()
  }, 60_000)

  it.each(['a file in parts', 'an object of several'])(
    '%s: an upload whose completion got no answer is not aborted, for the store may have made the object',
    async (kind) => {
      const Bucket = await server.bucket()
      const swift = await nativeSwift()
      let completions = 0
      // The object is made, its mark stays, and the answer is lost, each time it is asked.
      const silent = await startFaultyProxy(server.endpoint, undefined, async ({ method, url = '' }, body) => {
        const [, Key = '', UploadId = ''] = /^\/[^/]+\/([^?]+)\?.*uploadId=([^&]+)/.exec(decodeURIComponent(url)) ?? []
        if (method !== 'POST' || UploadId === '') return null
        const Parts = [...String(body).matchAll(/<Part>.*?<\/Part>/gs)].map(([part]) => ({
          PartNumber: Number(/<PartNumber>(\d+)/.exec(part)?.[1]),
          ETag: /<ETag>(?:&quot;|")?([0-9a-f]+)/.exec(part)?.[1],
        }))
        await server.client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        )
        completions += 1
        expect(await swift.mark(Bucket, `${Key}/${UploadId}`)).toBe(201)
        return 503
      })
      const silenced = await openS3BlobStore({
        root: path.join(root, `silent ${kind}`),
        now: Date.now,
        address: { bucket: Bucket, prefix: '', endpoint: silent.endpoint, region: S3_REGION, pathStyle: true },
        owner: null,
        probes: 1,
        limits: { writePatience: 300, partBytes: 5 * MIB },
      })
      const bytes = randomBytes(11 * MIB + 5)
      const sha256 = sha256Of(bytes)
      const [first, second] = [bytes.subarray(0, 6 * MIB), bytes.subarray(6 * MIB)]
      const objects = [first, second].map((body, at) => ({ body, key: `staging/1/${at}`, length: body.length }))
      for (const { key: Key, body: Body } of objects)
        await server.client.send(new PutObjectCommand({ Bucket, Key, Body }))
      const staged: Parameters<S3Store['place']>[0] =
        kind === 'a file in parts'
          ? await stageIn(silenced, bytes)
          : { path: 'staging/1/', objects, sha256, length: bytes.length, readBack: 'direct' }
      await silenced.confirm(await silenced.place(staged))
      expect(completions).toBeGreaterThan(0)
      expect(await silenced.verifyBlob(sha256)).toMatchObject({ result: 'ok' })
      await silenced.close()
      await silent.close()
    },
    60_000,
  )

  it('an object that lost parts is found damaged, and is made anew when the same bytes come again', async () => {
    const Bucket = await server.bucket()
    const address = { bucket: Bucket, prefix: '', endpoint: server.endpoint, region: S3_REGION, pathStyle: true }
    const common = { now: Date.now, address, owner: null, probes: 1, limits: { partBytes: 5 * MIB } }
    const losing = await openS3BlobStore({ ...common, root: path.join(root, 'losing') })
    const bytes = randomBytes(11 * MIB + 5)
    const sha256 = sha256Of(bytes)
    await losing.confirm(await losing.place(await stageIn(losing, bytes)))
    const swift = await nativeSwift()
    const [, second = ''] = await swift.parts(Bucket)
    expect(await swift.removePart(Bucket, second)).toBe(204)
    expect(await losing.verifyBlob(sha256)).toMatchObject({
      result: 'changed',
      problem: expect.stringContaining('lost parts'),
    })
    const again = await losing.place(await stageIn(losing, bytes))
    expect(again).toMatchObject({ existed: false })
    await losing.confirm(again)
    expect(await losing.verifyBlob(sha256)).toMatchObject({ result: 'ok' })
    await losing.close()
  }, 60_000)

  it('an object store that damages all it is given fails the placing, and leaves an intent for the next start', async () => {
    const bytes = randomBytes(5000)
    const sha256 = sha256Of(bytes)
    const staged = await stageIn(store, bytes)
    proxy.always('damage stored')
    try {
      expect(await outcome(() => store.place(staged))).toEqual({ code: 'ReadBackMismatch' })
    } finally {
      proxy.always(null)
    }
    expect(existsSync(path.join(store.root, '.intents', sha256))).toBe(true)
    await server.client.send(new DeleteObjectCommand(at(keyOf(sha256))))
    await store.confirm(await store.place(staged))
    expect(await isWhole(sha256)).toBe(true)
  })
})
