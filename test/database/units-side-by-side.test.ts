/** Units of work of two nodes beside each other on one PostgreSQL database (docs/decisions/0023): each has two connections that write. */
// @module-tag merge
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import { LinkEvidencesRequestModel } from '../../shared/cases/case-links.contract.ts'
import { CreateCaseModel, PatchCaseModel } from '../../shared/cases/contract.ts'
import { CreateEvidenceModel } from '../../shared/evidence/contract.ts'
import { Fault } from '../../shared/kernel/errors.ts'
import {
  createCaseUnit,
  followCaseUnit,
  moveCaseUnit,
  patchCaseUnit,
} from '../../server/features/cases/case-changes.ts'
import { linkEvidencesUnit } from '../../server/features/cases/case-linking.ts'
import { verifyDatabase, verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { openPostgres, type PostgresDatabase } from '../../server/kernel/database/postgres/database.ts'
import { copyToSqlite } from '../../server/kernel/database/postgres/snapshot.ts'
import { isAway } from '../../server/kernel/database/sqlite/sql-connection.ts'
import { MOST_TRIES } from '../../server/kernel/database/units.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { insertJob } from '../../server/kernel/jobs/jobs.store.ts'
import { prepareEntry, storedEntry } from '../../server/kernel/ledger/format.ts'
import { createLedger, type Ledger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { scale } from '../support/scale.ts'
import {
  addName,
  addNameAloneUnit,
  addNameUnit,
  askTwiceUnit,
  changeRightUnit,
  conflictUnit,
  pauseUnit,
  readNumberUnit,
  touchUnit,
} from './side-by-side-units.ts'

const missing = await postgresMissing()
const UNITS = new URL('./side-by-side-units.ts', import.meta.url)
const ROUNDS = scale(40, 400, 10)
const AT_ONCE = 24
const KILLS = scale(12, 120, 4)

interface Node {
  readonly db: PostgresDatabase
  readonly ledger: Ledger
}

let server: PostgresServer
let url: string
let nodes: readonly [Node, Node]
/** A session of the test's own. */
let other: pg.Client
let principal: { readonly kind: 'user'; readonly id: string; readonly name: string; readonly kId: string }

async function open(): Promise<Node> {
  const db = await openPostgres({ url, units: UNITS })
  return { db, ledger: createLedger({ db, clock: systemClock, log: createLog('silent') }) }
}

beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  url = await server.create('units')
  nodes = [await open(), await open()]
  other = new pg.Client({ connectionString: url, application_name: 'test' })
  await other.connect()
  await nodes[0].db.transaction(async (tx) => {
    await sql`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('s', 's', '')`.execute(tx)
    for (const name of ['clerk', 'other'])
      await sql`INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by)
        VALUES ('s', 'user', ${name}, ${name}, ${name}, '', '{}')`.execute(tx)
    for (const name of ['one', 'two']) await sql`INSERT INTO station (name, value) VALUES (${name}, '')`.execute(tx)
  })
  const { rows } = await other.query("SELECT principal_id AS id FROM principals WHERE name = 'clerk'")
  principal = { kind: 'user', id: String(rows[0].id), name: 'clerk', kId: 'clerk' }
}, 240_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await other?.end()
  for (const { db } of nodes ?? []) await db.close()
  await server?.stop()
})

const callOf = (correlationId: string) => ({ actor: principal, source: 'test', correlationId })
/** What goes into a unit that a call starts. */
const given = <Input>(input: Input, correlationId: string = randomUUID()) => ({
  call: { ...callOf(correlationId), principal, answerKey: null },
  input,
})

async function newCase({ db }: Node = nodes[0], name = 'Burglary'): Promise<number> {
  const input = { tenant: 's', input: CreateCaseModel.parse({ Title: name }), wantedEvidence: null }
  const { output } = await db.run(createCaseUnit, given(input, name), Date.now)
  return Number(output.CaseId)
}

