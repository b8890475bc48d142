import { hash } from 'node:crypto'
import { fault } from '../../../shared/kernel/errors.ts'
import { DAY } from '../../../shared/retention/retention.ts'
import { canonicalJson } from '../../kernel/ledger/canonical.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Disposition } from './disposition/disposition.ts'
import { type Judged, itemObject } from './disposition/items.ts'
import * as queue from './disposition/queue.store.ts'
import type { ApprovalRow, ItemRow } from './disposition/queue.store.ts'
import { evidenceObject, principalThen } from '../../kernel/evidence/objects.ts'
import { evidenceById } from '../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { judgeApprovers, refuseApproval } from './approvers.ts'
import { cursorOf, type ItemOut, itemOut, type PreviewOut, readCursor, stayOut } from './disposition.models.ts'
import * as rows from './disposition.store.ts'

/** Acts of people on the disposition queue. Rules and steps are in disposition/. */
export interface DispositionService {
  list(
    call: HttpCall,
    tenant: string,
    stage: 'Due' | 'RecycleBin',
    page: { cursor: string | undefined; count: number },
  ): Promise<{ Items: ItemOut[]; Cursor: string | null }>
  figures(tenant: string): Promise<rows.Figures>
  /** Of the items that wait for an approval, those that the caller may approve now; looked through up to `most`. */
  countApprovable(
    call: HttpCall,
    tenant: string,
    most: number,
  ): Promise<{ readonly count: number; readonly more: boolean }>
  /** @throws Fault DispositionItemNotFound */
  preview(call: HttpCall, tenant: string, ids: readonly string[]): Promise<PreviewOut>
  /** All or none. @throws Fault DispositionItemNotFound, DispositionNotWaiting, Forbidden, PreviewOutdated, NothingToDestroy */
  approve(
    call: HttpCall,
    tenant: string,
    ids: readonly string[],
    given: { reason: string; previewId: string },
  ): Promise<ItemOut[]>
  /** @throws Fault DispositionItemNotFound */
  keep(
    call: HttpCall,
    tenant: string,
    ids: readonly string[],
    given: { reason: string; days: number },
  ): Promise<{ Kept: number; UntilUtc: string }>
  /** @throws Fault EvidenceNotFound */
  settleLinks(call: HttpCall, tenant: string, evidenceId: string, reason: string): Promise<{ Settled: number }>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly disposition: Disposition
}

interface Examined {
  readonly item: ItemRow
  readonly goes: readonly Judged[]
  readonly stays: readonly Judged[]
}

/** The most staying evidence that is named, and the most other evidence of the cases that is examined. */
const MOST_NAMED = 200
const MOST_OTHERS = 1000

export function createDispositionService(deps: Deps): DispositionService {
  const { db, ledger, clock } = deps
  return {
    list: async (call, tenant, stage, { cursor, count }) => {
      const stages = stage === 'Due' ? (['waiting', 'cooling'] as const) : (['bin'] as const)
      const listed = await rows.listedItems(db.read, tenant, stages, { before: readCursor(cursor), count: count + 1 })
      const shown = listed.slice(0, count)
      const last = shown.at(-1)
      return {
        Items: await out(deps, db.read, call, shown),
        Cursor: listed.length > count && last !== undefined ? cursorOf(last.item_id) : null,
      }
    },
    figures: (tenant) => rows.figuresOf(db.read, tenant),
    countApprovable: async (call, tenant, most) => {
      const items = await rows.waitingItems(db.read, tenant, most + 1)
      if (items.length === 0) return { count: 0, more: false }
      const { whyNot } = await judge(deps, db.read, call, items.slice(0, most))
      return {
        count: items.slice(0, most).filter((item) => whyNot(item) === null).length,
        more: items.length > most,
      }
    },
    preview: (call, tenant, ids) => preview(deps, db.read, call, tenant, ids),
    approve: (call, tenant, ids, given) => db.transaction((tx) => approve(deps, tx, call, tenant, ids, given)),
    keep: (call, tenant, ids, given) => db.transaction((tx) => keep(deps, tx, call, tenant, ids, given)),
    settleLinks: (call, tenant, evidenceId, reason) =>
      db.transaction(async (tx) => {
        const row = await evidenceById(tx, tenant, Number(evidenceId))
        if (row === undefined || String(row.evidence_id) !== evidenceId)
          throw fault('EvidenceNotFound', `There is no evidence ${evidenceId}.`)
        const settled = await rows.settleWithdrawn(tx, row.evidence_id, {
          utc: isoMillis(clock.now()),
          by: JSON.stringify(principalThen(call.actor)),
          reason,
        })
        await ledger.append(tx, call, {
          action: 'link.settled',
          object: evidenceObject(row),
          detail: { settled, given: reason },
        })
        return { Settled: settled }
      }),
  }
}

