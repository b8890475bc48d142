/** A ledger on a real database with real keys, without a station around it. */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Call } from '../../server/custody/call.ts'
import { createCheckpoints } from '../../server/custody/checkpoints.ts'
import {
  chainHash,
  entryBytes,
  type LedgerEntry,
  leafHash,
  NO_HASH,
  prepareEntry,
} from '../../server/custody/format.ts'
import { createLedger } from '../../server/custody/ledger.ts'
import { openDatabase } from '../../server/db/database.ts'
import { openRaw, type RawDatabase } from '../../server/db/raw.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { openKeys } from '../../server/platform/secrets/keys.ts'
import { temporaryFolder } from '../support/station.ts'

export const ORIGIN = 'station-7.example/ledger'

export const officer = (name = 'officer.1'): Call => ({
  actor: { kind: 'user', id: '1', name, kId: `urn:user:station:${name}:1` },
  source: '192.168.1.20',
  correlationId: randomUUID(),
})

export const read = (id: number): LedgerEntry => ({
  action: 'evidence.read',
  object: { type: 'evidence', id: String(id), name: `Interview room ${id}` },
})

/** Everything is closed and removed when the test ends. */
export async function openWorld() {
  const { dir, dispose } = await temporaryFolder('custody')
  const file = path.join(dir, 'sallyport.db')
  const clock = manualClock()
  const log = createLog('silent')
  const db = await openDatabase({ file })
  const keys = await openKeys(path.join(dir, 'keys'), { clock, established: false })
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
  onTestFinished(async () => {
    await close()
    await dispose()
  })
  return { dir, file, clock, log, db, keys, ledger, checkpoints, kept, close }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Writes as an intruder with the file in hand does: no triggers, no foreign keys. */
export function intrude(file: string, work: (db: RawDatabase) => void): void {
  const db = openRaw(file)
  try {
    for (const name of ['ledger_no_update', 'ledger_no_delete', 'checkpoints_no_update', 'checkpoints_no_delete'])
      db.exec(`DROP TRIGGER IF EXISTS ${name}`)
    db.pragma('foreign_keys = 0')
    work(db)
  } finally {
    db.close()
  }
}

/** A ledger as a station would have written it, made in one go. */
export function writeEntries(file: string, count: number): void {
  const db = openRaw(file)
  const insert = db.prepare('INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)')
  const start = Date.UTC(2026, 0, 1)
  let previous = NO_HASH
  db.exec('BEGIN')
  for (let seq = 1; seq <= count; seq++) {
    const call = {
      ...officer(`officer.${seq % 50}`),
      correlationId: `2f1c0a52-7a53-4a4e-9a55-${String(seq).padStart(12, '0')}`,
    }
    const entry = prepareEntry(call, {
      action: seq % 3 === 0 ? 'resource.played.ended' : 'evidence.read',
      object: {
        type: seq % 3 === 0 ? 'resource' : 'evidence',
        id: String(seq % 5000),
        name: `Interview room 3, part ${seq}`,
      },
      ...(seq % 3 === 0 ? { bytes: seq * 100 } : {}),
      detail: { evidenceId: String(seq % 1000), seconds: seq % 100 },
    })
    const body = entryBytes({ ...entry, seq, timeUtc: new Date(start + seq * 1000).toISOString() })
    previous = chainHash(previous, body)
    insert.run(seq, body, previous, leafHash(body), entry.object.type, entry.object.id)
  }
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
