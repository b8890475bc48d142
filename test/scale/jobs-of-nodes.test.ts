/**
 * B3: jobs and tasks of several nodes on one PostgreSQL database. Each node of these tests has connections of its own; one that dies or stands
 * still does so at its database: no transaction of it begins any more, or all of them wait.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFixitySchedule } from '../../server/features/integrity/fixity/schedule.ts'
import { insertSession, openSessions, waitingSession } from '../../server/features/docking/session/sessions.store.ts'
import type { Database, Tx } from '../../server/kernel/database/database.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { type JobRow, markRunning, nextReady } from '../../server/kernel/jobs/jobs.store.ts'
import { LEASE_MS, RENEW_EVERY_MS } from '../../server/kernel/jobs/leases.ts'
import { createJobQueue, joinHandlers, type JobQueue } from '../../server/kernel/jobs/queue.ts'
import { jobKind, type JobHandler, type JobHandlers, NotYet } from '../../server/kernel/jobs/types.ts'
import { createAlarms } from '../../server/kernel/ledger/alarms.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createTaskLease, type TaskLease } from '../../server/kernel/task-lease.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import type { BlobStore } from '../../server/storage/store.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { isLong, scale } from '../support/scale.ts'

const LEASE = 900
const RENEW_EVERY = 100
const SEED = Number(process.env['SALLYPORT_TEST_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_125))
const log = createLog('silent')

let server: PostgresServer
let url: string
let client: pg.Client
const missing = await postgresMissing()
beforeAll(async () => {
  if (missing !== null) return
  server = await startPostgres()
  const first = await server.create('template')
  await (await openPostgres({ url: first })).close()
  const made = new pg.Client({ connectionString: first })
  await made.connect()
  await made.query('CREATE TABLE effects (job_id text NOT NULL, node text NOT NULL)')
  await made.end()
}, 240_000)
let tests = 0
beforeEach(async ({ skip }) => {
  skip(missing !== null, missing ?? '')
  // A database for each test: what a failed one leaves behind disturbs no other.
  url = await server.copy('template', `nodes${++tests}`)
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterEach(async () => {
  for (const release of releases.splice(0)) release()
  for (const one of nodes.splice(0)) await one.close()
  await client?.end()
})
afterAll(() => server?.stop())

/** On a busy machine everything takes its time. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 30 })

interface Node {
  readonly id: string
  readonly db: Database
  readonly queue: JobQueue
  readonly tasks: TaskLease
  /** Its transactions wait from now on, as if the process had been stopped. */
  standStill(): void
  goOn(): void
  /** Nothing of it reaches the database any more. Its rows stay as they are. */
  die(): void
  close(): Promise<void>
}
const nodes: Node[] = []

/** A database whose transactions begin only while its node lives. */
function databaseOfNode(db: Database) {
  let open: Promise<void> = Promise.resolve()
  let resume: (() => void) | null = null
  let isDead = false
  const goOn = (): void => {
    resume?.()
    resume = null
  }
  const guarded: Database = {
    ...db,
    transaction: async (work) => {
      await open
      if (isDead) throw new Error('This node is dead')
      return db.transaction(work)
    },
    get inBackground() {
      return guarded
    },
  }
  return {
    db: guarded,
    standStill: () => {
      // One that stands still already does not forget who waits.
      if (resume !== null) return
      open = new Promise((resolve) => {
        resume = resolve
      })
    },
    goOn,
    die: () => {
      isDead = true
      goOn()
    },
  }
}

interface NodeOptions {
  readonly id?: string
  readonly leaseMs?: number
  readonly renewEveryMs?: number
}

async function node(handlers: JobHandlers, { id = randomUUID(), ...times }: NodeOptions = {}): Promise<Node> {
  const real = await openPostgres({ url })
  const { db, standStill, goOn, die } = databaseOfNode(real)
  const lease = { leaseMs: LEASE, renewEveryMs: RENEW_EVERY, ...times }
  const queue = createJobQueue({
    db,
    clock: systemClock,
    log,
    handlers: () => handlers,
    concurrency: 2,
    node: { id, ...lease },
  })
  const tasks = createTaskLease({ db, clock: systemClock, log, node: id, mayRun: () => true, ...lease })
  const made: Node = {
    id,
    db,
    queue,
    tasks,
    standStill,
    goOn,
    die,
    close: async () => {
      goOn()
      await tasks.stop()
      await queue.stop()
      await real.close()
    },
  }
  nodes.push(made)
  return made
}

