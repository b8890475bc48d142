/** B5: the object store is away, full, or answers with errors: uploads wait or are refused clearly, metadata goes on, nothing is half done. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fault, FAULTS, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { type Given, givenStation, type Json, type Reply } from '../support/given.ts'
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
const ROUNDS = scale(1, 10)
const AWAY: readonly Fault[] = ['drop request', 'refuse with 503', 'refuse with 500']

describe.skipIf(missing !== null)(missing ?? 'B5: an object store that is away', () => {
  let server: S3Server
  let proxy: FaultyProxy
  let given: Given
  beforeAll(async () => {
    useS3Credentials()
    server = await startS3Server()
    proxy = await startFaultyProxy(server.endpoint)
    const bucket = await server.bucket()
    const blobUrl = `s3://${bucket}/station?endpoint=${proxy.endpoint}&region=${S3_REGION}&pathStyle=true`
    given = await givenStation({ settings: { blobUrl }, fresh: true })
  }, STARTING)
  afterAll(async () => {
    await given?.close()
    await proxy?.close()
    await server?.close()
  })

  const addressOf = (one: Json): string => `${given.documents}/evidence/${one.EvidenceId}/resource/${one.ResourceId}`
  const complete = (one: Json): Promise<Reply> => given.call('POST', `${addressOf(one)}/complete`, { body: {} })
  const uploaded = async (bytes: Uint8Array): Promise<Json> => {
    const { EvidenceId } = await given.evidence()
    const open = { EvidenceId, ...(await given.resource(EvidenceId)) }
    await given.put(open.UploadUri, bytes)
    return open
  }
  const isThere = async (one: Json, bytes: Buffer): Promise<boolean> =>
    Buffer.from((await given.call('GET', `${addressOf(one)}/content`)).bytes).equals(bytes)
  /** Reads metadata twice a second until `until` is over. @returns the slowest answer in milliseconds */
  const readMetadata = async (until: Promise<unknown>): Promise<number> => {
    let over = false
    void until.finally(() => (over = true))
    let slowest = 0
    while (!over) {
      const began = performance.now()
      await given.expecting(200, given.call('GET', `${given.documents}/evidence`))
      slowest = Math.max(slowest, performance.now() - began)
      await Promise.race([sleep(500), until])
    }
    return slowest
  }
  const nothingHalfDone = async (): Promise<void> => {
    // No file of an attempt that failed stays in the scratch folder.
    const folder = path.join(given.data, 'scratch', '.staging')
    // A copy for a preview that is being made goes with its job.
    await expect.poll(() => readdirSync(folder).filter((name) => name !== 'uploads'), { timeout: 30_000 }).toEqual([])
    // No block on its way either.
    expect(readdirSync(path.join(folder, 'uploads', 'incoming'))).toEqual([])
    expect((await given.command('verify', { fast: false })).problems).toEqual([])
  }

  it(`an upload waits ${ROUNDS} times for a store that is away for half a minute, while metadata is read`, {
    timeout: ROUNDS * 180_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = randomBytes(500_000)
      const one = await uploaded(bytes)
      proxy.always(AWAY[round % AWAY.length] as Fault)
      const completing = complete(one)
      const back = sleep(30_000).then(() => proxy.always(null))
      expect(await readMetadata(back)).toBeLessThan(3000)
      expect((await completing).status).toBe(200)
      expect(await isThere(one, bytes)).toBe(true)
    }
    await nothingHalfDone()
  })

  it(`an upload is refused ${ROUNDS} times when the store stays away, stays open, and is completed later`, {
    timeout: ROUNDS * 300_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = randomBytes(500_000)
      const one = await uploaded(bytes)
      proxy.always(AWAY[round % AWAY.length] as Fault)
      const completing = complete(one)
      expect(await readMetadata(completing)).toBeLessThan(3000)
      const refused = await completing
      expect([refused.status, refused.json.ErrorCode ?? refused.json.Code ?? refused.json.code]).toEqual([
        503,
        'NotReady',
      ])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await given.call('GET', addressOf(one))).json.State).toBe('None')
      const began = performance.now()
      expect((await given.call('GET', '/readyz')).status).toBe(503)
      expect(performance.now() - began).toBeLessThan(6000)
      proxy.always(null)
      expect((await complete(one)).status).toBe(200)
      expect(await isThere(one, bytes)).toBe(true)
    }
    await nothingHalfDone()
  })

  it('a full store refuses uploads and gives what it has; with room again they succeed', {
    timeout: 180_000,
  }, async () => {
    const before = randomBytes(100_000)
    const kept = await uploaded(before)
    expect((await complete(kept)).status).toBe(200)
    const bytes = randomBytes(200_000)
    const one = await uploaded(bytes)
    proxy.always('full')
    const refused = await complete(one)
    expect([refused.status, refused.text.includes('StorageFull')]).toEqual([503, true])
    expect(await isThere(kept, before)).toBe(true)
    proxy.always(null)
    expect((await complete(one)).status).toBe(200)
    expect(await isThere(one, bytes)).toBe(true)
    await nothingHalfDone()
  })

  it(`${scale(20, 200)} uploads through a store with random faults arrive whole, when those refused are asked again`, {
    timeout: scale(300_000, 3_000_000),
  }, async () => {
    const faults = FAULTS.filter((fault) => fault !== 'flip answer' && fault !== 'damage stored')
    for (let index = 0; index < scale(20, 200); index++) {
      const bytes = randomBytes(100_000)
      const one = await uploaded(bytes)
      proxy.plan(
        Array.from({ length: 8 }, () =>
          Math.random() < 0.4 ? (faults[Math.floor(Math.random() * faults.length)] as Fault) : null,
        ),
      )
      let answer = await complete(one)
      for (let tries = 0; answer.status === 503 && tries < 5; tries++) answer = await complete(one)
      expect(answer.status).toBe(200)
      proxy.plan([])
      expect(await isThere(one, bytes)).toBe(true)
    }
    await nothingHalfDone()
  })
})
