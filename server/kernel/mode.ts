import { fault } from '../../shared/kernel/errors.ts'
import { DataFolderChanged } from '../platform/files/known-folder.ts'
import type { Log } from '../platform/log/log.ts'

/**
 * Whether the station accepts changes and new files (decisions 12, docs/guarantees.md "Durability"). Reads continue in every state but `failed`,
 * and are recorded unless the station is untrusted.
 */
export interface StationMode {
  /** Whether this many new bytes fit above the free-space floor. */
  admission(bytes: number): Promise<'yes' | 'full' | 'read-only'>
  /** @throws Fault StorageFull, ReadOnly */
  requireBytes(bytes: number): Promise<void>
  /** @throws Fault ReadOnly */
  requireWrites(): void
  mayWrite(): boolean
  /** Whether this many bytes of the station's own would leave it able to write. */
  hasRoomFor(bytes: number): Promise<boolean>
  /** False after an unknown outcome, and when the start check found tampering. Then nothing is written at all. */
  mayRecord(): boolean
  /** The reason why changes are refused, for people; null when they are accepted. */
  reason(): string | null
  /** For a start check that found tampering: nothing is written for the lifetime of this process. */
  distrust(reason: string): void
  /** Takes no writes for a while, with a reason of the station's own; null: takes them again. Reads go on and are recorded. */
  hold(reason: string | null): void
  /** For a station that moved away: for the lifetime of this process it takes no writes. Reads go on and are recorded. */
  retire(reason: string): void
  /** Whether it moved away. Then it signs nothing, and keeps no results of its own work. */
  isRetired(): boolean
  /** For a disk that failed under fsync or COMMIT. Nothing is written any more, and the process must end. */
  fail(reason: string): void
  /** For a node that lost its place to another one. Nothing is written any more, and the process must end. */
  giveUp(reason: string): void
  /** Checks the free space; enters or leaves read-only mode. @throws DataFolderChanged: nothing may be written then, and the process must end */
  checkSpace(): Promise<void>
  /**
   * Called before each transaction. Null while the volume of the database has room; otherwise the promise of `checkSpace`. It checks that
   * volume only, synchronously on the calling thread, which also reads the database there. Space for files is checked by `admission`.
   */
  beforeWrite(): Promise<void> | null
  /** Sets the listener for the begin (with its reason) and end (null) of read-only mode. It is called at once when the mode is read-only already. */
  onChange(listener: (reason: string | null) => void): void
}

/** The reserve file, whose space is released so that the ledger can be written on a full disk (platform/files/reserve.ts). */
export interface Reserve {
  left(): number
  readonly step: number
  release(): Promise<void>
  restore(): Promise<boolean>
}

interface Deps {
  /**
   * Free and total bytes; of the fuller volume when database and blobs are on two. `away`: a folder of the station is missing, and the
   * figures are those of the other one.
   */
  space: () => Promise<{ readonly free: number; readonly total: number; readonly away?: boolean }>
  /** The current state of the database's folder. */
  dataFolder: {
    /** Whether another folder has taken its place. */
    isReplaced(): boolean
    /** Null when the folder is missing; the open database files still work. */
    freeBytes(): number | null
  }
  /** The setting; null for max(2 %, 10 GiB). */
  minFreeBytes: number | null
  reserve: Reserve
  log: Log
  /** Milliseconds that never go back. */
  ticks: () => number
  onFailed: (reason: string) => void
}

const GIB = 1024 ** 3

/**
 * Milliseconds between two released parts of the reserve. The program that fills the disk takes released space at once. Until the next part,
 * free room inside the database's own files (kernel/database/database.ts, PADDING) is enough for the ledger, and a start on the full disk still finds a
 * part.
 */
const BETWEEN_PARTS = 10_000

const REPLACED =
  'Another folder is in the place of the data folder that the station opened: its volume was mounted or taken away meanwhile. ' +
  'Nothing was written to the other one. Make sure that the volume is mounted before the station starts, then start again.'

