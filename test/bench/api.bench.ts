/**
 * The case service over HTTP beside (a) bare Koa that answers constant JSON, (b) the same operations, ledger included, without the server,
 * and (c) better-sqlite3 that commits the two rows of a new case; in one run, on one connection and on 32. Ratios of calls a second: aims
 * (promises V1 to V3) get ≥ 0.12 of (a); create ≥ 0.12 of (c) on one connection and ≥ 0.3 on 32; list ≥ 0.06 of (a) on 32. Then latency in an open loop at half that rate, and the list as the cases grow: p95 at 100,000 within 2× of that at 1,000.
 *   npm run bench -- api [seconds a measurement = 3] [sizes = 100,1000,10000,100000]
 * Prints one line of JSON a measurement.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { startStation } from '../support/station.ts'
import { writeCases } from './api-cases.ts'
import { client, closedLoop, overHttp, print, round, subjectsOf, UNLIMITED, worker } from './case-client.ts'
import { rawCommitsPerSecond } from './api-raw-sqlite.ts'
import { withoutServer } from './api-without-server.ts'

const [seconds = '3', sizes = '100,1000,10000,100000'] = process.argv.slice(2)

/** Calls a second after a third of the time, in which code is compiled and caches are filled: of Koa as of the station. */
async function steadyRate(lanes: number, work: (lane: number, call: number) => Promise<unknown>): Promise<number> {
  await closedLoop(lanes, Number(seconds) / 3, work)
  return closedLoop(lanes, Number(seconds), work)
}

/** At a fixed rate, whether earlier ones are answered or not; times from when a call was due. */
async function openLoop(rate: number, work: (call: number) => Promise<unknown>): Promise<{ p50: number; p95: number }> {
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

const plain = spawn(process.execPath, [join(fileURLToPath(new URL('.', import.meta.url)), 'api-plain-koa.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const given = await givenStation()
try {
  const port = String((await once(plain.stdout, 'data'))[0]).trim()
  const connection = await given.integration('bench', ['CreateCases', 'AccessAuditTrail'])
  const token = await signIn(connection, given.url)
  const subjects = await subjectsOf(given.url, given.documents, token)
  await given.stop()
  // A process of its own, as it is installed: whoever asks must not take its time from the same thread.
  const served = await startStation({ data: given.settings.data, env: UNLIMITED })
  const servedToken = await signIn(connection, served.url)
  const rates = new Map<string, number>()
  const raw = rawCommitsPerSecond(given.file, Number(seconds))
  print({ what: '(c) better-sqlite3, two rows a commit', perSecond: Math.round(raw) })
  for (const connections of [1, 32]) {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const bare = await steadyRate(connections, () => overHttp(agent, `http://127.0.0.1:${port}`, '', 'GET', '/'))
    print({ what: '(a) bare Koa', connections, perSecond: Math.round(bare) })
    rates.set(`bare ${connections}`, bare)
    const does = client(agent, served.url, servedToken)
    for (const kind of ['get', 'list', 'history', 'create', 'patch', 'link'] as const) {
      const rate = await steadyRate(connections, worker(does, kind, subjects))
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
      const rate = await steadyRate(lanes, worker(direct.does, kind, subjects))
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
