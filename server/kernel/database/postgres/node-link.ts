/**
 * The connection by which a node belongs to the others: it holds the lock of its identity, writes its row of the list every two seconds, and
 * hears of their commits. The number of the last commit in the database decides: a notification that was missed is noticed by it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { NewsOfNodes } from '../database-over.ts'
import { newestSchema } from '../migrate.ts'
import { configOf, failureOf, runOn } from './connections.ts'
import { TOLD_CHANNEL } from './expressions.ts'
import { CHANNEL } from './writer.ts'

/** What a node says of itself. */
export interface NodeSelf {
  readonly id: string
  readonly name: string
  /** Of the program. */
  readonly version: string
  /** Asked each time, because the bound port is known only later. */
  readonly address: () => string
  /** Where its blobs lie; null in a folder of its own, which no other node reaches. */
  readonly blobs: string | null
  /** Its clock: milliseconds since 1970. */
  readonly now: () => number
}

export interface NodeLink {
  /** Milliseconds by which the clock of this node is ahead of the database's; null while it is not known. */
  clockOffset(): number | null
  /** Writes that this node ended, and closes the connection. */
  leave(): Promise<void>
}

/** Another node is in the way; the message says which and why. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused'
  readonly code = 'NodeRefused'
}

/** Milliseconds. */
export const HEARTBEAT_MS = 2000
/** Clocks are not compared by an answer that took longer: it may be wrong by half of this. */
const SLOWEST_COMPARISON_MS = 2000
/** A node that was not heard of for so long counts as gone. */
export const NODE_LEASE_MS = 15_000
/** Between two tries to connect again. */
const RECONNECT_MS = 1000
/** A heartbeat without an answer for so long: the connection is lost. */
const ANSWER_MS = 5000
/** Between two looks at whether the holder of an identity is still alive. */
const LOOK_MS = 250
/** The first of two keys of the lock of an identity; the second is the hash of the id. Any number, the same in every program. */
const IDENTITY_LOCK = 7_460_010
/** Held while a node enters the list, so that two of them cannot miss each other. */
const ENTER_LOCK = 7_460_011
/** The kind of store of a node whose blobs lie in a folder. */
export const FOLDER = 'folder'

const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** For people, after the names of nodes that must not run. */
export const FORGOTTEN = `A node that ended without saying so is forgotten after ${NODE_LEASE_MS / 1000} seconds.`

/** SQL condition for rows of nodes that run, or ended so lately without a word that they may. */
export const MAY_RUN = `stopped_at IS NULL AND seen_at > ${NOW} - ${NODE_LEASE_MS}`

/** Names of nodes that use a database now, or ended so lately without a word that they may. @throws SqlFailure */
export async function nodesThatMayRun(url: string): Promise<string[]> {
  const client = await connected(url)
  try {
    const { rows } = await runOn(client, `SELECT name FROM nodes WHERE ${MAY_RUN} ORDER BY name`, [])
    return (rows as { name: string }[]).map(({ name }) => name)
  } finally {
    await client.end()
  }
}

interface Joining {
  readonly url: string
  readonly self: NodeSelf
  /** Of the writer of this node: marks its own notifications. */
  readonly mark: string
  readonly news: NewsOfNodes
  readonly onLost: (reason: string) => void
}

/** @throws NodeRefused, SqlFailure */
export async function joinNodes({ url, self, mark, news, onLost }: Joining): Promise<NodeLink> {
  const run = randomUUID()
  let client: pg.Client | null = null
  let offset: number | null = null
  let known = 0
  let left = false
  let timer: NodeJS.Timeout | null = null

  const heard = (payload: string): void => {
    const [n = '', by] = payload.split(' ')
    known = Math.max(known, Number(n))
    if (by !== mark) news.rowsChanged()
  }
  /** Whatever was committed and told meanwhile was not heard. */
  const missed = (): void => {
    news.rowsChanged()
    news.told(null)
  }
  /** @throws NodeRefused, SqlFailure */
  const enter = async (first: boolean): Promise<pg.Client> => {
    const made = await connected(url)
    try {
      made.on('notification', ({ channel, payload = '' }) => {
        if (channel === TOLD_CHANNEL) news.told(payload)
        else heard(payload)
      })
      await holdIdentity(made, self, first)
      await enterList(made, self, run)
      await runOn(made, `LISTEN ${CHANNEL}; LISTEN ${TOLD_CHANNEL}`, [])
      return made
    } catch (error) {
      await made.end().catch(() => {})
      throw error
    }
  }
  const beat = async (on: pg.Client): Promise<void> => {
    const sentAt = self.now()
    const { rows } = await runOn(on, BEAT, [self.id, run, self.address(), offset ?? 0])
    const { mine, n, now } = rows[0] as { mine: number; n: number; now: number }
    if (mine === 0) throw new NodeRefused(`Another process took the place of the node ${self.name} (${self.id}).`)
    const answeredAt = self.now()
    // The answer was given between these two moments. Whole milliseconds: times in the database have no parts of one. A slow answer says too
    // little: a node that stands still for seconds is no node with a wrong clock.
    if (Math.abs(answeredAt - sentAt) <= SLOWEST_COMPARISON_MS) offset = Math.round((sentAt + answeredAt) / 2 - now)
    // Own commits count too: telling once too often is harmless.
    if (n > known) {
      known = n
      missed()
    }
  }
  const round = async (): Promise<void> => {
    try {
      if (client === null) {
        client = await enter(false)
        missed()
      }
      await beat(client)
    } catch (error) {
      offset = null
      await client?.end().catch(() => {})
      client = null
      if (error instanceof NodeRefused) {
        left = true
        onLost(error.message)
      }
    }
  }
  const schedule = (): void => {
    if (left) return
    timer = setTimeout(() => void (running = round().finally(schedule)), client === null ? RECONNECT_MS : HEARTBEAT_MS)
    timer.unref()
  }
  let running: Promise<void> = Promise.resolve()

  client = await enter(true)
  await beat(client)
  schedule()
  return {
    clockOffset: () => offset,
    leave: async () => {
      left = true
      if (timer !== null) clearTimeout(timer)
      await running
      if (client === null) return
      await runOn(client, `UPDATE nodes SET stopped_at = ${NOW} WHERE node_id = $1 AND run_id = $2`, [self.id, run])
        .catch(() => {})
        .finally(() => client?.end())
        .catch(() => {})
    },
  }
}

