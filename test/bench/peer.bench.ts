/**
 * Cases over HTTP beside Directus 11 on SQLite, in one run: get, create and list of 50, on one connection and on 32. Aims: get and create at
 * least 8 times as fast, the list at least 5 times (promises V1, V2, V3). Every create is recorded by both: in our ledger, and in the
 * activity and revisions of Directus.
 *   npm run bench -- peer [seconds a measurement = 3] [rounds = 3] [folder with Directus installed; kept]
 * One line of JSON a measurement: calls a second of both and their ratio, the median of the rounds. Without a folder Directus is installed
 * from the npm registry into a temporary one, which takes minutes.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { startStation } from '../support/station.ts'
import { installDirectus, startDirectus } from './directus.ts'

const [seconds = '3', rounds = '3', installed] = process.argv.slice(2)
const LISTED = 50
const AIMS = { get: 8, create: 8, list: 5 }
type Kind = keyof typeof AIMS
/** The token bucket is not what is measured. */
const UNLIMITED = {
  SALLYPORT_RATE_SERVICE: '10000000',
  SALLYPORT_RESERVE_BYTES: '65536',
  SALLYPORT_MIN_FREE_BYTES: '0',
}

interface Service {
  readonly url: string
  readonly token: string
  /** Where cases are created and listed; one of them is `path`/ID. */
  readonly path: string
  readonly listQuery: string
  readonly newCase: unknown
  /** Of the answer to a create. */
  idOf(answer: string): string
}

async function call(agent: Agent, { url, token }: Service, method: string, path: string, body?: unknown) {
  const sent = body === undefined ? '' : JSON.stringify(body)
  const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
  const headers = { authorization: `Bearer ${token}`, ...(sent === '' ? {} : type) }
  const outgoing = request(`${url}${path}`, { agent, method, headers })
  outgoing.end(sent)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
  return text
}

/** @returns calls a second */
async function rateOf(service: Service, kind: Kind, id: string, connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const once = {
    get: () => call(agent, service, 'GET', `${service.path}/${id}`),
    create: () => call(agent, service, 'POST', service.path, service.newCase),
    list: () => call(agent, service, 'GET', `${service.path}?${service.listQuery}`),
  }[kind]
  const from = performance.now()
  const until = from + Number(seconds) * 1000
  let calls = 0
  const worker = async (): Promise<void> => {
    for (; performance.now() < until; calls++) await once()
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
  return calls / ((performance.now() - from) / 1000)
}

/** As many cases as a list holds. @returns the id of the last */
async function fill(service: Service): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let last = ''
  for (let n = 0; n < LISTED; n++) last = await call(agent, service, 'POST', service.path, service.newCase)
  agent.destroy()
  return service.idOf(last)
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number

async function compare(ours: Service, theirs: Service): Promise<void> {
  const [ourId, theirId] = [await fill(ours), await fill(theirs)]
  for (const connections of [1, 32])
    for (const kind of ['get', 'list', 'create'] as const) {
      const pairs: { sallyport: number; directus: number }[] = []
      for (let round = 0; round < Number(rounds); round++)
        pairs.push({
          directus: await rateOf(theirs, kind, theirId, connections),
          sallyport: await rateOf(ours, kind, ourId, connections),
        })
      const figures = {
        what: kind,
        connections,
        sallyport: Math.round(median(pairs.map(({ sallyport }) => sallyport))),
        directus: Math.round(median(pairs.map(({ directus }) => directus))),
        ratio: Math.round(median(pairs.map(({ sallyport, directus }) => sallyport / directus)) * 10) / 10,
        aim: AIMS[kind],
      }
      process.stdout.write(`${JSON.stringify(figures)}\n`)
    }
}

const folder = mkdtempSync(join(tmpdir(), 'sallyport-peer-'))
const given = await givenStation()
try {
  await installDirectus(installed ?? folder)
  const connection = await given.integration('bench', ['CreateCases', 'AccessAuditTrail'])
  await given.stop()
  // Processes of their own, as they are installed.
  const station = await startStation({ data: given.settings.data, env: UNLIMITED })
  const directus = await startDirectus(installed ?? folder, folder)
  try {
    const ours: Service = {
      url: station.url,
      token: await signIn(connection, station.url),
      path: '/api/v1/case/station',
      listQuery: `count=${LISTED}`,
      newCase: { Title: 'Burglary' },
      idOf: (answer) => (JSON.parse(answer) as { CaseId: string }).CaseId,
    }
    const theirs: Service = {
      url: directus.url,
      token: directus.token,
      path: '/items/cases',
      listQuery: `limit=${LISTED}`,
      newCase: { title: 'Burglary' },
      idOf: (answer) => String((JSON.parse(answer) as { data: { id: number } }).data.id),
    }
    await compare(ours, theirs)
  } finally {
    await directus.stop()
    await station.stop()
  }
} finally {
  await given.close()
  rmSync(folder, { recursive: true, force: true })
}
