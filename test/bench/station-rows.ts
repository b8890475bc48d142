/**
 * A station of some years, by direct SQL: evidence without its bytes, cases, links, people, rights. Drawn, and the same for the same
 * count. Triggers rest while rows are written and the indexes are filled at the end for all of them at once (fill-indexes.ts). None of these acts is in the ledger; as many entries as are asked for come into it by themselves.
 */
import { hash } from 'node:crypto'
import { FACTS_VERSION } from '../../server/kernel/evidence/model.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { fillIndexes } from './fill-indexes.ts'
import { writeLedger } from './ledger-rows.ts'

export interface Generated {
  readonly evidences: number
  readonly cases: number
  /** Of the ledger, beside the station's own. */
  readonly entries: number
}

const FIRST = Date.parse('2019-01-01T00:00:00Z')
const USERS = 240
/** Everybody in it can view nine cases of ten. */
export const OFFICERS = 'Officers'
/** Can view every case. What is in none takes the policy for it. */
export const COMMAND = 'Command'
/** Can view one case of a hundred, and one of a hundred of what is in none. */
export const FEW = 'A hundredth'

const ACTS = [
  'Burglary',
  'Theft',
  'Assault',
  'Traffic stop',
  'Welfare check',
  'Noise',
  'Fraud',
  'Arson',
  'Pursuit',
  'Search',
]
const STREETS =
  'Tanner Linden Ferry Orchard Mill Quay Church Station High Park Bridge Castle Kings Queens Harbour Řeznická École Abbey Forge Meadow Chapel Market Foundry Canal Willow Granary Signal Cooper Weaver Saddler'.split(
    ' ',
  )
const KINDS = ['Row', 'Street', 'Lane', 'Road', 'Close', 'Square']
const NOUNS =
  'door window latch vehicle van bicycle witness suspect officer camera statement interview blood glass footprint jacket knife phone wallet receipt ladder alarm gate fence garden cellar roof stairs kitchen counter till safe bag coat shoe helmet plate driver passenger neighbour caller child dog'.split(
    ' ',
  )
const VERBS =
  'entered left broke opened found saw heard reported followed stopped searched seized returned showed took'.split(' ')
const TAGS = Array.from(
  { length: 60 },
  (_, index) => `${['Response', 'Night shift', 'Custody', 'Scene'][index % 4]} ${index}`,
)
const CATEGORIES = [
  'Burglary',
  'Theft',
  'Violence',
  'Traffic',
  'Public order',
  'Fraud',
  'Missing person',
  'Arson',
  'Drugs',
  'Other',
]
const MAKERS = ['Axon', 'Reveal', 'Motorola', 'Hytera']
const WEATHER = ['Rain', 'Dry', 'Fog', 'Snow', 'Wind']

/** Numbers from 0 to 1 that are always the same (mulberry32). */
function drawing(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number): number => Math.floor(next() * below)
  /** The first ones far more often than the last, as words are. */
  const often = <T>(of: readonly T[]): T => of[Math.floor(of.length * next() ** 2.2)] as T
  return { next, whole, often }
}
type Draw = ReturnType<typeof drawing>

const sentence = ({ often, whole }: Draw): string =>
  Array.from({ length: 3 + whole(3) }, () => `${often(NOUNS)} ${often(VERBS)} ${often(NOUNS)}`).join(', ')
const street = ({ often, whole }: Draw): string => `${whole(180) + 1} ${often(STREETS)} ${often(KINDS)}`
const ticks = (millis: number): bigint => BigInt(millis) * 10_000n
const utc = (millis: number): string => new Date(millis).toISOString()
const principal = (id: number): string =>
  JSON.stringify({
    KId: `urn:user:station:officer${id}:${id}`,
    Username: `officer${id}`,
    PrincipalId: String(id),
    PrincipalType: 'user',
  })

