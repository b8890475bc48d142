import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import { DAY, isOfPeople, ruleKey, SAMPLE_RULE } from '../../../../shared/retention/retention.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import { type Database, type Tx, UnknownOutcome } from '../../../kernel/database/database.ts'
import { clockBelief } from '../../../platform/clock/clock-trust.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import { evidenceObject, principalThen } from '../../../kernel/evidence/objects.ts'
import { removeBlobUnlessBusy } from '../../../kernel/evidence/blob-removals.ts'
import { blobIsKnown } from '../../../kernel/evidence/records.store.ts'
import { sampleEntryOf } from '../../../kernel/sample-data.ts'
import type { BlobStore } from '../../../storage/types.ts'
import { createAccountControl } from './account-control.ts'
import { certificateBody, signCertificate } from './certificate.ts'
import { createItems, type DispositionTimes, goesBy, type Items, itemObject, type Judged } from './items.ts'
import { createQuarantineDisposal, type QuarantineDisposal } from './quarantine.ts'
import * as rows from './queue.store.ts'
import type { ApprovalRow, ItemRow } from './queue.store.ts'
import { snapshotFolders } from './snapshots.store.ts'
import { snapshotsThen } from './snapshots.ts'
import * as tombs from './tombstone.store.ts'

/** Retention and disposition (decisions 4 and 6): due evidence enters the queue, and is destroyed after two approvals. */
export interface Disposition extends Items {
  readonly times: DispositionTimes
  /** False for a day after the clock jumped, and while it is wrong. */
  clockIsSteady(): boolean
  /** Disposal of quarantined bytes, by the same steps. */
  readonly quarantine: QuarantineDisposal
  /** A task: sorts evidence that changed or became due, up to a limit for each run. @returns how many were examined */
  sortDue(): Promise<number>
  /**
   * A task: takes items from cooling-off to the recycle bin and from there to destruction, while the clock is trusted.
   * @returns how many were destroyed
   */
  step(): Promise<number>
  /**
   * Destroys one evidence that was added as sample data, at once and without approvals, in the caller's transaction. Every other evidence is
   * refused by what the ledger says of it. Afterwards `removeFiles` has to be called.
   * @returns `busy` while a job works on it
   * @throws Fault SampleDataRefused: it is no sample data, somebody added a file to it, or it is protected
   */
  destroySample(tx: Tx, call: Call, evidenceId: number): Promise<'destroyed' | 'gone' | 'busy'>
  /** Removes the files of what was destroyed. @returns how many were removed */
  removeFiles(): Promise<number>
  /** Removes files of destroyed evidence that a crash left. Call it before the store's own recovery, which would quarantine them. */
  recover(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly store: Pick<BlobStore, 'removalsEndAfter' | 'remove' | 'removeQuarantined'>
  readonly clock: Clock
  readonly log: Log
  readonly times: DispositionTimes
  readonly signer: () => Signer
  /** Origin under which the station signs. */
  readonly origin: string
  readonly mayWrite: () => boolean
  /** False for a day after the clock jumped. */
  readonly clockIsSteady: () => boolean
  /** Whether the clock is that of the other nodes. One that was wrong from the beginning never jumps. */
  readonly clockIsRight: () => boolean
  /** Deletes the rows of other features about an evidence, in the transaction of its destruction. */
  readonly forget?: readonly ((tx: Tx, evidenceId: number) => Promise<void>)[]
}

/** The most evidence judged in one transaction and in one run of the task. */
const AT_ONCE = 200
const A_RUN = 2_000
const STEPS = 20
const DESTROYED_A_RUN = 100
/** Milliseconds after which evidence that a job works on is tried again. */
const AGAIN_MS = 60_000
/** A ledger entry contains a certificate up to this length, and only the hash of a longer one. */
const MOST_IN_LEDGER = 200_000

type End = 'destroyed' | 'returned' | 'busy'

export function createDisposition(deps: Deps): Disposition {
  const { db, clock, log, times } = deps
  const items = createItems(deps)
  const believed = clockBelief(clock)
  const quarantine = createQuarantineDisposal(deps)
  const accounts = createAccountControl({ ...deps, settleDays: times.settleDays })

  return {
    ...items,
    times,
    clockIsSteady: () => deps.clockIsSteady() && deps.clockIsRight(),
    quarantine,
    sortDue: async () => {
      if (!deps.mayWrite() || !deps.clockIsRight()) return 0
      // The usual case, which needs no write transaction.
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
      // Checked in each run, so that a jump is noticed when it happens and not when something is due.
      const steady = believed() && deps.clockIsRight()
      if (!deps.mayWrite()) return 0
      await removeFiles(deps)
      await accounts.recordSetting(ownCall())
      if (!steady) return 0
      await accounts.endControl(ownCall())
      let destroyed = 0
      for (const { item_id: id, stage } of await rows.itemsToStep(db.read, clock.now(), STEPS)) {
        if (stage === 'cooling') await moveToBin(deps, items, id)
        else destroyed += await destroyItem(deps, items, id, DESTROYED_A_RUN - destroyed)
        if (destroyed >= DESTROYED_A_RUN) break
      }
      const emptied = await quarantine.step()
      if (emptied > 0) log.info({ emptied }, 'quarantined bytes were destroyed by disposition')
      if (destroyed > 0) log.info({ destroyed }, 'evidence was destroyed by disposition')
      return destroyed
    },
    destroySample: (tx, call, evidenceId) => destroySample(deps, items, tx, call, evidenceId),
    removeFiles: () => removeFiles(deps),
    recover: async () => {
      await quarantine.recover()
      return removeFiles(deps)
    },
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

/** Judges everything in the item again; evidence that may not be destroyed any more leaves it. */
function moveToBin({ db, ledger, clock, times }: Deps, items: Items, id: number): Promise<void> {
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
      // A failure with one evidence must not block the others.
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
 * Destroys one evidence in one transaction: last judgement, certificate, tombstone, rows of its blobs, ledger entry. Files are removed only
 * after the commit is durable. The list of files to remove is written in the same transaction.
 */
function destroyOne(deps: Deps, items: Items, itemId: number, evidenceId: number): Promise<End> {
  const { db, clock } = deps
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
    await destroyRows(deps, tx, call, { item, approvals, one })
    await items.endEmpty(tx, item)
    return 'destroyed'
  })
}

interface ToDestroy {
  readonly item: ItemRow
  readonly approvals: readonly ApprovalRow[]
  readonly one: Judged
}

/** The destruction itself, which is the same whatever led to it: certificate, tombstone, rows of its blobs, ledger entry. */
async function destroyRows(deps: Deps, tx: Tx, call: Call, { item, approvals, one }: ToDestroy): Promise<void> {
  const { ledger, clock } = deps
  const evidenceId = one.id
  const destroyedAt = clock.now()
  const destroyedUtc = isoMillis(destroyedAt)
  const bytes = await tombs.bytesOf(tx, evidenceId)
  const head = await tombs.destroyedHead(tx, evidenceId)
  const folders = await snapshotFolders(tx, Date.parse(head.created_utc))
  for (const forget of deps.forget ?? []) await forget(tx, evidenceId)
  await tombs.makeTombstone(tx, evidenceId, destroyedUtc)
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
  await rows.setFiles(tx, item.item_id, [evidenceId], 'destroyed')
  await ledger.append(tx, call, {
    action: 'evidence.destroyed',
    object: evidenceObject({ evidence_id: evidenceId, name: one.name }),
    bytes: length,
    sha256: signed.sha256,
    detail: {
      certificateId: String(id),
      item: String(item.item_id),
      signature: Buffer.from(signed.signature).toString('base64'),
      certificate: signed.body.length > MOST_IN_LEDGER ? null : body,
    },
  })
}

async function destroySample(deps: Deps, items: Items, tx: Tx, call: Call, evidenceId: number) {
  const { clock } = deps
  const id = String(evidenceId)
  const added = await sampleEntryOf(tx, 'evidence', evidenceId)
  if (added === null) throw fault('SampleDataRefused', `Evidence ${id} was not added as sample data.`)
  const [one] = await items.judged(tx, [evidenceId])
  if (one === undefined || one.facts.lifecycle === 'Destroyed') return 'gone'
  if (one.judgement.holds.some(isOfPeople))
    throw fault('SampleDataRefused', `Evidence ${id} is protected, or somebody decided to keep it.`)
  const originals = await tombs.originalsOf(tx, evidenceId)
  if (originals.some((resource) => String(resource) !== added.resourceId))
    throw fault('SampleDataRefused', `Somebody added a file to evidence ${id}. What people added is not sample data.`)
  if (await tombs.isWorkedOn(tx, evidenceId)) return 'busy'
  const open = (await rows.openItemsOf(tx, [evidenceId])).get(evidenceId)
  if (open !== undefined) await items.sendBack(tx, call, open, [one])
  const now = clock.now()
  const itemId = await rows.insertItem(tx, {
    tenant_id: one.tenant,
    case_id: null,
    rule_key: ruleKey(SAMPLE_RULE),
    rule: JSON.stringify(SAMPLE_RULE),
    stage: 'ended',
    outcome: 'destroyed',
    requested_by: JSON.stringify(principalThen(call.actor)),
    due_at: now,
    next_at: null,
    created_utc: isoMillis(now),
    ended_utc: isoMillis(now),
  })
  await rows.addFile(tx, itemId, evidenceId)
  const item = await rows.itemByIdAlone(tx, itemId)
  await destroyRows(deps, tx, call, { item, approvals: [], one })
  return 'destroyed'
}

/** Removes files whose rows are deleted and committed. @returns how many were removed */
async function removeFiles({ db, store, mayWrite }: Deps): Promise<number> {
  let removed = 0
  // A removal from an object store is written down before, for the other nodes.
  if (store.removalsEndAfter !== null && !mayWrite()) return 0
  for (const { sha256 } of await tombs.blobsToRemove(db.read, 1000)) {
    // A concurrent import of the same bytes wins: when it has a row, the file stays.
    const end = await removeBlobUnlessBusy({ db, store }, blobIsKnown, (isKnown) => store.remove(sha256, isKnown))
    if (end === null || end === 'busy') continue
    // Frees space on a full disk too; the removal is recorded when the database can be written again.
    if (mayWrite()) await db.transaction((tx) => tombs.blobIsRemoved(tx, sha256))
    if (end === 'removed') removed++
  }
  return removed
}
