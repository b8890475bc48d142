import type { BigIntStats } from 'node:fs'
import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises'
import { NO_FOLLOW, NO_WAIT } from '../files/durable.ts'
import { shownPath } from '../files/names.ts'
import { type FoundFile, type FoundFolder, walkWithFolders, type WalkEntry } from '../files/walk.ts'
import { isName } from '../files/walk-sync.ts'
import type { Volume } from './volumes.ts'

/**
 * Reading what is on a volume that may have been made to do harm (docs/guarantees.md, S12). Nothing here follows a link, waits for a pipe, or
 * leaves the volume: from its root down every folder is opened by itself and held while the next is looked up in it, as openat does.
 * Where the system shows no descriptors (Windows, macOS) the way is looked at before and what was opened after.
 */

/** `Pulled`: the device is gone. `Changed`: another file than the one that was listed. `Stalled`: no answer within the time. */
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
   * Leads to the file through its held folder, whatever happens to the names above it, as long as this is not closed. For whoever opens
   * files itself, without following links.
   */
  readonly path: Buffer
  readonly length: number
  /** @returns bytes read; fewer than asked for at the end @throws VolumeFault */
  read(into: Uint8Array, position: number): Promise<number>
  /** Whether it still has the length and time it was listed with. @throws VolumeFault */
  unchanged(): Promise<boolean>
  close(): Promise<void>
}

export interface VolumeReading {
  /** Everything on it, each with its outcome. @throws the signal's reason */
  list(volume: Volume, options?: { signal?: AbortSignal }): AsyncGenerator<WalkEntry | FoundFolder, void, undefined>
  /** @throws VolumeFault */
  open(volume: Volume, file: FoundFile): Promise<VolumeFile>
  /** A small file, whole. @param most bytes @throws VolumeFault TooLong and others */
  readSmall(volume: Volume, file: FoundFile, most: number): Promise<Buffer>
  /**
   * Takes one file away and makes that durable. Only the very file that was listed, unchanged: whoever calls has it in the store (I6).
   * @throws VolumeFault
   */
  remove(volume: Volume, file: FoundFile): Promise<void>
  /**
   * The same for one that is put aside: it goes under its own path into a folder of the volume, and never in the place of another file.
   * @param folder a name directly below the root @returns where it lies now, below the root @throws VolumeFault
   */
  moveAside(volume: Volume, file: FoundFile, folder: string): Promise<string>
  /**
   * Puts a small file on the volume, whole or not at all, in the place of one of that name. @param path below the root, with `/`; a
   * folder on its way that is not there is made @throws VolumeFault
   */
  put(volume: Volume, path: string, bytes: Uint8Array): Promise<void>
}

export interface VolumeReadingOptions {
  /** How long the system may take for one answer. */
  readonly stallMs?: number
  /** Volumes listed at the same time: each has a thread. */
  readonly listings?: number
}

const O_DIRECTORY = constants.O_DIRECTORY ?? 0
const ANCHORED = existsSync('/proc/self/fd')
const FOLDER = constants.O_RDONLY | O_DIRECTORY | NO_FOLLOW | NO_WAIT
const FILE = constants.O_RDONLY | NO_FOLLOW | NO_WAIT

