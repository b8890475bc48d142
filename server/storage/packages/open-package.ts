/** Opens what writes a package, by the form that it is to have. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StorageFault } from '../faults.ts'
import { openEncrypted } from './package-encrypted.ts'
import { openPackageFolder } from './package-folder.ts'
import { openPackageImage } from './package-image.ts'
import { type PackageTool, packageTools } from './package-tools.ts'
import type { PackageContent, PackageWriter } from './package-writer.ts'
import { openPackageZip } from './package-zip.ts'
import { UNFINISHED } from './targets.ts'

export interface PackagePlace {
  readonly form: 'folder' | 'zip' | 'iso'
  /** The folder in which it becomes a folder, or the file that it becomes. */
  readonly target: string
  /** Of the folder, also of that in a ZIP file. */
  readonly name: string
  /** As a disc. */
  readonly volume: string
  /** Null: it is not encrypted. */
  readonly passphrase: string | null
}

/** Folder and name of the package, without what is around it when it is encrypted. */
const placeOf = ({ form, target, name }: Place) =>
  form === 'folder' ? { parent: target, own: name } : { parent: dirname(target), own: basename(target) }

type Place = Pick<PackagePlace, 'form' | 'target' | 'name'>

/** Whether the package has its name there, encrypted or not. */
export const isFinished = (place: Place): Promise<boolean> => isAnyThere(place, '')

/** Whether a package was written there, encrypted or not, that did not get its name. */
export const isUnfinished = async (place: Place): Promise<boolean> =>
  !(await isFinished(place)) && (await isAnyThere(place, UNFINISHED))

async function isAnyThere(place: Place, ending: string): Promise<boolean> {
  const { parent, own } = placeOf(place)
  const found = await Promise.all(
    [own, `${own}.7z`].map((name) =>
      lstat(join(parent, name + ending)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

/** Those of the programs that packages need which this machine does not have. */
export const missingTools = (toolFolders: readonly string[] | undefined): Promise<PackageTool[]> =>
  packageTools(toolFolders).missing()

/** @throws StorageFault when a program that it needs is not installed */
export async function requireTools(
  form: PackagePlace['form'],
  isEncrypted: boolean,
  toolFolders: readonly string[] | undefined,
): Promise<void> {
  const tools = packageTools(toolFolders)
  if (form === 'iso') await tools.require('xorriso')
  if (isEncrypted) await tools.require('7z')
}

/** @throws StorageFault NoSpace before anything is written; StoreFailed when a folder is missing, the name is taken or a program is missing */
export function openPackage(place: PackagePlace, content: PackageContent): Promise<PackageWriter> {
  const { form, passphrase, name, volume } = place
  const { parent, own } = placeOf(place)
  const openIn = (folder: string): Promise<PackageWriter> => {
    if (form === 'zip') return openPackageZip(folder, own, name, content)
    if (form === 'iso') return openPackageImage(folder, own, volume, content)
    return openPackageFolder(folder, own, content)
  }
  return passphrase === null ? openIn(parent) : openEncrypted(parent, own, content, passphrase, openIn)
}

/** The same failure in words about the volume of the package: it is not that of the station. */
export function aboutTarget(error: unknown, target: string): unknown {
  if (!(error instanceof StorageFault) || error.path?.startsWith(target) !== true || !WORDS.has(error.code))
    return error
  const { code, path, errno } = error
  const words =
    code === 'NoSpace'
      ? packageProblem('volumeFull', { folder: target })
      : packageProblem('volumeFailed', { folder: target, error: String(errno) })
  return errno === null ? error : new StorageFault(code, words, { path, errno, cause: error })
}
const WORDS: ReadonlySet<string> = new Set(['NoSpace', 'StoreFailed', 'IoUnknown'])
