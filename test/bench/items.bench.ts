/**
 * Promise B8: lists and searches of 10,000,000 evidence items on PostgreSQL with p95 ≤ 200 ms. Each question is asked over HTTP on loopback of a
 * node that runs as it is installed, by somebody who can view everything, by somebody who can view a hundredth of it, and by one officer of
 * 2,000. Beside it the limits: the HTTP request without a question, one row by its key, and a bare page of an index.
 *   npm run bench -- items [evidences = 200000] [calls = 100] [folder = a new one, which is removed]
 * SALLYPORT_BENCH_POSTGRES=postgres://account@host:port names a server on this machine, for a folder that is kept; the account may switch triggers
 * off. Its database `items_N` is made when there is none. Otherwise a server is started below the folder, and removed with it.
 * Ten million evidences take 40 GB. Prints one line of JSON a figure, with its aim; `cpuMs` and `databaseMs` are the processor time of a call.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startStation } from '../support/station.ts'
import {
  COMMAND,
  compareWithTriggers,
  FILLED,
  HUNDREDTH,
  OFFICER,
  timeAt,
  writePostgresStation,
} from './postgres-rows.ts'

const [wanted = '200000', callsWanted = '100', where] = process.argv.slice(2)
const EVIDENCES = Number(wanted)
const CALLS = Number(callsWanted)
/** Milliseconds. */
const AIM = 200
const SERVER = ['shared_buffers=2GB', 'max_wal_size=4GB', 'effective_cache_size=12GB', 'random_page_cost=1.1']
/** Only while rows are written: what the program demands is set again before it starts. */
const LOADING = ['fsync', 'full_page_writes', 'autovacuum']
const KEPT = process.env['SALLYPORT_BENCH_POSTGRES']
/** Questions whose kind and name hold this, for looking at one, or at lists alone. */
const ONLY = process.env['SALLYPORT_BENCH_ONLY'] ?? ''
/** Askers whose names hold this. */
const ASKERS = process.env['SALLYPORT_BENCH_ASKERS'] ?? ''

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'
/** As the window asks. */
const LIST = `${DOCUMENTS}?total=atLeast&count=50`
const CASES = '/api/v1/case/station'
const SEARCH = '/searchservice/api/v1/search/station'
const MONTH = { from: timeAt(0.5), to: timeAt(0.5167) }
const DAY = { from: timeAt(0.75), to: timeAt(0.75055) }
const times = ({ from, to }: typeof MONTH): string => `from=${from}&to=${to}`
const within = ({ from, to }: typeof MONTH) => ({ FromUtc: from, ToUtc: to })

/** @param page which page of the list or of the search, in the order of its cursors */
interface Question {
  readonly kind: 'list' | 'search'
  readonly name: string
  readonly address: string
  readonly body?: Record<string, unknown>
  /** So many pages are turned by cursor before the one that is measured. */
  readonly turned?: number
}
const list = (name: string, query: string, turned = 0): Question => ({
  kind: 'list',
  name,
  address: `${LIST}${query}`,
  turned,
})
const search = (name: string, body: Record<string, unknown>, turned = 0): Question => ({
  kind: 'search',
  name,
  address: SEARCH,
  body,
  turned,
})