export function createVolumeReading({ stallMs = 30_000, listings = 4 }: VolumeReadingOptions = {}): VolumeReading {
  const turns = createTurns(listings)
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
        throw new VolumeFault('Changed', `${file.path} is not the file that was listed any more.`)
      }
      return fileOver(handle, held, file, timely)
    } catch (error) {
      await held?.release()
      throw faultOf(error, file.path)
    }
  }
  /** Makes the folders on the way that are not there. @returns where the last name lies */
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
      const release = await turns.take()
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
        // One more than it should have: a file that grew is not taken for whole.
        const bytes = Buffer.alloc(file.length + 1)
        const count = await opened.read(bytes, 0)
        if (count !== file.length) throw new VolumeFault('Changed', `${file.path} changed while it was read.`)
        return bytes.subarray(0, count)
      } finally {
        await opened.close()
      }
    },
    remove: (volume, file) =>
      holding(volume, file.location, async (held) => {
        const stat = await timely(lstat(held.path, { bigint: true }))
        if (!stat.isFile() || !isUnchanged(stat, file))
          throw new VolumeFault('Changed', `${file.path} is not as it was listed; it stays.`)
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
            throw new VolumeFault('Changed', `${file.path} is not as it was listed; it stays.`)
          return await holding(volume, target, async (aside) => {
            const free = await timely(freeName(aside.path))
            await timely(rename(held.path, free))
            // First where it is now: a name that is in neither folder would be a file that is lost.
            await timely(aside.sync())
            await timely(held.sync())
            return [...names.slice(0, -1).map((name) => shownPath(name)), shownPath(lastOf(free))].join('/')
          })
        })
      } catch (error) {
        throw faultOf(error, file.path)
      }
    },
    put: async (volume, path, bytes) => {
      const names = path.split('/').map((name) => Buffer.from(name))
      if (!names.every(isName)) throw new Error(`${path} is no path of a file`)
      let location = volume.location
      try {
        location = await folderFor(volume, names)
        await holding(volume, location, (held) => timely(putFile(held, bytes)))
      } catch (error) {
        throw faultOf(error, shownPath(location))
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
  const told = async <T>(work: Promise<T>): Promise<T> => {
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
        const { bytesRead } = await told(handle.read(into, total, into.length - total, position + total))
        if (bytesRead === 0) break
        total += bytesRead
      }
      return total
    },
    unchanged: async () => isUnchanged(await told(handle.stat({ bigint: true })), file),
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

/** Goes down from the root to the folder in which the file lies, link by link looked at. @throws also when the way leaves the volume */
async function holdFolder(root: Buffer, location: Buffer): Promise<Held> {
  const names = namesBelow(root, location)
  const last = names.pop() as Buffer
  if (!ANCHORED) {
    let path = root
    for (const name of names) {
      path = Buffer.concat([path, SLASH, name])
      if (!(await lstat(path)).isDirectory())
        throw new VolumeFault('Changed', `${shownPath(path)} is no folder any more.`)
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
        throw new VolumeFault('Changed', `${shownPath(location)} lies on another volume.`)
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
    throw new VolumeFault('Changed', `${shownPath(location)} does not lie on the volume ${shownPath(root)}.`)
  return names
}

/** Not by inode: FAT and exFAT have none, and the number the system makes up is another one when it has forgotten the file. */
const isUnchanged = (stat: BigIntStats, file: FoundFile): boolean =>
  stat.dev === file.device && Number(stat.size) === file.length && stat.mtimeNs === file.modifiedNs

/** What stands there already is looked at when it is gone into: a link is not followed. */
async function makeFolderAt(held: Held): Promise<void> {
  try {
    await mkdir(held.path)
    await held.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const lastOf = (path: Buffer): Buffer => path.subarray(path.lastIndexOf(SLASH) + 1)

/** The name itself, or with a number behind it where a file has it. */
async function freeName(path: Buffer): Promise<Buffer> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : Buffer.concat([path, Buffer.from(`.${number}`)])
    const there = await lstat(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (there === null) return name
  }
}

/** Under another name first: a camera that is pulled meanwhile has the old file or the new one. */
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

/** @param late what becomes of a result that came after its time: descriptors are not left open */
function withinTime<T>(work: Promise<T>, ms: number, late: (result: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false
    const timer = setTimeout(() => {
      over = true
      reject(new VolumeFault('Stalled', `The volume did not answer for ${Math.round(ms / 1000)} s.`))
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
  return new VolumeFault(CODES[code] ?? 'Unreadable', `${path}: the system answers ${code}.`, { cause: error })
}

/** So many at a time, in the order of asking. */
function createTurns(most: number): { take(): Promise<() => void> } {
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
