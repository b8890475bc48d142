/** A ledger on a real database with real keys, without a station around it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { createCheckpoints } from '../../server/features/integrity/verification/checkpoints.ts'
import type { LedgerEntry } from '../../server/kernel/ledger/format.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { type ManualClock, manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { openKeys } from '../../server/platform/secrets/keys.ts'
import { isOnPostgres } from '../support/postgres-given.ts'
import { dropTriggers, openTestDatabase, openTestRows } from '../support/rows.ts'
import { temporaryFolder } from '../support/station.ts'

export { officer, writeEntries } from './entries.ts'

export const ORIGIN = 'station-7.example/ledger'

export const read = (id: number): LedgerEntry => ({
  action: 'evidence.read',
  object: { type: 'evidence', id: String(id), name: `Interview room ${id}` },
})

const made = new Map<string, string>()

/** Keys of one making for all worlds of a process: an RSA key takes longer than most tests. */
async function freshKeys(dir: string, clock: ManualClock) {
  if (made.size > 0) {
    mkdirSync(dir, { mode: 0o700 })
    for (const [name, text] of made) writeFileSync(path.join(dir, name), text, { mode: 0o600 })
    return openKeys(dir, { clock, established: true })
  }
  const keys = await openKeys(dir, { clock, established: false })
  for (const name of readdirSync(dir)) made.set(name, readFileSync(path.join(dir, name), 'utf8'))
  return keys
}

export async function makeWorld() {
  const { dir, dispose } = await temporaryFolder('custody')
  const file = path.join(dir, 'sallyport.db')
  const clock = manualClock()
  const log = createLog('silent')
  const db = await openTestDatabase({ file })
  const keys = await freshKeys(path.join(dir, 'keys'), clock)
  const ledger = createLedger({ db, clock, log })
  const kept = new Map<number, string>()
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key: keys.signing,
    origin: () => ORIGIN,
    keepOutside: async (size, note) => void kept.set(size, note),
  })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await ledger.stop()
    await db.close()
  }
  const remove = async (): Promise<void> => {
    await close()
    await dispose()
  }
  return { dir, file, clock, log, db, keys, ledger, checkpoints, kept, close, remove }
}

/** Closed and removed when the test ends. */
export async function openWorld() {
  const world = await makeWorld()
  onTestFinished(world.remove)
  return world
}

export type World = Awaited<ReturnType<typeof makeWorld>>

/** Writes as an intruder with the file in hand does: no triggers, no foreign keys; and afterwards the triggers are where they were. */
export function intrude(file: string, work: (db: RawDatabase) => void): void {
  const db = openTestRows(file)
  try {
    if (isOnPostgres) intrudeInPostgres(db, work)
    else {
      const guards = ['ledger', 'checkpoints'].map((table) => dropTriggers(db, table))
      db.pragma('foreign_keys = 0')
      work(db)
      for (const restore of guards) restore()
    }
  } finally {
    db.close()
  }
}

/** As its superuser: foreign keys are triggers there too. */
function intrudeInPostgres(db: RawDatabase, work: (db: RawDatabase) => void): void {
  db.exec('SET session_replication_role = replica')
  try {
    work(db)
  } finally {
    db.exec('RESET session_replication_role')
  }
}
