import { dockReason } from '../../../shared/messages/dock-reasons.ts'
import type { BigIntStats } from 'node:fs'
import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises'
import { NO_FOLLOW, NO_WAIT } from '../files/durable.ts'
import { displayPath } from '../files/names.ts'
import { type FoundFile, type FoundFolder, walkWithFolders, type WalkEntry } from '../files/walk.ts'
import { isName } from '../files/walk-sync.ts'
import type { Volume } from './volumes.ts'

/**
 * Reads volumes that may be hostile (docs/guarantees.md, S12). Nothing here follows a link, waits for a pipe, or leaves the volume: from the
 * root down, every folder is opened and kept open while the next name is looked up in it, as with openat. Systems without such descriptors
 * (Windows, macOS) check the path before opening and the file afterwards.
 */

/** `Pulled`: the device was removed. `Changed`: the file differs from the listed one. `Stalled`: no answer within the time limit. */
export type VolumeFaultCode = 'Pulled' | 'Changed' | 'Stalled' | 'Unreadable' | 'TooLong' | 'Full' | 'ReadOnly'

export class VolumeFault extends Error {
  readonly code: VolumeFaultCode
  constructor(code: VolumeFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'VolumeFault'
    this.code = code
  }
}

export interface VolumeFile {
  /**
   * Path to the file through its open folder, which stays valid until `close`, whatever happens to the names above it. For code that opens
   * the file itself, without following links.
   */
  readonly path: Buffer
  readonly length: number
  /** @returns bytes read; fewer than requested at the end @throws VolumeFault */
  read(into: Uint8Array, position: number): Promise<number>
  /** Whether the file still has its listed length and time. @throws VolumeFault */
  unchanged(): Promise<boolean>
  close(): Promise<void>
}

export interface VolumeReading {
  /** All entries of the volume, each with its outcome. @throws the signal's reason */
  list(volume: Volume, options?: { signal?: AbortSignal }): AsyncGenerator<WalkEntry | FoundFolder, void, undefined>
  /** @throws VolumeFault */
  open(volume: Volume, file: FoundFile): Promise<VolumeFile>
  /** Reads a whole small file. @param most bytes @throws VolumeFault TooLong and others */
  readSmall(volume: Volume, file: FoundFile, most: number): Promise<Buffer>
  /**
   * Removes one file durably, and only if it is unchanged since it was listed. The caller must have it in the store (I6).
   * @throws VolumeFault
   */
  remove(volume: Volume, file: FoundFile): Promise<void>
  /**
   * The same, but moves the file into a folder of the volume, under its own path, without replacing another file.
   * @param folder a name directly below the root @returns the new path below the root @throws VolumeFault
   */
  moveAside(volume: Volume, file: FoundFile, folder: string): Promise<string>
  /**
   * Writes a small file to the volume atomically, replacing one of that name. @param path below the root, with `/`; missing folders are
   * created @throws VolumeFault
   */
  put(volume: Volume, path: string, bytes: Uint8Array): Promise<void>
}

export interface VolumeReadingOptions {
  /** Milliseconds for one answer of the system. */
  readonly stallMs?: number
  /** Volumes listed at the same time; each has a thread. */
  readonly listings?: number
}

const O_DIRECTORY = constants.O_DIRECTORY ?? 0
const ANCHORED = existsSync('/proc/self/fd')
const FOLDER = constants.O_RDONLY | O_DIRECTORY | NO_FOLLOW | NO_WAIT
const FILE = constants.O_RDONLY | NO_FOLLOW | NO_WAIT

