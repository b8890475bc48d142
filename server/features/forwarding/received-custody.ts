/**
 * Verifies the custody records that stations forwarded to this server: that the station signed each, that records of one branch of its ledger
 * do not contradict each other, and to which branch each belongs. A station that was restored, and accepted, writes entries anew under numbers
 * that it used before: they are another branch, and stand beside the older ones.
 */
import { hash } from 'node:crypto'
import type { Database } from '../../kernel/database/database.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { branchesOf, stationKeys } from '../../kernel/ledger/known-stations.store.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { BlobStore } from '../../storage/store.ts'
import * as rows from './custody.store.ts'
import { type OpenedCustody, openCustodyRecord } from './custody.ts'

export interface CustodyBranch {
  /** From 1. */
  readonly branch: number
  readonly records: number
  /** Records that hold and have a proof for each line, that it is under the signed tree head in the record. */
  readonly proved: number
  /** Different entries in them. */
  readonly entries: number
  /** The first entry in it that an older branch has under the same number with other content; null for none. */
  readonly differsFrom: number | null
  /** When an administrator accepted that the ledger goes on from an older head, and why; null for the first branch. */
  readonly acceptedUtc: string | null
  readonly reason: string | null
}

export interface StationCustody {
  readonly origin: string
  readonly branches: readonly CustodyBranch[]
  readonly problems: readonly { readonly evidenceId: string; readonly resourceId: string; readonly message: string }[]
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly store: Pick<BlobStore, 'open'>
}

const RECORDS_AT_ONCE = 500
/** A record has a line for each act on an evidence. */
const LONGEST_RECORD = 256 * 1024 * 1024

/** Reads every record. Memory grows with the number of different entries in them, some 50 MB for each million. */
export async function verifyForwardedCustody({ db, ledger, store }: Deps, call: Call): Promise<StationCustody[]> {
  const stations = new Map<string, Awaited<ReturnType<typeof beginStation>>>()
  for (let after = 0, more = true; more; ) {
    const page = await db.longRead(rows.forwardedRecords(db.read, after, RECORDS_AT_ONCE))
    after = page.at(-1)?.resource_id ?? 0
    more = page.length === RECORDS_AT_ONCE
    for (const row of page) {
      const origin = originIn(row.source_id)
      if (origin === null) continue
      let station = stations.get(origin)
      if (station === undefined) stations.set(origin, (station = await beginStation(db, origin)))
      await station.add(row, () => textOf(store, row))
    }
  }
  const found = [...stations.values()].map((station) => station.result()).sort((a, b) => (a.origin < b.origin ? -1 : 1))
  const problems = found.reduce((sum, one) => sum + one.problems.length, 0)
  await db.transaction((tx) =>
    ledger.append(tx, call, {
      action: 'forwarding.custodyVerified',
      object: { type: 'station', id: '1', name: '' },
      outcome: problems === 0 ? 'ok' : 'failed',
      detail: { stations: found.length, branches: found.reduce((sum, one) => sum + one.branches.length, 0), problems },
    }),
  )
  return found
}

const originIn = (sourceId: string | null): string | null =>
  /^(.+)\/evidence\/\d+\/\d+$/.exec(sourceId ?? '')?.[1] ?? null

async function textOf(store: Deps['store'], { sha256 }: rows.ForwardedRecord): Promise<string> {
  const blob = await store.open(sha256 as string)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of blob.stream()) {
    length += (chunk as Buffer).length
    if (length > LONGEST_RECORD) throw new Error('It is too long for a custody record.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const newBranch = () => ({
  records: 0,
  proved: 0,
  lines: new Map<number, number>(),
  /** Roots of the tree heads in records, by the number of entries under them. */
  roots: new Map<number, string>(),
})

/** The records of one station, in the order in which they came. */
async function beginStation(db: Database, origin: string) {
  const keys = (await stationKeys(db.read, origin)).map((key) => new Uint8Array(Buffer.from(key, 'base64')))
  const ended = await branchesOf(db.read, origin)
  /** By branch: the first bytes of the hash of each entry, by its number. */
  const branches = Array.from({ length: ended.length + 1 }, newBranch)
  const problems: { evidenceId: string; resourceId: string; message: string }[] = []

  const problemOf = (branch: number, { lines, head }: OpenedCustody): string | null => {
    const { lines: known, roots } = branches[branch] as (typeof branches)[number]
    let before = 0
    for (const { seq, text } of lines) {
      if (!Number.isSafeInteger(seq) || seq <= before) return `Entry ${seq} stands after entry ${before}.`
      before = seq
      const mark = markOf(text)
      if ((known.get(seq) ?? mark) !== mark)
        return `Entry ${seq} is another one in an earlier record of the same branch (${branch + 1}).`
      known.set(seq, mark)
    }
    if (head === null) return null
    const root = Buffer.from(head.root).toString('base64')
    if ((roots.get(head.size) ?? root) !== root)
      return `The station signed another tree head over ${head.size} entries in an earlier record of the same branch (${branch + 1}).`
    roots.set(head.size, root)
    return null
  }

  return {
    add: async (row: rows.ForwardedRecord, read: () => Promise<string>): Promise<void> => {
      // The branch of a record is that on which the station was when the record was complete here. While it is refused it sends nothing.
      const branch = ended.filter((one) => one.accepted_utc <= (row.uploaded_utc ?? '')).length
      const into = branches[branch] as (typeof branches)[number]
      const problem = await read()
        .then((text) => opened(text, keys))
        .then(
          (record) => {
            const found = record.origin === origin ? problemOf(branch, record) : `It is a record of ${record.origin}.`
            if (found === null && record.isProved) into.proved += 1
            return found
          },
          (error: Error) => error.message,
        )
      into.records += 1
      if (problem !== null)
        problems.push({ evidenceId: String(row.evidence_id), resourceId: String(row.resource_id), message: problem })
    },
    result: (): StationCustody => ({
      origin,
      problems,
      branches: branches.map(({ records, proved, lines }, at) => ({
        branch: at + 1,
        records,
        proved,
        entries: lines.size,
        differsFrom: firstDifference(
          lines,
          branches.slice(0, at).map((one) => one.lines),
        ),
        acceptedUtc: ended[at - 1]?.accepted_utc ?? null,
        reason: ended[at - 1]?.reason ?? null,
      })),
    }),
  }
}

/** @throws Error when none of the keys signed it, or its form is wrong */
function opened(text: string, keys: readonly Uint8Array[]): OpenedCustody {
  let last: unknown = new Error('No checkpoint of this station is kept here, so nothing shows whose signature it is.')
  for (const key of keys)
    try {
      return openCustodyRecord(text, key)
    } catch (error) {
      last = error
    }
  throw last
}

/** 48 bits of the hash of a line. */
const markOf = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, 6)

function firstDifference(lines: ReadonlyMap<number, number>, older: readonly ReadonlyMap<number, number>[]) {
  let first: number | null = null
  for (const [seq, mark] of lines)
    if ((first === null || seq < first) && older.some((one) => (one.get(seq) ?? mark) !== mark)) first = seq
  return first
}