async function approve(
  deps: Deps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  ids: readonly string[],
  { reason, previewId: brought }: { reason: string; previewId: string },
): Promise<ItemOut[]> {
  const items = await found(tx, tenant, ids)
  const { approvals, whyNot } = await judge(deps, tx, call, items)
  for (const item of items) refuseApproval(`Item ${item.item_id}`, whyNot(item))
  const examined = await examine(deps, tx, items)
  if (previewId(examined, approvals) !== brought)
    throw fault('PreviewOutdated', 'Something has changed since this was previewed. Look again before you approve.')
  for (const one of examined) {
    const { item_id: id } = one.item
    if (one.goes.length === 0)
      throw fault('NothingToDestroy', `Nothing of item ${id} may go now.`, [
        { Path: 'Items', Message: `of ${id} everything is kept` },
      ])
    await approveOne(deps, tx, call, one, reason, approvals)
  }
  return out(deps, tx, call, await rows.listedItemsById(tx, tenant, ids.map(Number)))
}

async function keep(
  { ledger, clock }: Deps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  ids: readonly string[],
  { reason, days }: { reason: string; days: number },
): Promise<{ Kept: number; UntilUtc: string }> {
  const items = await found(tx, tenant, ids)
  const until = clock.now() + days * DAY
  let kept = 0
  for (const item of items) {
    const evidence = await queue.filesIn(tx, item.item_id)
    kept += evidence.length
    const utc = isoMillis(clock.now())
    await queue.keepUntil(tx, evidence, { until, reason, utc, by: JSON.stringify(principalThen(call.actor)) })
    await queue.setFiles(tx, item.item_id, evidence, 'out')
    await queue.updateItem(tx, item.item_id, { stage: 'ended', outcome: 'kept', next_at: null, ended_utc: utc })
    await ledger.append(tx, call, {
      action: 'disposition.kept',
      object: itemObject(item),
      detail: { evidence: evidence.map(String), untilUtc: isoMillis(until), given: reason },
    })
  }
  return { Kept: kept, UntilUtc: isoMillis(until) }
}

/** Finds open items, in order. @throws Fault DispositionItemNotFound */
async function found(from: Tx, tenant: string, ids: readonly string[]): Promise<ItemRow[]> {
  const items: ItemRow[] = []
  for (const id of [...ids].sort((one, other) => Number(one) - Number(other))) {
    const item = await queue.itemById(from, tenant, Number(id))
    if (item === undefined || String(item.item_id) !== id || item.stage === 'ended')
      throw fault('DispositionItemNotFound', `Item ${id} is not in the queue.`, [
        { Path: 'Items', Message: `${id} is not in the queue` },
      ])
    items.push(item)
  }
  return items
}

/** @param between awaited between two items; absent in a transaction */
async function examine({ disposition }: Deps, from: Tx, items: readonly ItemRow[], between?: () => Promise<void>) {
  const examined: Examined[] = []
  for (const item of items) {
    examined.push({ item, ...(await disposition.inside(from, item)) })
    await between?.()
  }
  return examined
}

async function out(deps: Deps, from: Tx, call: HttpCall, listed: readonly rows.ListedItem[]): Promise<ItemOut[]> {
  const judgement = await judge(deps, from, call, listed)
  return listed.map((row) => itemOut(row, judgement))
}

