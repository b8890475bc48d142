/** Table of nodes: migrations/0013-nodes.ts. Times are milliseconds since 1970 by the clock of the database. */

export interface NodesTable {
  node_id: string
  /** Of the process; another one with each start. */
  run_id: string
  name: string
  /** Of the program. */
  version: string
  schema_version: number
  /** Where it answers; empty until it listens. */
  address: string
  /** Where its blobs lie: `folder`, or the address of a bucket. */
  blobs: string
  started_at: number
  seen_at: number
  /** Null while it runs, and when it ended without saying so. */
  stopped_at: number | null
  /** Milliseconds by which its clock is ahead of the database's. */
  clock_offset: number
}

export interface NodeTables {
  nodes: NodesTable
}
