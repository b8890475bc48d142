/**
 * A package in a container of 7-Zip: AES-256, with the names encrypted, stored and not compressed. The package is made inside a folder beside the container
 * that ends with `.unfinished`; the container is made of it, read back with the passphrase, and gets its name; then that folder is removed.
 *
 * 7z gets the passphrase over stdin: other users of the machine can read the arguments of a program, and root its environment.
 */
import { createHash, type Hash } from 'node:crypto'
import { lstat, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageTools, type PackageTools } from './package-tools.ts'
import type { CopyWork, PackageContent, PackageWriter, WrittenFile } from './package-writer.ts'
import { compareParts } from './package-zip.ts'
import { entriesIn, hashIn } from './read-package.ts'
import {
  bytesBelow,
  giveName,
  makeOwnFolder,
  notReadBack,
  poolFor,
  requireFolder,
  requireFree,
  requireSpace,
  UNFINISHED,
  whileConnected,
  writeBeside,
} from './targets.ts'

const CONTAINER = 'container.7z'

/** @param name of the package in it @param open opens it in a folder @throws StorageFault as that, and when 7z is not installed */
export async function openEncrypted(
  parent: string,
  name: string,
  { bytes, toolFolders }: PackageContent,
  passphrase: string,
  open: (folder: string) => Promise<PackageWriter>,
): Promise<PackageWriter> {
  const path = join(parent, `${name}.7z`)
  const folder = `${path}${UNFINISHED}`
  const container = join(folder, CONTAINER)
  const tools = packageTools(toolFolders)
  await tools.require('7z')
  const device = await requireFolder(parent)
  await requireFree(path)
  await makeOwnFolder(folder)
  await removeContainer(folder)
  // For the package and the container; what an interrupted run left of the package is there already.
  await requireSpace(parent, 2 * bytes - (await bytesBelow(folder))).catch(async (error: unknown) => {
    await rmdir(folder).catch(() => {})
    throw error
  })
  await reopened(folder, name)
  const writer = await open(folder)
  // It asks twice where it makes one.
  const stdin = Buffer.from(`${passphrase}\n${passphrase}\n`)
  let isFinished = false
  return {
    ...writer,
    path,
    finish: async (last, work) => {
      await writer.finish(last, work)
      await whileConnected(parent, device, async () => {
        // `-spd`: a `*` in a name is one.
        const options = ['-t7z', '-mx=0', '-mhe=on', '-p', '-bd', '-spd']
        await tools.run('7z', ['a', ...options, '--', container, writer.path], { stdin, signal: work.signal })
        await compareWithVolume(folder, device, work)
        await compareContainer(tools, container, await filesOf(folder, name), stdin, work)
      })
      await giveName(container, path)
      isFinished = true
    },
    writeBeside: (ending, content) => writeBeside(path, ending, content),
    abandon: () => rm(folder, { recursive: true, force: true, maxRetries: 2 }),
    close: async () => {
      await writer.close()
      if (isFinished) await rm(folder, { recursive: true, force: true, maxRetries: 2 })
      else await removeContainer(folder)
    },
  }
}

/** Also what 7z writes first. */
async function removeContainer(folder: string): Promise<void> {
  for (const ending of ['', '.tmp']) await rm(join(folder, `${CONTAINER}${ending}`), { force: true })
}

/** A package that was finished, and then not packed, is taken up: a folder file by file, another one from the start. */
async function reopened(folder: string, name: string): Promise<void> {
  const whole = join(folder, name)
  const found = await lstat(whole).catch(() => null)
  if (found?.isDirectory() === true) await rename(whole, `${whole}${UNFINISHED}`)
  else if (found !== null) await rm(whole)
}

/** Files that are to be in the container, with their hashes, by their path in it. */
async function filesOf(folder: string, name: string): Promise<Map<string, string>> {
  const isFolder = (await lstat(join(folder, name))).isDirectory()
  const paths = isFolder
    ? (await entriesIn(join(folder, name))).filter(({ kind }) => kind === 'file').map(({ path }) => `${name}/${path}`)
    : [name]
  const sums = new Map<string, string>()
  for (const path of paths) sums.set(path, (await hashIn(folder, path))?.sha256 ?? '')
  return sums
}

/**
 * Syncs the container and compares what the volume gives back with what was written. 7z itself reads what is in memory. What it reads afterwards is
 * this, or comes from the volume.
 */
async function compareWithVolume(folder: string, device: { readonly dev: number }, work: CopyWork): Promise<void> {
  const written = await hashIn(folder, CONTAINER, { signal: work.signal })
  if (written === null) throw notReadBack(join(folder, CONTAINER))
  const { bytes: length, sha256 } = written
  const pool = await poolFor(folder, device)
  try {
    await compareParts(pool, join(folder, CONTAINER), {
      pieces: [{ offset: 0, length, sha256 }],
      length,
      paths: new Map([[sha256, CONTAINER]]),
      work: { signal: work.signal },
    })
  } finally {
    await pool.close()
  }
}

/** Opens it with the passphrase and compares each file in it. @throws StorageFault ReadBackMismatch */
async function compareContainer(
  tools: PackageTools,
  container: string,
  files: ReadonlyMap<string, string>,
  stdin: Buffer,
  { signal }: CopyWork,
): Promise<void> {
  const { stdout } = await tools.run('7z', ['l', '-slt', '-ba', '-bd', '-spd', '--', container], {
    stdin,
    signal,
    maxStdout: MOST_LISTING,
  })
  const members = listed(stdout.toString())
  const hashes = hashesOf(members.map(({ bytes }) => bytes))
  await tools.run('7z', ['x', '-so', '-bd', '-spd', '--', container], { stdin, signal, onBytes: hashes.take })
  const found = hashes.end()
  const isSame = members.every(({ path }, at) => files.get(path) === found[at])
  if (!isSame || members.length !== files.size) throw notReadBack(container)
}
const MOST_LISTING = 512 * 1024 * 1024

/** Files of a listing, in the order in which they are in the container. */
function listed(text: string): Pick<WrittenFile, 'path' | 'bytes'>[] {
  const members: { path: string; bytes: number }[] = []
  for (const block of text.split(/\n\s*\n/)) {
    const value = (key: string): string => new RegExp(`^${key} = (.*)$`, 'm').exec(block)?.[1] ?? ''
    const path = value('Path')
    if (path !== '' && !value('Attributes').startsWith('D')) members.push({ path, bytes: Number(value('Size')) })
  }
  return members
}

/** Hashes of files that come one behind the other. */
function hashesOf(lengths: readonly number[]) {
  const found: string[] = []
  let hash: Hash = createHash('sha256')
  let left = lengths[0] ?? 0
  let isTooMuch = false
  const next = (): void => {
    while (left === 0 && found.length < lengths.length) {
      found.push(hash.digest('hex'))
      hash = createHash('sha256')
      left = lengths[found.length] ?? 0
    }
  }
  return {
    take: (chunk: Buffer): void => {
      for (let done = 0; done < chunk.length; ) {
        next()
        if (left === 0) {
          isTooMuch = true
          return
        }
        const part = chunk.subarray(done, done + left)
        hash.update(part)
        done += part.length
        left -= part.length
      }
    },
    end: (): string[] => {
      next()
      return isTooMuch || left > 0 ? [] : found
    },
  }
}
