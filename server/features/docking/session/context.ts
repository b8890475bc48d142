/** One camera in its bay while the station works on it: its contents now, beside the rows about what was done. */
import type { ClearRule, DockRule } from '../../../../shared/docking/docking.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import type { Versions } from '../../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import type { BlobStore } from '../../../storage/store.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { ClockSync } from '../../../platform/clock/sync.ts'
import type { FoundFile, Skipped } from '../../../platform/files/walk.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { VolumeReading } from '../../../platform/volumes/volume-reader.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'
import type { Camera, DeviceRegister, Identify } from '../ports.ts'
import type { Lanes } from '../transfer/copy-lanes.ts'
import type { SecondCopy } from '../transfer/second-copy.ts'
import type { DockEvent } from './machine.ts'
import { type SessionRow, sessionById, type updateSession } from './sessions.store.ts'

export interface DockParts {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly records: Records
  readonly store: BlobStore
  readonly jobs: JobQueue
  readonly clock: Clock
  readonly log: Log
  readonly reading: VolumeReading
  readonly identify: Identify
  readonly register: DeviceRegister
  readonly lanes: Lanes
  readonly tenant: string
  /** This node, where several share the database; null on a station. */
  readonly nodeId: string | null
  /** Null where none is made. */
  readonly secondCopy: SecondCopy | null
  readonly clearRule: ClearRule
  readonly rehash: 'changed' | 'always'
  /** Category and department of recordings. */
  readonly rules: readonly DockRule[]
  /** Longer files are refused. */
  readonly fileBytes: number
  readonly clockSync: () => Promise<ClockSync>
  /** False for a day after the station's clock jumped by more than an hour. */
  readonly clockIsSteady: () => boolean
  /** Signs receipts: the key that signs the station's checkpoints. */
  readonly signer: () => Signer
  readonly origin: string
  /** @throws Fault when the station takes no more bytes */
  readonly requireBytes: (bytes: number) => Promise<void>
  readonly mayWrite: () => boolean
}

/** The files on the volume now, and the camera that its profile sees in it. */
export interface CameraContents {
  readonly files: readonly FoundFile[]
  readonly skipped: readonly Skipped[]
  /** SHA-256 of the raw bytes of each entry's path below the root. */
  readonly keys: ReadonlyMap<FoundFile | Skipped, string>
  readonly byKey: ReadonlyMap<string, FoundFile>
  readonly camera: Camera
}

export interface Context {
  readonly parts: DockParts
  readonly id: number
  /** As it was found; null where the session goes on without its camera. */
  readonly volume: Volume | null
  /** Aborted with `Pulled` when the volume went away, with anything else when the station stops. */
  readonly signal: AbortSignal
  /** When it was plugged in; null where the station did not see it come. Milliseconds since 1970. */
  readonly pluggedAt: number | null
  /** Asked anew each time. */
  readonly isPresent: (volume: Volume) => Promise<boolean>
  /** Of this round, once it was looked at. */
  contents: CameraContents | null
  /** Files under way, for the wall. */
  readonly underWay: Map<number, UnderWay>
}

/** A file that is being copied: each byte counts twice in `done`, copied and read back. */
export interface UnderWay {
  readonly length: number
  readonly done: number
}

export interface StepResult {
  readonly event: DockEvent
  readonly reason?: string
  readonly set?: Parameters<typeof updateSession>[2]
  readonly detail?: Readonly<Record<string, unknown>>
  /** For the entry about the receipt. */
  readonly sha256?: string
  /** Rows and entries that belong to the transition, in its transaction and before its own entry. */
  readonly within?: (tx: Tx) => Promise<void>
}

/** The volume is not there any more. */
export class Pulled extends Error {
  override readonly name = 'Pulled'
}

export const dockCall = (sessionId: number): Call => ({
  actor: INTERNAL,
  source: 'dock',
  correlationId: `dock-${sessionId}`,
})

export const sessionObject = (row: { session_id: number; bay: string }) => ({
  type: 'dockSession',
  id: String(row.session_id),
  name: row.bay,
})

export async function rowOf({ parts, id }: Pick<Context, 'parts' | 'id'>): Promise<SessionRow> {
  const row = await sessionById(parts.db.read, id)
  if (row === undefined) throw new Error(`There is no session ${id}`)
  return row
}

/** @throws Pulled */
export function volumeOf({ volume }: Context): Volume {
  if (volume === null) throw new Pulled('The camera is not there.')
  return volume
}

/** Where a volume stands, for people. */
export const bayOf = (volume: Volume): string => volume.usb?.busPath ?? volume.label ?? volume.device

/** Cameras behind one hub share its line. */
export const hubOf = (volume: Volume): string =>
  volume.usb === null ? 'machine' : volume.usb.busPath.replace(/[.-][^.-]*$/, '')

/** The rule for clearing files that the station has. */
export const clearRuleOf = (volume: Volume, ofCameras: ClearRule): ClearRule =>
  volume.watched === undefined ? ofCameras : { kind: AFTER[volume.watched.after] }

const AFTER = { keep: 'never', clear: 'at-once', move: 'move' } as const

/** Where files of a folder that is watched are put aside, directly below it. */
export const TAKEN = '.taken'

/** The key of a card that names no camera: the UUID of its filesystem, else the volume. */
export const volumeKey = (volume: Volume): string =>
  volume.uuid === null ? `volume:${volume.id}` : `filesystem:${volume.uuid}`

/** The path below the root as bytes. */
export function belowRoot(volume: Pick<Volume, 'location'>, location: Buffer): Buffer {
  return location.subarray(volume.location.length + (volume.location.at(-1) === 0x2f ? 0 : 1))
}

/** The same, for people. */
export function shownBelow(volume: Volume, { location, path }: { location: Buffer; path: string }): string {
  const names = belowRoot(volume, location).toString('latin1').split('/').length
  return path.split('/').slice(-names).join('/')
}
