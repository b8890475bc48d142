/** Ways in which somebody with the database file in hand may change the ledger (promise I3). */
import { generateKeyPairSync, sign } from 'node:crypto'
import { canonicalJson } from '../../server/kernel/ledger/canonical.ts'
import { chainHash, leafHash, NO_HASH, type StoredEntry } from '../../server/kernel/ledger/format.ts'
import { compactRange, frontierBytes } from '../../server/kernel/ledger/merkle.ts'
import { signCheckpoint } from '../../server/kernel/ledger/signed-note.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { ORIGIN } from './world.ts'

/** Made for a ledger of 100 entries with checkpoints at 40, 80 and 99; the 100th entry belongs to the last checkpoint. */
const MIDDLE = 57

const rowsOf = (db: RawDatabase, from: number, to = 1000) =>
  db.prepare('SELECT seq, body, hash FROM ledger WHERE seq >= ? AND seq <= ? ORDER BY seq').all(from, to) as {
    seq: number
    body: Buffer
    hash: Buffer
  }[]
const entryAt = (db: RawDatabase, seq: number): StoredEntry =>
  JSON.parse((rowsOf(db, seq, seq)[0] as { body: Buffer }).body.toString()) as StoredEntry
const setBody = (db: RawDatabase, seq: number, body: Buffer | string): void =>
  void db.prepare('UPDATE ledger SET body = ? WHERE seq = ?').run(Buffer.from(body), seq)

/** As somebody does who knows the format: every hash from `from` on is made new. */
function rehash(db: RawDatabase, from: number, to = 1000): void {
  let previous: Uint8Array = from === 1 ? NO_HASH : (rowsOf(db, from - 1, from - 1)[0] as { hash: Buffer }).hash
  const update = db.prepare('UPDATE ledger SET hash = ?, leaf = ?, object_type = ?, object_id = ? WHERE seq = ?')
  for (const { seq, body } of rowsOf(db, from, to)) {
    previous = chainHash(previous, body)
    const { object } = JSON.parse(body.toString()) as StoredEntry
    update.run(previous, leafHash(body), object.type, object.id, seq)
  }
}
const edit = (db: RawDatabase, seq: number, change: Partial<StoredEntry>): void =>
  setBody(db, seq, canonicalJson({ ...entryAt(db, seq), ...change }))
const renumber = (db: RawDatabase, from: number, by: number): void => {
  db.prepare('UPDATE ledger SET seq = seq + 100000 WHERE seq >= ?').run(from)
  db.prepare('UPDATE ledger SET seq = seq - 100000 + ? WHERE seq >= 100000').run(by)
  for (const { seq } of rowsOf(db, from + by)) edit(db, seq, { seq })
}
const rename = (db: RawDatabase, seq: number): void =>
  edit(db, seq, { object: { ...entryAt(db, seq).object, name: 'Nothing to see' } })

export interface Kind {
  readonly name: string
  readonly tamper: (db: RawDatabase) => void
  /** The entry that is the first bad one. */
  readonly bad: number | null
  /** True when the bytes prove which entry it is; otherwise the report names few among which it is. */
  readonly exact: boolean
  readonly kind: string
  readonly outside?: boolean
}

