import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { StorageFault } from '../faults.ts'
import type { Quarantined, StagedObject } from '../types.ts'
import type { Bucket, Removing } from './bucket.ts'
import type { Transfers } from './transfers.ts'
import { QUARANTINE_KEYS } from './keys.ts'

/** Objects under `quarantine/`, each with a description beside it. */
export interface ObjectQuarantine {
  /** Copies an object; the original stays. */
  copy(key: string, about: About): Promise<Quarantined>
  /**
   * Moves an object. The copy comes first, since that of a large one takes long.
   * @param mayGo called directly before the object is removed; false: it stays, and the copy goes
   * @throws StorageFault BlobMissing
   */
  move(object: Moved, mayGo: () => Promise<Removing | null>): Promise<Quarantined | null>
  /** Uploads a file of this machine. It stays. */
  file(path: string, about: About): Promise<Quarantined>
  /** Makes one object of others. They stay. */
  joined(objects: readonly StagedObject[], about: About): Promise<Quarantined>
  /** Names of the bytes in quarantine. */
  names(): Promise<string[]>
  /** Uploads a file under the name that it had in another store, and reads it back. @throws StorageFault ReadBackMismatch */
  receive(name: string, path: string, about: About & { readonly sha256: string }): Promise<void>
  /** Only the last part of the path counts. */
  remove(path: string): Promise<void>
}

interface Moved {
  readonly key: string
  /** Null: the bytes were not read. */
  readonly sha256: string | null
  readonly reason: string
}

interface About {
  readonly sha256: string | null
  readonly length: number
  readonly reason: string
}

/** Only the last part of the path counts. */
export const quarantineKey = (path: string): string => QUARANTINE_KEYS + basename(path)

export function objectQuarantine(
  bucket: Bucket,
  transfers: Transfers,
  now: () => number,
  purge: (key: string) => Promise<void>,
): ObjectQuarantine {
  const reserve = (sha256: string | null): string => `${QUARANTINE_KEYS}${sha256 ?? 'unread'}-${randomUUID()}`
  const describe = async (path: string, about: About): Promise<Quarantined> => {
    const description = { ...about, timeUtc: new Date(now()).toISOString() }
    await bucket.putText(`${path}.json`, `${JSON.stringify(description, null, 2)}\n`)
    return { path, ...description }
  }
  const copy: ObjectQuarantine['copy'] = async (key, about) => {
    const to = reserve(about.sha256)
    await bucket.copy(key, to, about.length)
    return describe(to, about)
  }
  const remove: ObjectQuarantine['remove'] = async (given) => {
    const key = quarantineKey(given)
    await purge(key)
    await purge(`${key}.json`)
  }
  const move: ObjectQuarantine['move'] = async ({ key, sha256, reason }, mayGo) => {
    const facts = await bucket.head(key, 'write')
    if (facts === null) throw new StorageFault('BlobMissing', 'There is no such blob.', { path: key })
    const put = await copy(key, { sha256, length: facts.length, reason })
    const removing = await mayGo().catch(async (error: unknown) => {
      await remove(put.path)
      throw error
    })
    if (removing === null) {
      await remove(put.path)
      return null
    }
    // When this fails it may have been done all the same: the copy stays.
    await bucket.remove(key, removing)
    return put
  }
  return {
    copy,
    move,
    file: async (path, about) => {
      const to = reserve(about.sha256)
      await transfers.run<'put'>({ kind: 'put', key: to, path, length: about.length, ifAbsent: false })
      return describe(to, about)
    },
    joined: async (objects, about) => {
      const to = reserve(about.sha256)
      await transfers.run<'assemble'>({ kind: 'assemble', key: to, objects, ifAbsent: false })
      const made = await bucket.head(to, 'write')
      if (made?.length !== about.length)
        throw new StorageFault('StoreAway', 'The object store did not keep the whole object.', { path: to })
      return describe(to, about)
    },
    names: async () => {
      const names: string[] = []
      for await (const { key } of bucket.list(QUARANTINE_KEYS))
        if (!key.endsWith('.json')) names.push(key.slice(QUARANTINE_KEYS.length))
      return names
    },
    receive: async (name, path, about) => {
      const key = quarantineKey(name)
      // The description first: bytes with the name count as received.
      await describe(key, about)
      await transfers.run<'put'>({ kind: 'put', key, path, length: about.length, ifAbsent: false })
      const facts = await bucket.head(key, 'write')
      const found = facts === null ? null : await transfers.run<'hash'>({ kind: 'hash', key, facts, as: 'write' })
      if (found === about.sha256) return
      await purge(key)
      throw new StorageFault('ReadBackMismatch', 'The object store gave back other bytes than were sent.', {
        path: key,
      })
    },
    remove,
  }
}
