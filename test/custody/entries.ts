import { randomUUID } from 'node:crypto'
import type { Call } from '../../server/kernel/ledger/call.ts'
import { chainHash, entryBytes, leafHash, NO_HASH, prepareEntry } from '../../server/kernel/ledger/format.ts'
import { isOnPostgres } from '../support/postgres-given.ts'
import { openTestRows } from '../support/rows.ts'

export const officer = (name = 'officer.1'): Call => ({
  actor: { kind: 'user', id: '1', name, kId: `urn:user:station:${name}:1` },
  source: '192.168.1.20',
  correlationId: randomUUID(),
})

/** A ledger as a station would have written it, made in one go. */
export function writeEntries(file: string, count: number): void {
  const db = openTestRows(file)
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
  if (!isOnPostgres) db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
