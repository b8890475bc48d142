/**
 * What a call costs on each engine, in one run: a station on SQLite, and headquarters of one and of three nodes on PostgreSQL with an object
 * store, all on this machine. Calls a second on 32 connections, processor time and statements of one call; then chained entries of the
 * ledger a second in groups on PostgreSQL, beside plain inserts of the same rows (promise B8).
 *   npm run bench -- cost [seconds a measurement = 3]
 * Prints one line of JSON a measurement.
 */
import { subscribe } from 'node:diagnostics_channel'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import path from 'node:path'
import pg from 'pg'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { startHeadquarters } from '../scale/headquarters.ts'
import { givenStation } from '../support/given.ts'
import { readConnectionFile, signIn } from '../support/integrator.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startStation } from '../support/station.ts'
import {
  client,
  closedLoop,
  type Kind,
  print,
  round,
  type Subjects,
  subjectsOf,
  UNLIMITED,
  worker,
} from './case-client.ts'

const SECONDS = Number(process.argv[2] ?? '3')
const LANES = 32
const KINDS = ['get', 'list', 'create', 'patch', 'link'] as const satisfies readonly Kind[]
const DOCUMENTS = '/documentstore/api/v1/tenant/station'

/** Milliseconds of processor time of processes and all their threads, so far. Of Linux. */
function processorMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    return (fields[11] ?? 0) + (fields[12] ?? 0)
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10
}

/** Processes of database servers on this machine; what one of them used is forgotten when it ends, and readers stay connected. */
const databasePids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
      } catch {
        return false
      }
    })
    .map(Number)

interface Served {
  readonly what: string
  readonly urls: readonly string[]
  readonly token: string
  readonly subjects: Subjects
  readonly pids: readonly number[]
  /** Of one call of each kind. */
  readonly statements: (kind: Kind, work: () => Promise<unknown>) => Promise<number | null>
}

async function measure({ what, urls, token, subjects, pids, statements }: Served): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const clients = urls.map((url) => client(agent, url, token))
  for (const kind of KINDS) {
    const works = clients.map((does) => worker(does, kind, subjects))
    const work = (lane: number, call: number): Promise<unknown> =>
      (works[lane % works.length] as (typeof works)[number])(lane, call)
    await closedLoop(LANES, 0.5, work)
    const databases = databasePids()
    const before = { nodes: processorMs(pids), database: processorMs(databases) }
    const rate = await closedLoop(LANES, SECONDS, work)
    const calls = rate * SECONDS
    const alive = databasePids().filter((pid) => databases.includes(pid))
    print({
      what,
      kind,
      perSecond: Math.round(rate),
      processorMs: round((processorMs(pids) - before.nodes) / calls),
      ...(databases.length > 0 && { databaseMs: round((processorMs(alive) - before.database) / calls) }),
      statements: await statements(kind, () => work(0, 0)),
    })
  }
  agent.destroy()
}

/** In this process, where the statements can be counted; other work of the station counts too, so the fewest of some calls are told. */
async function onSqlite(): Promise<void> {
  const given = await givenStation()
  try {
    const connection = await given.integration('bench', ['CreateCases', 'AccessAuditTrail'])
    const subjects = await subjectsOf(given.url, DOCUMENTS, await signIn(connection, given.url))
    const counts = await statementsOf(given.url, await signIn(connection, given.url), subjects)
    await given.stop()
    const station = await startStation({ data: given.settings.data, env: UNLIMITED })
    const token = await signIn(connection, station.url)
    await measure({
      what: 'station, SQLite',
      urls: [station.url],
      token,
      subjects,
      pids: [station.pid],
      statements: async (kind) => counts.get(kind) ?? null,
    })
    await station.stop()
  } finally {
    await given.close()
  }
}

