import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { access, constants, lstat, readdir, statfs } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { basename, dirname, resolve } from 'node:path'
import { shownName, shownPath } from '../files/names.ts'
import { type Volume, type Volumes, type WatchOptions, watchByLooking } from './volumes.ts'

/**
 * `--dock-root FOLDER`: each direct sub-folder stands for a volume, whether something is mounted there or not. For stations whose system
 * mounts cards at places of its own, for folders that another program fills, and for simulated cameras.
 */
export function folderVolumes(dockRoot: string, watching: WatchOptions = {}): Volumes {
  const root = Buffer.from(resolve(dockRoot))
  const list = async (): Promise<Volume[]> => {
    const names = await readdir(root, { encoding: 'buffer' })
    const volumes = await Promise.all(names.sort(Buffer.compare).map((name) => volumeOf(root, name)))
    return volumes.filter((volume) => volume !== null)
  }
  return { list, watch: (onChange, signal) => watchByLooking(list, onChange, signal, watching) }
}

/** One folder that stands for a volume. @returns null for what is no folder; links are not followed, and a name with a dot in front is none */
export const folderVolume = (folder: string): Promise<Volume | null> =>
  volumeOf(Buffer.from(dirname(resolve(folder))), Buffer.from(basename(resolve(folder))))

/** @returns null for what is no folder, or gone meanwhile. Links are not followed: the volume would lie elsewhere. */
async function volumeOf(root: Buffer, name: Buffer): Promise<Volume | null> {
  // Names with a dot in front are how a folder is filled before it is shown.
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
  // The inode tells a folder from one made anew in its place; its time of making, an inode used again.
  const told = [name.toString('hex'), String(stat.dev), String(stat.ino), String(stat.birthtimeNs)]
  return {
    id: createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32),
    root: shownPath(location),
    location,
    label: isUtf8(name) ? name.toString('utf8') : shownName(name),
    filesystem: 'folder',
    uuid: null,
    bytes: space,
    readOnly,
    usb: null,
    removable: false,
    device: shownPath(location),
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