interface Fault {
  /** Before which of the twelve jobs it comes, and to which of the three nodes. */
  readonly at: number
  readonly node: number
  /** Otherwise it stands still for so long. */
  readonly dies: boolean
  readonly forMs: number
}
interface Schedule {
  readonly faults: readonly Fault[]
  /** Milliseconds of each job, and after each was queued. */
  readonly lengths: readonly number[]
  readonly pauses: readonly number[]
}
const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max })
const twelve = (max: number): fc.Arbitrary<number[]> => fc.array(upTo(max), { minLength: 12, maxLength: 12 })
const aSchedule: fc.Arbitrary<Schedule> = fc.record({
  faults: fc.array(fc.record({ at: upTo(11), node: upTo(2), dies: fc.boolean(), forMs: upTo(3 * LEASE) }), {
    minLength: 2,
    maxLength: 4,
  }),
  lengths: twelve(400),
  pauses: twelve(100),
})

const ANY = jobKind<{ readonly name: string }>('test.any', 'any node')
const BOUND = jobKind<{ readonly name: string }>('test.bound', 'the node that queued it')

const effect = (tx: Tx, jobId: string, nodeId: string): Promise<unknown> =>
  sql`INSERT INTO effects (job_id, node) VALUES (${jobId}, ${nodeId})`.execute(tx)
const effects = async (): Promise<{ job_id: string; node: string }[]> =>
  (await client.query('SELECT * FROM effects ORDER BY job_id')).rows
const row = async (): Promise<Record<string, unknown>> =>
  (await client.query('SELECT state, node_id, run_number::int, attempts::int, message FROM jobs')).rows[0]
const queueOne = (on: Node, kind = ANY): Promise<void> =>
  on.db.transaction((tx) => on.queue.enqueue(tx, kind.newJob({ name: 'a' })))
/** The time passes at the database: every lease ends so much earlier. */
const timePasses = (millis: number): Promise<unknown> =>
  client.query(`UPDATE jobs SET lease_until = lease_until - ${millis}; UPDATE task_lease SET lease_until = lease_until - ${millis};
    UPDATE task_runs SET ran_at = ran_at - ${millis}`)

/** At its end a test lets go what it held. */
const releases: (() => void)[] = []

/** A handler that begins, and goes on when the test says so. */
function heldHandler(handler: JobHandler) {
  let begun = 0
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  releases.push(release)
  return {
    begun: () => begun,
    release: () => release(),
    handlers: joinHandlers(
      ...[ANY, BOUND].map((kind) =>
        kind.handledBy(async (job) => {
          begun += 1
          await released
          await handler(job)
        }),
      ),
    ),
  }
}
const does =
  (nodeId: string, db: () => Database): JobHandler =>
  (job) =>
    db().transaction(async (tx) => {
      await job.requireLease(tx)
      await effect(tx, job.id, nodeId)
    })
const quick = (handler: JobHandler): JobHandlers => joinHandlers(...[ANY, BOUND].map((kind) => kind.handledBy(handler)))

/** After three attempts a job is given up; on a busy machine leases as short as these end by themselves. */
const nobodyGivesUp = (): Promise<unknown> => client.query('UPDATE jobs SET attempts = 0')

