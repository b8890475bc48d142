/** Puts into the queue what the rules of forwarding name, and what changed since it was forwarded. */
import type { Database } from '../../kernel/database/database.ts'
import * as rows from './forwarding.store.ts'
import { groundOf, type Rules } from './rules.ts'

/** After changes, and in any case since evidence grows older. A sweep takes at most a tenth of the time. */
const SWEEP_AFTER_CHANGES = 1_000
const SWEEP_EVERY = 5 * 60_000
const SWEEP_PART = 10
const CANDIDATES = 1000

export interface LastSweep {
  /** Milliseconds since it ended. */
  readonly ago: number
  /** Milliseconds that it took. */
  readonly took: number
  /** Whether rows changed since it began. */
  readonly isChanged: boolean
}

export const isSweepDue = ({ ago, took, isChanged }: LastSweep): boolean =>
  ago >= SWEEP_EVERY || (isChanged && ago >= Math.max(SWEEP_AFTER_CHANGES, SWEEP_PART * took))

const namesAny = (rules: Rules): boolean =>
  rules.Everything || rules.CategoryIds.length > 0 || rules.InCase || rules.AfterDays !== null

type NewItem = Parameters<typeof rows.insertItem>[1]

/** Items for those candidates that the rules name, each with the rule that does. */
function itemsFor(tenant: string, rules: Rules, candidates: readonly rows.Candidate[], now: number): NewItem[] {
  return candidates.flatMap((one) => {
    const createdAt = Date.parse(one.created_utc)
    const ground = groundOf(rules, { categoryId: one.category_id, inCase: one.in_case === 1, createdAt }, now)
    if (ground === null) return []
    return [
      {
        evidence_id: one.evidence_id,
        tenant_id: tenant,
        state: 'waiting',
        ground,
        created_at: createdAt,
        bytes: one.bytes,
        queued_at: now,
      },
    ]
  })
}

/** @param signal ends it after the page at hand */
export async function sweep(
  db: Database,
  { tenant, rules }: { readonly tenant: string; readonly rules: Rules },
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const write = db.inBackground
  for (let after = 0, more = namesAny(rules); more && !signal.aborted; ) {
    const page = await db.longRead(rows.candidatesAfter(db.read, tenant, after, CANDIDATES))
    after = page.at(-1)?.evidence_id ?? 0
    more = page.length === CANDIDATES
    const items = itemsFor(tenant, rules, page, now)
    if (items.length === 0) continue
    await write.transaction(async (tx) => {
      for (const item of items) await rows.insertItem(tx, item)
    })
  }
  const changed = await db.longRead(rows.changedSince(db.read, tenant, CANDIDATES))
  if (changed.length === 0) return
  await write.transaction(async (tx) => {
    for (const { evidence_id: id, bytes } of changed)
      await rows.changeItem(tx, id, {
        state: 'waiting',
        ground: 'changed',
        bytes,
        queued_at: now,
        next_at: 0,
        attempts: 0,
      })
  })
}
