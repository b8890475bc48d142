/** What may be added to a package after it was signed: it is in no list (docs/decisions/0034). */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageFault } from '../faults.ts'
import type { PackagePlace } from './open-package.ts'
import { writeBeside } from './targets.ts'

type Place = Pick<PackagePlace, 'form' | 'target' | 'name'>
/** In a folder that is a package, and behind the name of any other. */
const IN_FOLDER = '/tagmanifest.tsr'
const BESIDE = '.tsr'

/** Whether a timestamp was added later, or lies in the folder. One in a file is not looked for. */
export async function hasTimestamp(place: Place): Promise<boolean> {
  return isThere(await timestampPath(place))
}

/** @returns where it is @throws StorageFault when the package is not where it was made */
export async function addTimestamp(place: Place, bytes: Uint8Array): Promise<string> {
  const path = await timestampPath(place)
  const ending = path.endsWith(IN_FOLDER) ? IN_FOLDER : BESIDE
  await writeBeside(path.slice(0, -ending.length), ending, bytes)
  return path
}

async function timestampPath({ form, target, name }: Place): Promise<string> {
  const plain = form === 'folder' ? join(target, name) : target
  if (await isThere(plain)) return `${plain}${form === 'folder' ? IN_FOLDER : BESIDE}`
  const encrypted = `${plain}.7z`
  if (await isThere(encrypted)) return `${encrypted}${BESIDE}`
  throw new StorageFault('StoreFailed', `There is no package at ${plain}. Connect the volume on which it was made.`, {
    path: plain,
  })
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
