/** Ways in which the ledger of a scratch file is tampered with, as whoever has the file in hand would. Never used on a database of a station. */
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import { openScratchLedger } from '../../../kernel/database/sqlite/scratch-ledger.ts'
import { chainHash, leafHash, NO_HASH } from '../../../kernel/ledger/format.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface Tampering {
  readonly name: string
  readonly tamper: (db: RawDatabase, entries: number) => void
}

interface Row {
  readonly seq: number
  readonly body: Buffer
  readonly hash: Buffer
  readonly leaf: Buffer
}

/** @throws Error for the database of a station */
export function tamperWith(file: string, { tamper }: Tampering, entries: number): void {
  const db = openScratchLedger(file)
  try {
    tamper(db, entries)
  } finally {
    db.close()
  }
}

const rowOf = (db: RawDatabase, seq: number): Row =>
  db.prepare('SELECT seq, body, hash, leaf FROM ledger WHERE seq = ?').get(seq) as Row

const setRow = (db: RawDatabase, seq: number, { body, hash, leaf }: Omit<Row, 'seq'>): void =>
  void db.prepare('UPDATE ledger SET body = ?, hash = ?, leaf = ? WHERE seq = ?').run(body, hash, leaf, seq)

/** One letter of what somebody did. */
const edited = (body: Buffer): Buffer => Buffer.from(body.toString('utf8').replace('scratch', 'scratcH'))

export const TAMPERINGS: readonly Tampering[] = [
  {
    name: validationReason('edited'),
    tamper: (db, entries) => {
      const row = rowOf(db, Math.floor(entries / 2))
      setRow(db, row.seq, { ...row, body: edited(row.body) })
    },
  },
  {
    name: validationReason('deleted'),
    tamper: (db, entries) => void db.prepare('DELETE FROM ledger WHERE seq = ?').run(Math.floor(entries / 2)),
  },
  {
    name: validationReason('inserted'),
    tamper: (db, entries) => {
      const after = Math.floor(entries / 2)
      // Down from the end: a number is taken by one row only.
      for (let seq = entries; seq > after; seq--)
        db.prepare('UPDATE ledger SET seq = ? WHERE seq = ?').run(seq + 1, seq)
      db.prepare(
        `INSERT INTO ledger (seq, body, hash, leaf, object_type, object_id)
         SELECT seq + 1, body, hash, leaf, object_type, object_id FROM ledger WHERE seq = ?`,
      ).run(after)
    },
  },
  {
    name: validationReason('swapped'),
    tamper: (db, entries) => {
      const [one, other] = [rowOf(db, Math.floor(entries / 2)), rowOf(db, Math.floor(entries / 2) + 1)]
      setRow(db, one.seq, other)
      setRow(db, other.seq, one)
    },
  },
  {
    name: validationReason('cutOff'),
    tamper: (db, entries) => void db.prepare('DELETE FROM ledger WHERE seq > ?').run(entries - 3),
  },
  {
    // Nothing but the signature tells.
    name: validationReason('madeAnew'),
    tamper: (db, entries) => {
      const from = Math.floor(entries / 2)
      let before: Uint8Array = from > 1 ? rowOf(db, from - 1).hash : NO_HASH
      for (let seq = from; seq <= entries; seq++) {
        const row = rowOf(db, seq)
        const body = seq === from ? edited(row.body) : row.body
        const hash = chainHash(before, body)
        setRow(db, seq, { body, hash: Buffer.from(hash), leaf: Buffer.from(leafHash(body)) })
        before = hash
      }
    },
  },
]