const QUESTIONS: readonly Question[] = [
  ...['recorded', 'created', 'name', 'length', 'type'].flatMap((sort) =>
    ['desc', 'asc'].map((direction) =>
      list(`evidence by ${sort}, ${direction}`, `&sort=${sort}&direction=${direction}`),
    ),
  ),
  list('evidence by recorded, 20th page', '&sort=recorded&direction=desc', 20),
  list('evidence by name, 20th page', '&sort=name&direction=asc', 20),
  list('evidence, 10,000 rows down', '&sort=recorded&direction=desc&offset=10000'),
  list('evidence of a type', '&type=image&sort=recorded&direction=desc'),
  list('evidence of a status', '&status=sealed&sort=recorded&direction=desc'),
  list('evidence with a common tag', '&tag=night%20shift%201&sort=recorded&direction=desc'),
  list('evidence with a rare tag', '&tag=scene%201999&sort=recorded&direction=desc'),
  list('evidence of a month', `&${times(MONTH)}&sort=recorded&direction=desc`),
  list('evidence of a day', `&${times(DAY)}&sort=name&direction=asc`),
  list('evidence with two rare words', '&text=saddler%20granary&sort=recorded&direction=desc'),
  list('evidence with a word', '&text=abbey&sort=recorded&direction=desc'),
  list('evidence with a common word', '&text=bwc&sort=recorded&direction=desc'),
  list('evidence with two words', '&text=tanner%20door&sort=recorded&direction=desc'),
  list('evidence with a word, by name', '&text=abbey&sort=name&direction=asc'),
  list('unfinished evidence', '&unfinished=true'),
  list('deleted evidence', '&deleted=true&sort=deleted&direction=desc'),
  { kind: 'list', name: 'cases', address: `${CASES}?count=50` },
  { kind: 'list', name: 'cases, 20th page', address: `${CASES}?count=50`, turned: 20 },
  { kind: 'list', name: 'open cases', address: `${CASES}?count=50&state=Open` },
  { kind: 'list', name: 'closed cases', address: `${CASES}?count=50&state=Closed` },
  { kind: 'list', name: 'cases of a month', address: `${CASES}?count=50&${times(MONTH)}` },
  { kind: 'list', name: 'cases with a common word', address: `${CASES}?count=50&text=tanner` },
  { kind: 'list', name: 'cases with a rare word', address: `${CASES}?count=50&text=saddler` },
  search('a rare word', { Query: 'cellar saddler' }),
  search('a word', { Query: 'abbey' }),
  search('a word, 20th page', { Query: 'abbey' }, 20),
  search('a common word', { Query: 'bwc' }),
  search('two words', { Query: 'tanner door' }),
  search('half a word', { Query: 'ta' }),
  search('half a rare word', { Query: 'sadd' }),
  search('a phrase', { Query: '"ferry street"' }),
  search('with exclusion', { Query: 'theft -window' }),
  search('a tag', { Query: 'tag:"night shift 1"' }),
  search('an officer', { Query: 'officer:officer17' }),
  search('a device', { Query: 'device:sn17' }),
  search('a case number', { Query: 'INC100123' }),
  search('nothing', { Query: 'zebra' }),
  search('a category', { Query: 'tanner', CategoryIds: ['1'] }),
  search('a rare category', { Query: 'tanner', CategoryIds: ['10'] }),
  search('a word in a month', { Query: 'quay', ...within(MONTH) }),
  search('a common word in a month', { Query: 'bwc', ...within(MONTH) }),
  search('no words, a month', within(MONTH)),
  search('no words, a day', within(DAY)),
  search('no words', {}),
  search('no words, a type', { MediaTypes: ['image'] }),
  search('a common word in a box', { Query: 'bwc', BoundingBox: [16.2, 48.2, 16.21, 48.21] }),
  search('a common word, open cases', { Query: 'theft', States: ['Open'] }),
  search('a common word by name', { Query: 'bwc', Sort: 'name' }),
  search('a word by name', { Query: 'abbey', Sort: 'name' }),
  search('a common word, oldest', { Query: 'bwc', Sort: 'oldest' }),
  search('a common word in no case', { Query: 'bwc', Unassociated: true }),
  search('a custom field', { Query: 'quay', CustomFields: [{ Name: 'Weather', Value: 'Fog' }] }),
]

const folder = path.resolve(where ?? mkdtempSync(path.join(tmpdir(), 'sallyport-items-')))
mkdirSync(folder, { recursive: true })
const data = path.join(folder, `data-${EVIDENCES}`)
const DATABASE = `items_${EVIDENCES}`
const own = KEPT === undefined ? await startPostgres(SERVER, folder) : null
const serverUrl = own?.url('postgres') ?? `${KEPT}/postgres`
const url = own?.url(DATABASE) ?? `${KEPT}/${DATABASE}`

function line(what: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

const asked = async (at: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: at })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

