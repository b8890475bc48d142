/**
 * Removes local copies of originals that headquarters has (the clear rule). Whether a copy may go is judged inside the transaction that
 * records it; the file is removed after the commit. A crash in between leaves the file, and the next round removes it.
 */
import type { Database, Tx } from '../../kernel/database/database.ts'
import { removeBlobUnlessBusy } from '../../kernel/evidence/blob-removals.ts'
import { resourceObject } from '../../kernel/evidence/objects.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type HeadquartersClient, HeadquartersRefusal } from './client.ts'
import * as rows from './forwarding.store.ts'
import { type ClearFacts, type ClearRefusal, clearRefusal, type OriginalFacts, type Rules } from './rules.ts'

const DAY = 86_400_000

/** Codes of the holds of each evidence (shared/retention/retention.ts). */
export type HoldsOf = (from: Tx, evidenceIds: readonly number[]) => Promise<Map<number, readonly string[]>>

export interface ClearDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly store: Pick<BlobStore, 'removalsEndAfter' | 'remove'>
  readonly clock: Clock
  readonly holdsOf: HoldsOf
  /** False while a snapshot copies the files that its database names. */
  readonly mayRemove: () => boolean
}

/** What the rule judges by, read in the caller's transaction. */
export async function clearFacts(
  { holdsOf }: Pick<ClearDeps, 'holdsOf'>,
  from: Tx,
  sha256: string,
): Promise<{ facts: ClearFacts; originals: readonly ResourceRow[] }> {
  const named = await rows.resourcesWithBytes(from, sha256)
  const originals = named.filter(({ role }) => role === 'original')
  // A playable copy of an original that is playable as it is has the same bytes, and stands or falls with it.
  const ids = new Set(originals.map((row) => row.resource_id))
  const others = named.filter(
    ({ role, parent_id }) => role !== 'original' && !(parent_id !== null && ids.has(parent_id)),
  )
  const evidenceIds = [...new Set(originals.map((row) => row.evidence_id))]
  const evidence = new Map((await rows.evidenceRows(from, evidenceIds)).map((row) => [row.evidence_id, row]))
  const holds = await holdsOf(from, evidenceIds)
  const disposed = await rows.inDisposition(from, evidenceIds)
  const questions = await rows.openQuestions(from, evidenceIds)
  const jobs = await rows.unendedJobs(
    from,
    named.map((row) => row.resource_id),
  )
  const busy = [...jobs.values()].reduce((sum, n) => sum + n, 0)
  const factsOf = async (row: ResourceRow): Promise<OriginalFacts> => {
    const receipt = await rows.receiptOf(from, row.resource_id)
    return {
      receipt:
        receipt === undefined
          ? null
          : {
              sha256: receipt.sha256,
              confirmedAt: Date.parse(receipt.confirmed_utc),
              keptUntil: receipt.kept_until_at,
            },
      lifecycle: evidence.get(row.evidence_id)?.lifecycle_state ?? 'Destroyed',
      holds: holds.get(row.evidence_id) ?? ['Unknown'],
      inDisposition: disposed.has(row.evidence_id),
      openQuestion: questions.has(row.evidence_id),
      jobs: busy,
    }
  }
  return {
    originals,
    facts: {
      sha256,
      originals: await Promise.all(originals.map(factsOf)),
      otherUses: others.length + (await rows.countViews(from, sha256)),
    },
  }
}

/** @returns why it stays; null when the rows say that it is at headquarters only */
export async function clearBlob(
  deps: ClearDeps,
  call: Call,
  rules: Rules,
  sha256: string,
): Promise<ClearRefusal | null> {
  const { db, ledger, clock } = deps
  return db.inBackground.transaction(async (tx) => {
    const { facts, originals } = await clearFacts(deps, tx, sha256)
    const why = clearRefusal(rules, facts, clock.now())
    const [first] = originals
    if (why !== null || first === undefined) return why ?? 'NoReceipt'
    await rows.insertForwardedBlob(tx, {
      sha256,
      length: first.length as number,
      resource_id: first.resource_id,
      cleared_utc: isoMillis(clock.now()),
    })
    for (const original of originals) {
      const receipt = await rows.receiptOf(tx, original.resource_id)
      await ledger.append(tx, call, {
        action: 'resource.cleared',
        object: resourceObject(original),
        sha256,
        bytes: original.length as number,
        detail: {
          evidenceId: String(original.evidence_id),
          address: receipt?.address ?? null,
          remoteEvidenceId: receipt?.remote_evidence_id ?? null,
          remoteResourceId: receipt?.remote_resource_id ?? null,
          receiptUtc: receipt?.confirmed_utc ?? null,
        },
      })
    }
    return null
  })
}

/** Removes the files of cleared blobs. One whose bytes came again meanwhile has no row here any more, and stays. */
export async function removeCleared({ db, store, mayRemove }: ClearDeps): Promise<void> {
  for (const { sha256 } of await rows.blobsToRemove(db.read, 200)) {
    if (!mayRemove()) return
    const isHere = async (tx: Tx): Promise<boolean> => (await rows.forwardedBlob(tx, sha256)) === undefined
    const done = await removeBlobUnlessBusy({ db, store }, isHere, (isKnown) => store.remove(sha256, isKnown))
    if (done === 'removed') await db.inBackground.transaction((tx) => rows.markRemoved(tx, sha256))
  }
  if (await rows.hasDestroyed(db.read)) await db.inBackground.transaction(rows.forgetDestroyed)
}

/**
 * Clears what may be cleared, a batch at a time. @param isStillThere asks headquarters once more, outside the transaction
 */
export async function clearDue(
  deps: ClearDeps,
  call: Call,
  rules: Rules,
  given: { readonly after: string; readonly isStillThere: (receipts: readonly rows.ReceiptRow[]) => Promise<boolean> },
): Promise<string> {
  const { db, clock } = deps
  if (rules.ClearAfterDays === null) return ''
  const before = isoMillis(clock.now() - rules.ClearAfterDays * DAY)
  const due = await rows.clearable(db.read, before, clock.now(), given.after, 100)
  for (const { sha256 } of due) {
    const { facts, originals } = await clearFacts(deps, db.read, sha256)
    if (clearRefusal(rules, facts, clock.now()) !== null) continue
    const receipts = await Promise.all(originals.map((row) => rows.receiptOf(db.read, row.resource_id)))
    if (!(await given.isStillThere(receipts.filter((row) => row !== undefined)))) continue
    await clearBlob(deps, call, rules, sha256)
  }
  await removeCleared(deps)
  return due.length < 100 ? '' : (due.at(-1)?.sha256 ?? '')
}

/**
 * Whether headquarters still has every file of these receipts: complete, with the same hash, and whole when it last read the bytes.
 * @throws HeadquartersAway
 */
export async function hasAll(client: HeadquartersClient, receipts: readonly rows.ReceiptRow[]): Promise<boolean> {
  for (const receipt of receipts) {
    if (receipt.address !== client.origin) return false
    try {
      const found = await client.readResource(receipt.remote_evidence_id, receipt.remote_resource_id)
      if (found.State !== 'UserCompleted' || found.Sha256 !== receipt.sha256) return false
      // Damaged or missing there: the copy here is the only good one.
      if (found.LastCheck != null && found.LastCheck.Result !== 'matches') return false
    } catch (error) {
      // Not found, deleted or not readable there: then it stays here.
      if (error instanceof HeadquartersRefusal) return false
      throw error
    }
  }
  return receipts.length > 0
}
