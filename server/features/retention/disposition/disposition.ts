import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { DAY } from '../../../../shared/retention/retention.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import { type Database, type Tx, UnknownOutcome } from '../../../kernel/database/database.ts'
import { clockBelief } from '../../../platform/clock/clock-trust.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import { evidenceObject } from '../../../kernel/evidence/objects.ts'
import { blobIsKnown } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../../storage/types.ts'
import { createAccountControl } from './account-control.ts'
import { certificateBody, signCertificate } from './certificate.ts'
import { createItems, type DispositionTimes, goesBy, type Items, itemObject } from './items.ts'
import { createQuarantineDisposal, type QuarantineDisposal } from './quarantine.ts'
import * as rows from './queue.store.ts'
import { snapshotFolders } from './snapshots.store.ts'
import { snapshotsThen } from './snapshots.ts'
import * as tombs from './tombstone.store.ts'

/** Retention and disposition (decisions 4 and 6): due evidence enters the queue, and is destroyed after two approvals. */
export interface Disposition extends Items {
  readonly times: DispositionTimes
  /** False for a day after the clock jumped. */
  clockIsSteady(): boolean
  /** Bytes that were put aside; they leave by the same steps. */
  readonly quarantine: QuarantineDisposal
  /** A task: sorts what changed or has become due. Bounded; the next run goes on. @returns how many were looked at */
  sortDue(): Promise<number>
  /**
   * A task: takes items from cooling-off to the recycle bin and from there to destruction, as long as the clock is believed.
   * @returns how many were destroyed
   */
  step(): Promise<number>
  /** Removes the files of what was destroyed before an unclean end. Before the store's own recovery, which would put them aside. */
  settle(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly store: Pick<BlobStore, 'remove' | 'removeQuarantined'>
  readonly clock: Clock
  readonly log: Log
  readonly times: DispositionTimes
  readonly signer: () => Signer
  /** Under which the station signs. */
  readonly origin: string
  readonly mayWrite: () => boolean
  /** What other parts keep about an evidence in tables of their own, in the transaction of its destruction. */
  readonly forget?: readonly ((tx: Tx, evidenceId: number) => Promise<void>)[]
}

/** Judged in one transaction, and in one run of the task. */
const AT_ONCE = 200
const A_RUN = 2_000
const STEPS = 20
const DESTROYED_A_RUN = 100
/** What a job works on is tried again after so long. */
const AGAIN_MS = 60_000
/** An entry of the ledger holds the certificate itself up to this length; of a longer one its hash. */
const MOST_IN_LEDGER = 200_000

type End = 'destroyed' | 'returned' | 'busy'

export function createDisposition(deps: Deps): Disposition {
  const { db, clock, log, times } = deps
  const items = createItems(deps)
  const believed = clockBelief(clock)
  const steadyNow = clockBelief(clock, 0)
  const quarantine = createQuarantineDisposal(deps)
  const accounts = createAccountControl({ ...deps, settleDays: times.settleDays })

  return {
    ...items,
    times,
    clockIsSteady: () => steadyNow(),
    quarantine,
    sortDue: async () => {
      if (!deps.mayWrite()) return 0
      // The usual case, and the writer is not asked for it.
      const none = (await rows.watchedBefore(db.read, clock.now(), 1)).length === 0
      if (none && (await rows.sweepPosition(db.read)) === null) return 0
      let examined = 0
      while (examined < A_RUN) {
        const done = await db.transaction(async (tx) => {
          const ids = await rows.watchedBefore(tx, clock.now(), AT_ONCE)
          if (ids.length > 0) await items.sort(tx, ownCall(), ids)
          return ids.length
        })
        examined += done
        if (done < AT_ONCE && !(await db.transaction((tx) => rows.sweepOn(tx, A_RUN)))) break
      }
      return examined
    },
    step: async () => {
      // Asked each time, so that a jump is noticed when it happens and not when something is due.
      const steady = believed()
      steadyNow()
      if (!deps.mayWrite()) return 0
      await removeFiles(deps)
      await accounts.recordSetting(ownCall())
      if (!steady) return 0
      await accounts.endControl(ownCall())
      let destroyed = 0
      for (const { item_id: id, stage } of await rows.itemsToStep(db.read, clock.now(), STEPS)) {
        if (stage === 'cooling') await intoBin(deps, items, id)
        else destroyed += await destroyItem(deps, items, id, DESTROYED_A_RUN - destroyed)
        if (destroyed >= DESTROYED_A_RUN) break
      }
      const emptied = await quarantine.step()
      if (emptied > 0) log.info({ emptied }, 'quarantined bytes were destroyed by disposition')
      if (destroyed > 0) log.info({ destroyed }, 'evidence was destroyed by disposition')
      return destroyed
    },
    settle: async () => {
      await quarantine.settle()
      return removeFiles(deps)
    },
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

/** Everything is judged again; what may not go any more leaves the item. */
function intoBin({ db, ledger, clock, times }: Deps, items: Items, id: number): Promise<void> {
  return db.transaction(async (tx) => {
    const item = await rows.itemByIdAlone(tx, id)
    if (item.stage !== 'cooling' || item.next_at === null || item.next_at > clock.now()) return
    const call = ownCall()
    const { goes, stays } = await items.inside(tx, item)
    await items.sendBack(tx, call, item, stays)
    if (goes.length === 0) return
    const until = clock.now() + times.binDays * DAY
    await rows.updateItem(tx, id, { stage: 'bin', next_at: until })
    await ledger.append(tx, call, {
      action: 'disposition.binned',
      object: itemObject(item),
      detail: { evidence: goes.map((one) => String(one.id)), untilUtc: isoMillis(until) },
    })
  })
}

async function destroyItem(deps: Deps, items: Items, id: number, most: number): Promise<number> {
  let destroyed = 0
  let waits = false
  for (const evidenceId of await rows.filesIn(deps.db.read, id)) {
    if (destroyed >= most) return destroyed
    const end = await destroyOne(deps, items, id, evidenceId).catch((error: unknown) => {
      if (error instanceof UnknownOutcome) throw error
      // One that cannot be destroyed must not keep the others.
      deps.log.error({ err: error, item: id, evidence: evidenceId }, 'an evidence could not be destroyed')
      return 'busy' as const
    })
    if (end === 'destroyed') destroyed++
    if (end === 'busy') waits = true
    await removeFiles(deps)
  }
  if (waits)
    await deps.db.transaction(async (tx) => {
      const { stage } = await rows.itemByIdAlone(tx, id)
      if (stage === 'bin') await rows.updateItem(tx, id, { next_at: deps.clock.now() + AGAIN_MS })
    })
  return destroyed
}

/**
 * One evidence, in one transaction: judged for the last time, certificate, tombstone, rows of its blobs, ledger entry. The files follow
 * when that is durable; until then nothing of them is touched, and what is still to be removed is a row of the same transaction.
 */
function destroyOne(deps: Deps, items: Items, itemId: number, evidenceId: number): Promise<End> {
  const { db, ledger, clock } = deps
  return db.transaction(async (tx): Promise<End> => {
    const item = await rows.itemByIdAlone(tx, itemId)
    const inside = await rows.filesIn(tx, itemId)
    const approvals = await rows.approvalsOf(tx, [itemId])
    const due = item.stage === 'bin' && item.next_at !== null && item.next_at <= clock.now()
    if (!due || approvals.length !== 2 || !inside.includes(evidenceId)) return 'returned'
    const call = ownCall()
    const one = (await items.judged(tx, [evidenceId]))[0]
    if (one === undefined) throw new Error('What is in the queue is not among the evidence')
    if (!goesBy(one.judgement, item, clock.now())) {
      await items.sendBack(tx, call, item, [one])
      return 'returned'
    }
    if (await tombs.isWorkedOn(tx, evidenceId)) return 'busy'
    const destroyedAt = clock.now()
    const destroyedUtc = isoMillis(destroyedAt)
    const bytes = await tombs.bytesOf(tx, evidenceId)
    const head = await tombs.destroyedHead(tx, evidenceId)
    const folders = await snapshotFolders(tx, Date.parse(head.created_utc))
    for (const forget of deps.forget ?? []) await forget(tx, evidenceId)
    await tombs.buryEvidence(tx, evidenceId, destroyedUtc)
    const gone = await tombs.unnamedBlobs(tx, [...new Set(bytes.map(({ sha256 }) => sha256))])
    const kept = new Set(bytes.map(({ sha256 }) => sha256).filter((sha256) => !gone.includes(sha256)))
    const id = await tombs.nextCertificateId(tx)
    const body = certificateBody({
      station: deps.origin,
      id,
      item,
      approvals,
      one,
      head,
      bytes,
      kept,
      destroyedUtc,
      snapshots: snapshotsThen(folders, destroyedAt),
    })
    const signed = signCertificate(body, deps.signer())
    const length = bytes.reduce((sum, part) => sum + part.length, 0)
    await tombs.insertCertificate(tx, {
      certificate_id: id,
      tenant_id: item.tenant_id,
      evidence_id: evidenceId,
      body: signed.body,
      sha256: signed.sha256,
      signature: signed.signature,
      public_key: signed.publicKey,
      files: bytes.length,
      bytes: length,
      created_utc: destroyedUtc,
    })
    await tombs.forgetBlobs(tx, gone, id)
    await rows.setFiles(tx, itemId, [evidenceId], 'destroyed')
    await ledger.append(tx, call, {
      action: 'evidence.destroyed',
      object: evidenceObject({ evidence_id: evidenceId, name: one.name }),
      bytes: length,
      sha256: signed.sha256,
      detail: {
        certificateId: String(id),
        item: String(itemId),
        signature: Buffer.from(signed.signature).toString('base64'),
        certificate: signed.body.length > MOST_IN_LEDGER ? null : body,
      },
    })
    await items.endEmpty(tx, item)
    return 'destroyed'
  })
}

/** Files whose rows are gone for certain. @returns how many are gone now */
async function removeFiles({ db, store, mayWrite }: Deps): Promise<number> {
  let removed = 0
  for (const { sha256 } of await tombs.blobsToRemove(db.read, 1000)) {
    // Whoever brings the same bytes at this moment decides: with a row of theirs the file stays.
    const end = await store.remove(sha256, (hash) => blobIsKnown(db.read, hash))
    if (end === 'busy') continue
    // A disk that is full gets its room; that the file is gone is written down when the database can be written again.
    if (mayWrite()) await db.transaction((tx) => tombs.blobIsRemoved(tx, sha256))
    if (end === 'removed') removed++
  }
  return removed
}