async function preview(deps: Deps, from: Tx, call: HttpCall, tenant: string, ids: readonly string[]) {
  const { clock, disposition } = deps
  const items = await found(from, tenant, ids)
  // Reads are synchronous, so the event loop gets a turn between items.
  const examined = await examine(deps, from, items, () => new Promise((resolve) => setImmediate(resolve)))
  const { approvals, whyNot } = await judge(deps, from, call, items)
  const others = await disposition.judged(
    from,
    await rows.otherEvidence(
      from,
      items.map((item) => item.item_id),
      MOST_OTHERS,
    ),
  )
  const goes = examined.flatMap((one) => one.goes)
  const stays = [
    ...examined.flatMap(({ item, stays: some }) => some.map((one) => ({ one, item }))),
    ...others.map((one) => ({ one, item: null })),
  ]
  const amounts = await rows.amountsOf(
    from,
    [...goes, ...stays.map(({ one }) => one)].map(({ id }) => id),
  )
  const { coolingMs, binDays } = disposition.times
  const until = Math.max(clock.now(), ...items.map((item) => item.next_at ?? 0))
  const bin = items.every((item) => item.stage === 'bin')
  const cooling = items.every((item) => item.stage !== 'waiting')
  const earliest = until + (bin ? 0 : binDays * DAY + (cooling ? 0 : coolingMs))
  return {
    TimeUtc: isoMillis(clock.now()),
    PreviewId: previewId(examined, approvals),
    Goes: {
      Evidence: goes.length,
      ...sum(
        goes.map(({ id }) => id),
        amounts,
      ),
      EarliestUtc: isoMillis(earliest),
    },
    Stays: {
      Evidence: stays.length,
      ...sum(
        stays.map(({ one }) => one.id),
        amounts,
      ),
      Items: stays.slice(0, MOST_NAMED).map(({ one, item }) => stayOut(one, amounts.get(one.id), item)),
    },
    WhyNot: items.map(whyNot).find((why) => why !== null) ?? null,
  }
}

async function approveOne(
  { ledger, clock, disposition }: Deps,
  tx: Tx,
  call: HttpCall,
  { item, goes, stays }: Examined,
  reason: string,
  approvals: readonly ApprovalRow[],
): Promise<void> {
  const number = approvals.filter((one) => one.item_id === item.item_id).length + 1
  const now = clock.now()
  await queue.insertApproval(tx, {
    item_id: item.item_id,
    number,
    principal_id: Number(call.actor.id),
    approved_by: JSON.stringify(principalThen(call.actor)),
    reason,
    approved_utc: isoMillis(now),
  })
  const until = number === 2 ? now + disposition.times.coolingMs : null
  if (until !== null) await queue.updateItem(tx, item.item_id, { stage: 'cooling', next_at: until })
  await ledger.append(tx, call, {
    action: 'disposition.approved',
    object: itemObject(item),
    detail: {
      number,
      evidence: goes.map(({ id }) => String(id)),
      given: reason,
      coolingUntilUtc: until === null ? null : isoMillis(until),
    },
  })
  // Evidence that the preview showed as staying must not be destroyed by this approval, even if its state changes later.
  await disposition.sendBack(tx, call, item, stays)
}

const judge = ({ clock, disposition }: Deps, from: Tx, call: HttpCall, items: readonly ItemRow[]) =>
  judgeApprovers(from, call, items, {
    clock,
    coolingMs: disposition.times.coolingMs,
    clockIsSteady: disposition.clockIsSteady,
  })

/** Identifies what would be destroyed, what would stay, and the approvals so far. It does not change with time alone. */
const previewId = (examined: readonly Examined[], approvals: readonly ApprovalRow[]): string =>
  hash(
    'sha256',
    canonicalJson(
      examined.map(({ item, goes, stays }) => ({
        item: item.item_id,
        stage: item.stage,
        approvals: approvals.filter((one) => one.item_id === item.item_id).map((one) => one.principal_id),
        goes: goes.map(({ id }) => id),
        stays: stays.map(({ id }) => id),
      })),
    ),
  ).slice(0, 40)

function sum(ids: readonly number[], amounts: ReadonlyMap<number, rows.Amount>): { Files: number; Bytes: number } {
  let Files = 0
  let Bytes = 0
  for (const id of ids) {
    Files += amounts.get(id)?.files ?? 0
    Bytes += amounts.get(id)?.bytes ?? 0
  }
  return { Files, Bytes }
}