async function statementsOf(url: string, token: string, subjects: Subjects): Promise<Map<Kind, number>> {
  let count = 0
  subscribe('sallyport:statement', () => void count++)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const does = client(agent, url, token)
  const counts = new Map<Kind, number>()
  for (const kind of KINDS) {
    const rounds: number[] = []
    for (let call = 0; call < 6; call++) {
      count = 0
      await worker(does, kind, subjects)(0, call)
      rounds.push(count)
    }
    counts.set(kind, Math.min(...rounds))
  }
  agent.destroy()
  return counts
}

/** Statements are counted by the server itself. Heartbeats of nodes count too, so the fewest of some calls are told. */
async function onPostgres(nodes: number): Promise<void> {
  const headquarters = await startHeadquarters({
    nodes,
    postgresSettings: ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=top'],
  })
  try {
    await headquarters.query('CREATE EXTENSION pg_stat_statements')
    const out = path.join(headquarters.folder, 'bench.json')
    const words = ['integration', 'create', 'bench', '--policies', 'CreateCases,AccessAuditTrail']
    await headquarters.command([...words, '--base-url', headquarters.url, '--out', out])
    const stations = headquarters.nodes.flatMap(({ station }) => station ?? [])
    const urls = stations.map(({ url }) => url)
    const token = await signIn(readConnectionFile(out), urls[0] as string)
    const subjects = await subjectsOf(urls[0] as string, DOCUMENTS, token)
    await measure({
      what: `headquarters, PostgreSQL, ${nodes} node${nodes === 1 ? '' : 's'}`,
      urls,
      token,
      subjects,
      pids: stations.map(({ pid }) => pid),
      statements: async (_kind, work) => {
        const rounds: number[] = []
        for (let call = 0; call < 6; call++) {
          await headquarters.query('SELECT pg_stat_statements_reset()')
          await work()
          const [row] = await headquarters.query('SELECT sum(calls)::int AS n FROM pg_stat_statements')
          // The two of this count itself are none of the call.
          rounds.push(Number(row?.['n']) - 1)
        }
        return Math.min(...rounds)
      },
    })
  } finally {
    await headquarters.close()
  }
}

/** So many are recorded at a time, which is what groups are made of. */
const WAITING = [1, 64, 256, 1000]

async function chainedEntries(): Promise<void> {
  const postgres = await startPostgres()
  try {
    const url = await postgres.create('chain')
    const db = await openPostgres({ url, units: new URL('../../server/app/units.ts', import.meta.url) })
    const ledger = createLedger({ db, clock: systemClock, log: createLog('silent') })
    const actor = { kind: 'service' as const, id: '1', name: 'bench', kId: 'k' }
    const plain = await plainInserts(url)
    print({ what: 'plain inserts of such rows, 64 a commit', perSecond: Math.round(plain) })
    for (const waiting of WAITING) {
      const rate = await closedLoop(waiting, SECONDS, () =>
        ledger.record(
          { actor, source: '127.0.0.1', correlationId: randomUUID() },
          { action: 'case.read', object: { type: 'case', id: '1', name: 'Bench' } },
        ),
      )
      print({ what: 'chained entries', waiting, perSecond: Math.round(rate), ofPlainInserts: round(rate / plain) })
    }
    await ledger.stop()
    await db.close()
  } finally {
    await postgres.stop()
  }
}

/** The limit: one connection writes rows of the ledger's columns and size, without a chain, an index or a lock. */
async function plainInserts(url: string): Promise<number> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    await db.query(
      'CREATE TABLE plain (seq bigint, body bytea, hash bytea, leaf bytea, object_type text, object_id text)',
    )
    const bytes = (length: number): Buffer[] => Array.from({ length: 64 }, () => Buffer.alloc(length, 7))
    const rows = [bytes(400), bytes(32), bytes(32)]
    const insert = `INSERT INTO plain SELECT n, b, h, l, 'case', '1'
      FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS t (b, h, l, n)`
    const commits = await closedLoop(1, SECONDS, () => db.query({ name: 'plain', text: insert, values: rows }))
    return commits * 64
  } finally {
    await db.end()
  }
}

await onSqlite()
await onPostgres(1)
await onPostgres(3)
await chainedEntries()