async function newEvidence(): Promise<number> {
  const { db, ledger } = nodes[0]
  const records = createRecords({
    ledger,
    versions: createVersions({ db }),
    jobs: { enqueue: (tx, job) => insertJob(tx, job, '', null) },
    clock: systemClock,
  })
  const film = { ...CreateEvidenceModel.parse({ Name: 'Film' }), device: null, deviceIdentity: null }
  const row = await db.transaction((tx) => records.createEvidence(tx, callOf('evidence'), 's', film))
  return row.evidence_id
}

const link = ({ db }: Node, caseId: number, ids: readonly number[], Action: 'Add' | 'Remove', name = 'link') => {
  const Evidences = ids.map((id) => ({ EvidenceId: String(id), Action }))
  const input = { tenant: 's', caseId: String(caseId), request: LinkEvidencesRequestModel.parse({ Evidences }) }
  return db.run(linkEvidencesUnit, given(input, name), Date.now)
}

const namesOf = async (caseId: number): Promise<string[]> => {
  const { rows } = await other.query('SELECT description FROM cases WHERE case_id = $1', [caseId])
  return JSON.parse(rows[0].description ?? '[]')
}
const namesAdded = (count: number, of: string): string[] => Array.from({ length: count }, (_, at) => `${of} ${at}`)

/** Does the same again and again until `work` has ended. */
async function during<T>(again: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let over = false
  const looping = (async () => {
    while (!over) await again()
  })()
  // Whatever the loop throws is thrown behind what the work throws.
  looping.catch(() => {})
  let done: T
  try {
    done = await work()
  } finally {
    over = true
    await looping.catch(() => {})
  }
  await looping
  return done
}

/** Runs `work` while another session has a row. @param row statement that locks it */
async function whileLocked<T>(row: string, work: () => Promise<T>): Promise<T> {
  await other.query('BEGIN')
  try {
    await other.query(row)
    return await work()
  } finally {
    await other.query('COMMIT')
  }
}
const lockCase = (caseId: number): string => `SELECT 1 FROM cases WHERE case_id = ${caseId} FOR UPDATE`