describe('the jobs of several nodes', () => {
  it('B3: whatever nodes die or stand still, each job has its effect once', {
    timeout: scale(300_000, 3_600_000),
  }, async () => {
    const holds = async ({ faults, lengths, pauses }: Schedule): Promise<void> => {
      const made: Node[] = []
      const begin = async (at: number): Promise<Node> => {
        const id = randomUUID()
        const handlers = ANY.handledBy(async (job) => {
          await pause(lengths[Number(job.payload.name)])
          await (made[at] as Node).db.transaction(async (tx) => {
            await job.complete(tx, '')
            await effect(tx, job.id, id)
          })
        })
        const one = await node(handlers, { id })
        made[at] = one
        await one.queue.start()
        return one
      }
      // It only queues, and tells nobody: each node finds what is there by its own looks.
      const clerk = await node(ANY.handledBy(async () => {}))
      await Promise.all([0, 1, 2].map(begin))
      const pausesEnd: Promise<void>[] = []
      for (const [at, millis] of pauses.entries()) {
        await clerk.db.transaction((tx) => clerk.queue.enqueue(tx, ANY.newJob({ name: String(at) })))
        await nobodyGivesUp()
        for (const { node: index, dies, forMs } of faults.filter((one) => one.at === at)) {
          const hit = made[index] as Node
          if (dies) hit.die()
          else {
            hit.standStill()
            pausesEnd.push(pause(forMs).then(hit.goOn))
          }
        }
        await pause(millis)
      }
      // All three may be dead by now.
      const left = await begin(3)
      await eventually(async () => {
        await nobodyGivesUp()
        return (await left.queue.list({ states: ['queued', 'waiting', 'running'], count: 20 })).length
      }).toBe(0)
      await Promise.all(pausesEnd)
      // Whoever stood still has the time to do its harm.
      await pause(300)
      const jobs = await left.queue.list({ count: 20 })
      expect(jobs.map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'done'))
      expect((await effects()).map(({ job_id: id }) => id)).toEqual(jobs.map(({ id }) => id).toSorted())
    }
    await fc.assert(
      fc.asyncProperty(aSchedule, holds).afterEach(async () => {
        for (const one of nodes.splice(0)) await one.close()
        await client.query('DELETE FROM jobs; DELETE FROM effects')
      }),
      { numRuns: scale(8, 200), seed: SEED, endOnFailure: true },
    )
  })

  it('B3: the jobs of a dead node begin elsewhere within 60 seconds, and not before its lease has ended', async () => {
    // The last renewal, its end, and the look of another node: what is left is for a database that is slow.
    expect(LEASE_MS + 2 * RENEW_EVERY_MS).toBeLessThanOrEqual(50_000)
    const held = heldHandler(async () => {})
    const dying = await node(held.handlers, { leaseMs: LEASE_MS })
    await dying.queue.start()
    await queueOne(dying)
    dying.queue.kick()
    await eventually(held.begun).toBe(1)
    dying.die()
    const ids: string[] = []
    const other = await node(
      quick(async (job) => void ids.push(job.id)),
      { leaseMs: LEASE_MS },
    )
    await other.queue.start()
    await timePasses(LEASE_MS - 5_000)
    await pause(5 * RENEW_EVERY)
    expect([ids, (await row())['node_id']]).toEqual([[], dying.id])
    await timePasses(5_000)
    await eventually(async () => (await row())['state']).toBe('done')
    expect(await row()).toMatchObject({ node_id: other.id, run_number: 2, attempts: 2 })
    held.release()
  })

  it('B3: a database that was away for all of them loses nobody a job', async () => {
    const held = heldHandler(async () => {})
    const busy = await node(held.handlers)
    await busy.queue.start()
    await queueOne(busy)
    busy.queue.kick()
    await eventually(held.begun).toBe(1)
    const other = await node(
      quick(async () => {}),
      { renewEveryMs: 5 * RENEW_EVERY },
    )
    await other.queue.start()
    for (const one of [busy, other]) one.standStill()
    await pause(2 * LEASE + 5 * RENEW_EVERY)
    other.goOn()
    await pause(RENEW_EVERY / 2)
    busy.goOn()
    await pause(LEASE)
    expect(await row()).toMatchObject({ state: 'running', node_id: busy.id, run_number: 1 })
    held.release()
  })

  it('B3: what a node queued before it died starts elsewhere with the next look', async () => {
    const dying = await node(quick(async () => {}))
    const other = await node(quick(async () => {}))
    await other.queue.start()
    // Its first scan is over, and nothing tells these nodes of each other's commits.
    await other.queue.idle()
    await queueOne(dying)
    dying.die()
    await eventually(async () => (await row())['state']).toBe('done')
    expect((await row())['node_id']).toBe(other.id)
  })

  it('B3: a lease that is renewed is never taken over', async () => {
    const held = heldHandler(async () => {})
    const busy = await node(held.handlers)
    await busy.queue.start()
    await queueOne(busy)
    busy.queue.kick()
    await eventually(held.begun).toBe(1)
    const other = await node(quick(async () => {}))
    await other.queue.start()
    await pause(2 * LEASE)
    expect(await row()).toMatchObject({ state: 'running', node_id: busy.id, run_number: 1 })
    held.release()
    await eventually(async () => (await row())['state']).toBe('done')
    expect(await row()).toMatchObject({ node_id: busy.id, run_number: 1 })
  })

  describe('of a node that stood still', () => {
    /** It has begun a job, stands still, and another node has the job by now. */
    async function takenOver(handler: (of: () => Node) => JobHandler, otherHandlers: JobHandlers) {
      let still: Node | null = null
      const held = heldHandler((job) => handler(() => still as Node)(job))
      still = await node(held.handlers)
      await still.queue.start()
      await queueOne(still)
      still.queue.kick()
      await eventually(held.begun).toBe(1)
      still.standStill()
      const other = await node(otherHandlers)
      await other.queue.start()
      await eventually(async () => (await row())['node_id']).toBe(other.id)
      return { still, other, held }
    }

    it('B3: its effect is refused in its transaction, and its end does not count', async () => {
      let other = ''
      const finish = heldHandler(async (job) => {
        await (nodes.at(-1) as Node).db.transaction((tx) => effect(tx, job.id, 'other'))
      })
      const found = await takenOver((of) => (job) => does('still', () => of().db)(job), finish.handlers)
      other = found.other.id
      found.still.goOn()
      found.held.release()
      await pause(3 * RENEW_EVERY)
      // The other one still runs it.
      expect(await row()).toMatchObject({ state: 'running', node_id: other, run_number: 2 })
      finish.release()
      await eventually(async () => (await row())['state']).toBe('done')
      expect(await row()).toMatchObject({ node_id: other, run_number: 2 })
      expect((await effects()).map(({ node: by }) => by)).toEqual(['other'])
    })

    it('B3: a job that it completes with its effect is not completed', async () => {
      const finish = heldHandler(async () => {})
      const late =
        (of: () => Node): JobHandler =>
        (job) =>
          of().db.transaction(async (tx) => {
            await effect(tx, job.id, 'still')
            await job.complete(tx, 'too late')
          })
      const { still, other, held } = await takenOver(late, finish.handlers)
      still.goOn()
      held.release()
      await pause(3 * RENEW_EVERY)
      expect(await row()).toMatchObject({ state: 'running', node_id: other.id, run_number: 2, message: '' })
      expect(await effects()).toEqual([])
      finish.release()
    })

    it('B3: a failure that it reports late does not count either', async () => {
      const finish = heldHandler(async () => {})
      const { still, other, held } = await takenOver(
        () => () => Promise.reject(new NotYet('Nobody asked.')),
        finish.handlers,
      )
      held.release()
      still.goOn()
      await pause(3 * RENEW_EVERY)
      expect(await row()).toMatchObject({ state: 'running', node_id: other.id, run_number: 2, message: '' })
      finish.release()
    })
  })

  it('B3: a node that starts queues its own jobs again, and leaves those of others', async () => {
    const held = heldHandler(async () => {})
    const busy = await node(held.handlers, { leaseMs: LEASE_MS })
    await busy.queue.start()
    await queueOne(busy)
    busy.queue.kick()
    await eventually(held.begun).toBe(1)
    const other = await node(
      quick(async () => {}),
      { leaseMs: LEASE_MS },
    )
    expect(await other.queue.start()).toEqual({ resumed: 0 })
    busy.die()
    const again = await node(
      quick(async () => {}),
      { id: busy.id, leaseMs: LEASE_MS },
    )
    expect(await again.queue.start()).toEqual({ resumed: 1 })
    await eventually(async () => (await row())['state']).toBe('done')
    held.release()
  })

  it('B3: a job that is bound to its node waits for it, whether it runs or is queued', async () => {
    const held = heldHandler(async () => {})
    const away = await node(held.handlers)
    await away.queue.start()
    await queueOne(away, BOUND)
    away.queue.kick()
    await eventually(held.begun).toBe(1)
    await queueOne(away, BOUND)
    await queueOne(away, BOUND)
    away.die()
    const others: string[] = []
    const other = await node(quick(async (job) => void others.push(job.id)))
    await other.queue.start()
    await queueOne(other)
    await pause(2 * LEASE)
    // One of its own ran.
    expect(others).toHaveLength(1)
    const again = await node(
      quick(async () => {}),
      { id: away.id },
    )
    await again.queue.start()
    await eventually(() => again.queue.list({ states: ['done'], count: 9 })).toHaveLength(4)
    const { rows } = await client.query("SELECT DISTINCT node_id FROM jobs WHERE kind = 'test.bound'")
    expect(rows).toEqual([{ node_id: away.id }])
    held.release()
  })

  it('B3: a node that stood still keeps the job that is bound to it', async () => {
    const held = heldHandler(async () => {})
    const still = await node(held.handlers)
    await still.queue.start()
    await queueOne(still, BOUND)
    still.queue.kick()
    await eventually(held.begun).toBe(1)
    still.standStill()
    const other = await node(quick(async () => {}))
    await other.queue.start()
    await pause(2 * LEASE)
    held.release()
    still.goOn()
    await eventually(async () => (await row())['state']).toBe('done')
    expect(await row()).toMatchObject({ node_id: still.id, run_number: 1 })
  })

  it('B3: a claim of what was read before another run of the job is refused', async () => {
    const one = await node({})
    await client.query(
      "INSERT INTO jobs (kind, payload, state, created_utc) VALUES ('test.any', '{}', 'queued', '2026-11-25T00:00:00.000Z')",
    )
    const read = (await nextReady(one.db.read, ['test.any'], 1, { node: one.id, running: [] })) as JobRow
    const claim = (): Promise<boolean> =>
      one.db.transaction((tx) => markRunning(tx, read, '2026-11-25T00:00:00.000Z', { node: one.id, leaseMs: LEASE }))
    expect(await claim()).toBe(true)
    await client.query("UPDATE jobs SET state = 'waiting', run_after = 1000000000000000")
    expect(await claim()).toBe(false)
  })

  it('B3: a node does not begin a job again whose earlier run has not ended on it', async () => {
    const held = heldHandler(async () => {})
    const still = await node(held.handlers)
    // It takes no jobs of this kind; it queues what is abandoned.
    const other = await node(BOUND.handledBy(async () => {}))
    await other.queue.start()
    await still.queue.start()
    await queueOne(still)
    still.queue.kick()
    await eventually(held.begun).toBe(1)
    still.standStill()
    await eventually(async () => (await row())['state']).toBe('queued')
    still.goOn()
    await pause(5 * RENEW_EVERY)
    expect([held.begun(), (await row())['state']]).toEqual([1, 'queued'])
    held.release()
    await eventually(async () => (await row())['state']).toBe('done')
    expect(held.begun()).toBe(2)
  })

  it('a job that is cancelled on another node is interrupted where it runs', async () => {
    let interrupted = false
    const busy = await node(
      quick(
        (job) =>
          new Promise((_, reject) => {
            job.signal.addEventListener('abort', () => {
              interrupted = true
              reject(job.signal.reason as Error)
            })
          }),
      ),
    )
    await busy.queue.start()
    await queueOne(busy)
    busy.queue.kick()
    await eventually(async () => (await row())['state']).toBe('running')
    const other = await node(quick(async () => {}))
    await other.queue.start()
    const [{ job_id: id }] = (await client.query('SELECT job_id FROM jobs')).rows
    await other.db.transaction((tx) => other.queue.cancel(tx, String(id)))
    await eventually(() => interrupted).toBe(true)
    await pause(2 * RENEW_EVERY)
    expect(await row()).toMatchObject({ state: 'cancelled' })
  })
})

