/** Takes the bytes of an export into the store: each blob is hashed as it is written, and its row is committed before the next group begins. */
import { join } from 'node:path'
import { type Database, UnknownOutcome } from '../../../kernel/database/database.ts'
import { removeBlobUnlessBusy, watchRemovals } from '../../../kernel/evidence/blob-removals.ts'
import { blobIsKnown, insertBlob } from '../../../kernel/evidence/records.store.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { BlobStore, PlacedBlob, StagedBlob } from '../../../storage/store.ts'
import type { BlobLine } from './export-layout.ts'
import * as rows from './imports.store.ts'
import type { OpenedExport } from './read-export.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly store: BlobStore
}

interface Work {
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** Files that are copied at the same time, and committed together. */
const AT_ONCE = 8

/** @returns how many were here already, from an interrupted run @throws StorageFault when a file is not what it was when it was verified */
export async function receiveBlobs(
  deps: Deps,
  call: Call,
  { opened, importId }: { readonly opened: OpenedExport; readonly importId: number },
  { signal, onProgress }: Work,
): Promise<number> {
  const all = [...opened.blobs.values()]
  const known = await rows.knownAmong(
    deps.db.read,
    all.map(({ sha256 }) => sha256),
  )
  const left = all.filter(({ sha256 }) => !known.has(sha256))
  for (let at = 0; at < left.length; at += AT_ONCE) {
    signal.throwIfAborted()
    onProgress(`files: ${known.size + at} of ${all.length}`)
    await receiveSome(deps, call, { opened, importId, some: left.slice(at, at + AT_ONCE), signal })
  }
  return known.size
}

async function receiveSome(
  { db, ledger, clock, store }: Deps,
  call: Call,
  given: {
    readonly opened: OpenedExport
    readonly importId: number
    readonly some: readonly BlobLine[]
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { opened, importId, some, signal } = given
  const ended = await Promise.allSettled(
    some.map(({ sha256, bytes, at }) =>
      store.copyIn(join(opened.folder, at[0] as string), { signal, expect: { sha256, length: bytes } }),
    ),
  )
  const staged = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    for (const one of staged) await store.discard(one)
    throw failed.reason
  }
  const stillThere = await Promise.all(staged.map(({ sha256 }) => watchRemovals({ db, store }, sha256)))
  const placed = await placeAll(store, staged)
  try {
    await db.transaction(async (tx) => {
      for (const requireStillThere of stillThere) await requireStillThere(tx)
      for (const one of placed) await insertBlob(tx, one, isoMillis(clock.now()))
      await ledger.append(tx, call, {
        action: 'import.received',
        object: { type: 'import', id: String(importId), name: '' },
        bytes: placed.reduce((sum, { length }) => sum + length, 0),
        detail: { files: placed.length },
      })
    })
  } catch (error) {
    if (!(error instanceof UnknownOutcome))
      for (const one of placed)
        await removeBlobUnlessBusy({ db, store }, blobIsKnown, (isKnown) =>
          store.abandon(one, isKnown, `The import did not go on: ${(error as Error).message}`),
        )
    throw error
  }
  for (const one of placed) await store.confirm(one)
}

async function placeAll(store: BlobStore, staged: readonly StagedBlob[]): Promise<PlacedBlob[]> {
  const placed: PlacedBlob[] = []
  for (const one of staged) placed.push(await store.place(one))
  return placed
}
