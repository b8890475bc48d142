import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { NO_FOLLOW, syncFolder } from '../../platform/files/durable.ts'
import { type Operation, faultOf, StorageFault } from '../faults.ts'
import { placeOf, QUARANTINE } from '../layout.ts'
import type { Quarantined, StagedBlob } from '../types.ts'

export interface Quarantine {
  /** A new path in quarantine that no file has. */
  reserve(sha256: string | null): string
  /** Writes the description of the bytes at `path`, with the reason. */
  describe(path: string, about: { length: number; sha256: string | null; reason: string }): Promise<Quarantined>
  staged(staged: StagedBlob, reason: string): Promise<Quarantined>
  /** @throws StorageFault BlobMissing */
  blob(sha256: string, reason: string): Promise<Quarantined>
  file(path: string, reason: string, sha256?: string | null): Promise<Quarantined>
  /** Names of the bytes in quarantine. */
  names(): Promise<string[]>
  /** Where the bytes of this name lie. */
  pathOf(name: string): string
  /** Takes over a staged file under the name that it had in another store. */
  receive(name: string, staged: StagedBlob, reason: string): Promise<void>
  /** Only the file name of the path counts, since the quarantine of a moved station has another folder than its rows say. */
  remove(path: string): Promise<void>
}

interface Options {
  readonly root: string
  readonly now: () => number
  readonly onProblem: (fault: StorageFault) => void
}

export function createQuarantine({ root, now, onProblem }: Options): Quarantine {
  const folder = join(root, QUARANTINE)
  const reserve = (sha256: string | null): string => join(folder, `${sha256 ?? 'unread'}-${randomUUID()}`)

  const describe: Quarantine['describe'] = async (path, { length, sha256, reason }) => {
    const about = { path, sha256, length, reason, timeUtc: new Date(now()).toISOString() }
    const { path: _, ...description } = about
    try {
      await writeOnce(`${path}.json`, `${JSON.stringify(description, null, 2)}\n`)
    } catch (error) {
      // On a full disk the bytes are quarantined without a description. The caller's record and the log have the reason.
      if (!(error instanceof StorageFault && error.code === 'NoSpace')) throw error
      onProblem(error)
    }
    await attempt('sync', folder, () => syncFolder(folder))
    return about
  }
  const move = async (from: string, sha256: string | null, reason: string): Promise<Quarantined> => {
    const { size } = await attempt('open', from, () => lstat(from))
    const to = reserve(sha256)
    await attempt('rename', to, () => rename(from, to))
    const about = await describe(to, { length: size, sha256, reason })
    await attempt('sync', dirname(from), () => syncFolder(dirname(from)))
    return about
  }
  const removeIfPresent = (path: string): Promise<void> =>
    unlink(path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOf(error, 'unlink', path)
    })
  const pathOf = (name: string): string => join(folder, basename(name))
  return {
    names: async () => (await readdir(folder)).filter((name) => !name.endsWith('.json')),
    pathOf,
    receive: async (name, { path, sha256, length }, reason) => {
      // The description first: bytes with the name count as received.
      await unlink(`${pathOf(name)}.json`).catch(() => {})
      await describe(pathOf(name), { length, sha256, reason })
      await attempt('rename', path, () => rename(path, pathOf(name)))
      await attempt('sync', folder, () => syncFolder(folder))
    },
    remove: async (given) => {
      const path = join(folder, basename(given))
      await removeIfPresent(path)
      await removeIfPresent(`${path}.json`)
      await attempt('sync', folder, () => syncFolder(folder))
    },
    reserve,
    describe,
    staged: ({ path, sha256 }, reason) => move(path, sha256, reason),
    file: (path, reason, sha256 = null) => move(path, sha256, reason),
    blob: async (sha256, reason) => {
      const { path } = placeOf(root, sha256)
      return move(path, sha256, reason).catch((error: unknown) => {
        if (error instanceof StorageFault && error.errno === 'ENOENT')
          throw new StorageFault('BlobMissing', 'There is no such blob.', { path })
        throw error
      })
    },
  }
}

async function attempt<T>(what: Operation, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error, what, path)
  }
}

async function writeOnce(path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
  const file = await attempt('open', path, () => open(path, flags, 0o600))
  try {
    await attempt('write', path, () => file.writeFile(text))
    await attempt('sync', path, () => file.sync())
  } finally {
    await file.close()
  }
}
