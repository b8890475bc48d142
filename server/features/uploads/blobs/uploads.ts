import { randomUUID } from 'node:crypto'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Claims, PartSums } from '../../../storage/staging/staging.messages.ts'
import { type PartWriter, type StagingArea, StagingFailure } from '../../../storage/staging/staging.ts'
import type { StagedBlocks } from '../../../storage/store.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { acknowledger, whyClosed } from './acknowledge.ts'
import { type Assembler, assembler } from './assemble.ts'
import { BlobFault } from './blobs.faults.ts'
import { completionHolds } from './completion-holds.ts'
import type { ListEntry } from './blobs.xml.ts'
import { type Entry, gate } from './gate.ts'
import { type Place, placements } from './placement.ts'
import { type PurgeRules, purgeRules } from './purge.ts'
import { stagedObjects } from './staged-objects.ts'
import * as rows from './uploads.store.ts'

/** Whether the station accepts bytes now. `full`: too little free space would be left; `read-only`: it accepts no writes. */
export type Admission = 'yes' | 'full' | 'read-only'

export interface UploadPorts {
  readonly database: Pick<Database, 'read' | 'transaction'>
  readonly staging: StagingArea
  /** Of the object store in which acknowledged blocks lie; null: they lie in `staging`. */
  readonly blocks: StagedBlocks | null
  readonly clock: Clock
  /** Of this node, among those that share the database. */
  readonly nodeId: string
  /** Called before each body, with its length in bytes. */
  readonly mayWrite: (bytes: number) => Promise<Admission>
  /** Called when a disk fails, except for lack of space: the station should stop accepting writes (docs/guarantees.md, Durability). */
  readonly onStorageFault: (error: StagingFailure) => void
  /** Called in the transaction that makes a list or a whole blob the content: the ledger entry commits with it. */
  readonly onCommitted?: (
    tx: Tx,
    call: Call,
    committed: { resourceId: number; length: number; blocks: number },
  ) => Promise<void>
}

export interface Conditions {
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
  /** Milliseconds since 1970, whole seconds. */
  readonly ifModifiedSince?: number
  readonly ifUnmodifiedSince?: number
}

export interface CommitOptions {
  readonly conditions: Conditions
  /** Base64; stored and returned, as the protocol requires. */
  readonly md5: string | null
  /** Content headers by name, for Get Blob Properties. */
  readonly properties: Readonly<Record<string, string>>
  readonly metadata: readonly (readonly [string, string])[]
}

