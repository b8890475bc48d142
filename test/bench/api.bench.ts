/**
 * The case service over HTTP beside (a) bare Koa that answers constant JSON, (b) the same operations, ledger included, without the server,
 * and (c) better-sqlite3 that commits the two rows of a new case; in one run, on one connection and on 32. Ratios of calls a second: aims
 * (promises V1 to V3) get ≥ 0.12 of (a); create ≥ 0.12 of (c) on one connection and ≥ 0.3 on 32; list ≥ 0.06 of (a) on 32. Then latency in an open loop at half that rate, and the list as the cases grow: p95 at 100,000 within 2× of that at 1,000.
 *   npm run bench -- api [seconds a measurement = 3] [sizes = 100,1000,10000,100000]
 * Prints one line of JSON a measurement.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Given, givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { startStation } from '../support/station.ts'
import { writeCases } from './api-cases.ts'
import { rawCommitsPerSecond } from './api-raw-sqlite.ts'
import { withoutServer } from './api-without-server.ts'

/** One operation of each kind, done and awaited. */
export interface Does {
  create(): Promise<void>
  get(id: string): Promise<void>
  patch(id: string): Promise<void>
  list(): Promise<void>
  link(id: string, evidenceId: string, add: boolean): Promise<void>
  history(id: string): Promise<void>
}
type Kind = keyof Does

