import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Log } from '../platform/log/log.ts'
import { type Scheduler, startTasks, type Task } from './scheduler.ts'
import type { TaskLease } from './task-lease.ts'

let scheduler: Scheduler | null = null
let listeners: (() => void)[] = []
const commit = (): void => {
  for (const listener of listeners) listener()
}
const startTask = (task: Pick<Task, 'run'> & Partial<Task>, lease: TaskLease | null): void => {
  const log = { error: () => {} } as unknown as Log
  const db = { onRowsChanged: (listener: () => void) => void listeners.push(listener) }
  scheduler = startTasks([{ name: 'a task', runsOn: 'one node', everyMs: 500, ...task }], log, db, lease)
}
const start = (run: () => Promise<unknown>, afterChanges = true): void => startTask({ run, afterChanges }, null)

beforeEach(() => {
  vi.useFakeTimers()
  listeners = []
})
afterEach(async () => {
  vi.useRealTimers()
  await scheduler?.stop()
})

it('S-7: a task that follows changes runs after a commit, not every half second', async () => {
  const run = vi.fn(async () => {})
  start(run)
  await vi.advanceTimersByTimeAsync(5_000)
  // Once for what changed before the start.
  expect(run).toHaveBeenCalledTimes(1)
  for (let commits = 0; commits < 100; commits++) commit()
  await vi.advanceTimersByTimeAsync(499)
  expect(run).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(run).toHaveBeenCalledTimes(2)
})

it('a change during a run leads to another run', async () => {
  const ends: (() => void)[] = []
  const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)))
  start(run)
  await vi.advanceTimersByTimeAsync(500)
  expect(run).toHaveBeenCalledTimes(1)
  commit()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(run).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(run).toHaveBeenCalledTimes(2)
  ends[1]?.()
})

it('without any commit it runs once a minute', async () => {
  const run = vi.fn(async () => {})
  start(run)
  await vi.advanceTimersByTimeAsync(181_000)
  expect(run).toHaveBeenCalledTimes(4)
})

it('other tasks run at their times', async () => {
  const run = vi.fn(async () => {})
  start(run, false)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(run).toHaveBeenCalledTimes(10)
  commit()
  await vi.advanceTimersByTimeAsync(400)
  expect(run).toHaveBeenCalledTimes(10)
})

/** The lease of a node, held or not. @param due what the database says of tasks with a long interval */
const leaseOf = (isHeld: () => boolean, due: (task: string, everyMs: number) => boolean = () => true): TaskLease => ({
  start: async () => {},
  isHeld,
  signal: () => aborted.signal,
  beginRun: async (task, everyMs) => due(task, everyMs),
  stop: async () => {},
})
let aborted = new AbortController()

it('B3: a task of one node runs only on the node with the lease, and goes on elsewhere when it is lost', async () => {
  let held = false
  const run = vi.fn(async () => {})
  startTask(
    { run },
    leaseOf(() => held),
  )
  await vi.advanceTimersByTimeAsync(2_000)
  expect(run).toHaveBeenCalledTimes(0)
  held = true
  await vi.advanceTimersByTimeAsync(2_000)
  expect(run).toHaveBeenCalledTimes(4)
  held = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(run).toHaveBeenCalledTimes(4)
})

it('B3: a task of every node runs without the lease', async () => {
  const run = vi.fn(async () => {})
  startTask(
    { run, runsOn: 'every node', everyMs: 3_600_000 },
    leaseOf(() => false),
  )
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(run).toHaveBeenCalledTimes(1)
})

it('B3: an hourly task of one node runs when the database says that an hour has passed on all nodes, within a minute', async () => {
  let due = false
  const asked: [string, number][] = []
  const run = vi.fn(async () => {})
  const lease = leaseOf(
    () => true,
    (task, everyMs) => (asked.push([task, everyMs]), due),
  )
  startTask({ run, everyMs: 3_600_000 }, lease)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(run).toHaveBeenCalledTimes(0)
  expect([asked.length, asked[0]]).toEqual([60, ['a task', 3_600_000]])
  due = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(1)
})

it('a task that takes long is told when the lease is lost', async () => {
  aborted = new AbortController()
  const ended = vi.fn()
  const run = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(ended())))
  startTask(
    { run },
    leaseOf(() => true),
  )
  await vi.advanceTimersByTimeAsync(1_000)
  aborted.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toHaveBeenCalledTimes(1)
})