export const KINDS: readonly Kind[] = [
  {
    name: 'one bit of an entry',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      const body = (rowsOf(db, MIDDLE, MIDDLE)[0] as { body: Buffer }).body
      const bytes = Buffer.from(body)
      bytes[body.indexOf('Interview')] = (bytes[body.indexOf('Interview')] as number) ^ 1
      setBody(db, MIDDLE, bytes)
    },
  },
  {
    name: 'an entry is filed under another type',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => void db.prepare("UPDATE ledger SET object_type = 'note' WHERE seq = ?").run(MIDDLE),
  },
  { name: 'an entry is edited', bad: MIDDLE, exact: true, kind: 'ledger.entry', tamper: (db) => rename(db, MIDDLE) },
  {
    name: 'an entry is edited and its own hashes made to fit',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.chain',
    tamper: (db) => {
      rename(db, MIDDLE)
      rehash(db, MIDDLE, MIDDLE)
    },
  },
  {
    name: 'the last entry is edited and its hashes made to fit',
    bad: 99,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      rename(db, 99)
      rehash(db, 99)
    },
  },
  {
    name: 'the first entry is edited and the whole chain made new',
    bad: 1,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      rename(db, 1)
      rehash(db, 1)
    },
  },
  {
    name: 'the chain is rewritten from the middle on',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      rename(db, MIDDLE)
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an entry in the middle is deleted',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.sequence',
    tamper: (db) => void db.prepare('DELETE FROM ledger WHERE seq = ?').run(MIDDLE),
  },
  {
    name: 'an entry in the middle is deleted and all after it made new',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      db.prepare('DELETE FROM ledger WHERE seq = ?').run(MIDDLE)
      renumber(db, MIDDLE + 1, -1)
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'the end is cut off',
    bad: 91,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => void db.prepare('DELETE FROM ledger WHERE seq > 90').run(),
  },
  {
    name: 'an entry is inserted before the first',
    bad: 0,
    exact: true,
    kind: 'ledger.sequence',
    tamper: (db) =>
      void db
        .prepare('INSERT INTO ledger SELECT 0, body, hash, leaf, object_type, object_id FROM ledger WHERE seq = 1')
        .run(),
  },
  {
    name: 'an entry is inserted and all after it made new',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      renumber(db, MIDDLE, 1)
      db.prepare('INSERT INTO ledger SELECT ?, body, hash, leaf, object_type, object_id FROM ledger WHERE seq = 3').run(
        MIDDLE,
      )
      edit(db, MIDDLE, { seq: MIDDLE, timeUtc: entryAt(db, MIDDLE + 1).timeUtc })
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'two entries are swapped',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      for (const [from, to] of [
        [MIDDLE, 5000],
        [MIDDLE + 9, MIDDLE],
        [5000, MIDDLE + 9],
      ])
        db.prepare('UPDATE ledger SET seq = ? WHERE seq = ?').run(to, from)
    },
  },
  {
    name: 'two entries are swapped and all made new',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      const [a, b] = [entryAt(db, MIDDLE), entryAt(db, MIDDLE + 9)]
      edit(db, MIDDLE, { ...b, seq: a.seq, timeUtc: a.timeUtc })
      edit(db, MIDDLE + 9, { ...a, seq: b.seq, timeUtc: b.timeUtc })
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'a fork: another end from some entry on, as good as the true one',
    bad: 85,
    exact: false,
    kind: 'ledger.rewritten',
    tamper: (db) => {
      for (let seq = 85; seq <= 99; seq++) rename(db, seq)
      rehash(db, 85)
    },
  },
  {
    name: 'the clock goes backwards without a word',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.clock',
    tamper: (db) => {
      edit(db, MIDDLE, { timeUtc: '2020-01-01T00:00:00.000Z' })
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an entry is filed under another object',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => void db.prepare("UPDATE ledger SET object_id = '1' WHERE seq = ?").run(MIDDLE),
  },
  {
    name: 'a hash is changed',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.chain',
    tamper: (db) => void db.prepare('UPDATE ledger SET hash = zeroblob(32) WHERE seq = ?').run(MIDDLE),
  },
  {
    name: 'a leaf hash is changed',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => void db.prepare('UPDATE ledger SET leaf = zeroblob(32) WHERE seq = ?').run(MIDDLE),
  },
  {
    name: 'an entry is truncated',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => setBody(db, MIDDLE, (rowsOf(db, MIDDLE, MIDDLE)[0] as { body: Buffer }).body.subarray(0, -20)),
  },
  {
    name: 'an entry is extended',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) =>
      setBody(db, MIDDLE, Buffer.concat([(rowsOf(db, MIDDLE, MIDDLE)[0] as { body: Buffer }).body, Buffer.from(' ')])),
  },
  {
    name: 'an entry is written in another order and all made new',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      setBody(db, MIDDLE, JSON.stringify({ ...entryAt(db, MIDDLE), action: undefined, zaction: 'x' }))
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an entry holds bytes that are no text',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      const body = Buffer.from((rowsOf(db, MIDDLE, MIDDLE)[0] as { body: Buffer }).body)
      body.set([0xf0, 0x9f, 0x98], body.indexOf('Interview'))
      setBody(db, MIDDLE, body)
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an entry says the same in another order and all is made new',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      const { seq, ...rest } = entryAt(db, MIDDLE)
      setBody(db, MIDDLE, JSON.stringify({ seq, ...rest }))
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an entry holds bytes that are no text, and its hashes are those of what a reader makes of them',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      const body = Buffer.from((rowsOf(db, MIDDLE, MIDDLE)[0] as { body: Buffer }).body)
      body.set([0xf0, 0x9f, 0x98], body.indexOf('Interview'))
      setBody(db, MIDDLE, body.toString('utf8'))
      rehash(db, MIDDLE)
      setBody(db, MIDDLE, body)
    },
  },
  {
    name: 'a member that format 1 does not have',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      edit(db, MIDDLE, { note: 'x' } as Partial<StoredEntry>)
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'an action that nobody knows',
    bad: MIDDLE,
    exact: true,
    kind: 'ledger.entry',
    tamper: (db) => {
      edit(db, MIDDLE, { action: 'evidence.eaten' as never })
      rehash(db, MIDDLE)
    },
  },
  {
    name: 'a checkpoint is deleted',
    bad: null,
    exact: false,
    kind: 'ledger.checkpoint',
    tamper: (db) => void db.prepare('DELETE FROM checkpoints WHERE size = 80').run(),
  },
  {
    name: 'a checkpoint is signed by somebody else over a new chain',
    bad: null,
    exact: false,
    kind: 'ledger.checkpoint',
    tamper: (db) => resign(db, MIDDLE),
  },
  {
    name: "a checkpoint bears the number of the station's key and somebody else's signature",
    bad: null,
    exact: false,
    kind: 'ledger.checkpoint',
    tamper: (db) => resign(db, MIDDLE, true),
  },
  {
    name: 'the chain is rewritten and every checkpoint taken away',
    bad: MIDDLE,
    exact: false,
    kind: 'ledger.rewritten',
    outside: true,
    tamper: (db) => {
      rename(db, MIDDLE)
      rehash(db, MIDDLE)
      db.exec('DELETE FROM checkpoints')
    },
  },
  {
    name: 'the end is cut off together with its checkpoint',
    bad: 91,
    exact: false,
    kind: 'ledger.rewritten',
    outside: true,
    tamper: (db) => {
      db.exec('DELETE FROM ledger WHERE seq > 90')
      db.exec('DELETE FROM checkpoints WHERE size > 90')
    },
  },
]

