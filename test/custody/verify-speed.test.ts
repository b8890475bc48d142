// @module-tag merge
import { hash } from 'node:crypto'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { verifySegment } from '../../server/features/integrity/verification/verify-segment.ts'
import { verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { scale } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { writeEntries } from './world.ts'

const ENTRIES = scale(50_000, 1_000_000)
/** How often the processor time of reading every entry and hashing it once, the least that any verification needs. */
const MOST = 7

/** Microseconds of processor time of this thread for each entry; the better of two. */
function cost(work: () => void): number {
  const once = (): number => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / ENTRIES
  }
  return Math.min(once(), once())
}

function readAndHash(db: RawDatabase): void {
  for (const body of db.prepare('SELECT CAST(body AS TEXT) FROM ledger ORDER BY seq').pluck().iterate())
    hash('sha256', body as string)
}

it(`I2 ${ENTRIES} entries verify within ${MOST} times the cost of reading and hashing them`, {
  timeout: 300_000,
}, async () => {
  const { dir, dispose } = await temporaryFolder('verify')
  onTestFinished(dispose)
  const file = path.join(dir, 'ledger.db')
  await (await openDatabase({ file })).close()
  writeEntries(file, ENTRIES)
  const db = openRaw(file, { readOnly: true })
  readAndHash(db)
  const least = cost(() => readAndHash(db))
  const whole = cost(() => {
    const result = verifySegment(db, { from: 1, to: ENTRIES, marks: [] }, () => {})
    expect(result.problems).toEqual([])
    expect(result.entries).toBe(ENTRIES)
  })
  db.close()
  const report = await verifyLedger({ file, publicKeys: [] })
  expect(report.problems).toEqual([])
  console.info(
    `I2: ${ENTRIES} entries in ${report.seconds.toFixed(2)} s on two threads; ${whole.toFixed(2)} µs of processor time an entry, ` +
      `${(whole / least).toFixed(1)} times that of reading and hashing it (${least.toFixed(2)} µs)`,
  )
  expect(whole / least).toBeLessThan(MOST)
})
