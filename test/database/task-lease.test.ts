import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../server/kernel/database/database.ts'
import { createTaskLease } from '../../server/kernel/task-lease.ts'
import { openTestDatabase } from '../support/rows.ts'

const LEASE_MS = 30_000

describe('the lease of the scheduled tasks', () => {
  let folder: string
  let db: Database
  let monotonic = 0
  let mayRun = true
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'sallyport-lease-'))
    db = await openTestDatabase({ file: path.join(folder, 'a.db') })
    mayRun = true
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })

  const nodeOf = (node: string, renewEveryMs: number) =>
    createTaskLease({
      db,
      clock: { monotonic: () => monotonic },
      log: pino({ level: 'silent' }),
      node,
      mayRun: () => mayRun,
      leaseMs: LEASE_MS,
      renewEveryMs,
    })
  const pass = (millis: number): void => void (monotonic += millis)
  const until = async (what: () => boolean): Promise<void> => {
    while (!what()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  it('what runs under it is told when it ends, also at a node that may not take it again', async () => {
    const lease = nodeOf('one', 5)
    await lease.start()
    const signal = lease.signal()
    expect([lease.isHeld(), signal.aborted]).toEqual([true, false])
    mayRun = false
    pass(LEASE_MS + 1)
    await until(() => signal.aborted)
    expect(lease.isHeld()).toBe(false)
    await lease.stop()
  })

  it('taken again after it had ended, it is another one', async () => {
    const lease = nodeOf('one', 5)
    await lease.start()
    const signal = lease.signal()
    // As after a sleep of the machine: in the meantime another node may have had it.
    pass(LEASE_MS + 1)
    await until(() => lease.isHeld())
    expect([signal.aborted, lease.signal().aborted]).toEqual([true, false])
    await lease.stop()
  })

  it('one node has it at a time', async () => {
    const [one, two] = [nodeOf('one', 60_000), nodeOf('two', 60_000)]
    await one.start()
    await two.start()
    expect([one.isHeld(), two.isHeld()]).toEqual([true, false])
    await one.stop()
    await two.stop()
  })
})
