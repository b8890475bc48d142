/** B3: the stream of jobs at one node tells of the jobs of another one: two queues, each with connections of its own to one PostgreSQL database. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabase } from '../../server/kernel/database/postgres/database.ts'
import { type Nodes, openNodes } from '../../server/kernel/node/nodes.ts'
import { createJobQueue, type JobQueue } from '../../server/kernel/jobs/queue.ts'
import { jobKind, type JobHandler, type JobView } from '../../server/kernel/jobs/types.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const missing = await postgresMissing()
const SOON = { timeout: 20_000, interval: 30 }
const ONE = jobKind<{ readonly name: string }>('test.one', 'the node that queued it')

interface Node {
  readonly id: string
  readonly db: PostgresDatabase
  readonly nodes: Nodes
  readonly queue: JobQueue
  /** What its stream told, in order. */
  readonly told: JobView[]
  close(): Promise<void>
}

let server: PostgresServer
let url: string
let client: pg.Client
let a: Node
let b: Node
/** What the jobs of a test do. */
let work: JobHandler = async () => {}
let databases = 0

beforeAll(async () => {
  if (missing === null) server = await startPostgres()
}, 240_000)
beforeEach(async ({ skip }) => {
  skip(missing !== null, missing ?? '')
  url = await server.create(`stream${++databases}`)
  a = await node('00000000-0000-4000-8000-00000000000a')
  b = await node('00000000-0000-4000-8000-00000000000b')
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterEach(async () => {
  await client?.end()
  for (const one of [a, b]) await one?.close()
})
afterAll(() => server?.stop())

async function node(id: string): Promise<Node> {
  const db = await openPostgres({ url })
  const told: JobView[] = []
  const queue = createJobQueue({
    db,
    clock: systemClock,
    log: createLog('silent'),
    handlers: () => ({ [ONE.name]: (job) => work(job) }),
    concurrency: 4,
    // Nothing but what nodes tell each other may reach the stream.
    node: { id, renewEveryMs: 600_000, leaseMs: 1_800_000 },
  })
  queue.watch((job) => told.push(job))
  const nodes = await openNodes(db, {
    node: { id, name: `node-${id.at(-1)}` },
    version: '1.0.0',
    blobs: 's3://evidence/',
    clock: systemClock,
    onLost: () => {},
  })
  await queue.start()
  return {
    id,
    db,
    nodes,
    queue,
    told,
    close: async () => {
      await queue.stop()
      await db.close()
    },
  }
}

const queueAt = async (at: Node, count = 1): Promise<void> => {
  await at.db.transaction(async (tx) => {
    for (let each = 0; each < count; each++) await at.queue.enqueue(tx, ONE.newJob({ name: String(each) }))
  })
  at.queue.kick()
}
const statesOf = (at: Node, id: string): string[] => at.told.filter((job) => job.id === id).map(({ state }) => state)

/** A handler that begins, and goes on when the test says so. */
function held(begun: JobHandler = async () => {}) {
  let letGo = (): void => {}
  const open = new Promise<void>((resolve) => {
    letGo = resolve
  })
  work = async (job) => {
    await begun(job)
    await Promise.race([
      open,
      new Promise<void>((_, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason as Error))),
    ])
  }
  return { letGo: () => letGo() }
}

describe('B3: the stream of jobs at one node tells of the jobs of another one', () => {
  it('tells at the other node that a job began, how far it is, and that it ended', async () => {
    const { letGo } = held(async (job) => job.progress(0.25, 'a quarter'))
    await queueAt(a)
    await expect.poll(() => b.told.at(-1), SOON).toMatchObject({ id: '1', state: 'running' })
    await expect.poll(() => b.told.at(-1), SOON).toMatchObject({ progress: 0.25, message: 'a quarter' })
    // Whoever asks for the list there sees the same.
    expect(await b.queue.list({ count: 10 })).toMatchObject([
      { state: 'running', progress: 0.25, message: 'a quarter' },
    ])
    letGo()
    await expect.poll(() => b.told.at(-1), SOON).toMatchObject({ state: 'done', progress: 1 })
    expect(statesOf(a, '1')).toEqual(['running', 'running', 'done'])
  })

  it('tells the end of each of many jobs that take no time, of both nodes at both', async () => {
    work = async () => {}
    await Promise.all([queueAt(a, 40), queueAt(b, 40)])
    const ended = (at: Node): number =>
      new Set(at.told.filter(({ state }) => state === 'done').map(({ id }) => id)).size
    await expect.poll(() => [ended(a), ended(b)], SOON).toEqual([80, 80])
  })

  it('writes how far a job is at most once a second, and wakes nobody with it', async () => {
    let over = false
    const { letGo } = held(async (job) => {
      void (async () => {
        for (let step = 1; !over; step++) {
          job.progress(step / 1000, `step ${step}`)
          await pause(5)
        }
      })()
    })
    await queueAt(a)
    await expect.poll(() => b.told.length, SOON).toBeGreaterThan(0)
    let changes = 0
    const since = b.told.length
    const began = performance.now()
    b.db.onRowsChanged(() => (changes += 1))
    await pause(4500)
    const seconds = (performance.now() - began) / 1000
    const written = b.told.length - since
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
    expect(changes).toBe(0)
    // The stream of its own node has every step.
    expect(a.told.length).toBeGreaterThan(10 * written)
    over = true
    letGo()
    await expect.poll(() => b.told.at(-1), SOON).toMatchObject({ state: 'done' })
    // A run that begins anew has not got so far yet.
    await client.query("UPDATE jobs SET state = 'failed'")
    held()
    await a.db.transaction((tx) => a.queue.retry(tx, '1'))
    a.queue.kick()
    await expect.poll(() => b.told.at(-1), SOON).toMatchObject({ state: 'running', progress: null })
  })

  it('tells what was missed while the connection was lost', async () => {
    const { letGo } = held()
    await queueAt(a)
    await expect.poll(() => statesOf(b, '1').at(-1), SOON).toBe('running')
    // The connection by which b hears; what is told now, nobody hears there.
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%nodes%' AND pid <> pg_backend_pid()",
    )
    letGo()
    await expect.poll(() => statesOf(a, '1').at(-1), SOON).toBe('done')
    await expect.poll(() => statesOf(b, '1').at(-1), SOON).toBe('done')
  })

  it('tells who cancels or retries a job that waits, at every node', async () => {
    await a.queue.stop()
    await queueAt(a)
    const change = (act: 'cancel' | 'retry') => b.db.transaction((tx) => b.queue[act](tx, '1'))
    await change('cancel')
    await expect
      .poll(() => [statesOf(a, '1').at(-1), statesOf(b, '1').at(-1)], SOON)
      .toEqual(['cancelled', 'cancelled'])
    await change('retry')
    await expect.poll(() => [statesOf(a, '1').at(-1), statesOf(b, '1').at(-1)], SOON).toEqual(['queued', 'queued'])
  })
})