describe('a unit that locks its rows', () => {
  it('S6, B8: reads a row after everybody who changed it, at either node, and waits for nobody who changes others', async () => {
    const [a, b] = nodes
    const [first, second] = [await newCase(), await newCase()]
    const all = [first, second].flatMap((caseId) =>
      [a, b].flatMap(({ db }, node) =>
        namesAdded(10, `${node}`).map((name) => db.run(addNameUnit, { caseId, name, pause: 2 }, Date.now)),
      ),
    )
    await Promise.all(all)
    const expected = [...namesAdded(10, '0'), ...namesAdded(10, '1')].toSorted()
    for (const caseId of [first, second]) expect((await namesOf(caseId)).toSorted()).toEqual(expected)
    let waiting: Promise<unknown> = Promise.resolve()
    await whileLocked(lockCase(first), async () => {
      waiting = a.db.run(addNameUnit, { caseId: first, name: 'late' }, Date.now)
      await b.db.run(addNameUnit, { caseId: second, name: 'meanwhile' }, Date.now)
      await a.db.run(addNameUnit, { caseId: second, name: 'meanwhile too' }, Date.now)
      expect(await namesOf(second)).toEqual(expect.arrayContaining(['meanwhile', 'meanwhile too']))
    })
    await waiting
    expect(await namesOf(first)).toContain('late')
  })

  it('B8: leaves its group where another one has its row, so that nobody else in the group waits', async () => {
    const { db } = nodes[0]
    const [taken, free] = [await newCase(), await newCase()]
    /** @returns whether the unit behind was answered while the row was taken */
    const attempt = async (): Promise<boolean> => {
      const waiting: Promise<unknown>[] = []
      const isPassed = await whileLocked(lockCase(taken), async () => {
        // Both connections are busy: one waits for the row. What follows comes into one group of the other.
        waiting.push(db.run(addNameUnit, { caseId: taken, name: 'first' }, Date.now))
        waiting.push(db.run(pauseUnit, 100, Date.now))
        waiting.push(db.run(pauseUnit, 0, Date.now))
        waiting.push(db.run(addNameUnit, { caseId: taken, name: 'second' }, Date.now))
        const behind = db.run(addNameUnit, { caseId: free, name: 'behind' }, Date.now)
        waiting.push(behind)
        const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2000))
        return Promise.race([behind.then(() => true), late])
      })
      await Promise.all(waiting)
      return isPassed
    }
    let attempts = 1
    // A group of a slow machine may end after its first unit. The next one then begins with the unit that waits.
    while (!(await attempt()) && attempts < 5) attempts++
    expect(attempts).toBeLessThan(5)
    const names = await namesOf(taken)
    expect(names.filter((name) => name === 'second')).toHaveLength(attempts)
    expect(names).toHaveLength(2 * attempts)
  })

  it('S1: changes no right, and leaves nothing where it tries, whatever it does then', async () => {
    const { db } = nodes[0]
    const caseId = await newCase()
    for (const next of ['fails', 'goes on'] as const)
      await expect(db.run(changeRightUnit, { caseId, name: next, next }, Date.now)).rejects.toThrow(
        'may change no right',
      )
    expect(await namesOf(caseId)).toEqual([])
    const { rows } = await other.query("SELECT enabled::int FROM principals WHERE name = 'other'")
    expect(rows).toEqual([{ enabled: 1 }])
  })

  it('S1: never sees a right change, nor does anything that declares no rows run beside it', async () => {
    const [a, b] = nodes
    const caseId = await newCase()
    const toggle = sql<number>`1 - enabled`
    const asked = await during(
      () =>
        b.db.transaction((tx) =>
          tx.updateTable('principals').set({ enabled: toggle }).where('name', '=', 'other').execute(),
        ),
      () => Promise.all(Array.from({ length: 30 }, () => a.db.run(askTwiceUnit, null, Date.now))),
    )
    expect(asked.filter(([first, second]) => first !== second)).toEqual([])
    const adding = [a, b].flatMap(({ db }, node) => [
      ...namesAdded(8, `shared ${node}`).map((name) => db.run(addNameUnit, { caseId, name, pause: 5 }, Date.now)),
      ...namesAdded(4, `alone ${node}`).map((name) => db.run(addNameAloneUnit, { caseId, name, pause: 5 }, Date.now)),
      ...namesAdded(4, `transaction ${node}`).map((name) =>
        db.transaction((tx) => addName(tx, { caseId, name, pause: 5 })),
      ),
    ])
    await Promise.all(adding)
    expect(await namesOf(caseId)).toHaveLength(32)
  })

  it('L5: whoever declares no rows gets its turn among many that do', async () => {
    const cases = await Promise.all([newCase(), newCase()])
    const manyUnits = (): Promise<unknown> =>
      Promise.all(
        nodes.flatMap(({ db }) =>
          namesAdded(8, 'busy').map((name, at) =>
            db.run(addNameUnit, { caseId: cases[at % 2] as number, name, pause: 1 }, Date.now),
          ),
        ),
      )
    const since = performance.now()
    const took = await during(manyUnits, async () => {
      for (let times = 0; times < 5; times++)
        for (const { db } of nodes) await db.transaction((tx) => sql`SELECT 1`.execute(tx))
      return performance.now() - since
    })
    // Ten turns, each behind at most a few groups of some 20 ms.
    expect(took).toBeLessThan(10_000)
  })

  it('D4: runs again where two groups waited for each other, a bounded number of times', async () => {
    const [a, b] = nodes
    await other.query('CREATE SEQUENCE tries')
    const length = async (): Promise<unknown> =>
      (await other.query("SELECT name, length(value) AS n FROM station WHERE name IN ('one', 'two') ORDER BY 1")).rows
    await Promise.all([a.db.run(touchUnit, ['one', 'two'], Date.now), b.db.run(touchUnit, ['two', 'one'], Date.now)])
    expect(await length()).toEqual([
      { name: 'one', n: 2 },
      { name: 'two', n: 2 },
    ])
    const deadlocks = `SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()`
    await expect.poll(async () => (await other.query(deadlocks)).rows[0].n, { timeout: 10_000 }).toBeGreaterThan(0)
    await expect(a.db.run(conflictUnit, null, Date.now)).rejects.toThrow('conflict')
    const { rows } = await other.query("SELECT nextval('tries')::int AS n")
    expect(rows).toEqual([{ n: MOST_TRIES + 1 }])
  })

  it('D4: runs again with its whole group where that cannot chain its entries', async () => {
    const { db } = nodes[0]
    const caseId = await newCase()
    const waits = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND locktype <> 'advisory'`
    const adding: Promise<unknown>[] = []
    const crossed = () =>
      whileLocked('SELECT 1 FROM changes FOR UPDATE', async () => {
        const since = performance.now()
        adding.push(db.run(addNameUnit, { caseId, name: `again ${adding.length}` }, Date.now))
        await expect.poll(async () => (await other.query(waits)).rows[0].n, { interval: 10, timeout: 20_000 }).toBe(1)
        // The server looks at a wait once, after a second. On a busy machine it may be over before the other one begins.
        if (performance.now() - since > 500) return false
        // The group has the row and waits for the head; the other way round here. The server ends who waited first.
        await other.query(lockCase(caseId))
        return true
      })
    while (!(await crossed())) expect(adding.length).toBeLessThan(20)
    await Promise.all(adding)
    expect((await namesOf(caseId)).toSorted()).toEqual(adding.map((_, at) => `again ${at}`).toSorted())
  })

  it('S6: makes a case at two nodes at once, and no number is there twice', async () => {
    const made = await Promise.all(Array.from({ length: 40 }, (_, at) => newCase(nodes[at % 2])))
    const { rows } = await other.query('SELECT ordinal_number::int AS n FROM cases WHERE case_id = ANY ($1)', [made])
    const numbers = rows.map(({ n }) => n).toSorted((one, two) => one - two)
    expect(numbers).toEqual(numbers.map((_, at) => numbers[0] + at))
  })

  it('S6: links evidence to 50 cases at most, however many nodes try at once', async () => {
    const evidence = await newEvidence()
    const cases = await Promise.all(Array.from({ length: 56 }, () => newCase()))
    const linked = await Promise.allSettled(
      cases.map((caseId, at) => link(nodes[at % 2] as Node, caseId, [evidence], 'Add')),
    )
    expect(linked.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    for (const one of linked)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'InvalidLinkAction' })
    const { rows } = await other.query('SELECT count(*)::int AS n FROM case_links WHERE evidence_id = $1', [evidence])
    expect(rows).toEqual([{ n: 50 }])
  })

  it('I1: does not learn the number of its entry before the commit; whoever recorded it does', async () => {
    const { db, ledger } = nodes[0]
    const entry = { action: 'station.started', object: { type: 'station', id: '7', name: '' } } as const
    const answer = await db.run(readNumberUnit, [prepareEntry(callOf('early'), entry)], Date.now)
    expect(answer).toContain('no number before its commit')
    const { seq, hash } = await ledger.record(callOf('late'), entry)
    const { rows } = await other.query("SELECT encode(hash, 'hex') AS hash, body FROM ledger WHERE seq = $1", [seq])
    expect(rows[0].hash).toBe(hash)
    expect(storedEntry(rows[0].body).correlationId).toBe('late')
  })
})

const KINDS = ['name', 'patch', 'move', 'follow', 'record', 'alone', 'create', 'link'] as const
type Outcome = 'done' | 'refused' | 'killed'

/** What one unit of the traffic did. */
interface Act {
  readonly kind: (typeof KINDS)[number]
  readonly caseId: number
  readonly name: string
  readonly outcome: Outcome
  /** Whether there is an entry with its name once it is done: units of the test make none, nor does a link that was there. */
  readonly isNoted: boolean
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Fault || (error as Error).message === 'The test refuses') return 'refused'
    if (isAway(error)) return 'killed'
    throw error
  }
}

async function actOf(node: Node, caseId: number, evidence: readonly number[]): Promise<Act> {
  const { db, ledger } = node
  const name = randomUUID()
  const id = { tenant: 's', id: String(caseId) }
  const act = async (
    kind: Act['kind'],
    work: Promise<unknown>,
    isNoted = kind !== 'name' && kind !== 'alone',
  ): Promise<Act> => ({ kind, caseId, name, outcome: await outcomeOf(work), isNoted })
  const drawn = randomInt(26)
  if (drawn < 6)
    return act('name', db.run(addNameUnit, { caseId, name, ...(drawn === 0 ? { refuses: true } : {}) }, Date.now))
  if (drawn < 12) {
    const input = { ...id, input: PatchCaseModel.parse({ Title: name }), wantedEvidence: null }
    return act('patch', db.run(patchCaseUnit, given(input, name), Date.now))
  }
  if (drawn < 14) {
    const to = drawn === 12 ? 'Closed' : 'Open'
    return act('move', db.run(moveCaseUnit, given({ ...id, to }, name), Date.now))
  }
  if (drawn < 16) return act('follow', db.run(followCaseUnit, given({ ...id, follows: drawn === 14 }, name), Date.now))
  if (drawn < 18) {
    const entry = { action: 'station.started', object: { type: 'station', id: '1', name: '' } } as const
    return act('record', ledger.record(callOf(name), entry))
  }
  if (drawn >= 24) return act('create', newCase(node, name))
  if (drawn >= 20) {
    const some = evidence.filter(() => randomInt(2) === 0)
    const removes = drawn >= 22
    const linking = link(node, caseId, some, removes ? 'Remove' : 'Add', name)
    return act('link', linking, removes && some.length > 0)
  }
  if (drawn === 18) return act('alone', db.run(addNameAloneUnit, { caseId, name }, Date.now))
  return act(
    'alone',
    db.transaction((tx) => addName(tx, { caseId, name })),
  )
}

/** Ends a connection of a node, one of those that write more often than not. */
const KILL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'sallyport' AND (state LIKE '%in transaction%' OR state = 'active')
  ORDER BY random() LIMIT 1`

describe('units of two nodes beside each other', () => {
  it(`B3, D1, I3: lose no update and nothing acknowledged, in one whole chain, where some are refused and ${KILLS} sessions end`, {
    timeout: 600_000,
    tags: ['counted'],
  }, async () => {
    const cases = await Promise.all([newCase(), newCase(), newCase()])
    const evidence = [await newEvidence(), await newEvidence()]
    const acts: Act[] = []
    let killed = 0
    const killOne = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(20, 150)))
      if (killed < KILLS) killed += (await other.query(KILL)).rows.length
    }
    await during(killOne, async () => {
      for (let round = 0; round < ROUNDS || killed < KILLS; round++) {
        const some = Array.from({ length: AT_ONCE }, (_, at) =>
          actOf(nodes[at % 2] as Node, cases[randomInt(cases.length)] as number, evidence),
        )
        acts.push(...(await Promise.all(some)))
      }
    })
    for (const caseId of cases) {
      expect(await faultsOf(caseId, acts), `case ${caseId}`).toEqual([])
      expect(await orderIn('case', caseId), `case ${caseId}`).toEqual([])
      expect(await linksOf(caseId), `case ${caseId}`).toEqual(await linksByLedger(caseId))
    }
    for (const id of evidence) expect(await orderIn('evidence', id), `evidence ${id}`).toEqual([])
    const { rows: made } = await other.query('SELECT title FROM cases')
    const titles = new Set(made.map(({ title }) => title))
    expect(
      acts.filter(({ kind, name, outcome }) => kind === 'create' && outcome === 'done' && !titles.has(name)),
    ).toEqual([])
    expect(await missingInLedger(acts)).toEqual([])
    expect(await verify()).toEqual([])
    const kinds = Map.groupBy(acts, ({ kind, outcome }) => `${kind} ${outcome}`)
    for (const kind of KINDS) expect(kinds.get(`${kind} done`)?.length ?? 0, kind).toBeGreaterThan(0)
    expect(acts.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(0)
    console.info(
      `${killed} sessions ended: ${[...kinds]
        .map(([kind, list]) => `${kind} ${list.length}`)
        .toSorted()
        .join(', ')}`,
    )
  })
})