/** Into the database of a station that does not run and has its tenant. @returns seconds: rows, indexes, ledger */
export function writeStation(
  file: string,
  { evidences, cases, entries }: Generated,
  said: (what: string) => void,
): { rows: number; indexes: number; ledger: number } {
  const db = openRaw(file)
  db.pragma('synchronous = OFF')
  // Gigabytes would be written twice; a run that is broken off is begun anew.
  db.pragma('journal_mode = OFF')
  db.pragma('cache_size = -524288')
  const triggers = db
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (name LIKE 'list\\_%' ESCAPE '\\' OR name LIKE 'search\\_%' ESCAPE '\\')",
    )
    .all() as { name: string; sql: string }[]
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  const began = performance.now()
  const people = writePeople(db)
  writeCases(db, cases, people, said)
  writeEvidence(db, evidences, cases, people, said)
  const rows = (performance.now() - began) / 1000
  said('indexes')
  const from = performance.now()
  fillIndexes(db)
  fillPlaces(db)
  for (const { sql } of triggers) db.exec(sql)
  const indexes = (performance.now() - from) / 1000
  const idsOf = (table: string, id: string) =>
    db.prepare(`SELECT min(${id}) AS first, count(*) AS count FROM ${table}`).get() as { first: number; count: number }
  const about = { users: people.users, evidence: idsOf('evidence', 'evidence_id'), cases: idsOf('cases', 'case_id') }
  const ledger = entries === 0 ? 0 : writeLedger(db, entries, about, said)
  // No station gathers statistics of its tables (`ANALYZE`), and so this one has none.
  db.pragma('journal_mode = WAL')
  db.close()
  lookAfter(file)
  return { rows, indexes, ledger }
}

/**
 * What a station that ran all the time has behind it, so that it does none of it while it is measured: its blobs were read and held
 * against the rows lately, none of its originals is of an earlier version, its ledger was verified, and every evidence was judged: no
 * category says how long, so that none is looked at again before something changes.
 */
