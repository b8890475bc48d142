import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createLog } from '../../platform/log/log.ts'
import { createJobQueue, joinHandlers, type JobQueue } from './queue.ts'
import { FinalFailure, type JobHandler, JobsHalted, type JobView, NotYet } from './types.ts'

describe('the job queue', () => {
  let folder: string
  let db: Database
  const clock = manualClock()
  const queues: JobQueue[] = []

  const queueWith = (handlers: Record<string, JobHandler>, lanes = 2): JobQueue => {
    const queue = createJobQueue({ db, clock, log: createLog('silent'), handlers: () => handlers, concurrency: lanes })
    queues.push(queue)
    return queue
  }
  const given = async (queue: JobQueue, kind: string, key?: string): Promise<void> => {
    await db.transaction((tx) =>
      queue.enqueue(tx, { kind, payload: { id: '1' }, subject: 'thing:1', ...(key === undefined ? {} : { key }) }),
    )
    queue.kick()
  }
  const states = async (queue: JobQueue) => (await queue.ofSubjects(['thing:1'])).map((job) => job.state)

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-jobs-'))
    db = await openDatabase({ file: join(folder, 'a.db') })
  })
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.stop()
    await db.close()
    rmSync(folder, { recursive: true })
  })

  it('runs jobs of a smaller order first, and jobs of the same order in the order of their creation', async () => {
    const ran: string[] = []
    const queue = queueWith({ a: async ({ payload }) => void ran.push(payload['id'] as string) }, 1)
    await db.transaction(async (tx) => {
      for (const [id, order] of [
        ['strip', 3],
        ['playable', 2],
        ['first', undefined],
        ['poster', 1],
        ['second', undefined],
      ] as const)
        await queue.enqueue(tx, { kind: 'a', payload: { id }, ...(order === undefined ? {} : { order }) })
    })
    await queue.start()
    await queue.idle()
    expect(ran).toEqual(['first', 'second', 'poster', 'playable', 'strip'])
  })

  it('runs jobs in the order of their creation and reports progress', async () => {
    const ran: string[] = []
    const queue = queueWith(
      {
        a: async (job) => {
          job.progress(0.5, 'half')
          ran.push(job.id)
        },
      },
      1,
    )
    const seen: JobView[] = []
    queue.watch((job) => seen.push(job))
    await queue.start()
    for (let index = 0; index < 3; index++) await given(queue, 'a')
    await queue.idle()
    expect(ran).toEqual(['1', '2', '3'])
    expect(await states(queue)).toEqual(['done', 'done', 'done'])
    expect(seen.some((job) => job.progress === 0.5 && job.message === 'half' && job.state === 'running')).toBe(true)
  })

  it('pauses between looks for a dedicated kind, and runs its jobs all the same', async () => {
    let passed = 0
    const slow = { ...systemClock, monotonic: () => (passed += 2) }
    const ran: string[] = []
    const queue = createJobQueue({
      db,
      clock: slow,
      log: createLog('silent'),
      handlers: () => ({
        common: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          ran.push('common')
        },
        another: async () => {},
        asked: async () => void ran.push('asked'),
      }),
      concurrency: 2,
      dedicatedKinds: ['asked'],
    })
    queues.push(queue)
    let looked = 0
    const hear = (text: unknown): void => void (looked += /FROM jobs[^]*kind IN \(\?\) *\n/.test(String(text)) ? 1 : 0)
    await queue.start()
    subscribe('sallyport:statement', hear)
    try {
      for (let index = 0; index < 100; index++) await given(queue, 'common')
      await queue.idle()
      // Once for the start and the end of each job without the pauses.
      expect(looked).toBeGreaterThan(0)
      expect(looked).toBeLessThan(50)
      await given(queue, 'asked')
      await expect.poll(() => ran.filter((kind) => kind === 'asked').length).toBe(1)
    } finally {
      unsubscribe('sallyport:statement', hear)
    }
    expect(ran.filter((kind) => kind === 'common')).toHaveLength(100)
  })

  it('looks for a dedicated kind again after a second at the latest, however long a look waited', async () => {
    let asked = false
    let calls = 0
    const since = performance.now()
    // The look at the start takes ten minutes.
    const monotonic = () => (calls++ === 0 ? 0 : 600_000 + performance.now() - since)
    const queue = createJobQueue({
      db,
      clock: { ...systemClock, monotonic },
      log: createLog('silent'),
      handlers: () => ({ common: async () => {}, asked: async () => void (asked = true) }),
      concurrency: 1,
      dedicatedKinds: ['asked'],
    })
    queues.push(queue)
    await queue.start()
    queue.kick()
    await expect.poll(() => calls, { timeout: 5_000 }).toBeGreaterThan(1)
    await given(queue, 'asked')
    await expect.poll(() => asked, { timeout: 20_000 }).toBe(true)
  }, 30_000)

  it('does not create a second job with the same key before the first has ended', async () => {
    const queue = queueWith({ a: async () => {} })
    await given(queue, 'a', 'once')
    await given(queue, 'a', 'once')
    expect(await states(queue)).toEqual(['queued'])
    await queue.start()
    await queue.idle()
    await given(queue, 'a', 'once')
    await queue.idle()
    expect(await states(queue)).toEqual(['done', 'done'])
  })

  it('runs a failing job three times with growing delays, then gives up', async () => {
    let runs = 0
    const queue = queueWith({
      a: async () => {
        runs += 1
        throw new Error('no luck')
      },
    })
    await queue.start()
    await given(queue, 'a')
    for (let round = 0; round < 3; round++) {
      await expect.poll(() => runs).toBe(round + 1)
      await expect.poll(async () => (await states(queue))[0]).not.toBe('running')
      clock.advance(120_000)
      queue.kick()
    }
    expect(await states(queue)).toEqual(['failed'])
    expect((await queue.find('1'))?.message).toContain('no luck')
  })

  it('fails a job at once after FinalFailure, and lets it wait without counting the attempt after NotYet', async () => {
    let there = false
    const queue = queueWith({
      final: async () => {
        throw new FinalFailure('The file is unreadable.')
      },
      later: async () => {
        if (!there) throw new NotYet('ffmpeg is missing.')
      },
    })
    await queue.start()
    await given(queue, 'final')
    await given(queue, 'later')
    await queue.idle()
    expect(await states(queue)).toEqual(['failed', 'waiting'])
    expect((await queue.find('2'))?.attempts).toBe(0)
    there = true
    await queue.wake()
    await queue.idle()
    expect(await states(queue)).toEqual(['failed', 'done'])
  })

  it('refuses two handlers for jobs of one kind', () => {
    const handler = async (): Promise<void> => {}
    expect(Object.keys(joinHandlers({ a: handler }, { b: handler }))).toEqual(['a', 'b'])
    expect(() => joinHandlers({ a: handler, b: handler }, { b: handler })).toThrow('Two handlers for jobs of kind b')
  })

  it('does not start with two handlers for jobs of one kind, even when there are no jobs', async () => {
    const handlers = { a: async (): Promise<void> => {} }
    const joined = () => joinHandlers(handlers, handlers)
    const queue = createJobQueue({ db, clock, log: createLog('silent'), handlers: joined, concurrency: 1 })
    await expect(queue.start()).rejects.toThrow('Two handlers for jobs of kind a')
  })

  it('starts a job that becomes due while the queue is scanning', async () => {
    const ticking = { ...clock, now: () => (clock.advance(1), clock.now()) }
    for (let lookAgainMs = 1; lookAgainMs <= 12; lookAgainMs++) {
      let tries = 0
      const queue = createJobQueue({
        db,
        clock: ticking,
        log: createLog('silent'),
        handlers: () => ({
          later: async () => {
            tries += 1
            if (tries < 3) throw new NotYet('Another job comes first.', lookAgainMs)
          },
        }),
        concurrency: 2,
      })
      queues.push(queue)
      await queue.start()
      await given(queue, 'later')
      await expect.poll(() => tries, { message: `after ${lookAgainMs} ms` }).toBe(3)
      await queue.stop()
    }
  })

  it('interrupts a running job on cancel, and a retry runs it anew', async () => {
    let wait = true
    const queue = queueWith({
      a: (job) =>
        wait
          ? new Promise((_, reject) => {
              job.signal.addEventListener('abort', () => reject(job.signal.reason))
            })
          : Promise.resolve(),
    })
    await queue.start()
    await given(queue, 'a')
    await expect.poll(() => states(queue)).toEqual(['running'])
    await db.transaction((tx) => queue.cancel(tx, '1'))
    await expect.poll(() => states(queue)).toEqual(['cancelled'])
    expect(await db.transaction((tx) => queue.cancel(tx, '1'))).toBeNull()
    wait = false
    await db.transaction((tx) => queue.retry(tx, '1'))
    queue.kick()
    await queue.idle()
    expect(await states(queue)).toEqual(['done'])
  })

  it('resumes running jobs after a crash, up to three attempts', async () => {
    const first = queueWith({ a: async () => {} })
    await given(first, 'a')
    // The state after a killed process: running, with the attempt counted.
    await db.transaction((tx) => tx.updateTable('jobs').set({ state: 'running', attempts: 1 }).execute())
    const second = queueWith({ a: async () => {} })
    expect(await second.start()).toEqual({ resumed: 1 })
    await second.idle()
    expect(await states(second)).toEqual(['done'])

    await given(second, 'a')
    await second.idle()
    await db.transaction((tx) =>
      tx.updateTable('jobs').set({ state: 'running', attempts: 3 }).where('job_id', '=', 2).execute(),
    )
    const third = queueWith({ a: async () => {} })
    await third.start()
    await third.idle()
    expect(await states(third)).toEqual(['done', 'failed'])
  })

  it('queues a job again that a stop interrupts, without counting the attempt', async () => {
    const queue = queueWith({
      a: (job) =>
        new Promise((_, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason))
        }),
    })
    await queue.start()
    await given(queue, 'a')
    await expect.poll(() => states(queue)).toEqual(['running'])
    await queue.stop()
    expect(await queue.find('1')).toMatchObject({ state: 'queued', attempts: 0 })
  })

  it('writes the end of a job later when the database could not take it, without running it again', async () => {
    let [isFull, runs] = [false, 0]
    const full: Database = Object.assign(Object.create(db) as Database, {
      transaction: ((...given: Parameters<Database['transaction']>) =>
        isFull
          ? Promise.reject(new Error('database or disk is full'))
          : db.transaction(...given)) as Database['transaction'],
    })
    const queue = createJobQueue({
      db: full,
      clock,
      log: createLog('silent'),
      handlers: () => ({
        a: async () => {
          runs += 1
          isFull = true
        },
      }),
      concurrency: 1,
    })
    queues.push(queue)
    await queue.start()
    await given(queue, 'a')
    while (!isFull) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await states(queue)).toEqual(['running'])
    isFull = false
    queue.kick()
    await queue.idle()
    expect([runs, await states(queue)]).toEqual([1, ['done']])
  })

  it('tells whoever waits for all jobs that none may run any more, when those that run have ended', async () => {
    const may = { run: true }
    let end = (): void => {}
    const handlers = { a: () => new Promise<void>((resolve) => (end = resolve)) }
    const queue = createJobQueue({
      db,
      clock,
      log: createLog('silent'),
      handlers: () => handlers,
      concurrency: 1,
      mayRun: () => may.run,
    })
    queues.push(queue)
    await queue.start()
    await given(queue, 'a')
    await given(queue, 'a')
    while ((await states(queue))[0] !== 'running') await new Promise((resolve) => setTimeout(resolve, 5))
    may.run = false
    let isOver = false
    const waits = queue.idle().finally(() => (isOver = true))
    waits.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isOver).toBe(false)
    end()
    await expect(waits).rejects.toThrow(JobsHalted)
    await expect(waits).rejects.toThrow('The station takes no writes now, and 1 job waits.')
  })

  it('does not retry a job when another one with its key is queued', async () => {
    const queue = queueWith({
      a: async () => {
        throw new FinalFailure('no')
      },
    })
    await queue.start()
    await given(queue, 'a', 'once')
    await queue.idle()
    await queue.stop()
    await given(queue, 'a', 'once')
    expect(await states(queue)).toEqual(['failed', 'queued'])
    expect(await db.transaction((tx) => queue.retry(tx, '1'))).toBeNull()
  })

  it('refuses to start with a job without a handler', async () => {
    const first = queueWith({ old: async () => {} })
    await given(first, 'old')
    await expect(queueWith({ new: async () => {} }).start()).rejects.toThrow('old')
  })
})
