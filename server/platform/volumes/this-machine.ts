import { access, readdir } from 'node:fs/promises'
import { folderVolumes } from './folders.ts'
import { linuxVolumes, thisLinux } from './linux.ts'
import { macosVolumes } from './macos.ts'
import type { Volumes, WatchOptions } from './volumes.ts'
import { windowsVolumes } from './windows.ts'

export interface VolumesOptions extends WatchOptions {
  /** `--dock-root`: then folders stand for volumes and nothing else is looked at. */
  readonly dockRoot: string | null
  /** The station's own folders (absolute). */
  readonly keepOut: readonly string[]
}

/** The volumes of the machine this runs on. @returns null on a system whose disks nobody knows to ask for */
export function volumesOfThisMachine({ dockRoot, ...options }: VolumesOptions): Volumes | null {
  if (dockRoot !== null) return folderVolumes(dockRoot, options)
  if (process.platform === 'linux') return linuxVolumes(thisLinux(), options)
  if (process.platform === 'win32') return windowsVolumes(undefined, { mark: letters, ...options })
  if (process.platform === 'darwin') return macosVolumes(undefined, { mark: mountPoints, ...options })
  return null
}

/** To ask these systems for their disks takes a second of work: that is done when this has changed. */
const letters = async (): Promise<string> => {
  const there = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) =>
    access(`${letter}:\\`).then(
      () => letter,
      () => '',
    ),
  )
  return (await Promise.all(there)).join('')
}

const mountPoints = async (): Promise<string> => (await readdir('/Volumes')).sort().join('/')