describe('the tasks of one node', () => {
  const HOUR = 3_600_000

  it('B3: one node has them; when it dies another one, and one that stood still learns that it has not', async () => {
    const first = await node({})
    const second = await node({})
    await first.tasks.start()
    await second.tasks.start()
    const signal = first.tasks.signal()
    await pause(2 * LEASE)
    expect([first.tasks.isHeld(), second.tasks.isHeld()]).toEqual([true, false])
    first.standStill()
    await eventually(() => second.tasks.isHeld()).toBe(true)
    // By its own clock, before it hears of the other one.
    expect([first.tasks.isHeld(), signal.aborted]).toEqual([false, false])
    first.goOn()
    await eventually(() => signal.aborted).toBe(true)
    await pause(2 * RENEW_EVERY)
    expect([first.tasks.isHeld(), second.tasks.isHeld()]).toEqual([false, true])
  })

  it('B3: a node that stops gives them back at once', async () => {
    const first = await node({}, { leaseMs: LEASE_MS })
    const second = await node({}, { leaseMs: LEASE_MS })
    await first.tasks.start()
    await second.tasks.start()
    await first.tasks.stop()
    await eventually(() => second.tasks.isHeld()).toBe(true)
  })

  it('B3: an hourly task runs once an hour, not once an hour and node', async () => {
    const first = await node({})
    const second = await node({})
    await first.tasks.start()
    await second.tasks.start()
    expect(await second.tasks.beginRun('hourly', HOUR)).toBe(false)
    expect(await first.tasks.beginRun('hourly', HOUR)).toBe(true)
    expect(await first.tasks.beginRun('hourly', HOUR)).toBe(false)
    first.die()
    await eventually(() => second.tasks.isHeld()).toBe(true)
    expect(await second.tasks.beginRun('hourly', HOUR)).toBe(false)
    expect(await second.tasks.beginRun('another', HOUR)).toBe(true)
    await client.query(`UPDATE task_runs SET ran_at = ran_at - ${HOUR}`)
    expect(await second.tasks.beginRun('hourly', HOUR)).toBe(true)
    const { rows } = await client.query("SELECT node_id FROM task_runs WHERE task = 'hourly'")
    expect(rows).toEqual([{ node_id: second.id }])
  })

  it('B3: a run that begins after the lease was lost is refused by the database', async () => {
    const first = await node({}, { leaseMs: LEASE_MS, renewEveryMs: HOUR })
    await first.tasks.start()
    const second = await node({})
    await timePasses(2 * LEASE_MS)
    await second.tasks.start()
    // It has not heard of it yet.
    expect(first.tasks.isHeld()).toBe(true)
    expect(await first.tasks.beginRun('hourly', HOUR)).toBe(false)
    expect(await second.tasks.beginRun('hourly', HOUR)).toBe(true)
  })
})

