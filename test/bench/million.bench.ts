/**
 * Promise L4: a million evidences, a hundred thousand cases, ten million entries of the ledger. Lists p95 < 100 ms, searches p95 < 500 ms,
 * a case opened p95 < 200 ms, ready < 10 s; and what memory it takes. Each question is asked over HTTP on loopback, of a station that runs
 * as it is installed, by somebody who can view everything and by somebody who can view a hundredth of it.
 *   npm run bench -- million FOLDER [entries = 10000000] [evidences = 1000000] [calls = 100]
 * Makes the station in the folder when there is none (`generate`); one that is there is taken as it is, whatever its size.
 * Prints one line of JSON a figure, with its aim; `cpuMs` is the station's processor time of a call.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'
import { NODE, startStation } from '../support/station.ts'
import { dropCaches } from './stage.ts'
import { COMMAND, FEW, lookAfter } from './station-rows.ts'

const [folder = '', entries = '10000000', evidences = '1000000', calls = '100'] = process.argv.slice(2)
if (folder === '') throw new Error('In which folder? npm run bench -- million FOLDER')
const data = path.join(path.resolve(folder), 'data')
const file = path.join(data, 'sallyport.db')
const AIMS = { list: 100, search: 500, case: 200, readySeconds: 10 }

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'
/** As the window asks. */
const LIST = `${DOCUMENTS}?total=atLeast`
const CASES = '/api/v1/case/station'
const MONTH = 'from=2024-02-01T00:00:00Z&to=2024-03-01T00:00:00Z'
const LISTS: readonly (readonly [string, (size: Size) => string])[] = [
  ...['recorded', 'created', 'name', 'length', 'type'].map(
    (sort) => [`evidence by ${sort}`, () => `${LIST}&sort=${sort}&direction=desc`] as const,
  ),
  ['evidence, half way down', ({ evidence }) => `${LIST}&sort=recorded&offset=${Math.floor(evidence.count / 2)}`],
  ['evidence of a type', () => `${LIST}&type=image`],
  ['evidence with a tag', () => `${LIST}&tag=night%20shift%201`],
  ['evidence of a month', () => `${LIST}&${MONTH}&sort=recorded`],
  ['evidence with a word', () => `${LIST}&text=abbey`],
  ['evidence with a common word', () => `${LIST}&text=bwc`],
  // The count of all, which the window asks for afterwards.
  ['evidence, counted to the end', () => `${DOCUMENTS}?count=1`],
  ['cases', () => CASES],
  ['open cases', () => `${CASES}?state=Open`],
  ['cases of a month', () => `${CASES}?${MONTH}`],
  ['cases with a word', () => `${CASES}?text=saddler`],
]
const SEARCHES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a rare word', { Query: 'cellar saddler' }],
  ['a word', { Query: 'abbey' }],
  ['a common word', { Query: 'bwc' }],
  ['half a word', { Query: 'ta' }],
  ['a phrase', { Query: '"ferry street"' }],
  ['with exclusion', { Query: 'theft -window' }],
  ['a tag', { Query: 'tag:"night shift 1"' }],
  ['an officer', { Query: 'officer:officer17' }],
  ['a case number', { Query: '2024-000123' }],
  ['nothing', { Query: 'zebra' }],
  ['a word in a month', { Query: 'quay', FromUtc: '2024-02-01T00:00:00Z', ToUtc: '2024-03-01T00:00:00Z' }],
  ['a common word in a box', { Query: 'bwc', BoundingBox: [16.2, 48.2, 16.21, 48.21] }],
  ['a common word, open cases', { Query: 'theft', States: ['Open'] }],
  ['a common word by name', { Query: 'bwc', Sort: 'name' }],
  ['no words, a month', { FromUtc: '2024-02-01T00:00:00Z', ToUtc: '2024-03-01T00:00:00Z' }],
  ['a custom field', { Query: 'quay', CustomFields: [{ Name: 'Weather', Value: 'Fog' }] }],
  ['no words', {}],
  ['no words, people', { Types: ['User'] }],
  ['no words, cases', { Types: ['Case'] }],
  ['no words, a category', { CategoryIds: ['10'] }],
  ['no words, what is protected', { States: ['Protected'] }],
  ['no words, pictures', { MediaTypes: ['image'] }],
  ['no words, in no case', { Unassociated: true }],
  ['no words, a custom field', { CustomFields: [{ Name: 'Weather', Value: 'Fog' }] }],
]

interface Size {
  readonly evidence: { readonly first: number; readonly count: number }
  readonly cases: { readonly first: number; readonly count: number }
}

