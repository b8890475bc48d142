import { fault } from '../../shared/kernel/errors.ts'
import { DataFolderChanged } from '../platform/files/known-folder.ts'
import type { Log } from '../platform/log/log.ts'

/**
 * Whether the station takes writes and bytes now (decisions 12, docs/guarantees.md "Durability"). Reading, and recording of reads, goes on in
 * every state but `failed`.
 */
export interface StationMode {
  /** Asked before bytes are taken in: would they pass the free-space floor? */
  admission(bytes: number): Promise<'yes' | 'full' | 'read-only'>
  /** @throws Fault StorageFull, ReadOnly */
  requireBytes(bytes: number): Promise<void>
  /** @throws Fault ReadOnly */
  requireWrites(): void
  mayWrite(): boolean
  /** Whether the station itself can take this many bytes and still take writes. */
  spare(bytes: number): Promise<boolean>
  /** False once an outcome is unknown, and where the start check found the station tampered with: then nothing at all is written. */
  mayRecord(): boolean
  /** Why no writes are taken, for a person; null when they are. */
  reason(): string | null
  /** The start check found the station tampered with (custody/start-check.ts): nothing is written as long as the process lasts. */
  distrust(reason: string): void
  /** The disk failed under fsync or COMMIT. Nothing is written any more; the process has to end. */
  fail(reason: string): void
  /** Looks at the free space: enters and leaves read-only. @throws DataFolderChanged; nothing may be written then, and the process has to end */
  look(): Promise<void>
  /**
   * Before each transaction: null while there is room on the volume of the database, else what `look` does. It looks at that volume alone
   * and on the calling thread, which reads the database there as well; files of bytes are asked about by `admission`.
   */
  beforeWrite(): Promise<void> | null
  /** Told when read-only begins (a reason) or ends (null), to be written down; at once when it has begun already. */
  onChange(listener: (reason: string | null) => void): void
}

/** The file that is kept so that the ledger can go on when the disk is full (platform/files/reserve.ts). */
export interface Reserve {
  left(): number
  readonly step: number
  release(): Promise<void>
  restore(): Promise<boolean>
}

interface Deps {
  /** Bytes free and in all, of the fuller volume where database and blobs lie on two. */
  /** `away`: a folder of the station is not there; what is there goes on. */
  space: () => Promise<{ readonly free: number; readonly total: number; readonly away?: boolean }>
  /** The folder of the database, as it is in this moment. */
  dataFolder: {
    /** Whether another folder is in its place. */
    isReplaced(): boolean
    /** Null where it is not there: what is open goes on. */
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
 * Milliseconds between two parts of the reserve. Whoever fills the disk takes what is given back at once; meanwhile the room inside the
 * database's own files carries the ledger (app/kernel.ts, PADDING), and a start on the full disk still finds a part.
 */
const BETWEEN_PARTS = 10_000

const REPLACED =
  'Another folder is in the place of the data folder that the station opened: its volume was mounted or taken away meanwhile. ' +
  'Nothing was written to the other one. See to it that the volume is mounted before the station starts, then start again.'

/** Below this part of the floor the reserve comes into use and the station goes read-only. */
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
  // Never less than a commit may need: between the two a full disk would fail it.
  const low = Math.max(floor * CRITICAL_PART, reserve.step / 2)
  let readOnly: string | null = null
  let failed: string | null = null
  let untrusted: string | null = null
  let changed: (reason: string | null) => void = () => {}
  let released = Number.NEGATIVE_INFINITY
  const reason = (): string | null => failed ?? untrusted ?? readOnly

  const end = (why: string): void => {
    if (failed !== null) return
    failed = why
    log.fatal({ reason: why }, 'nothing is written any more')
    onFailed(why)
  }
  const look = async (): Promise<void> => {
    let { free } = await space()
    if (dataFolder.isReplaced()) {
      end(REPLACED)
      throw new DataFolderChanged(REPLACED)
    }
    if (readOnly === null && free < low) {
      readOnly = 'The disk is full. Make room on it; reading and its record go on.'
      log.error({ free, floor }, 'the disk is full: the reserve is in use and the station takes no writes')
      changed(readOnly)
    }
    if (free < reserve.step / 2 && reserve.left() > 0 && ticks() - released >= BETWEEN_PARTS) {
      released = ticks()
      await reserve.release()
      free = (await space()).free
    }
    if (readOnly !== null && failed === null && free > low * 4 && (await reserve.restore())) {
      readOnly = null
      log.info({ free, floor }, 'there is room again: the station takes writes')
      changed(null)
    }
  }
  const mode: StationMode = {
    admission: async (bytes) => {
      if (reason() !== null) return 'read-only'
      const { free, away = false } = await space()
      // Records go on where only the blobs are away, for they lie elsewhere; bytes have no place.
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
    spare: async (bytes) => reason() === null && (await space()).free - bytes > low,
    mayRecord: () => failed === null && untrusted === null,
    reason,
    distrust: (why) => {
      untrusted = why
    },
    fail: (why) => end(`The disk failed: ${why}`),
    look,
    beforeWrite: () => {
      const hasRoom = readOnly === null && (dataFolder.freeBytes() ?? Number.NEGATIVE_INFINITY) >= low
      return hasRoom && !dataFolder.isReplaced() ? null : look()
    },
    onChange: (listener) => {
      changed = listener
      if (readOnly !== null) listener(readOnly)
    },
  }
  await look()
  return mode
}
