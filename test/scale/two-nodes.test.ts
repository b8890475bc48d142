/** Two nodes of one headquarters: two stations in one process, over one PostgreSQL database and one object store. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { type RunningStation, startServer } from '../../server/index.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { type UsersWorld, usersWorld } from '../api/users/world.ts'
import { type Json, sha256Of } from '../support/given.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'

const missing = (await postgresMissing()) ?? missingForS3()
const EVENTS = '/api/v1/tenant/station/station/events'
/** A caller who loses the right gets nothing more after five seconds (decisions 9 and 10). */
const ENDS_WITHIN = 5_000
const SOON = { timeout: 20_000 }

let postgres: PostgresServer
let s3: S3Server
/** The first node. */
let world: UsersWorld
/** The second one. */
let other: RunningStation
let otherData: string

beforeAll(async () => {
  if (missing !== null) return
  useS3Credentials()
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3Server()])
  const shared = {
    databaseUrl: await postgres.create('nodes'),
    blobUrl: `s3://${await s3.bucket()}/hq?endpoint=${s3.endpoint}&region=${S3_REGION}&pathStyle=true`,
    // Issuer of tokens, the same on all nodes.
    publicUrl: 'http://127.0.0.1:1',
    wrappingKey: WRAPPING_KEY,
  }
  world = await usersWorld({ ...shared, nodeName: 'east' }, { fresh: true })
  otherData = path.join(world.given.dir, 'other')
  const rest = { port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent', strictResponses: true }
  other = await startServer(loadSettings({}, { ...rest, ...shared, data: otherData, nodeName: 'west' }))
}, STARTING)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await other?.close()
  await world?.given.close()
  await Promise.all([postgres?.stop(), s3?.close()])
})

const atOther = (method: string, place: string, token: string, more: Json = {}) =>
  world.given.call(method, `${other.url}${place}`, { token, ...more })

/** What a stream says, as it comes. */
async function streamAt(url: string, token: string, more: Record<string, string> = {}, place = EVENTS) {
  const response = await fetch(`${url}${place}`, { headers: { authorization: `Bearer ${token}`, ...more } })
  expect(response.status).toBe(200)
  let text = ''
  let isOver = false
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += Buffer.from(part.value).toString()
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  return {
    text: () => text,
    isOver: () => isOver,
    /** The id up to which it told everything; what a browser sends when it comes back. */
    lastId: () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? null,
    end: async () => {
      await reader.cancel()
      await reading
    },
  }
}

it('takes in bytes at one node and gives them back at the other, in one ledger that both verify', async () => {
  const { given } = world
  const bytes = randomBytes(200_000)
  const { evidenceId, resourceId, sha256 } = await given.completed(bytes)
  const content = await atOther(
    'GET',
    `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`,
    given.token,
  )
  expect([content.status, sha256Of(content.bytes)]).toEqual([200, sha256])
  const verifyAt = async (data: string): Promise<Json> => {
    const call = { command: 'verify', args: { fast: true, checkpoints: null }, user: 'tester' }
    return (await callControl(data, call, () => {}, new AbortController().signal))?.result
  }
  for (const data of [given.data, otherData]) expect((await verifyAt(data)).problems).toEqual([])
})

it('B3: the stream of jobs tells at each node how the jobs of both end', async () => {
  const { given } = world
  const place = '/api/v1/tenant/station/job'
  const streams = await Promise.all(
    [given.url, other.url].map((url) => streamAt(url, given.token, {}, `${place}/events`)),
  )
  const list = async (): Promise<Json[]> => (await given.call('GET', `${place}?count=500`)).json
  const isOver = ({ State }: Json): boolean => State === 'done' || State === 'failed'
  const before = new Set((await list()).map(({ JobId }) => JobId))
  for (let file = 0; file < 8; file++) await given.completed(randomBytes(20_000))
  const ended = async (): Promise<string[]> => {
    const added = (await list()).filter(({ JobId }) => !before.has(JobId))
    expect(added.every(isOver)).toBe(true)
    return added.map(({ JobId }) => String(JobId)).toSorted()
  }
  const toldAt = (stream: (typeof streams)[number]): string[] => {
    const events = [...stream.text().matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Json)
    const ids = events.filter((job) => isOver(job) && !before.has(job['JobId'])).map(({ JobId }) => String(JobId))
    return [...new Set(ids)].toSorted()
  }
  await expect
    .poll(async () => [await ended().catch(() => null), ...streams.map(toldAt)], SOON)
    .toSatisfy(
      ([all, ...told]: (string[] | null)[]) =>
        all !== null && all !== undefined && all.length >= 8 && told.every((ids) => String(ids) === String(all)),
    )
  for (const stream of streams) await stream.end()
})

