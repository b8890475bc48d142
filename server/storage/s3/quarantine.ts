import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { StorageFault } from '../faults.ts'
import type { Quarantined, StagedObject } from '../types.ts'
import type { Bucket } from './bucket.ts'
import type { Transfers } from './transfers.ts'
import { keyOf, QUARANTINE_KEYS } from './keys.ts'

/** Objects under `quarantine/`, each with a description beside it. */
export interface ObjectQuarantine {
  /** Copies an object; the original stays. */
  copy(key: string, about: About): Promise<Quarantined>
  /** Moves a blob. @throws StorageFault BlobMissing */
  blob(sha256: string, reason: string): Promise<Quarantined>
  /** Moves any object. */
  object(key: string, reason: string, sha256: string | null): Promise<Quarantined>
  /** Uploads a file of this machine. It stays. */
  file(path: string, about: About): Promise<Quarantined>
  /** Makes one object of others. They stay. */
  joined(objects: readonly StagedObject[], about: About): Promise<Quarantined>
  /** Only the last part of the path counts. */
  remove(path: string): Promise<void>
}

interface About {
  readonly sha256: string | null
  readonly length: number
  readonly reason: string
}

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
  const object: ObjectQuarantine['object'] = async (key, reason, sha256) => {
    const facts = await bucket.head(key, 'write')
    if (facts === null) throw new StorageFault('BlobMissing', 'There is no such blob.', { path: key })
    const put = await copy(key, { sha256, length: facts.length, reason })
    await bucket.remove(key)
    return put
  }
  return {
    copy,
    object,
    blob: (sha256, reason) => object(keyOf(sha256), reason, sha256),
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
    remove: async (given) => {
      const key = QUARANTINE_KEYS + basename(given)
      await purge(key)
      await purge(`${key}.json`)
    },
  }
}