/** Names that were added without an answer, are there twice, or were refused; and answered ones that are not there. */
async function faultsOf(caseId: number, acts: readonly Act[]): Promise<string[]> {
  const names = await namesOf(caseId)
  const there = new Set(names)
  const own = acts.filter((act) => act.caseId === caseId && (act.kind === 'name' || act.kind === 'alone'))
  return [
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} is there twice`),
    ...own.filter(({ name, outcome }) => outcome === 'done' && !there.has(name)).map(({ name }) => `${name} was lost`),
    ...own
      .filter(({ name, outcome }) => outcome === 'refused' && there.has(name))
      .map(({ name }) => `${name} was refused and is there`),
  ]
}

/** Versions of a record must follow each other, and their entries must stand in the ledger in the same order. */
async function orderIn(entity: 'case' | 'evidence', id: number): Promise<string[]> {
  const versions = await other.query(
    'SELECT number::int, concurrency_id AS id, parent_id AS parent FROM versions WHERE entity = $1 AND entity_id = $2 ORDER BY number',
    [entity, id],
  )
  const entries = await other.query('SELECT body FROM ledger WHERE object_type = $1 AND object_id = $2 ORDER BY seq', [
    entity,
    String(id),
  ])
  const stated = entries.rows.flatMap(({ body }) => storedEntry(body).detail?.['concurrencyId'] ?? [])
  const made = versions.rows.map(({ id }) => id)
  const faults = versions.rows.flatMap(({ number, parent }, at) =>
    at === 0 || (versions.rows[at - 1].id === parent && number === at + 1)
      ? []
      : [`version ${number} follows no other`],
  )
  return JSON.stringify(stated) === JSON.stringify(made)
    ? faults
    : [...faults, `${stated.length} entries are not in the order of ${made.length} versions`]
}

const linksOf = async (caseId: number): Promise<string[]> => {
  const { rows } = await other.query('SELECT evidence_id AS id FROM case_links WHERE case_id = $1', [caseId])
  return rows.map(({ id }) => String(id)).toSorted()
}
async function linksByLedger(caseId: number): Promise<string[]> {
  const { rows } = await other.query(
    "SELECT body FROM ledger WHERE object_type = 'case' AND object_id = $1 ORDER BY seq",
    [String(caseId)],
  )
  const linked = new Set<string>()
  for (const { action, detail } of rows.map(({ body }) => storedEntry(body))) {
    if (action !== 'case.linked') continue
    const { added, removed } = detail as { added: string[]; removed: string[] }
    for (const id of removed) if (!linked.delete(id)) throw new Error(`${id} was removed twice`)
    for (const id of added) linked.add(id)
  }
  return [...linked].toSorted()
}

/** Entries carry the name as the id of their call. */
async function missingInLedger(acts: readonly Act[]): Promise<string[]> {
  const { rows } = await other.query('SELECT body FROM ledger')
  const noted = new Set(rows.map(({ body }) => storedEntry(body).correlationId))
  return acts
    .filter(({ isNoted, outcome }) => isNoted && outcome === 'done')
    .flatMap(({ kind, name }) => (noted.has(name) ? [] : [`no entry of ${kind} ${name}`]))
}

async function verify(): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sallyport-units-'))
  try {
    const file = path.join(folder, 'copy.db')
    await copyToSqlite(url, file)
    const ledger = await verifyLedger({ file, publicKeys: [] })
    const rows = await verifyDatabase(file, true)
    return [...ledger.problems, ...rows.problems].map((problem) => JSON.stringify(problem))
  } finally {
    await rm(folder, { recursive: true })
  }
}
