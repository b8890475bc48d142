/** What becomes due in a time to come, by the same rule that will decide then. */
import { judge, type Judgement } from '../../../shared/retention/retention.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { judgedEvidence } from './disposition/facts.store.ts'
import { watchedBetween } from './disposition/queue.store.ts'
import { amountsOf } from './disposition.store.ts'

export interface Upcoming {
  readonly evidenceId: number
  /** Milliseconds since 1970. */
  readonly due: number
  readonly rule: NonNullable<Judgement['rule']>
  readonly held: boolean
  readonly files: number
  readonly bytes: number
}

/** @param time milliseconds; the second one is outside. What is due already is in the queue, or held. */
export type UpcomingBetween = (
  tenant: string,
  time: { readonly from: number; readonly to: number },
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Upcoming[]; readonly more: boolean; readonly most: number }>

const AT_ONCE = 500
const MOST = 50_000

export function createUpcoming({
  db,
  clock,
  binDays,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly binDays: number
}): UpcomingBetween {
  return async (tenant, { from, to }, signal) => {
    const now = clock.now()
    const ids = (await db.longRead(watchedBetween(db.read, Math.max(from, now), to, MOST + 1), signal)).map(
      ({ id }) => id,
    )
    const items: Upcoming[] = []
    for (let at = 0; at < Math.min(ids.length, MOST); at += AT_ONCE) {
      signal.throwIfAborted()
      const some = ids.slice(at, Math.min(at + AT_ONCE, MOST))
      const judged = await judgedEvidence(db.read, some)
      const amounts = await amountsOf(db.read, some)
      for (const [id, { tenant: own, facts }] of judged) {
        const { due, rule, holds } = judge(facts, now, binDays)
        if (own !== tenant || due === null || rule === null || due < from || due >= to) continue
        const { files = 0, bytes = 0 } = amounts.get(id) ?? {}
        items.push({ evidenceId: id, due, rule, held: holds.length > 0, files, bytes })
      }
      // Reads are synchronous, so the event loop gets a turn between batches.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { items, more: ids.length > MOST, most: MOST }
  }
}