it('each checkpoint names the node that signed it', async () => {
  const client = new pg.Client({ connectionString: postgres.url('nodes') })
  await client.connect()
  const { rows } = await client.query<{ body: Uint8Array }>("SELECT body FROM ledger WHERE object_type = 'checkpoint'")
  await client.end()
  const signers = rows.map(({ body }) => (storedEntry(body).detail as Json).node.name as string)
  expect(new Set(signers)).toEqual(new Set(['east', 'west']))
})

it('S1, U7: what is revoked at one node is refused at the other with the very next request', async () => {
  for (let round = 0; round < 3; round++) {
    const { service, token } = await world.service()
    expect((await atOther('GET', '/connect/userinfo', token)).status).toBe(200)
    await world.given.expecting(200, world.send('POST', `/services/${service.PrincipalId}/disable`))
    expect((await atOther('GET', '/connect/userinfo', token)).status).toBe(401)
  }
})

it('an open stream and a download at one node end within five seconds of the end of the account at the other', async () => {
  const { given } = world
  const { service, token } = await world.service()
  const bytes = randomBytes(16 * 2 ** 20)
  const documents = given.documents
  const evidence = await given.expecting(
    201,
    given.call('POST', `${documents}/evidence`, { token, body: { Name: 'Long' } }),
  )
  const place = `${documents}/evidence/${evidence.EvidenceId}/resource`
  const open = await given.expecting(201, given.call('POST', place, { token, body: { Name: 'clip.bin' } }))
  await given.put(open.UploadUri, bytes)
  await given.expecting(200, given.call('POST', `${place}/${open.ResourceId}/complete`, { token, body: {} }))

  const stream = await streamAt(other.url, token)
  const content = `${other.url}${place}/${open.ResourceId}/content`
  const download = await fetch(content, { headers: { authorization: `Bearer ${token}` } })
  expect(download.status).toBe(200)
  const reader = (download.body as ReadableStream<Uint8Array>).getReader()
  let received = (await reader.read()).value?.length ?? 0
  await given.expecting(200, world.send('POST', `/services/${service.PrincipalId}/disable`))
  const since = performance.now()
  await expect.poll(stream.isOver, { timeout: ENDS_WITHIN }).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, ENDS_WITHIN - (performance.now() - since)))
  const rest = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.length
  })()
  await expect(rest).rejects.toThrow()
  expect(received).toBeLessThan(bytes.length)
})

it('a page hears of changes at another node, and goes on at any node where it stopped', async () => {
  const { given } = world
  const stream = await streamAt(other.url, given.token)
  await expect.poll(stream.lastId, SOON).not.toBeNull()
  const heard = await given.evidence({ Name: 'Heard' })
  await expect.poll(stream.text, SOON).toContain(`"EvidenceId":"${heard.EvidenceId}"`)
  await expect.poll(() => Number(stream.lastId()), SOON).toBeGreaterThan(0)
  const last = stream.lastId() as string
  await stream.end()
  const missed: string[] = []
  for (let n = 0; n < 3; n++) missed.push((await given.evidence({ Name: `Missed ${n}` })).EvidenceId)
  // Longer ago than what a page without an id is told of.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  for (const url of [other.url, given.url]) {
    const again = await streamAt(url, given.token, { 'last-event-id': last })
    for (const id of missed) await expect.poll(again.text, SOON).toContain(`"EvidenceId":"${id}"`)
    await expect.poll(again.lastId, SOON).not.toBeNull()
    expect(Number(again.lastId())).toBeGreaterThan(Number(last))
    await again.end()
  }
  const first = await streamAt(given.url, given.token)
  await expect.poll(first.lastId, SOON).not.toBeNull()
  expect(first.text()).not.toContain(`"EvidenceId":"${missed[0]}"`)
  await first.end()
})

it('says at each node whether it is ready, its clock included', async () => {
  for (const url of [world.given.url, other.url]) {
    const { status, json } = await world.given.call('GET', `${url}/readyz`, { token: null })
    expect([status, json.Checks.clock.Ok]).toEqual([200, true])
    expect(json.Checks.clock.Message).toMatch(/^\d+ ms from the database’s$/)
  }
})
