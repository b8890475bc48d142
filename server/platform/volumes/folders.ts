import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { access, constants, lstat, readdir, statfs } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { basename, dirname, resolve } from 'node:path'
import { displayName, displayPath } from '../files/names.ts'
import { type Volume, type Volumes, type WatchOptions, watchByPolling } from './volumes.ts'

/**
 * `--dock-root FOLDER`: each direct sub-folder counts as a volume, mounted or not. For systems that mount cards in their own places, for
 * folders that another program fills, and for simulated cameras.
 */
export function folderVolumes(dockRoot: string, watching: WatchOptions = {}): Volumes {
  const root = Buffer.from(resolve(dockRoot))
  const list = async (): Promise<Volume[]> => {
    const names = await readdir(root, { encoding: 'buffer' })
    const volumes = await Promise.all(names.sort(Buffer.compare).map((name) => volumeOf(root, name)))
    return volumes.filter((volume) => volume !== null)
  }
  return { list, watch: (onChange, signal) => watchByPolling(list, onChange, signal, watching) }
}

/** One folder as a volume. @returns null when it is not a folder, is a link, or its name begins with a dot */
export const folderVolume = (folder: string): Promise<Volume | null> =>
  volumeOf(Buffer.from(dirname(resolve(folder))), Buffer.from(basename(resolve(folder))))

/** @returns null when it is not a folder or is gone. Links are not followed, since the volume would be elsewhere. */
async function volumeOf(root: Buffer, name: Buffer): Promise<Volume | null> {
  // A name with a leading dot hides a folder while it is being filled.
  if (name[0] === 0x2e) return null
  const location = Buffer.concat([root, Buffer.from('/'), name])
  let stat: BigIntStats
  try {
    stat = await lstat(location, { bigint: true })
  } catch {
    return null
  }
  if (!stat.isDirectory()) return null
  const [space, readOnly] = await Promise.all([spaceOf(location), isReadOnly(location)])
  // The inode distinguishes a folder from a new one in its place; the creation time distinguishes a reused inode.
  const identity = [name.toString('hex'), String(stat.dev), String(stat.ino), String(stat.birthtimeNs)]
  return {
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32),
    root: displayPath(location),
    location,
    label: isUtf8(name) ? name.toString('utf8') : displayName(name),
    filesystem: 'folder',
    uuid: null,
    bytes: space,
    readOnly,
    usb: null,
    removable: false,
    device: displayPath(location),
  }
}

const spaceOf = (location: Buffer): Promise<Volume['bytes']> =>
  statfs(location).then(
    ({ blocks, bavail, bsize }) => ({ total: blocks * bsize, free: bavail * bsize }),
    () => null,
  )

const isReadOnly = (location: Buffer): Promise<boolean> =>
  access(location, constants.W_OK).then(
    () => false,
    () => true,
  )
