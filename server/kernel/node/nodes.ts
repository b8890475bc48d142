/** The nodes of a headquarters: the processes that share one PostgreSQL database (docs/decisions/0023). A station has one, itself. */
import { NODE_LEASE_MS, type NodeLink } from '../database/postgres/node-link.ts'
import type { PostgresDatabase } from '../database/postgres/database.ts'
import { newestSchema } from '../database/migrate.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { NodeIdentity } from './identity.ts'
import { nodeRows } from './nodes.store.ts'

export interface NodeView {
  readonly id: string
  readonly name: string
  readonly address: string
  /** Of the program. */
  readonly version: string
  readonly schemaVersion: number
  /** Milliseconds since 1970 by the clock of the database, as the next ones. */
  readonly startedAt: number
  readonly seenAt: number
  /** Milliseconds by which its clock is ahead of the database's. */
  readonly clockOffset: number
  readonly state: NodeState
  /** Whether it is the process that answers. */
  readonly isThis: boolean
}

/** `wrong-clock`: it runs, and is not ready. `lost`: it ended without saying so, or does not reach the database. */
export type NodeState = 'running' | 'wrong-clock' | 'lost' | 'stopped'

export interface Nodes {
  /** Whether there can be several. */
  readonly areSeveral: boolean
  /** The address at which this one listens, for people. */
  listensAt(address: string): void
  /** Milliseconds by which the clock of this node is ahead of the database's; null while it is not known. */
  clockOffset(): number | null
  /** How the clock of this node is wrong, for people; null while it is right or cannot be compared. */
  wrongClock(): string | null
  /** Why this node may not be sent requests, for people; null when it may. */
  whyNotReady(): string | null
  /** Those that ran within the last week, by name. */
  list(): Promise<NodeView[]>
}

/** Most milliseconds by which the clock of a node may differ from the database's. Beyond, what it writes would have wrong times. */
export const MOST_CLOCK_OFFSET = 5000
/** Nodes that were not heard of for so long are not shown. */
const SHOWN_MS = 7 * 86_400_000

interface Self {
  readonly node: NodeIdentity
  readonly version: string
  /** The object store; null for a folder. */
  readonly blobs: string | null
  readonly clock: Clock
  /** Called once when this process must end: another one took its place. */
  readonly onLost: (reason: string) => void
}

/** @param shared null on SQLite @throws NodeRefused when another node is in the way */
export async function openNodes(shared: PostgresDatabase | null, self: Self): Promise<Nodes> {
  const { node, version, blobs, clock, onLost } = self
  let address = ''
  const listensAt = (at: string): void => {
    address = at
  }
  if (shared === null) return onlyNode(self, () => address, listensAt)
  const link: NodeLink = await shared.joinNodes(
    { ...node, version, blobs, address: () => address, now: clock.now },
    onLost,
  )
  return {
    areSeveral: true,
    listensAt,
    clockOffset: link.clockOffset,
    wrongClock: () => (link.clockOffset() === null ? null : clockProblem(link.clockOffset())),
    whyNotReady: () => clockProblem(link.clockOffset()),
    list: async () => {
      const now = clock.now() - (link.clockOffset() ?? 0)
      const rows = await nodeRows(shared.read, now - SHOWN_MS)
      return rows.map((row) => ({
        id: row.node_id,
        name: row.name,
        address: row.address,
        version: row.version,
        schemaVersion: row.schema_version,
        startedAt: row.started_at,
        seenAt: row.seen_at,
        clockOffset: row.clock_offset,
        state: stateOf(row, now),
        isThis: row.node_id === node.id,
      }))
    },
  }
}

function onlyNode({ node, version, clock }: Self, address: () => string, listensAt: Nodes['listensAt']): Nodes {
  const startedAt = clock.now()
  return {
    areSeveral: false,
    listensAt,
    clockOffset: () => 0,
    wrongClock: () => null,
    whyNotReady: () => null,
    list: async () => [
      {
        ...node,
        address: address(),
        version,
        schemaVersion: newestSchema(),
        startedAt,
        seenAt: clock.now(),
        clockOffset: 0,
        state: 'running',
        isThis: true,
      },
    ],
  }
}

/** A sentence for people; null when the clock is right enough. @param offset null while the database does not answer */
export function clockProblem(offset: number | null): string | null {
  if (offset === null) return 'The database does not answer this node, so its clock cannot be compared.'
  if (Math.abs(offset) <= MOST_CLOCK_OFFSET) return null
  const seconds = (Math.abs(offset) / 1000).toFixed(1)
  return `The clock of this node is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} the database’s, and at most ${MOST_CLOCK_OFFSET / 1000} s are allowed. Set it by a time server.`
}

function stateOf(
  row: { readonly stopped_at: number | null; readonly seen_at: number; readonly clock_offset: number },
  now: number,
): NodeState {
  if (row.stopped_at !== null) return 'stopped'
  if (now - row.seen_at > NODE_LEASE_MS) return 'lost'
  return Math.abs(row.clock_offset) > MOST_CLOCK_OFFSET ? 'wrong-clock' : 'running'
}
