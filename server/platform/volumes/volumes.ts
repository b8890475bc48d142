/** What is plugged into this machine: the port. Implementations: `linux.ts`, `windows.ts`, `macos.ts`, and `folders.ts` for `--dock-root`. */
import { pause } from '../clock/pause.ts'

export interface UsbIdentity {
  /** Four lower-case hexadecimal digits each. */
  readonly vendorId: string
  readonly productId: string
  /** As the device says. Cheap readers say nothing, or all the same. */
  readonly serial: string | null
  /** The place it is plugged into, the same for whatever comes there next: `1-4.2` is port 2 of the hub at port 4 of bus 1. A bay. */
  readonly busPath: string
}

export interface Volume {
  /** Lives as long as it stays plugged in: another one at the same place, or the same one again, has another id. */
  readonly id: string
  /** Where its files are, for people. */
  readonly root: string
  /** The same as bytes: what to open. */
  readonly location: Buffer
  readonly label: string | null
  /** As the system names it: `vfat`, `exfat`, `FAT32`, `folder` for a folder that stands for a volume. */
  readonly filesystem: string
  /** The number the filesystem was made with, where the system says it. */
  readonly uuid: string | null
  /** Null where the system could not say within its time. */
  readonly bytes: { readonly total: number; readonly free: number } | null
  readonly readOnly: boolean
  readonly usb: UsbIdentity | null
  /** A card, or something plugged in. False only where folders stand for volumes. */
  readonly removable: boolean
  /** `/dev/sdb1`, `E:`, `disk4s1`. */
  readonly device: string
  /** Of a folder that is watched, and is no volume of its own: what becomes of a file that the station has. */
  readonly watched?: { readonly after: 'keep' | 'clear' | 'move' }
}

export interface VolumeChange {
  readonly added: readonly Volume[]
  readonly removed: readonly Volume[]
  readonly present: readonly Volume[]
}

export interface Volumes {
  /** Whatever could be a camera: removable and mounted. What belongs to the machine itself is left alone. @throws when the system cannot be asked */
  list(): Promise<Volume[]>
  /**
   * Tells what came and went, within 2 s; first what is there already. Resolves when `signal` ends it.
   * A list that could not be read is no news: nothing counts as pulled because of it.
   */
  watch(onChange: (change: VolumeChange) => void, signal: AbortSignal): Promise<void>
}

export interface WatchOptions {
  readonly everyMs?: number
  /** Cheap to ask; the list is read only when this has changed. Without it, every time. */
  readonly mark?: () => Promise<string>
  /** A list that could not be read. For the log. */
  readonly onProblem?: (error: unknown) => void
}

/** Often enough for two looks and a list within the two seconds. */
const EVERY_MS = 500

/** `watch` for all implementations: looks again and again. */
export async function watchByLooking(
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
        // After the list: what came while it was read is looked at again.
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
