/** `Kernel`: the services that every feature receives. `Feature`: the parts that a feature contributes. */
import type { Export } from '../http/exports.ts'
import type { BoundRoute } from '../http/handlers.ts'
import type { Settings } from '../config/settings.ts'
import type { SecurityPolicy } from '../../shared/kernel/permissions.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import type { StagingArea } from '../storage/staging/staging.ts'
import type { BlobStore } from '../storage/store.ts'
import type { Access } from './access/access.ts'
import type { Database } from './database/database.ts'
import type { Records } from './evidence/records.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { JobHandlers } from './jobs/types.ts'
import type { Alarms } from './ledger/alarms.ts'
import type { EventHandlers } from './events/events.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { StationMode } from './mode.ts'
import type { NodeIdentity } from './node/identity.ts'
import type { Nodes } from './node/nodes.ts'
import type { Task } from './scheduler.ts'
import type { TaskLease } from './task-lease.ts'
import type { Versions } from './versions/versions.ts'

export type WithFile = <T>(work: (file: string) => Promise<T>, signal?: AbortSignal) => Promise<T>

export interface Kernel {
  readonly settings: Settings & { readonly blobsDir: string }
  readonly clock: Clock
  /** False for a day after the clock of this machine jumped by more than an hour. What cannot be undone waits then. */
  readonly clockIsSteady: () => boolean
  readonly log: Log
  readonly mode: StationMode
  readonly keys: StationKeys
  /** This process among those that share the database. */
  readonly node: NodeIdentity
  /** All processes that share the database. */
  readonly nodes: Nodes
  /** The name under which checkpoints are signed. */
  readonly origin: string
  /** Version of the program. */
  readonly version: string
  /** Time zone of the station, as an IANA name. */
  readonly timeZone: string
  /** Path of the database file; nothing lies there when the database is PostgreSQL. */
  readonly file: string
  /** Gives the database as a file of SQLite for the time of `work`: the station's own, or a copy of what PostgreSQL holds. */
  readonly withFile: WithFile
  /** The station's folders: database and blobs. */
  readonly folders: readonly string[]
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly alarms: Alarms
  readonly access: Access
  readonly records: Records
  readonly jobs: JobQueue
  /** Whether this node runs the tasks that one node runs; null on a station, which has one node. */
  readonly taskLease: TaskLease | null
  readonly store: BlobStore
  readonly staging: StagingArea
  readonly exporting: Export
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

export interface Feature {
  readonly routes?: readonly BoundRoute[]
  readonly handlers?: JobHandlers
  /** Periodic work while the station runs. */
  readonly tasks?: readonly Task[]
  /** Handlers by the action of a ledger entry. They run in the transaction of the change. */
  readonly on?: EventHandlers
  /** Finishes work that an earlier run left undone, before the station answers requests. */
  catchUp?(): Promise<void>
  start?(): Promise<void>
  /** May be called at any stage of the start. */
  stop?(): Promise<void>
}