async function setServer(settings: readonly string[], value: 'off' | null): Promise<void> {
  for (const name of settings)
    await asked(serverUrl, value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${value}`)
  await asked(serverUrl, 'SELECT pg_reload_conf()')
}

const environment = {
  SALLYPORT_DATABASE_URL: url,
  SALLYPORT_WRAPPING_KEY: WRAPPING_KEY,
  SALLYPORT_RESERVE_BYTES: '0',
  SALLYPORT_MIN_FREE_BYTES: '0',
  SALLYPORT_RATE_SERVICE: '100000000',
}

async function make(): Promise<void> {
  const there = await asked(serverUrl, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`)
  const done = path.join(folder, `${DATABASE}.made`)
  if (there.length > 0 && existsSync(done)) return
  await asked(serverUrl, `DROP DATABASE IF EXISTS ${DATABASE}`)
  rmSync(data, { recursive: true, force: true })
  await asked(serverUrl, `CREATE DATABASE ${DATABASE} TEMPLATE template0`)
  const settings = loadSettings(
    {},
    { data, databaseUrl: url, wrappingKey: WRAPPING_KEY, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent' },
  )
  const station = await openStation(settings)
  await station.command(
    { command: 'setup', args: ADMINISTRATOR, user: 'bench' },
    () => {},
    new AbortController().signal,
  )
  await station.close()
  await setServer(LOADING, 'off')
  try {
    const began = performance.now()
    const seconds = await writePostgresStation(url, EVIDENCES, (what) => {
      process.stderr.write(`${Math.round((performance.now() - began) / 1000)} s ${what}\n`)
    })
    line({ figure: 'made', rowSeconds: Math.round(seconds.rows), indexSeconds: Math.round(seconds.indexes) })
  } finally {
    await setServer(LOADING, null)
  }
  await asked(serverUrl, 'CHECKPOINT')
  line({ figure: 'rows that triggers would write otherwise', ...(await compareWithTriggers(url)) })
  writeFileSync(done, '')
}

/** Ticks of a hundredth of a second (proc_pid_stat(5)). @param from of the first field, by its number there */
function ticksOf(pid: number, from: 14 | 16): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    return (fields[from - 3] ?? 0) + (fields[from - 2] ?? 0)
  } catch {
    return 0
  }
}

async function measure(): Promise<void> {
  const [size] = await asked(
    url,
    `SELECT (SELECT count(*)::int FROM evidence) AS evidences, (SELECT count(*)::int FROM cases) AS cases, pg_database_size(current_database())::float8 / 2 ^ 20 AS mib`,
  )
  line({ figure: 'size', ...size, calls: CALLS })
  line({
    figure: 'rows',
    ...Object.fromEntries(
      (
        await asked(
          url,
          `SELECT relname, n_live_tup::int AS n, (pg_total_relation_size(relid) / 2 ^ 20)::int AS mib FROM pg_stat_user_tables WHERE relname IN (${FILLED.map((name) => `'${name}'`).join(',')}) ORDER BY relname`,
        )
      ).map(({ relname, n, mib }) => [relname, `${n} (${mib} MiB)`]),
    ),
  })
  const began = performance.now()
  const station = await startStation({ data, env: environment, readyWithin: 300_000 })
  try {
    line({ figure: 'ready', seconds: Math.round((performance.now() - began) / 100) / 10 })
    const asker = async (group: string, policies: readonly string[]): Promise<string> => {
      const args = { name: `${group} ${Date.now()}`, policies, group, baseUrl: station.url }
      const made = await callControl(
        data,
        { command: 'integration.create', args, user: 'bench' },
        () => {},
        new AbortController().signal,
      )
      return signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
    }
    const people = [
      ['everything', await asker(COMMAND, ['AccessUnassociatedFiles:View', 'RestoreFromRecycleBin'])],
      ['a hundredth', await asker(HUNDREDTH, [])],
      ['one officer', await asker(OFFICER, [])],
    ] as const
    const backends = async (): Promise<number[]> =>
      (
        await asked(
          url,
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sallyport'",
        )
      ).map(({ pid }) => Number(pid))
    const met = new Map<string, { p95: number; missed: string[] }>()
    await limits(station.url)
    for (const [sees, token] of people.filter(([name]) => name.includes(ASKERS)))
      for (const question of QUESTIONS.filter(({ kind, name }) => `${kind} ${name}`.includes(ONLY))) {
        const found = await figure(station.url, token, question, { station: station.pid, backends })
        line({ figure: question.kind, question: question.name, sees, ...found, aim: AIM, met: found.p95 <= AIM })
        const key = `${question.kind}, ${sees}`
        const so_far = met.get(key) ?? { p95: 0, missed: [] }
        met.set(key, {
          p95: Math.max(so_far.p95, found.p95),
          missed: found.p95 <= AIM ? so_far.missed : [...so_far.missed, question.name],
        })
      }
    await limits(station.url)
    for (const [what, { p95, missed }] of met) line({ worst: what, p95, aim: AIM, met: missed.length === 0, missed })
    await station.stop()
  } finally {
    await station.kill()
  }
}

