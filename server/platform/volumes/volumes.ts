/** The volumes that are plugged into this machine. Implementations: `linux.ts`, `windows.ts`, `macos.ts`, and `folders.ts` for `--dock-root`. */
import { pause } from '../clock/pause.ts'

export interface UsbIdentity {
  /** Four lower-case hexadecimal digits each. */
  readonly vendorId: string
  readonly productId: string
  /** Serial number of the device. Cheap readers have none, or all have the same. */
  readonly serial: string | null
  /** The USB port, which identifies a bay: `1-4.2` is port 2 of the hub at port 4 of bus 1. */
  readonly busPath: string
}

export interface Volume {
  /** Valid while the volume stays plugged in. Another volume at the same port, or the same one again, has another id. */
  readonly id: string
  /** Path of its files, for people. */
  readonly root: string
  /** The same path as bytes, for opening. */
  readonly location: Buffer
  readonly label: string | null
  /** The system's name: `vfat`, `exfat`, `FAT32`; `folder` for a folder that counts as a volume. */
  readonly filesystem: string
  /** Id of the filesystem, if the system reports it. */
  readonly uuid: string | null
  /** Null when the system did not report it in time. */
  readonly bytes: { readonly total: number; readonly free: number } | null
  readonly readOnly: boolean
  readonly usb: UsbIdentity | null
  /** False only for folders that count as volumes. */
  readonly removable: boolean
  /** `/dev/sdb1`, `E:`, `disk4s1`. */
  readonly device: string
  /** For a watched folder: what happens to a file after it was taken in. */
  readonly watched?: { readonly after: 'keep' | 'clear' | 'move' }
}

export interface VolumeChange {
  readonly added: readonly Volume[]
  readonly removed: readonly Volume[]
  readonly present: readonly Volume[]
}

export interface Volumes {
  /** Mounted removable volumes, which may be cameras, without those of the system. @throws Error when the system cannot list them */
  list(): Promise<Volume[]>
  /**
   * Reports added and removed volumes within 2 s, beginning with those present. Resolves when `signal` aborts.
   * A failed listing changes nothing; no volume counts as pulled because of it.
   */
  watch(onChange: (change: VolumeChange) => void, signal: AbortSignal): Promise<void>
}

export interface WatchOptions {
  readonly everyMs?: number
  /** A cheap value; the list is read only when it has changed. Default: the list is read every time. */
  readonly mark?: () => Promise<string>
  /** Called for a failed listing, for the log. */
  readonly onProblem?: (error: unknown) => void
}

/** Short enough for two polls and a listing within the two seconds. */
const EVERY_MS = 500

/** `watch` for all implementations, by polling. */
export async function watchByPolling(
  list: () => Promise<readonly Volume[]>,
  onChange: (change: VolumeChange) => void,
  signal: AbortSignal,
  { everyMs = EVERY_MS, mark, onProblem = () => {} }: WatchOptions = {},
): Promise<void> {
  let known = new Map<string, Volume>()
  let lastMark: string | null = null
  let first = true
  while (!signal.aborted) {
    try {
      const now = (await mark?.()) ?? null
      if (now === null || now !== lastMark) {
        const present = await list()
        if (signal.aborted) return
        const next = new Map(present.map((volume) => [volume.id, volume]))
        const added = present.filter(({ id }) => !known.has(id))
        const removed = [...known.values()].filter(({ id }) => !next.has(id))
        known = next
        // Set after the list was read, so that a change during the reading is found by the next poll.
        lastMark = now
        if (first || added.length > 0 || removed.length > 0) onChange({ added, removed, present })
        first = false
      }
    } catch (error) {
      lastMark = null
      onProblem(error)
    }
    await pause(everyMs, signal)
  }
}
