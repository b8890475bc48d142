/** Where packages lie that were ordered in the window: kept at the station, or on a drive that is connected to it (docs/decisions/0034). */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { dirname, join } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import type { PackageForm } from '../../../shared/packages/kinds.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { spaceOf } from '../../platform/files/space.ts'
import type { PackageOrderRow, PackageRow } from './packages.store.ts'

/** A volume that is connected to the station, no camera, and can be written to. */
export interface Drive {
  readonly id: string
  /** The folder of its files. */
  readonly root: string
  readonly label: string | null
  readonly filesystem: string
}

export type FindDrives = () => Promise<readonly Drive[]>

/** As people see it on the drive, or the last part of where it is. A label is what somebody wrote there, and need not be text. */
export const driveName = ({ label, root }: Drive): string =>
  ((label || root.split(/[\\/]/).findLast(Boolean)) ?? root).toWellFormed().replaceAll('\0', '')

/** Of a package that is a file. */
const ENDINGS = { folder: '', zip: '.zip', iso: '.iso' } as const satisfies Record<PackageForm, string>

/** `target` of a package at the station: each has a folder of its own. */
export const targetKept = (folder: string, form: PackageForm, number: string, name: string): string =>
  join(folder, number, name + ENDINGS[form])

/** `target` of a package on a drive: that is the folder in which a folder is made, and the file that a file becomes. */
export const targetOnDrive = ({ root }: Pick<Drive, 'root'>, form: PackageForm, name: string): string =>
  form === 'folder' ? root : join(root, name + ENDINGS[form])

/** The folder of the drive on which a package is made. */
const rootOf = ({ form, target }: Pick<PackageRow, 'form' | 'target'>): string =>
  form === 'folder' ? target : dirname(target)

/** What a container is called more than what is in it. */
export const containerEnding = (order: PackageOrderRow | undefined): string => (order?.encrypted === 1 ? '.7z' : '')

/** The name of its file as it is handed out. */
export const fileName = (
  { name, form }: Pick<PackageRow, 'name' | 'form'>,
  order: PackageOrderRow | undefined,
): string => name + ENDINGS[form] + containerEnding(order)

const TYPES = { zip: 'application/zip', iso: 'application/x-iso9660-image', folder: '' } as const

export const fileType = ({ form }: Pick<PackageRow, 'form'>, order: PackageOrderRow | undefined): string =>
  order?.encrypted === 1 ? 'application/x-7z-compressed' : TYPES[form]

/** Whoever is at the station can plug a drive in and take it along; nobody else has anything to do with it. @throws Fault Forbidden */
export function requireAtHand({ arrival }: Call): void {
  if (arrival !== 'local')
    throw fault('Forbidden', 'Only whoever is at the station itself writes to the drives that are connected to it.')
}

/** @throws Fault DriveUnavailable */
export async function requireDrive(drives: FindDrives, id: string): Promise<Drive> {
  const drive = (await drives()).find((one) => one.id === id)
  if (drive === undefined) throw unavailable('The drive')
  return drive
}

/** A drive that was taken out and comes back has another id, at the same place. @throws Fault DriveUnavailable */
export async function requireDriveOf(drives: FindDrives, row: PackageRow, name: string): Promise<void> {
  const isThere = (await drives()).some(({ root }) => root === rootOf(row))
  if (!isThere) throw unavailable(`The drive ${name}`)
}

const unavailable = (what: string) => fault('DriveUnavailable', packageProblem('driveAway', { what }))

/** How much is free on each; null where it does not say. */
export const withSpace = (drives: readonly Drive[]) =>
  Promise.all(
    drives.map(async (drive) => ({
      ...drive,
      name: driveName(drive),
      free: await spaceOf(drive.root).then(
        ({ free }) => free,
        () => null,
      ),
    })),
  )

/** What goes onto a drive. */
interface Load {
  readonly form: PackageForm
  readonly isEncrypted: boolean
  /** Of the files. */
  readonly lengths: readonly number[]
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0)

/** Sticks are sold with it. As Linux, Windows and macOS name it. */
const FAT = /^(?:v?fat(?:16|32)?|ms-?dos.*)$/i
const LARGEST_ON_FAT = 4 * 1024 ** 3 - 1

/** @throws Fault DriveUnavailable, DriveFileTooLarge, DriveTooSmall, before anything is recorded */
export async function requireRoomOn(drive: Drive, load: Load): Promise<void> {
  requireFileSizes(drive, load)
  const { free } = await spaceOf(drive.root).catch(() => {
    throw unavailable(`The drive ${driveName(drive)}`)
  })
  // The container is made out of the package, which lies beside it until then.
  const needed = (load.isEncrypted ? 2 : 1) * sum(load.lengths)
  if (needed > free)
    throw fault('DriveTooSmall', packageProblem('driveTooSmall', { needed, drive: driveName(drive), free }))
}

/** @throws Fault DriveFileTooLarge */
export function requireFileSizes(drive: Drive, { form, isEncrypted, lengths }: Load): void {
  if (!FAT.test(drive.filesystem)) return
  const isOneFile = form !== 'folder' || isEncrypted
  const largest = isOneFile ? sum(lengths) : lengths.reduce((most, one) => Math.max(most, one), 0)
  if (largest > LARGEST_ON_FAT)
    throw fault(
      'DriveFileTooLarge',
      `The drive ${driveName(drive)} is formatted with ${drive.filesystem}, which takes no file over 4 GiB. Format it with exFAT or NTFS, or take another one${isOneFile ? '; a folder that is not encrypted has smaller files' : ''}. Nothing was written.`,
    )
}