/** What nothing here can be quicker than. */
async function limits(at: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const key = (): number => 1 + Math.floor(Math.random() * EVIDENCES)
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['HTTP without a question', () => fetch(`${at}/readyz`).then((reply) => reply.text())],
    [
      'one row by its key',
      () => client.query({ name: 'key', text: 'SELECT * FROM evidence WHERE evidence_id = $1', values: [key()] }),
    ],
    [
      'a page of an index',
      () =>
        client.query(
          "SELECT evidence_id FROM evidence_list WHERE tenant_id = 'station' ORDER BY recorded_ticks DESC, evidence_id DESC LIMIT 50",
        ),
    ],
    [
      'a page of 50 rows by their keys',
      () => client.query('SELECT * FROM evidence WHERE evidence_id = ANY ($1)', [Array.from({ length: 50 }, key)]),
    ],
  ]
  for (const [limit, work] of works) line({ limit, ...(await timed(work)) })
  await client.end()
}

async function timed(work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const found: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const from = performance.now()
    await work()
    found.push(performance.now() - from)
  }
  found.sort((one, other) => one - other)
  const at = (part: number): number => Math.round((found[Math.floor((found.length - 1) * part)] as number) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}

interface Used {
  readonly station: number
  readonly backends: () => Promise<number[]>
}

async function figure(at: string, token: string, question: Question, used: Used) {
  const { address, body, turned = 0 } = question
  const ask = async (cursor: string | null): Promise<{ Total?: number; Cursor: string | null; n: number }> => {
    const withCursor =
      cursor === null || body !== undefined ? address : `${address}&cursor=${encodeURIComponent(cursor)}`
    const reply = await fetch(`${at}${withCursor}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined
        ? {}
        : { body: JSON.stringify({ ...body, ...(cursor === null ? {} : { Cursor: cursor }) }) }),
    })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${text.slice(0, 300)}`)
    const answer = JSON.parse(text) as { Total?: number; Cursor: string | null; Items?: unknown[]; Hits?: unknown[] }
    return { ...answer, n: (answer.Items ?? answer.Hits ?? []).length }
  }
  let cursor: string | null = null
  for (let page = 0; page < turned; page++) cursor = (await ask(cursor)).Cursor ?? cursor
  // Plans and caches as in a station that is used; the seventh call has the plan of a prepared statement.
  const firstAt = performance.now()
  let last = await ask(cursor)
  const first = Math.round(performance.now() - firstAt)
  const before = { pids: await used.backends(), station: ticksOf(used.station, 14), database: 0, workers: 0 }
  const postmaster = parentOf(before.pids[0] as number)
  before.database = before.pids.reduce((sum, pid) => sum + ticksOf(pid, 14), 0)
  before.workers = ticksOf(postmaster, 16)
  const found = await timed(async () => {
    last = await ask(cursor)
  })
  const database =
    before.pids.reduce((sum, pid) => sum + ticksOf(pid, 14), 0) +
    ticksOf(postmaster, 16) -
    before.database -
    before.workers
  const perCall = (ticks: number): number => Math.round((ticks * 100) / CALLS) / 10
  return {
    n: last.n,
    ...(last.Total === undefined ? {} : { total: last.Total }),
    first,
    ...found,
    cpuMs: perCall(ticksOf(used.station, 14) - before.station),
    databaseMs: perCall(database),
  }
}

/** Of a server's process: workers of a query end before it does, and their time is told by their parent alone. */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] ?? 0)

try {
  await make()
  await measure()
} finally {
  await own?.stop()
  if (where === undefined) rmSync(folder, { recursive: true, force: true })
}
