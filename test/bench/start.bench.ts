/**
 * An empty station (V5): seconds until it is ready, at the first start in a folder and at later ones, beside a Node process that does nothing;
 * memory after the start, and each minute under mixed traffic. Aims: ready in < 1 s, < 200 MB after the start, < 350 MB after an hour.
 * Two programs: as it is shipped (compiled), and as a checkout starts it (sources).
 *   npm run bench -- start [minutes of traffic = 60] [requests a second = 20]
 * Prints one line of JSON a measurement. MB are 1,000,000 bytes.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ensureApp } from '../../build/scripts/app.ts'
import { givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { COMPILED, NODE, type Station, startStation, temporaryFolder } from '../support/station.ts'
import { client, overHttp, print, round, subjectsOf, UNLIMITED } from './case-client.ts'

const [minutes = '60', perSecond = '20'] = process.argv.slice(2)
const ROUNDS = 3
const AIMS = { readySeconds: 1, startedMB: 200, afterTrafficMB: 350 }
const root = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAMS = {
  shipped: path.join(root, 'dist/app/server/bin/sallyport.js'),
  sources: path.join(root, 'server/bin/sallyport.ts'),
}

/** Of the process and its threads; what it shares with others, such as Node's own file, included. */
function memoryOf({ pid }: Station): { residentMB: number; mostMB: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string): number =>
    Math.round((Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6)
  return { residentMB: of('VmRSS'), mostMB: of('VmHWM') }
}

const secondsOf = (since: number): number => round((performance.now() - since) / 1000)
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** What Node itself takes, so that a slow machine is told from a slow station. */
function bareSeconds(): number {
  const began = performance.now()
  execFileSync(NODE, ['-e', '0'], { env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } })
  return secondsOf(began)
}

async function startsOf(name: string, program: string): Promise<void> {
  const first: number[] = []
  const later: number[] = []
  const bare: number[] = []
  const memory: number[] = []
  for (let at = 0; at < ROUNDS; at++) {
    const { dir, dispose } = await temporaryFolder('start')
    const data = path.join(dir, 'data')
    bare.push(bareSeconds())
    for (const into of [first, later]) {
      const began = performance.now()
      const station = await startStation({ data, program })
      into.push(secondsOf(began))
      await pause(3_000)
      memory.push(memoryOf(station).residentMB)
      await station.stop()
    }
    await dispose()
  }
  const [readySeconds, startedMB] = [middle(later), middle(memory)]
  print({
    what: `start, ${name}`,
    readySeconds,
    firstStartSeconds: middle(first),
    bareNodeSeconds: middle(bare),
    ofBareNode: round(readySeconds / middle(bare)),
    startedMB,
    met: readySeconds < AIMS.readySeconds && startedMB < AIMS.startedMB,
  })
}

/** Cases made, read, changed and listed, evidence made and read, searches: so many a second, whether earlier ones are answered or not. */
async function traffic(): Promise<void> {
  const given = await givenStation()
  const connection = await given.integration('bench', ['CreateCases', 'AccessAuditTrail'])
  await given.stop()
  const station = await startStation({ data: given.settings.data, program: PROGRAMS.shipped, env: UNLIMITED })
  try {
    let token = await signIn(connection, station.url)
    const subjects = await subjectsOf(station.url, given.documents, token)
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    let does = client(agent, station.url, token)
    const ask = (method: string, address: string, body?: unknown): Promise<unknown> =>
      overHttp(agent, station.url, token, method, address, body)
    const idOf = (of: readonly string[], call: number): string => of[call % of.length] as string
    const CALLS: readonly ((call: number) => Promise<unknown>)[] = [
      () => does.create(),
      (call) => does.get(idOf(subjects.cases, call)),
      (call) => does.patch(idOf(subjects.cases, call)),
      () => does.list(),
      (call) => does.history(idOf(subjects.cases, call)),
      () => ask('POST', `${given.documents}/evidence`, { Name: 'Front desk' }),
      (call) => ask('GET', `${given.documents}/evidence/${idOf(subjects.evidences, call)}`),
      () => ask('POST', '/searchservice/api/v1/search/station', { Query: 'burglary' }),
    ]
    let failed = 0
    for (let minute = 1; minute <= Number(minutes); minute++) {
      // A token is good for an hour.
      if (minute % 30 === 0) {
        token = await signIn(connection, station.url)
        does = client(agent, station.url, token)
      }
      const from = performance.now()
      const all = Number(perSecond) * 60
      await Promise.all(
        Array.from({ length: all }, async (_, call) => {
          await pause((call * 60_000) / all)
          // Each kind in turn; the number of the subject goes on with the minutes.
          await CALLS[call % CALLS.length]?.(minute * all + Math.floor(call / CALLS.length)).catch(() => (failed += 1))
        }),
      )
      print({ what: 'traffic', minute, seconds: secondsOf(from), failed, ...memoryOf(station) })
    }
    const { residentMB } = memoryOf(station)
    print({ what: 'after traffic', minutes: Number(minutes), residentMB, met: residentMB < AIMS.afterTrafficMB })
    agent.destroy()
    await station.stop()
  } finally {
    await station.kill()
    await given.close()
  }
}

await ensureApp()
for (const [name, program] of Object.entries(PROGRAMS)) await startsOf(name, program)
if (Number(minutes) > 0) await traffic()