export interface Committed {
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Writes a body to a part and gives the checksums that its sender claimed. */
export type Source = (part: PartWriter, signal: AbortSignal) => Promise<Claims>
export type Sums = { readonly md5: boolean; readonly crc64: boolean }

/**
 * Unfinished uploads (decisions 6): blocks become durable one by one, a list joins them to a blob, completion makes the blob evidence. All
 * state is in rows, so everything acknowledged survives a restart. Throws BlobFault for everything that the protocol refuses.
 */
export interface Uploads extends Assembler, PurgeRules {
  /** @throws BlobFault ResourceNotFound */
  find(container: string, blob: string): Promise<rows.UploadRow>
  /** Call it before reading a body. @throws BlobFault unless the open upload accepts `length` more bytes now and its conditions hold. */
  admit(upload: rows.UploadRow, length: number, conditions?: Conditions): Promise<void>
  /** Resolves when the block is hashed, fsynced or kept in the object store, and its row is committed. */
  putBlock(upload: rows.UploadRow, blockId: Buffer, length: number, sums: Sums, source: Source): Promise<PartSums>
  putBlob(
    call: Call,
    upload: rows.UploadRow,
    length: number,
    sums: Sums,
    source: Source,
    options: CommitOptions,
  ): Promise<Committed & { sums: PartSums }>
  putBlockList(
    call: Call,
    upload: rows.UploadRow,
    list: readonly ListEntry[],
    options: CommitOptions,
  ): Promise<Committed>
  blocks(upload: rows.UploadRow, committed: boolean): Promise<rows.ListedBlock[]>
  /** Deletes rows and files of an upload, after its completion was committed or it was purged. Safe to repeat. */
  discard(resourceId: number): Promise<void>
  /** Deletes only the rows, in the caller's transaction; `discard` or the next start deletes the files. */
  forget(tx: Tx, resourceId: number): Promise<void>
  /** The headers `encryptiondata` of all open uploads, unparsed. */
  encryptionHeaders(): Promise<string[]>
  /**
   * Called at start, before requests: removes files without a row.
   * @param requireOwn called before each removal; throws when the folder belongs to another station by now
   * @returns how many uploads are open, and how many folders without one were removed
   */
  recover(requireOwn?: () => Promise<void>): Promise<{ live: number; removed: number }>
  /** Removes staged objects that are older than a day and that no upload needs. @returns how many */
  removeLeftovers(): Promise<number>
}

export const MOST_BLOB_BYTES = 2 ** 40

export function uploads(ports: UploadPorts): Uploads {
  const { database, staging, blocks, clock } = ports
  const gates = gate()
  const places = placements(database, staging)
  const objects = blocks === null ? null : stagedObjects(staging, blocks)
  // In a folder all writers are in this process, and the gate is enough.
  const holds = blocks === null ? null : completionHolds(ports)
  const isHeld = holds?.isHeld ?? (async () => false)
  const acknowledge = acknowledger(database, clock, isHeld)

  const put = async <T>(
    resourceId: number,
    reserve: () => Promise<Place>,
    { length, sums, source }: { length: number; sums: Sums; source: Source },
    commit: (place: Place, sums: PartSums) => Promise<{ result: T; unneeded: string | null }>,
  ): Promise<T> => {
    const entry = gates.enter(resourceId)
    try {
      const place = await (objects === null ? reserve() : objects.reserve()).catch((error: unknown) => {
        throw diskFault(ports, error)
      })
      let unused = true
      try {
        const received = await receive(ports, entry, place, length, sums, source)
        if (objects !== null) return await objects.keep(resourceId, place.file, received, () => commit(place, received))
        const outcome = await commit(place, received)
        unused = outcome.unneeded === place.file
        return outcome.result
      } finally {
        place.release()
        if (objects !== null) await objects.removeLocal(place.file)
        else if (unused && place.stride === null) await places.sweep(resourceId)
      }
    } finally {
      entry.leave()
    }
  }
  const committing = async (
    call: Call,
    upload: rows.UploadRow,
    options: CommitOptions,
    blocks: number,
    work: (tx: Tx, blob: rows.CommittedBlob) => Promise<number>,
  ): Promise<Committed> => {
    const blob = {
      etag: newEtag(),
      at: clock.now(),
      md5: options.md5,
      properties: JSON.stringify(options.properties),
      metadata: JSON.stringify(options.metadata),
    }
    await database.transaction(async (tx) => {
      const current = await rows.uploadOf(tx, upload.tenant_id, upload.resource_id)
      if (current === undefined) throw new BlobFault('ResourceNotFound')
      assertOpen(current)
      if (await isHeld(tx, upload.resource_id)) throw new BlobFault('PendingCopyOperation')
      assertConditions(current, options.conditions)
      await rows.uploadForWriting(tx, upload.resource_id, blob.at)
      const length = await work(tx, blob)
      if (length > MOST_BLOB_BYTES) throw new BlobFault('RequestBodyTooLarge')
      await ports.onCommitted?.(tx, call, { resourceId: upload.resource_id, length, blocks })
    })
    if (objects === null) await places.sweep(upload.resource_id)
    return { etag: blob.etag, at: blob.at }
  }
  const completing = assembler(ports, gates, holds)
  const discard = async (resourceId: number): Promise<void> => {
    const open = completing.takeOver(resourceId) ?? (await gates.close(resourceId))
    try {
      await holds?.release(resourceId)
      await database.transaction((tx) => rows.deleteUpload(tx, resourceId))
      await blocks?.removeAll(String(resourceId))
      await places.alone(resourceId, async () => {
        await staging.unshare(String(resourceId))
        await staging.removeAll(String(resourceId))
      })
    } finally {
      open()
    }
  }

  return {
    committed: completing.committed,
    assemble: completing.assemble,
    release: completing.release,
    ...purgeRules({ ...ports, isHeld }),
    find: async (container, blob) => {
      const id = /^[1-9]\d{0,15}$/.test(blob) ? Number(blob) : Number.NaN
      const upload = Number.isSafeInteger(id) ? await rows.uploadOf(database.read, container, id) : undefined
      if (upload === undefined) throw new BlobFault('ResourceNotFound')
      return upload
    },
    admit: async (upload, length, conditions = {}) => {
      assertOpen(upload)
      assertConditions(upload, conditions)
      if (await isHeld(database.read, upload.resource_id)) throw new BlobFault('PendingCopyOperation')
      const admission = await ports.mayWrite(length)
      if (admission === 'full') throw new BlobFault('InsufficientStorage')
      if (admission === 'read-only') throw new BlobFault('ServerBusy')
    },
    putBlock: (upload, blockId, length, sums, source) =>
      put(
        upload.resource_id,
        () => places.reserve(upload.resource_id, blockId, length),
        { length, sums, source },
        async (place, received) => {
          const { file, offset, stride } = place
          const block = {
            resourceId: upload.resource_id,
            blockId: blockId.toString('base64'),
            idBytes: blockId.length,
            file,
            offset,
            stride,
            length,
            sha256: received.sha256,
            crc32: received.crc32,
          }
          return { result: received, ...(await acknowledge(block)) }
        },
      ),
    putBlob: (call, upload, length, sums, source, options) =>
      put(
        upload.resource_id,
        () => places.loose(upload.resource_id),
        { length, sums, source },
        async (place, received) => {
          const piece =
            length === 0
              ? null
              : { file: place.file, offset: 0, length, sha256: received.sha256, crc32: received.crc32 }
          const md5 = options.md5 ?? received.md5
          const committed = await committing(call, upload, { ...options, md5 }, 0, async (tx, blob) => {
            await rows.touch(tx, upload.resource_id, blob.at, new Date(blob.at).toISOString())
            return rows.commitWhole(tx, upload.resource_id, piece, blob)
          })
          return { result: { ...committed, sums: received }, unneeded: piece === null ? place.file : null }
        },
      ),
    putBlockList: async (call, upload, list, options) => {
      const entry = gates.enter(upload.resource_id)
      try {
        return await committing(call, upload, options, list.length, async (tx, blob) => {
          const json = JSON.stringify(list.map(({ kind, id }) => [kind, id]))
          const length = await rows.commitList(tx, upload.resource_id, json, list.length, blob)
          if (length === null) throw new BlobFault('InvalidBlockList')
          return length
        })
      } finally {
        entry.leave()
      }
    },
    blocks: (upload, committed) => rows.blocksOf(database.read, upload.resource_id, committed),
    discard,
    forget: async (tx, resourceId) => {
      await holds?.requireOwn(tx, resourceId)
      await rows.deleteUpload(tx, resourceId)
    },
    encryptionHeaders: () => rows.encryptionHeaders(database.read),
    recover: async (requireOwn) => {
      const live = new Set((await rows.allUploads(database.read)).map(String))
      const orphans = (await staging.uploads()).filter((upload) => !live.has(upload))
      for (const upload of orphans) {
        await requireOwn?.()
        await staging.removeAll(upload)
      }
      await requireOwn?.()
      await staging.unshare()
      for (const upload of live) {
        await requireOwn?.()
        await places.sweep(Number(upload))
      }
      await requireOwn?.()
      await objects?.removeAllLocal()
      await holds?.releaseEarlier()
      return { live: live.size, removed: orphans.length }
    },
    removeLeftovers: async () =>
      (await blocks?.removeLeftovers((upload, file) => rows.isNeeded(database.read, Number(upload), file))) ?? 0,
  }
}

async function receive(
  ports: UploadPorts,
  entry: Entry,
  place: Place,
  length: number,
  sums: Sums,
  source: Source,
): Promise<PartSums> {
  const part = ports.staging.begin(place.upload, place.file, place.offset, sums)
  try {
    const claims = await source(limited(part, length), entry.signal)
    return await part.finish(claims)
  } catch (error) {
    await part.abort()
    throw diskFault(ports, error)
  }
}

/** A full disk only refuses the block. Any other disk failure makes the station stop accepting writes (docs/guarantees.md, Durability). */
function diskFault(ports: UploadPorts, error: unknown): unknown {
  if (!(error instanceof StagingFailure)) return error
  if (FULL.has(error.code)) return new BlobFault('InsufficientStorage')
  ports.onStorageFault(error)
  return new BlobFault('ServerBusy')
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Stops the source at the announced length: the bytes after a place belong to another block. */
function limited(part: PartWriter, length: number): PartWriter {
  let left = length
  return {
    ...part,
    push: (chunk) => {
      left -= chunk.length
      return left < 0 ? Promise.reject(new BlobFault('IncompleteBody')) : part.push(chunk)
    },
  }
}

function assertOpen(upload: rows.Standing): void {
  const closed = whyClosed(upload)
  if (closed !== null) throw closed
}

/** Conditions of a write (RFC 9110, 13), answered as Azure does: 409 for "must not exist", 412 for the rest. */
function assertConditions(
  upload: rows.UploadRow,
  { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Conditions,
): void {
  const { committed_etag: etag, committed_at: at } = upload
  const among = (list: string): boolean => etag !== null && list.split(',').some((one) => bare(one) === bare(etag))
  if (ifNoneMatch === '*' && etag !== null) throw new BlobFault('BlobAlreadyExists')
  if (ifMatch !== undefined && !(ifMatch === '*' ? etag !== null : among(ifMatch)))
    throw new BlobFault('ConditionNotMet')
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*' && among(ifNoneMatch)) throw new BlobFault('ConditionNotMet')
  if (at === null) return
  const seconds = Math.floor(at / 1000) * 1000
  if (ifModifiedSince !== undefined && seconds <= ifModifiedSince) throw new BlobFault('ConditionNotMet')
  if (ifUnmodifiedSince !== undefined && seconds > ifUnmodifiedSince) throw new BlobFault('ConditionNotMet')
}

const bare = (etag: string): string =>
  etag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')

const newEtag = (): string => `"0x${randomUUID().replaceAll('-', '').slice(0, 15).toUpperCase()}"`
