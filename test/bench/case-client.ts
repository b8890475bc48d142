/** What benchmarks of the case service share: one call of each kind over HTTP, and lanes that call as fast as they are answered. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

/** One operation of each kind, done and awaited. */
export interface Does {
  create(): Promise<unknown>
  get(id: string): Promise<unknown>
  patch(id: string): Promise<unknown>
  list(): Promise<unknown>
  link(id: string, evidenceId: string, add: boolean): Promise<unknown>
  history(id: string): Promise<unknown>
}
export type Kind = keyof Does

const CASES = '/api/v1/case/station'

/** Environment of a station that is measured: the token bucket is not what is measured. */
export const UNLIMITED = {
  SALLYPORT_RATE_SERVICE: '10000000',
  SALLYPORT_RESERVE_BYTES: '65536',
  SALLYPORT_MIN_FREE_BYTES: '0',
}
export const round = (n: number, by = 100): number => Math.round(n * by) / by
/** One line of JSON. */
export const print = (line: Record<string, unknown>): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

export async function overHttp(
  agent: Agent,
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
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
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  if ((response.statusCode ?? 500) >= 300)
    throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`)
  return text
}

export const client = (agent: Agent, url: string, token: string): Does => ({
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
export async function closedLoop(
  lanes: number,
  seconds: number,
  work: (lane: number, call: number) => Promise<unknown>,
): Promise<number> {
  const until = performance.now() + seconds * 1000
  const from = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let call = 0; performance.now() < until; call++, calls++) await work(lane, call)
    }),
  )
  return calls / ((performance.now() - from) / 1000)
}

export interface Subjects {
  readonly cases: readonly string[]
  readonly evidences: readonly string[]
}

const perform = (does: Does, kind: Exclude<Kind, 'link'>, id: string): Promise<unknown> =>
  kind === 'create' ? does.create() : kind === 'list' ? does.list() : does[kind](id)

/** Each lane has a case and an evidence of its own: nobody waits for the concurrency id of another. */
export const worker =
  (does: Does, kind: Kind, { cases, evidences }: Subjects) =>
  (lane: number, call: number): Promise<unknown> => {
    const id = cases[lane % cases.length] as string
    return kind === 'link' ? does.link(id, evidences[lane] as string, call % 2 === 0) : perform(does, kind, id)
  }

/** @param documents the address of the document service's tenant */
export async function subjectsOf(url: string, documents: string, token: string): Promise<Subjects> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const make = async (path: string, body: unknown, member: string): Promise<string> =>
    JSON.parse(await overHttp(agent, url, token, 'POST', path, body))[member]
  const lanes = Array.from({ length: 32 }, () => 0)
  const cases: string[] = []
  const evidences: string[] = []
  for (const _ of lanes) {
    cases.push(await make(CASES, { Title: 'Bench' }, 'CaseId'))
    evidences.push(await make(`${documents}/evidence`, { Name: 'Bench' }, 'EvidenceId'))
  }
  agent.destroy()
  return { cases, evidences }
}