if (!existsSync(file)) {
  mkdirSync(path.resolve(folder), { recursive: true })
  const generate = path.join(import.meta.dirname, 'generate.bench.ts')
  execFileSync(NODE, [generate, evidences, path.resolve(folder), entries], { stdio: ['ignore', 'inherit', 'inherit'] })
}
lookAfter(file)
const size = sizeOf()
const cold = dropCaches()
const began = performance.now()
const station = await startStation({
  data,
  env: { SALLYPORT_RESERVE_BYTES: '0', SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RATE_SERVICE: '100000000' },
  readyWithin: 300_000,
})
const worst = new Map<string, number>()
try {
  const readySeconds = Math.round((performance.now() - began) / 100) / 10
  line({ figure: 'ready', seconds: readySeconds, aim: AIMS.readySeconds, met: readySeconds < AIMS.readySeconds, cold })
  line({ figure: 'memory when ready', ...memory() })
  const people = [
    ['everything', await asker(COMMAND, ['AccessUnassociatedFiles:View']), 0, 1],
    ['a hundredth', await asker(FEW, []), 50, 100],
  ] as const
  for (const [sees, token, from, step] of people) {
    const read = (address: string) => () => ask(token, 'GET', address)
    for (const [question, address] of LISTS) await figure('list', question, sees, () => read(address(size)))
    for (const [question, body] of SEARCHES)
      await figure(
        'search',
        question,
        sees,
        () => () => ask(token, 'POST', '/searchservice/api/v1/search/station', body),
      )
    const caseAt = (call: number): number =>
      size.cases.first +
      ((from + call * step * Math.max(1, Math.floor(size.cases.count / step / 97))) % size.cases.count)
    await figure('case', 'its record', sees, (call) => read(`${CASES}/${caseAt(call)}`))
    await figure('case', 'what it holds', sees, (call) => read(`${LIST}&case=${caseAt(call)}&count=50`))
  }
  line({ figure: 'memory after all', ...memory() })
  for (const [name, p95] of worst) {
    const aim = AIMS[name.split(',')[0] as 'list' | 'search' | 'case']
    line({ worst: name, p95, aim, met: p95 < aim })
  }
  await station.stop()
} finally {
  await station.kill()
}

function line(what: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

function sizeOf(): Size {
  const db = openRaw(file, { readOnly: true })
  const ids = (table: string, id: string) =>
    db.prepare(`SELECT min(${id}) AS first, count(*) AS count FROM ${table}`).get() as { first: number; count: number }
  const found = { evidence: ids('evidence', 'evidence_id'), cases: ids('cases', 'case_id') }
  const { n } = db.prepare('SELECT max(seq) AS n FROM ledger').get() as { n: number }
  db.close()
  line({
    evidences: found.evidence.count,
    cases: found.cases.count,
    entries: n,
    databaseMiB: Math.round(statSync(file).size / 2 ** 20),
    calls: Number(calls),
  })
  return found
}

/** Of the station's process: resident now, and the most it ever was. */
function memory(): { residentMiB: number; mostMiB: number } {
  const text = readFileSync(`/proc/${station.pid}/status`, 'utf8')
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024)
  return { residentMiB: of('VmRSS'), mostMiB: of('VmHWM') }
}

/** What the station's process has used, all threads: what a busy machine does not change. */
function processorMillis(): number {
  const fields = readFileSync(`/proc/${station.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Ticks of a hundredth of a second (proc_pid_stat(5): utime and stime).
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function asker(group: string, policies: readonly string[]): Promise<string> {
  const args = { name: `${group} ${Date.now()}`, policies, group, baseUrl: station.url }
  const made = await callControl(
    data,
    { command: 'integration.create', args, user: 'bench' },
    () => {},
    new AbortController().signal,
  )
  return signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
}

/** @returns how many there are, where the answer says so */
async function ask(token: string, method: string, address: string, body?: unknown): Promise<number | undefined> {
  const reply = await fetch(`${station.url}${address}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${text.slice(0, 300)}`)
  return (JSON.parse(text) as { Total?: number }).Total
}

async function figure(
  name: 'list' | 'search' | 'case',
  question: string,
  sees: string,
  workOf: (call: number) => () => Promise<number | undefined>,
): Promise<void> {
  const times: number[] = []
  let total = await workOf(0)()
  const before = processorMillis()
  for (let call = 0; call < Number(calls); call++) {
    const work = workOf(call)
    const from = performance.now()
    total = await work()
    times.push(performance.now() - from)
  }
  times.sort((one, other) => one - other)
  const at = (part: number): number => Math.round((times[Math.floor((times.length - 1) * part)] as number) * 10) / 10
  const [p50, p95, aim] = [at(0.5), at(0.95), AIMS[name]]
  const cpuMs = Math.round(((processorMillis() - before) / times.length) * 10) / 10
  const key = `${name}, ${sees}`
  worst.set(key, Math.max(worst.get(key) ?? 0, p95))
  line({ figure: name, question, sees, total, p50, p95, cpuMs, aim, met: p95 < aim })
}
