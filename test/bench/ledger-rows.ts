/**
 * A ledger as a station of some years has one: entries of people who read, played and searched, in the product's own form and continued
 * from where the station's own chain ends, so that it verifies. What cannot be had is their age: an entry's time is when it was written.
 */
import { chainHash, entryBytes, leafHash, type PreparedEntry, prepareEntry } from '../../server/kernel/ledger/format.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'

/** Ids that entries are about: every one from `first` on. */
export interface Ids {
  readonly first: number
  readonly count: number
}

export interface LedgerSubjects {
  readonly users: readonly number[]
  readonly evidence: Ids
  readonly cases: Ids
}

const AT_ONCE = 50_000
const CORRELATION = '2f1c0a52-7a53-4a4e-9a55-'

type Kind = 'evidence' | 'case' | 'resource' | 'search' | 'denied'
/** Of twenty acts; a refusal among two hundred. */
const kindOf = (index: number): Kind => {
  if (index % 200 === 199) return 'denied'
  const place = index % 20
  if (place < 12) return 'evidence'
  if (place < 16) return 'resource'
  return place < 19 ? 'case' : 'search'
}

const entryOf = (kind: Kind): Parameters<typeof prepareEntry>[1] => {
  const object = (type: string) => ({ type, id: '0', name: 'Interview room 3, part 12' })
  switch (kind) {
    case 'evidence':
      return { action: 'evidence.read', object: object('evidence') }
    case 'case':
      return { action: 'case.read', object: object('case') }
    case 'resource':
      return { action: 'resource.played.ended', object: object('resource'), bytes: 1_234_567, detail: { seconds: 41 } }
    case 'search':
      return {
        action: 'search.made',
        object: object('search'),
        detail: { query: 'burglary quay', returned: 50, total: 812 },
      }
    case 'denied':
      return {
        action: 'evidence.read',
        object: object('evidence'),
        outcome: 'denied',
        reason: 'PrincipalCannotReadEvidence',
      }
  }
}

/** Checked and copied once for each user and kind: ten million of them are written. */
function prepared(users: readonly number[]): (user: number, kind: Kind) => PreparedEntry {
  const known = new Map<string, PreparedEntry>()
  return (user, kind) => {
    const id = users[user % users.length] as number
    const key = `${id} ${kind}`
    const found = known.get(key)
    if (found !== undefined) return found
    const name = `bench-officer${user % users.length}`
    const actor = { kind: 'user' as const, id: String(id), name, kId: `urn:user:station:${name}:${id}` }
    const made = prepareEntry({ actor, source: '192.168.1.20', correlationId: '' }, entryOf(kind))
    known.set(key, made)
    return made
  }
}

/** Into the database of a station that does not run. Indexes rest meanwhile and are made at the end. @returns seconds */
export function writeLedger(
  db: RawDatabase,
  count: number,
  { users, evidence, cases }: LedgerSubjects,
  said: (what: string) => void,
): number {
  const began = performance.now()
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ledger' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`)
  const insert = db.prepare(
    'INSERT INTO ledger (seq, body, hash, leaf, object_type, object_id) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const head = db.prepare('SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1').get() as {
    seq: number
    hash: Uint8Array
  }
  const entry = prepared(users)
  let { seq, hash } = head
  const idOf = (kind: Kind, index: number): number => {
    // Some are looked at again and again, most once in a while.
    const { first, count: among } = kind === 'case' ? cases : evidence
    return kind === 'search' ? 0 : first + ((index * 7919) % (index % 3 === 0 ? Math.max(1, among >> 6) : among))
  }
  const write = db.transaction((from: number, to: number) => {
    const timeUtc = new Date().toISOString()
    for (let index = from; index < to; index++) {
      const kind = kindOf(index)
      const { object, ...rest } = entry(index, kind)
      const id = kind === 'search' ? '' : String(idOf(kind, index))
      seq++
      const body = entryBytes({
        ...rest,
        object: { ...object, id },
        correlationId: CORRELATION + String(seq).padStart(12, '0'),
        seq,
        timeUtc,
      })
      hash = chainHash(hash, body)
      insert.run(seq, body, hash, leafHash(body), object.type, id)
    }
  })
  for (let from = 0; from < count; from += AT_ONCE) {
    write(from, Math.min(count, from + AT_ONCE))
    said(`ledger ${from}`)
  }
  said('indexes of the ledger')
  for (const { sql } of indexes) db.exec(sql)
  return (performance.now() - began) / 1000
}