export function lookAfter(file: string): void {
  const db = openRaw(file)
  const now = Date.now()
  const day = 86_400_000
  db.exec('BEGIN')
  const due = db.prepare('SELECT min(due_at) AS at FROM blob_checks').get() as { at: number | null }
  if (due.at !== null && due.at < now + day)
    db.prepare('UPDATE blob_checks SET checked_at = ?, due_at = ?').run(now, now + 90 * day)
  db.exec('UPDATE retention_watch SET look_at = NULL WHERE look_at IS NOT NULL')
  const remember = db.prepare('INSERT OR REPLACE INTO station (name, value) VALUES (?, ?)')
  remember.run('derivations', String(FACTS_VERSION))
  remember.run('capture times', '1')
  remember.run('last-walk', String(now))
  remember.run(
    'last-verification',
    JSON.stringify({ TimeUtc: new Date(now).toISOString(), Result: 'intact', Problems: 0 }),
  )
  db.exec('COMMIT')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

interface People {
  readonly users: readonly number[]
  readonly officers: number
  readonly command: number
  readonly few: number
  readonly categories: readonly number[]
}

function writePeople(db: RawDatabase): People {
  const insert = db.prepare(
    `INSERT INTO principals (tenant_id, kind, name, name_key, k_id, first_name, last_name, badge, created_utc, created_by) VALUES ('station', ?, ?, lower(?), ?, ?, ?, ?, ?, 'bench')`,
  )
  const draw = drawing(7)
  const one = (kind: string, name: string, first = '', last = '', badge = ''): number =>
    Number(insert.run(kind, name, name, `urn:${kind}:station:${name}`, first, last, badge, utc(FIRST)).lastInsertRowid)
  const officers = one('group', OFFICERS)
  const command = one('group', COMMAND)
  const few = one('group', FEW)
  const users = Array.from({ length: USERS }, (_, index) =>
    one('user', `bench-officer${index}`, `${draw.often(STREETS)}`, `${draw.often(NOUNS)}son`, `B${1000 + index}`),
  )
  const category = db.prepare(
    `INSERT INTO categories (tenant_id, name, name_key, enabled, concurrency_id, created_utc, modified_utc, modified_by) VALUES ('station', ?, lower(?), 1, '', ?, ?, '{}')`,
  )
  const categories = CATEGORIES.map((name) => Number(category.run(name, name, utc(FIRST), utc(FIRST)).lastInsertRowid))
  return { users, officers, command, few, categories }
}

const AT_ONCE = 20_000
function inStretches(
  db: RawDatabase,
  count: number,
  said: (what: string) => void,
  what: string,
  one: (index: number) => void,
): void {
  const write = db.transaction((from: number, to: number) => {
    for (let index = from; index < to; index++) one(index)
  })
  for (let from = 0; from < count; from += AT_ONCE) {
    write(from, Math.min(count, from + AT_ONCE))
    if (from % (10 * AT_ONCE) === 0) said(`${what} ${from}`)
  }
}

/** Over eight years. */
const SPAN = 8 * 365 * 86_400_000
const whenOf = (index: number, count: number): number => FIRST + Math.floor((index / count) * SPAN)

function writeCases(
  db: RawDatabase,
  count: number,
  { users, officers, command, few, categories }: People,
  said: (what: string) => void,
): void {
  const insert = db.prepare(
    `INSERT INTO cases (tenant_id, ordinal_year, ordinal_number, title, description, category_id, state, lifecycle_state, occurred_on, occurred_ticks,
      ended_on, ended_ticks, external_reference_1, external_reference_2, location_wkt, location_text, tags, custom_fields, source_type, concurrency_id,
      created_utc, created_ticks, created_by, modified_utc, modified_by)
     VALUES ('station', ?, ?, ?, ?, ?, ?, 'Normal', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Manual', '', ?, ?, ?, ?, '{}')`,
  )
  const policy = db.prepare(`INSERT INTO case_policies (case_id, principal_id, level) VALUES (?, ?, ?)`)
  const numbers = new Map<number, number>()
  const draw = drawing(11)
  inStretches(db, count, said, 'cases', (index) => {
    const at = whenOf(index, count)
    const year = new Date(at).getUTCFullYear()
    const number = (numbers.get(year) ?? 0) + 1
    numbers.set(year, number)
    const where = street(draw)
    const maker = users[draw.whole(USERS)] as number
    const end = at + 3_600_000 * (1 + draw.whole(5))
    const id = insert.run(
      year,
      number,
      `${draw.often(ACTS)}, ${where}`,
      sentence(draw),
      draw.often(categories),
      index < count * 0.7 ? 'Closed' : 'Open',
      utc(at),
      ticks(at),
      utc(end),
      ticks(end),
      `RN-${year}-${number}`,
      `INC${100_000 + index}`,
      `POINT (${(16 + draw.next()).toFixed(4)} ${(48 + draw.next()).toFixed(4)})`,
      where,
      JSON.stringify([draw.often(TAGS)]),
      JSON.stringify({ Weather: draw.often(WEATHER), Suspects: String(draw.whole(5)) }),
      utc(at),
      ticks(at),
      principal(maker),
      utc(at),
    ).lastInsertRowid
    policy.run(id, maker, 'Manage')
    policy.run(id, command, 'View')
    if (index % 10 > 0) policy.run(id, officers, 'View')
    if (index % 100 === 50) policy.run(id, few, 'View')
  })
}

const TYPES = ['video/mp4', 'video/mp4', 'video/mp4', 'audio/wav', 'image/jpeg', 'application/pdf'] as const

function writeEvidence(
  db: RawDatabase,
  count: number,
  cases: number,
  { users, few, categories }: People,
  said: (what: string) => void,
): void {
  const insert = db.prepare(
    `INSERT INTO evidence (tenant_id, name, description, category_id, start_utc, start_ticks, end_utc, end_ticks, location_text, location_wkt, device,
      custom_fields, state, association_state, created_utc, created_ticks, created_by, concurrency_id)
     VALUES ('station', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'UserCompleted', ?, ?, ?, ?, '')`,
  )
  const resource = db.prepare(
    `INSERT INTO resources (evidence_id, name, mime_type, sniffed_type, role, state, sha256, length, uploaded_utc, uploaded_by, created_utc, concurrency_id)
     VALUES (?, ?, ?, ?, 'original', 'UserCompleted', ?, ?, ?, '{}', ?, '')`,
  )
  const blob = db.prepare(`INSERT INTO blobs VALUES (?, ?, 'direct', ?)`)
  const tag = db.prepare(`INSERT INTO evidence_tags VALUES (?, ?, ?, ?)`)
  const policy = db.prepare(`INSERT INTO evidence_policies VALUES (?, ?, ?, NULL, NULL)`)
  const link = db.prepare(`INSERT INTO case_links VALUES (?, ?, 'Manual', 1, NULL, ?, '{}')`)
  const draw = drawing(13)
  const firstCase = Number((db.prepare('SELECT min(case_id) AS id FROM cases').get() as { id: number }).id)
  inStretches(db, count, said, 'evidence', (index) => {
    const at = whenOf(index, count)
    const where = street(draw)
    const camera = draw.whole(997)
    const maker = users[draw.whole(USERS)] as number
    const type = TYPES[index % TYPES.length] as string
    const linked = index % 5 > 0
    const end = at + 60_000 * (1 + draw.whole(45))
    const id = insert.run(
      `BWC ${camera}, ${where}`,
      index % 3 === 0 ? sentence(draw) : null,
      String(draw.often(categories)),
      utc(at),
      ticks(at),
      utc(end),
      ticks(end),
      where,
      index % 2 === 0 ? `POINT (${(16 + draw.next()).toFixed(4)} ${(48 + draw.next()).toFixed(4)})` : null,
      JSON.stringify({
        DeviceType: 'BodyWornCamera',
        Manufacturer: MAKERS[camera % 4],
        SerialNumber: `SN${camera}`,
        Model: `B${camera % 7}`,
      }),
      index % 4 === 0 ? JSON.stringify({ Weather: draw.often(WEATHER), Speed: String(draw.whole(120)) }) : '{}',
      linked ? 'Manual' : 'None',
      utc(at),
      ticks(at),
      principal(maker),
    ).lastInsertRowid
    const length = 1_000_000 + draw.whole(1e9)
    const sha256 = hash('sha256', String(index))
    blob.run(sha256, length, utc(at))
    resource.run(id, `BW${camera}_${index}.${type.split('/')[1]}`, type, type, sha256, length, utc(at), utc(at))
    for (let position = 0; position < index % 3; position++) {
      const given = `${draw.often(TAGS)}${position === 0 ? '' : ' b'}`
      tag.run(id, position, given, given.toLowerCase())
    }
    policy.run(id, maker, 'Manage')
    // One of a hundred of those in no case.
    if (index % 500 === 0) policy.run(id, few, 'View')
    if (linked) link.run(firstCase + Math.min(cases - 1, Math.floor((index / count) * cases)), id, utc(at))
  })
}

/** The places of the search, as the station reads them from the geometry. */
function fillPlaces(db: RawDatabase): void {
  db.exec('BEGIN')
  const box = (table: string, id: string, kind: number): string => `
    UPDATE search_list SET (west, east, south, north) = (
      SELECT CAST(substr(location_wkt, 8) AS REAL), CAST(substr(location_wkt, 8) AS REAL),
        CAST(substr(location_wkt, instr(location_wkt, ' 48')) AS REAL), CAST(substr(location_wkt, instr(location_wkt, ' 48')) AS REAL)
      FROM ${table} WHERE ${id} = object_id AND location_wkt IS NOT NULL) WHERE kind = ${kind}`
  db.exec(box('cases', 'case_id', 0))
  db.exec(box('evidence', 'evidence_id', 1))
  db.exec('COMMIT')
}
