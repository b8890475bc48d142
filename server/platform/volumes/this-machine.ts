import { access, readdir } from 'node:fs/promises'
import { folderVolumes } from './folders.ts'
import { linuxVolumes, thisLinux } from './linux.ts'
import { macosVolumes } from './macos.ts'
import type { Volumes, WatchOptions } from './volumes.ts'
import { windowsVolumes } from './windows.ts'

export interface VolumesOptions extends WatchOptions {
  /** `--dock-root`: its folders count as volumes, and no other volumes are used. */
  readonly dockRoot: string | null
  /** The station's own folders (absolute). */
  readonly keepOut: readonly string[]
}

/** The volumes of this machine. @returns null on an unsupported system */
export function volumesOfThisMachine({ dockRoot, ...options }: VolumesOptions): Volumes | null {
  if (dockRoot !== null) return folderVolumes(dockRoot, options)
  if (process.platform === 'linux') return linuxVolumes(thisLinux(), options)
  if (process.platform === 'win32') return windowsVolumes(undefined, { mark: letters, ...options })
  if (process.platform === 'darwin') return macosVolumes(undefined, { mark: mountPoints, ...options })
  return null
}

/** Listing disks takes a second of processor time on these systems, so it is done only when this value has changed. */
const letters = async (): Promise<string> => {
  const present = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) =>
    access(`${letter}:\\`).then(
      () => letter,
      () => '',
    ),
  )
  return (await Promise.all(present)).join('')
}

const mountPoints = async (): Promise<string> => (await readdir('/Volumes')).sort().join('/')