export function createVolumeReading({ stallMs = 30_000, listings = 4 }: VolumeReadingOptions = {}): VolumeReading {
  const semaphore = createSemaphore(listings)
  const timely = <T>(work: Promise<T>, late: (result: T) => void = () => {}): Promise<T> =>
    withinTime(work, stallMs, late)
  const holding = async <T>(volume: Volume, location: Buffer, use: (at: Held) => Promise<T>): Promise<T> => {
    const held = await timely(holdFolder(volume.location, location), (late) => void late.release())
    try {
      return await use(held)
    } finally {
      await held.release()
    }
  }
  const openFile = async (volume: Volume, file: FoundFile): Promise<VolumeFile> => {
    let held: Held | null = null
    try {
      held = await timely(holdFolder(volume.location, file.location), (late) => void late.release())
      const handle = await timely(open(held.path, FILE), (late) => void late.close())
      const stat = await timely(handle.stat({ bigint: true }))
      if (!stat.isFile() || !isUnchanged(stat, file)) {
        await handle.close()
        throw new VolumeFault('Changed', dockReason('otherThanListed', { path: file.path }))
      }
      return fileOver(handle, held, file, timely)
    } catch (error) {
      await held?.release()
      throw faultOf(error, file.path)
    }
  }
  /** Creates missing folders of a path. @returns the path of the last one */
  const folderFor = async (volume: Volume, names: readonly Buffer[]): Promise<Buffer> => {
    let location = volume.location
    for (const [at, name] of names.entries()) {
      location = Buffer.concat([location, SLASH, name])
      if (at < names.length - 1) await holding(volume, location, (held) => timely(makeFolderAt(held)))
    }
    return location
  }
  return {
    list: async function* (volume, { signal } = {}) {
      const release = await semaphore.take()
      try {
        yield* walkWithFolders([volume.location], { stallMs, ...(signal === undefined ? {} : { signal }) })
      } finally {
        release()
      }
    },
    open: openFile,
    readSmall: async (volume, file, most) => {
      if (file.length > most) throw new VolumeFault('TooLong', `${file.path} is longer than ${most} bytes.`)
      const opened = await openFile(volume, file)
      try {
        // One byte more than the listed length, to detect a file that grew.
        const bytes = Buffer.alloc(file.length + 1)
        const count = await opened.read(bytes, 0)
        if (count !== file.length) throw new VolumeFault('Changed', dockReason('changedMeanwhile', { path: file.path }))
        return bytes.subarray(0, count)
      } finally {
        await opened.close()
      }
    },
    remove: (volume, file) =>
      holding(volume, file.location, async (held) => {
        const stat = await timely(lstat(held.path, { bigint: true }))
        if (!stat.isFile() || !isUnchanged(stat, file))
          throw new VolumeFault('Changed', dockReason('otherSoItStays', { path: file.path }))
        await timely(unlink(held.path))
        await timely(held.sync())
      }).catch((error: unknown) => {
        throw faultOf(error, file.path)
      }),
    moveAside: async (volume, file, folder) => {
      try {
        const names = [Buffer.from(folder), ...namesBelow(volume.location, file.location)]
        const target = await folderFor(volume, names)
        return await holding(volume, file.location, async (held) => {
          const stat = await timely(lstat(held.path, { bigint: true }))
          if (!stat.isFile() || !isUnchanged(stat, file))
            throw new VolumeFault('Changed', dockReason('otherSoItStays', { path: file.path }))
          return await holding(volume, target, async (aside) => {
            const free = await timely(freeName(aside.path))
            await timely(rename(held.path, free))
            // The new folder is synced first: a name that is durable in neither folder would be a lost file.
            await timely(aside.sync())
            await timely(held.sync())
            return [...names.slice(0, -1).map((name) => displayPath(name)), displayPath(lastOf(free))].join('/')
          })
        })
      } catch (error) {
        throw faultOf(error, file.path)
      }
    },
    put: async (volume, path, bytes) => {
      const names = path.split('/').map((name) => Buffer.from(name))
      if (!names.every(isName)) throw new Error(`${path} is not a valid path of a file`)
      let location = volume.location
      try {
        location = await folderFor(volume, names)
        await holding(volume, location, (held) => timely(putFile(held, bytes)))
      } catch (error) {
        throw faultOf(error, displayPath(location))
      }
    },
  }
}

function fileOver(
  handle: FileHandle,
  held: Held,
  file: FoundFile,
  timely: <T>(work: Promise<T>) => Promise<T>,
): VolumeFile {
  const withFaults = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await timely(work)
    } catch (error) {
      throw faultOf(error, file.path)
    }
  }
  return {
    path: held.path,
    length: file.length,
    read: async (into, position) => {
      let total = 0
      while (total < into.length) {
        const { bytesRead } = await withFaults(handle.read(into, total, into.length - total, position + total))
        if (bytesRead === 0) break
        total += bytesRead
      }
      return total
    },
    unchanged: async () => isUnchanged(await withFaults(handle.stat({ bigint: true })), file),
    close: async () => {
      await handle.close().catch(() => {})
      await held.release()
    },
  }
}

interface Held {
  /** The file, through its folder. */
  readonly path: Buffer
  /** Makes the folder's names durable. */
  sync(): Promise<void>
  release(): Promise<void>
}

const SLASH = Buffer.from('/')