const BEAT = `WITH beat AS (
    UPDATE nodes SET seen_at = ${NOW}, address = $3, clock_offset = $4 WHERE node_id = $1 AND run_id = $2 RETURNING 1
  )
  SELECT (SELECT count(*) FROM beat) AS mine, (SELECT n FROM changes) AS n, ${NOW} AS now`

/** The server ends the session of a machine that vanished within the lease, and with it the lock of its identity. */
const KEEPALIVE = `SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3`

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...configOf(url), query_timeout: ANSWER_MS })
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw failureOf(error)
  })
  await runOn(client, KEEPALIVE, [])
  return client
}

/**
 * One process has an identity at a time: its session holds the lock. The session of a process that just ended may still be there; that of a
 * running one goes on writing its row.
 * @param atStart otherwise the session in the way may be the one that this node lost, and it tries again
 * @throws NodeRefused
 */
async function holdIdentity(client: pg.Client, { id, name }: NodeSelf, atStart: boolean): Promise<void> {
  let first: number | null = null
  const until = performance.now() + NODE_LEASE_MS
  for (;;) {
    const { rows } = await runOn(
      client,
      `SELECT pg_try_advisory_lock(${IDENTITY_LOCK}, hashtext($1)) AS mine, (SELECT seen_at FROM nodes WHERE node_id = $1) AS seen`,
      [id],
    )
    const { mine, seen } = rows[0] as { mine: number; seen: number | null }
    if (mine === 1) return
    first ??= seen
    const isAlive = first !== null && seen !== null && seen > first
    const isLate = performance.now() > until
    if (isLate && !isAlive && !atStart) throw new Error('the earlier session of this node is not over yet')
    if (isAlive || isLate)
      throw new NodeRefused(
        `Another process runs with the identity of this node (${name}, ${id}). If the data folder is a copy, remove the file node-id in it; ` +
          'the next start makes an identity of its own.',
      )
    await pause(LOOK_MS)
  }
}

/** @throws NodeRefused when the blobs of another running node lie elsewhere */
async function enterList(client: pg.Client, self: NodeSelf, run: string): Promise<void> {
  const blobs = self.blobs ?? FOLDER
  await runOn(client, `BEGIN; SELECT pg_advisory_xact_lock(${ENTER_LOCK})`, [])
  try {
    const { rows } = await runOn(
      client,
      `SELECT name, blobs FROM nodes WHERE node_id <> $1 AND ${MAY_RUN} ORDER BY name`,
      [self.id],
    )
    for (const other of rows as { name: string; blobs: string }[]) refuseOtherBlobs(other, blobs)
    await runOn(
      client,
      `INSERT INTO nodes (node_id, run_id, name, version, schema_version, address, blobs, started_at, seen_at, clock_offset)
       VALUES ($1, $2, $3, $4, $5, $6, $7, ${NOW}, ${NOW}, 0)
       ON CONFLICT (node_id) DO UPDATE SET run_id = excluded.run_id, name = excluded.name, version = excluded.version,
         schema_version = excluded.schema_version, address = excluded.address, blobs = excluded.blobs, seen_at = excluded.seen_at,
         started_at = CASE WHEN nodes.run_id = excluded.run_id THEN nodes.started_at ELSE excluded.started_at END, stopped_at = NULL`,
      [self.id, run, self.name, self.version, newestSchema(), self.address(), blobs],
    )
    await runOn(client, 'COMMIT', [])
  } catch (error) {
    await runOn(client, 'ROLLBACK', []).catch(() => {})
    throw error
  }
}

function refuseOtherBlobs(other: { readonly name: string; readonly blobs: string }, blobs: string): void {
  if (blobs === FOLDER || other.blobs === FOLDER)
    throw new NodeRefused(
      `The node ${other.name} uses this database, and ${blobs === FOLDER ? 'this node keeps' : 'it keeps'} its blobs in a folder, which ` +
        'other nodes do not reach. Several nodes need an object store that all of them name (SALLYPORT_BLOB_URL). ' +
        FORGOTTEN,
    )
  if (blobs !== other.blobs)
    throw new NodeRefused(
      `The node ${other.name} uses this database and keeps its blobs in ${other.blobs}, and this node in ${blobs}. All nodes need the same ` +
        'object store (SALLYPORT_BLOB_URL).',
    )
}