/** Below this part of the floor the reserve is used and the station becomes read-only. */
const CRITICAL_PART = 1 / 64

/** Decisions 12: the floor is the setting, else max(2 % of the volume, 10 GiB). */
export const floorOf = (setting: number | null, total: number): number => setting ?? Math.max(total / 50, 10 * GIB)

export async function openStationMode({
  space,
  dataFolder,
  minFreeBytes,
  reserve,
  log,
  ticks,
  onFailed,
}: Deps): Promise<StationMode> {
  const floor = floorOf(minFreeBytes, (await space()).total)
  // Never below the space of a commit; a commit on a full disk would fail.
  const low = Math.max(floor * CRITICAL_PART, reserve.step / 2)
  let readOnly: string | null = null
  let failed: string | null = null
  let untrusted: string | null = null
  let held: string | null = null
  let retired: string | null = null
  let notifyChange: (reason: string | null) => void = () => {}
  let releasedAt = Number.NEGATIVE_INFINITY
  const reason = (): string | null => failed ?? untrusted ?? retired ?? held ?? readOnly

  const stopWriting = (why: string): void => {
    if (failed !== null) return
    failed = why
    log.fatal({ reason: why }, 'nothing is written any more')
    onFailed(why)
  }
  const checkSpace = async (): Promise<void> => {
    let { free } = await space()
    if (dataFolder.isReplaced()) {
      stopWriting(REPLACED)
      throw new DataFolderChanged(REPLACED)
    }
    if (readOnly === null && free < low) {
      readOnly = 'The disk is full. Make room on it; reading and its record go on.'
      log.error({ free, floor }, 'the disk is full: the reserve is in use and the station takes no writes')
      notifyChange(readOnly)
    }
    if (free < reserve.step / 2 && reserve.left() > 0 && ticks() - releasedAt >= BETWEEN_PARTS) {
      releasedAt = ticks()
      await reserve.release()
      free = (await space()).free
    }
    if (readOnly !== null && failed === null && free > low * 4 && (await reserve.restore())) {
      readOnly = null
      log.info({ free, floor }, 'there is room again: the station takes writes')
      notifyChange(null)
    }
  }
  const mode: StationMode = {
    admission: async (bytes) => {
      if (reason() !== null) return 'read-only'
      const { free, away = false } = await space()
      // When only the blobs are missing, records are still written, but new files have no place.
      if (away || dataFolder.isReplaced()) return 'read-only'
      return free - bytes < floor ? 'full' : 'yes'
    },
    requireBytes: async (bytes) => {
      mode.requireWrites()
      const admitted = await mode.admission(bytes)
      if (admitted === 'read-only')
        throw fault('ReadOnly', 'The folder of the blobs is not there, so no bytes are taken. Put its volume back.')
      if (admitted === 'full') {
        throw fault(
          'StorageFull',
          'The disk is at its free-space floor, so no new files are taken. What is here is safe. Make room, then try again.',
        )
      }
    },
    requireWrites: () => {
      const why = reason()
      if (why !== null) throw fault('ReadOnly', why)
    },
    mayWrite: () => reason() === null,
    hasRoomFor: async (bytes) => reason() === null && (await space()).free - bytes > low,
    mayRecord: () => failed === null && untrusted === null,
    reason,
    distrust: (why) => {
      untrusted = why
    },
    hold: (why) => {
      const was = reason()
      held = why
      if ((was === null) !== (reason() === null)) notifyChange(reason())
    },
    retire: (why) => {
      retired = why
    },
    isRetired: () => retired !== null,
    fail: (why) => stopWriting(`The disk failed: ${why}`),
    giveUp: stopWriting,
    checkSpace,
    beforeWrite: () => {
      const hasRoom = readOnly === null && (dataFolder.freeBytes() ?? Number.NEGATIVE_INFINITY) >= low
      return hasRoom && !dataFolder.isReplaced() ? null : checkSpace()
    },
    onChange: (listener) => {
      notifyChange = listener
      if (readOnly !== null) listener(readOnly)
    },
  }
  await checkSpace()
  return mode
}