it('B3: a dock session belongs to the node with the bay', async () => {
  const one = await node({})
  const ids: number[] = []
  await one.db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: 't', name_key: 't', created_utc: '2026-11-25T00:00:00.000Z' })
      .execute()
    for (const [nodeId, camera] of [
      ['a', 'camera 1'],
      ['b', 'camera 2'],
      [null, 'camera 3'],
    ] as const)
      ids.push(
        await insertSession(tx, {
          tenant_id: 't',
          node_id: nodeId,
          volume_id: 'v',
          camera_key: camera,
          bay: '1',
          label: '',
          state: 'pulled',
          clear_rule: 'never',
          detected_at: 0,
        }),
      )
  })
  const [ofA, ofB, ofNobody] = ids as [number, number, number]
  const open = async (nodeId: string | null): Promise<number[]> =>
    (await openSessions(one.db.read, nodeId)).map(({ session_id: id }) => id)
  expect([await open('a'), await open('b'), await open(null)]).toEqual([
    [ofA, ofNobody],
    [ofB, ofNobody],
    [ofA, ofB, ofNobody],
  ])
  const waiting = async (nodeId: string): Promise<number | undefined> =>
    (await waitingSession(one.db.read, nodeId, 't', 'camera 1'))?.session_id
  expect([await waiting('a'), await waiting('b')]).toEqual([ofA, undefined])
})

it('B3: a run over all blobs is begun on any node, and read by the one that runs the tasks', async () => {
  const one = await node({})
  const ledger = createLedger({ db: one.db, clock: systemClock, log, appended: async () => {} })
  const scheduleOf = (readsHere: boolean) =>
    createFixitySchedule({
      db: one.db,
      store: { whyAway: async () => null, compare: nothing } as unknown as BlobStore,
      ledger,
      alarms: createAlarms({ ledger, clock: systemClock, log }),
      clock: systemClock,
      log,
      mayWrite: () => true,
      busy: () => false,
      bytesPerSecond: 1_000_000,
      readsHere: () => readsHere,
    })
  const state = async (): Promise<string> => (await client.query('SELECT state FROM fixity_runs')).rows[0].state
  await scheduleOf(false).begin({ actor: INTERNAL, source: 'station', correlationId: 'test' })
  await pause(300)
  expect(await state()).toBe('running')
  await scheduleOf(true).run()
  expect(await state()).toBe('done')
  await ledger.stop()
})

/** An empty store differs in nothing. */
async function* nothing(): AsyncGenerator<never> {}
