import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { StorageFault } from '../../../storage/store.ts'
import * as rows from './uploads.store.ts'

/** Milliseconds after which the node of a completion counts as dead. The clocks of nodes differ by a few seconds. */
export const DEAD_AFTER = 60_000
const RENEWED_EVERY = 10_000
const ASKED_EVERY = 250

/**
 * Excludes writers at all nodes from an upload during its completion, by a row in the database. The row is the authority: a completion ends
 * the upload in its transaction only while it still holds it. So a node that was taken for dead, and was slow, completes nothing
 * (docs/decisions/0026).
 */
export interface CompletionHolds {
  /** Waits while another node completes the upload. @returns false when there is no upload (any more) */
  take(resourceId: number): Promise<boolean>
  /** Never fails: a hold that stays is that of a dead node a minute later. */
  release(resourceId: number): Promise<void>
  /** At start: what this node held before it ended. */
  releaseEarlier(): Promise<void>
  /** Whether a completion holds the upload, at this node or another one. */
  isHeld(db: Tx, resourceId: number): Promise<boolean>
  /** Before the upload is ended. @throws StorageFault StoreAway unless this node holds it, or nobody does */
  requireOwn(tx: Tx, resourceId: number): Promise<void>
}

interface Ports {
  readonly database: Pick<Database, 'read' | 'transaction'>
  readonly clock: Clock
  readonly nodeId: string
}

export function completionHolds({ database, clock, nodeId }: Ports): CompletionHolds {
  const own = new Map<number, { readonly token: string; readonly timer: NodeJS.Timeout }>()
  const holder = (db: Tx, resourceId: number) => rows.completionOf(db, resourceId, clock.now() - DEAD_AFTER)

  const renew = async (resourceId: number, token: string): Promise<void> => {
    await database.transaction(async (tx) => {
      const row = await rows.completionOf(tx, resourceId, 0)
      if (row?.token === token) await rows.holdUpload(tx, resourceId, { nodeId, token }, clock.now())
    })
  }
  const tryTake = async (resourceId: number): Promise<'taken' | 'held' | 'gone'> => {
    const token = randomUUID()
    const outcome = await database.transaction(async (tx) => {
      if (!(await rows.hasUpload(tx, resourceId))) return 'gone'
      if ((await holder(tx, resourceId)) !== undefined) return 'held'
      await rows.holdUpload(tx, resourceId, { nodeId, token }, clock.now())
      return 'taken'
    })
    if (outcome !== 'taken') return outcome
    // A renewal that fails is made up by the next one.
    const timer = setInterval(() => void renew(resourceId, token).catch(() => {}), RENEWED_EVERY).unref()
    own.set(resourceId, { token, timer })
    return outcome
  }
  const forget = (resourceId: number): string | undefined => {
    const held = own.get(resourceId)
    if (held !== undefined) clearInterval(held.timer)
    own.delete(resourceId)
    return held?.token
  }

  return {
    take: async (resourceId) => {
      if (own.has(resourceId)) return true
      for (;;) {
        if ((await holder(database.read, resourceId)) === undefined) {
          const outcome = await tryTake(resourceId)
          if (outcome !== 'held') return outcome === 'taken'
        }
        await pause(ASKED_EVERY)
      }
    },
    release: async (resourceId) => {
      const token = forget(resourceId)
      if (token === undefined) return
      await database.transaction((tx) => rows.endHold(tx, resourceId, token)).catch(() => {})
    },
    releaseEarlier: async () => {
      if (await rows.holdsUploads(database.read, nodeId))
        await database.transaction((tx) => rows.endHoldsOf(tx, nodeId))
    },
    isHeld: async (db, resourceId) => (await holder(db, resourceId)) !== undefined,
    requireOwn: async (tx, resourceId) => {
      const held = own.get(resourceId)
      const found = await rows.completionOf(tx, resourceId, held === undefined ? clock.now() - DEAD_AFTER : 0)
      if (found?.token !== held?.token)
        throw new StorageFault('StoreAway', 'Another node is completing this upload.', { path: String(resourceId) })
    },
  }
}
