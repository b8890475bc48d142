/** What may be added to a package after it was signed: it is in no list (docs/decisions/0034). */
import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StorageFault } from '../faults.ts'
import type { PackagePlace } from './open-package.ts'
import { readTextIn } from './read-package.ts'
import { writeBeside } from './targets.ts'

type Place = Pick<PackagePlace, 'form' | 'target' | 'name'>
/** In a folder that is a package it has this name, and any other package has its ending behind its own name. */
export type LaterFile = 'tagmanifest.tsr' | 'tagmanifest.p7s' | 'tagmanifest.cosignatures'

/** What was added later, or lies in the folder; null for none. One in a ZIP file or image is not looked for. @throws StorageFault */
export async function readLaterFile(place: Place, file: LaterFile): Promise<Buffer | null> {
  const { path, ending } = await placeFor(place, file)
  return readTextIn(dirname(path + ending), basename(path + ending))
}

/** In the place of one that is there. @returns where it is @throws StorageFault when the package is not where it was made */
export async function addLaterFile(place: Place, file: LaterFile, bytes: Uint8Array): Promise<string> {
  const { path, ending } = await placeFor(place, file)
  await writeBeside(path, ending, bytes)
  return path + ending
}

/** Behind the name of a package that is a file. */
export const besideEnding = (file: LaterFile): string => file.slice(file.lastIndexOf('.'))

async function placeFor({ form, target, name }: Place, file: LaterFile) {
  const plain = form === 'folder' ? join(target, name) : target
  const beside = besideEnding(file)
  if (await isThere(plain)) return { path: plain, ending: form === 'folder' ? `/${file}` : beside }
  const encrypted = `${plain}.7z`
  if (await isThere(encrypted)) return { path: encrypted, ending: beside }
  throw new StorageFault('StoreFailed', `There is no package at ${plain}. Connect the volume on which it was made.`, {
    path: plain,
  })
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