/** Opens the folders from the root down to that of the file, without following links. @throws also when the path leaves the volume */
async function holdFolder(root: Buffer, location: Buffer): Promise<Held> {
  const names = namesBelow(root, location)
  const last = names.pop() as Buffer
  if (!ANCHORED) {
    let path = root
    for (const name of names) {
      path = Buffer.concat([path, SLASH, name])
      if (!(await lstat(path)).isDirectory())
        throw new VolumeFault('Changed', `${displayPath(path)} is no folder any more.`)
    }
    return { path: Buffer.concat([path, SLASH, last]), sync: async () => {}, release: async () => {} }
  }
  let folder = await open(root, FOLDER)
  try {
    const { dev } = await folder.stat({ bigint: true })
    for (const name of names) {
      const next = await open(through(folder, name), FOLDER)
      await folder.close()
      folder = next
      if ((await folder.stat({ bigint: true })).dev !== dev)
        throw new VolumeFault('Changed', `${displayPath(location)} lies on another volume.`)
    }
  } catch (error) {
    await folder.close().catch(() => {})
    throw error
  }
  return {
    path: through(folder, last),
    sync: () => folder.sync(),
    release: () => folder.close().catch(() => {}),
  }
}

const through = (folder: FileHandle, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), name])

function namesBelow(root: Buffer, location: Buffer): Buffer[] {
  const base = root.at(-1) === SLASH[0] ? root : Buffer.concat([root, SLASH])
  const names: Buffer[] = []
  if (location.subarray(0, base.length).equals(base)) {
    for (let from = base.length; from <= location.length; ) {
      const slash = location.indexOf(SLASH, from)
      const to = slash === -1 ? location.length : slash
      names.push(location.subarray(from, to))
      from = to + 1
    }
  }
  if (names.length === 0 || !names.every(isName))
    throw new VolumeFault('Changed', `${displayPath(location)} does not lie on the volume ${displayPath(root)}.`)
  return names
}

/** Does not compare inodes: FAT and exFAT have none, and the system may assign another number later. */
const isUnchanged = (stat: BigIntStats, file: FoundFile): boolean =>
  stat.dev === file.device && Number(stat.size) === file.length && stat.mtimeNs === file.modifiedNs

/** An existing entry is checked when it is opened; links are not followed. */
async function makeFolderAt(held: Held): Promise<void> {
  try {
    await mkdir(held.path)
    await held.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const lastOf = (path: Buffer): Buffer => path.subarray(path.lastIndexOf(SLASH) + 1)

/** The name itself, or with a number appended when it is taken. */
async function freeName(path: Buffer): Promise<Buffer> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : Buffer.concat([path, Buffer.from(`.${number}`)])
    const existing = await lstat(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (existing === null) return name
  }
}

/** Writes to a temporary name first, so that a camera that is pulled meanwhile has either the old or the new file. */
async function putFile(held: Held, bytes: Uint8Array): Promise<void> {
  const fresh = Buffer.concat([held.path, Buffer.from('.new')])
  await unlink(fresh).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
  const file = await open(fresh, flags, 0o644)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, held.path)
  await held.sync()
}

/** @param late handles a result that arrives after the time limit, to close its descriptors */
function withinTime<T>(work: Promise<T>, ms: number, late: (result: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false
    const timer = setTimeout(() => {
      over = true
      reject(new VolumeFault('Stalled', dockReason('stalled', { seconds: Math.round(ms / 1000) })))
    }, ms)
    work.then(
      (result) => {
        clearTimeout(timer)
        if (over) late(result)
        else resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

const CODES: Readonly<Record<string, VolumeFaultCode>> = {
  ENODEV: 'Pulled',
  ENXIO: 'Pulled',
  ENOTCONN: 'Pulled',
  ESHUTDOWN: 'Pulled',
  ENOENT: 'Changed',
  ELOOP: 'Changed',
  ENOTDIR: 'Changed',
  ENOSPC: 'Full',
  EROFS: 'ReadOnly',
}

function faultOf(error: unknown, path: string): VolumeFault {
  if (error instanceof VolumeFault) return error
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
  return new VolumeFault(CODES[code] ?? 'Unreadable', dockReason('systemAnswers', { path, code }), { cause: error })
}

/** Limits concurrency to `most`, in the order of the calls. */
function createSemaphore(most: number): { take(): Promise<() => void> } {
  let under = 0
  const queue: (() => void)[] = []
  const release = (): void => {
    const next = queue.shift()
    if (next === undefined) under--
    else next()
  }
  return {
    take: async () => {
      if (under < most) under++
      else await new Promise<void>((resolve) => queue.push(resolve))
      let released = false
      return () => {
        if (!released) release()
        released = true
      }
    },
  }
}
