import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Log } from '../platform/log/log.ts'
import { type Scheduler, startTasks } from './scheduler.ts'

let scheduler: Scheduler | null = null
let listeners: (() => void)[] = []
const commit = (): void => {
  for (const listener of listeners) listener()
}
const start = (run: () => Promise<unknown>, afterChanges = true): void => {
  const log = { error: () => {} } as unknown as Log
  scheduler = startTasks([{ name: 'a task', everyMs: 500, afterChanges, run }], log, {
    onRowsChanged: (listener) => void listeners.push(listener),
  })
}

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
