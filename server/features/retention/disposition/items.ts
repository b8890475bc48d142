import {
  type HoldCode,
  type Judgement,
  judge,
  looksAgain,
  mayGo,
  type Rule,
  ruleKey,
  sameRule,
  type StoredRule,
} from '../../../../shared/retention/retention.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import { type JudgedEvidence, judgedEvidence } from './facts.store.ts'
import * as rows from './queue.store.ts'
import type { ItemRow } from './queue.store.ts'

export interface DispositionTimes {
  /** Between the second approval and the recycle bin. */
  readonly coolingMs: number
  /** Days in the recycle bin, before destruction and before evidence deleted by a person enters the queue. */
  readonly binDays: number
  /** Days after which account control ends, counted from the last act of the person who created or reset the account. */
  readonly settleDays: number
}

export interface Judged extends JudgedEvidence {
  readonly judgement: Judgement
}

/** Operations on items of the queue, each inside the caller's transaction. */
export interface Items {
  /** Judges evidence by the current rule, in order of id. */
  judged(from: Tx, ids: readonly number[]): Promise<Judged[]>
  /** The current judgement of everything in the item, divided by whether the item's rule allows destruction. */
  inside(from: Tx, item: ItemRow): Promise<{ goes: Judged[]; stays: Judged[] }>
  /** Puts due evidence into items, takes out evidence that is no longer due, and notes the time of the next check. */
  sort(tx: Tx, call: Call, ids: readonly number[]): Promise<void>
  /** Takes evidence out of the item and watches it again. An empty item ends. */
  sendBack(tx: Tx, call: Call, item: ItemRow, stays: readonly Judged[]): Promise<void>
  /** Ends the item when it is empty. @returns whether it was */
  endEmpty(tx: Tx, item: ItemRow): Promise<boolean>
}

/** Holds that are shown in the queue, because a person has to decide. Other holds need nobody. */
const SHOWN: ReadonlySet<HoldCode> = new Set(['Protected', 'CaseProtected', 'LinkWithdrawn'])

interface Deps {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly times: DispositionTimes
}

export function createItems({ ledger, clock, times }: Deps): Items {
  const judged: Items['judged'] = async (from, ids) =>
    [...(await judgedEvidence(from, ids)).values()]
      .sort((one, other) => one.id - other.id)
      .map((one) => ({ ...one, judgement: judge(one.facts, clock.now(), times.binDays) }))

  const endEmpty: Items['endEmpty'] = async (tx, item) => {
    if ((await rows.filesIn(tx, item.item_id)).length > 0) return false
    const outcome = (await rows.anyDestroyed(tx, item.item_id)) ? 'destroyed' : 'returned'
    await rows.updateItem(tx, item.item_id, {
      stage: 'ended',
      outcome,
      next_at: null,
      ended_utc: isoMillis(clock.now()),
    })
    return true
  }

  const sendBack: Items['sendBack'] = async (tx, call, item, stays) => {
    if (stays.length === 0) return
    await rows.setFiles(
      tx,
      item.item_id,
      stays.map(({ id }) => id),
      'out',
    )
    await ledger.append(tx, call, {
      action: 'disposition.returned',
      object: itemObject(item),
      detail: { evidence: stays.map(({ id, judgement }) => ({ id: String(id), why: whyNot(judgement, item) })) },
    })
    await endEmpty(tx, item)
  }

  /** Finds an item without approvals for the evidence, or creates one. */
  const itemFor = async (tx: Tx, one: Judged, rule: Rule): Promise<ItemRow> => {
    const like = {
      tenant_id: one.tenant,
      case_id: rule.caseId === null ? null : Number(rule.caseId),
      rule_key: ruleKey(rule),
      requested_by: JSON.stringify(rule.kind === 'Deleted' ? one.deletedBy : principalThen(INTERNAL)),
    }
    const found = await rows.openItemLike(tx, like)
    const due = one.judgement.due as number
    if (found !== undefined) {
      if (due < found.due_at) await rows.updateItem(tx, found.item_id, { due_at: due })
      return found
    }
    const id = await rows.insertItem(tx, {
      ...like,
      rule: JSON.stringify(rule),
      stage: 'waiting',
      outcome: null,
      due_at: due,
      next_at: null,
      created_utc: isoMillis(clock.now()),
      ended_utc: null,
    })
    return rows.itemByIdAlone(tx, id)
  }

  return {
    judged,
    inside: async (from, item) => {
      const all = await judged(from, await rows.filesIn(from, item.item_id))
      const goes = all.filter((one) => goesBy(one.judgement, item, clock.now()))
      return { goes, stays: all.filter((one) => !goes.includes(one)) }
    },
    endEmpty,
    sendBack,
    sort: async (tx, call, ids) => {
      const now = clock.now()
      const all = await judged(tx, ids)
      const open = await rows.openItemsOf(tx, ids)
      // First, because evidence that leaves an item is scheduled for an immediate check.
      const approved = new Set((await rows.approvalsOf(tx, itemIdsOf(open))).map((row) => row.item_id))
      const out = all.filter((one) => leaves(one, open.get(one.id), approved, now))
      const staying = all.filter((one) => !out.includes(one))
      for (const [at, lookedAt] of byLook(staying, now)) await rows.watchAt(tx, lookedAt, at)
      for (const [item, some] of byItem(out, open)) await sendBack(tx, call, item, some)
      const added = new Map<number, { item: ItemRow; ids: number[] }>()
      for (const one of staying) {
        const { judgement, id } = one
        if (judgement.rule === null || !queued(judgement, now)) continue
        if (open.has(id)) {
          await rows.setHeld(tx, id, heldBy(judgement))
          continue
        }
        const item = await itemFor(tx, one, judgement.rule)
        await rows.addFile(tx, item.item_id, id)
        await rows.setHeld(tx, id, heldBy(judgement))
        const known = added.get(item.item_id)
        if (known === undefined) added.set(item.item_id, { item, ids: [id] })
        else known.ids.push(id)
      }
      for (const { item, ids: evidence } of added.values())
        await ledger.append(tx, call, {
          action: 'disposition.queued',
          object: itemObject(item),
          detail: { rule: JSON.parse(item.rule) as Rule, evidence: evidence.map(String) },
        })
    },
  }
}