const [seconds = '3', sizes = '100,1000,10000,100000'] = process.argv.slice(2)
const CASES = '/api/v1/case/station'
/** The token bucket is not what is measured. */
const UNLIMITED = {
  SALLYPORT_RATE_SERVICE: '10000000',
  SALLYPORT_RESERVE_BYTES: '65536',
  SALLYPORT_MIN_FREE_BYTES: '0',
}
const round = (n: number, by = 100): number => Math.round(n * by) / by
const print = (line: Record<string, unknown>): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function overHttp(agent: Agent, url: string, token: string, method: string, path: string, body?: unknown) {
  const sent = body === undefined ? '' : JSON.stringify(body)
  const outgoing = request(`${url}${path}`, {
    agent,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(sent === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    },
  })
  outgoing.end(sent)
  const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  if ((response.statusCode ?? 500) >= 300)
    throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`)
}

const client = (agent: Agent, url: string, token: string): Does => ({
  create: () => overHttp(agent, url, token, 'POST', CASES, { Title: 'Burglary' }),
  get: (id) => overHttp(agent, url, token, 'GET', `${CASES}/${id}`),
  patch: (id) => overHttp(agent, url, token, 'PATCH', `${CASES}/${id}`, { Description: String(Math.random()) }),
  list: () => overHttp(agent, url, token, 'GET', `${CASES}?count=50`),
  link: (id, EvidenceId, add) =>
    overHttp(agent, url, token, 'POST', `${CASES}/${id}/link-evidences`, {
      Evidences: [{ EvidenceId, Action: add ? 'Add' : 'Remove' }],
    }),
  history: (id) => overHttp(agent, url, token, 'GET', `${CASES}/${id}/history`),
})

/** So many at a time, as fast as they are answered. @returns calls a second */
async function closedLoop(lanes: number, work: (lane: number, call: number) => Promise<void>): Promise<number> {
  const until = performance.now() + Number(seconds) * 1000
  const from = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let call = 0; performance.now() < until; call++, calls++) await work(lane, call)
    }),
  )
  return calls / ((performance.now() - from) / 1000)
}

/** At a fixed rate, whether earlier ones are answered or not; times from when a call was due. */
async function openLoop(rate: number, work: (call: number) => Promise<void>): Promise<{ p50: number; p95: number }> {
  const total = Math.max(20, Math.round(rate * Number(seconds)))
  const from = performance.now()
  const times = await Promise.all(
    Array.from({ length: total }, async (_, call) => {
      const due = from + (call * 1000) / rate
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
      await work(call)
      return performance.now() - due
    }),
  )
  times.sort((a, b) => a - b)
  const at = (part: number) => round(times[Math.floor((times.length - 1) * part)] as number, 10)
  return { p50: at(0.5), p95: at(0.95) }
}

interface Subjects {
  readonly cases: readonly string[]
  readonly evidences: readonly string[]
}

const perform = (does: Does, kind: Exclude<Kind, 'link'>, id: string): Promise<void> =>
  kind === 'create' ? does.create() : kind === 'list' ? does.list() : does[kind](id)

/** Each lane has a case and an evidence of its own: nobody waits for the concurrency id of another. */
const worker =
  (does: Does, kind: Kind, { cases, evidences }: Subjects) =>
  (lane: number, call: number): Promise<void> => {
    const id = cases[lane % cases.length] as string
    return kind === 'link' ? does.link(id, evidences[lane] as string, call % 2 === 0) : perform(does, kind, id)
  }

async function subjectsOf(given: Given, token: string): Promise<Subjects> {
  const make = async (path: string, body: unknown, member: string) =>
    (await given.expecting(201, given.call('POST', path, { token, body })))[member] as string
  const lanes = Array.from({ length: 32 }, () => 0)
  const cases: string[] = []
  const evidences: string[] = []
  for (const _ of lanes) {
    cases.push(await make(CASES, { Title: 'Bench' }, 'CaseId'))
    evidences.push(await make(`${given.documents}/evidence`, { Name: 'Bench' }, 'EvidenceId'))
  }
  return { cases, evidences }
}

const plain = spawn(process.execPath, [join(fileURLToPath(new URL('.', import.meta.url)), 'api-plain-koa.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const given = await givenStation()
try {
  const port = String((await once(plain.stdout, 'data'))[0]).trim()
  const connection = await given.integration('bench', ['CreateCases', 'AccessAuditTrail'])
  const token = await signIn(connection, given.url)
  const subjects = await subjectsOf(given, token)
  await given.stop()
  // A process of its own, as it is installed: whoever asks must not take its time from the same thread.
  const served = await startStation({ data: given.settings.data, env: UNLIMITED })
  const servedToken = await signIn(connection, served.url)
  const rates = new Map<string, number>()
  const raw = rawCommitsPerSecond(given.file, Number(seconds))
  print({ what: '(c) better-sqlite3, two rows a commit', perSecond: Math.round(raw) })
  for (const connections of [1, 32]) {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const bare = await closedLoop(connections, () => overHttp(agent, `http://127.0.0.1:${port}`, '', 'GET', '/'))
    print({ what: '(a) bare Koa', connections, perSecond: Math.round(bare) })
    rates.set(`bare ${connections}`, bare)
    const does = client(agent, served.url, servedToken)
    for (const kind of ['get', 'list', 'history', 'create', 'patch', 'link'] as const) {
      const rate = await closedLoop(connections, worker(does, kind, subjects))
      rates.set(`${kind} ${connections}`, rate)
      const latency =
        kind === 'link' || connections === 1
          ? {}
          : await openLoop(rate / 2, (call) => worker(does, kind, subjects)(call % 32, 0))
      const ofRaw = kind === 'create' ? { ofRawSqlite: round(rate / raw) } : {}
      print({
        what: kind,
        connections,
        perSecond: Math.round(rate),
        ofBareKoa: round(rate / bare),
        ...ofRaw,
        ...latency,
      })
    }
    agent.destroy()
  }
  await served.stop()

  const direct = await withoutServer(given.file, connection.ServicePrincipalId)
  for (const lanes of [1, 32])
    for (const kind of ['get', 'list', 'history', 'create', 'patch', 'link'] as const) {
      const rate = await closedLoop(lanes, worker(direct.does, kind, subjects))
      const served = rates.get(`${kind} ${lanes}`) as number
      print({
        what: `(b) ${kind} without server`,
        lanes,
        perSecond: Math.round(rate),
        servedOfIt: round(served / rate),
      })
    }
  await direct.close()

  let written = 0
  let first: number | undefined
  for (const size of sizes.split(',').map(Number)) {
    writeCases(given.file, size - written, Number(connection.ServicePrincipalId), written)
    written = size
    const station = await startStation({ data: given.settings.data, env: UNLIMITED })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const does = client(agent, station.url, await signIn(connection, station.url))
    for (const kind of ['list', 'get', 'create', 'history'] as const) {
      const times: number[] = []
      for (let call = 0; call < 100; call++) {
        const from = performance.now()
        await worker(does, kind, subjects)(call, 0)
        times.push(performance.now() - from)
      }
      times.sort((a, b) => a - b)
      const p95 = times[95] as number
      if (kind === 'list' && size === 1000) first = p95
      const growth = kind === 'list' && first !== undefined ? { ofThatAt1000: round(p95 / first) } : {}
      print({ what: kind, cases: size, p50: round(times[50] as number, 10), p95: round(p95, 10), ...growth })
    }
    agent.destroy()
    await station.stop()
  }
} finally {
  plain.kill()
  await given.close()
}