/** A stranger's key over a ledger that fits in itself throughout. */
function resign(db: RawDatabase, from: number, pretending = false): void {
  rename(db, from)
  rehash(db, from)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signer = {
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'),
    sign: (bytes: Uint8Array) => sign(null, bytes, privateKey),
  }
  for (const { size } of db.prepare('SELECT size FROM checkpoints WHERE size >= ? ORDER BY size').all(from) as {
    size: number
  }[]) {
    const range = compactRange()
    for (const { body } of rowsOf(db, 1, size)) range.append(leafHash(body))
    const root = range.root()
    const note = signCheckpoint({ origin: ORIGIN, size, root }, signer)
    const entry = entryAt(db, size + 1)
    edit(db, size + 1, { detail: { ...entry.detail, root: Buffer.from(root).toString('base64') } })
    rehash(db, size + 1)
    const head = (rowsOf(db, size, size)[0] as { hash: Buffer }).hash
    db.prepare('UPDATE checkpoints SET root = ?, head = ?, frontier = ?, note = ? WHERE size = ?').run(
      root,
      head,
      frontierBytes(range),
      pretending ? pretend(db, size, note) : note,
      size,
    )
  }
}

/** The note with the key's number of the true one. */
function pretend(db: RawDatabase, size: number, note: string): string {
  const signatureOf = (text: string): Buffer => Buffer.from(text.trimEnd().split(' ').at(-1) as string, 'base64')
  const known = signatureOf(db.prepare('SELECT note FROM checkpoints WHERE size = ?').pluck().get(size) as string)
  const mine = signatureOf(note)
  return note.replace(
    mine.toString('base64'),
    Buffer.concat([known.subarray(0, 4), mine.subarray(4)]).toString('base64'),
  )
}