export const itemObject = (item: Pick<ItemRow, 'item_id'>) => ({
  type: 'disposition',
  id: String(item.item_id),
  name: '',
})

export const ruleOf = (item: ItemRow): StoredRule => JSON.parse(item.rule) as StoredRule

/** Whether the item's own rule allows destruction. An approval covers no other rule. */
export const goesBy = (judgement: Judgement, item: ItemRow, now: number): boolean =>
  mayGo(judgement, now) && sameRule(judgement.rule, ruleOf(item))

const queued = ({ due, holds }: Judgement, now: number): boolean =>
  (due ?? Number.POSITIVE_INFINITY) <= now && holds.every(({ code }) => SHOWN.has(code))

/** Whether evidence leaves its item. Approved evidence is destroyed as approved or not at all; in an unapproved item it may be shown as held. */
function leaves({ judgement }: Judged, item: ItemRow | undefined, approved: ReadonlySet<number>, now: number): boolean {
  if (item === undefined) return false
  if (approved.has(item.item_id)) return !goesBy(judgement, item, now)
  return !queued(judgement, now) || !sameRule(judgement.rule, ruleOf(item))
}

const heldBy = ({ holds }: Judgement): string | null => holds[0]?.code ?? null

const itemIdsOf = (open: ReadonlyMap<number, ItemRow>): number[] => [
  ...new Set([...open.values()].map((item) => item.item_id)),
]

function byLook(all: readonly Judged[], now: number): Map<number | null, number[]> {
  const found = new Map<number | null, number[]>()
  for (const { id, judgement } of all) {
    const at = looksAgain(judgement, now)
    found.set(at, [...(found.get(at) ?? []), id])
  }
  return found
}

function byItem(all: readonly Judged[], open: ReadonlyMap<number, ItemRow>): [ItemRow, Judged[]][] {
  const found = new Map<number, [ItemRow, Judged[]]>()
  for (const one of all) {
    const item = open.get(one.id) as ItemRow
    const known = found.get(item.item_id)
    if (known === undefined) found.set(item.item_id, [item, [one]])
    else known[1].push(one)
  }
  return [...found.values()]
}

/** Reasons as codes, for the ledger. */
const whyNot = ({ due, rule, holds }: Judgement, item: ItemRow): string[] => {
  if (holds.length > 0) return holds.map(({ code, caseId }) => (caseId === null ? code : `${code}:${caseId}`))
  if (due === null) return ['NeverDue']
  return [sameRule(rule, ruleOf(item)) ? 'NotYetDue' : 'OtherRule']
}
