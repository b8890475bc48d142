import type { z } from 'zod'
import type { RetentionPreview } from '../../../shared/retention/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { type HoldCode, judge, type SourceMatch } from '../../../shared/retention/retention.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import {
  type JudgedEvidence,
  judgedEvidence,
  type SourceTerm,
  sourceTerms,
  type Supposed,
} from './disposition/facts.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { amountsOf } from './disposition.store.ts'
import { evidenceAfter, evidenceOfCategory } from './sources.store.ts'
import { requireSource } from './sources.service.ts'

export type RetentionPreviewOut = z.input<typeof RetentionPreview>

/** The rule that is to be saved. */
export type Supposition =
  | { readonly kind: 'category'; readonly id: string; readonly days: number | null }
  | {
      readonly kind: 'source'
      /** Null: a new one. */
      readonly id: string | null
      readonly remove: boolean
      readonly match: SourceMatch
      readonly days: number | null
    }

/** Previews the effect of a change of a retention, with the same rule that will decide later. @throws Fault CategoryNotFound, SourcePolicyNotFound */
export type PreviewRetention = (
  tenant: string,
  supposition: Supposition,
  signal: AbortSignal,
) => Promise<RetentionPreviewOut>

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly binDays: number
  readonly categoryExists: (from: Tx, tenant: string, id: string) => Promise<boolean>
  /** The most evidence that is examined; the rest is reported as not examined. */
  readonly most?: number
}

const AT_ONCE = 500
const MOST = 50_000
const PARTS = ['Concerned', 'BecomeDue', 'Sooner', 'Later', 'OpenCases', 'Protected'] as const
type Part = (typeof PARTS)[number]

export function createRetentionPreview({ db, clock, binDays, categoryExists, most = MOST }: Deps): PreviewRetention {
  return async (tenant, supposition, signal) => {
    const now = clock.now()
    const supposed = await supposedBy(db, tenant, supposition, categoryExists)
    const sums = new Map<Part, { Files: number; Bytes: number }>(PARTS.map((part) => [part, { Files: 0, Bytes: 0 }]))
    const { stretches, complete } = await batchesOf(db, tenant, supposition, most)
    for (const ids of stretches) {
      signal.throwIfAborted()
      const before = await judgedEvidence(db.read, ids)
      const after = await judgedEvidence(db.read, ids, supposed)
      const amounts = await amountsOf(db.read, ids)
      for (const [id, one] of before) {
        const then = after.get(id) as JudgedEvidence
        if (!isConcerned(one, then, supposition)) continue
        const old = judge(one.facts, now, binDays)
        const next = judge(then.facts, now, binDays)
        const amount = amounts.get(id)
        for (const part of partsOf(old, next, now)) {
          const sum = sums.get(part) as { Files: number; Bytes: number }
          sum.Files += amount?.files ?? 0
          sum.Bytes += amount?.bytes ?? 0
        }
      }
      // Reads are synchronous, so the event loop gets a turn between batches.
      await new Promise((resolve) => setImmediate(resolve))
    }
    return {
      TimeUtc: isoMillis(now),
      Complete: complete,
      ...(Object.fromEntries(sums) as Record<Part, { Files: number; Bytes: number }>),
    }
  }
}

async function supposedBy(
  db: Database,
  tenant: string,
  supposition: Supposition,
  categoryExists: Deps['categoryExists'],
): Promise<Supposed> {
  if (supposition.kind === 'category') {
    if (!(await categoryExists(db.read, tenant, supposition.id)))
      throw fault('CategoryNotFound', `There is no category ${supposition.id}.`)
    return { categoryDays: new Map([[supposition.id, supposition.days]]) }
  }
  const { id, remove, match, days } = supposition
  if (id !== null) await requireSource(db.read, tenant, id)
  const others = (await sourceTerms(db.read)).filter((one) => one.id !== id)
  const own: SourceTerm = { id: id ?? 'new', name: '', days, tenant, match }
  return { sources: remove ? others : [...others, own] }
}

/** Ids to examine, in batches. */
async function batchesOf(
  db: Database,
  tenant: string,
  supposition: Supposition,
  most: number,
): Promise<{ stretches: number[][]; complete: boolean }> {
  const query =
    supposition.kind === 'category'
      ? evidenceOfCategory(db.read, tenant, Number(supposition.id), most + 1)
      : evidenceAfter(db.read, tenant, 0, most + 1)
  const ids = (await db.longRead(query)).map((row) => row.id)
  const examined = ids.slice(0, most)
  const stretches = Array.from({ length: Math.ceil(examined.length / AT_ONCE) }, (_, at) =>
    examined.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
  return { stretches, complete: ids.length <= most }
}

/** Whether a source policy matches the evidence now, or would match it. */
function isConcerned(before: JudgedEvidence, after: JudgedEvidence, supposition: Supposition): boolean {
  if (supposition.kind === 'category') return true
  const { id } = supposition
  return (
    before.facts.sources.some((one) => one.id === id) || after.facts.sources.some((one) => one.id === (id ?? 'new'))
  )
}

const PROTECTED: ReadonlySet<HoldCode> = new Set(['Protected', 'CaseProtected'])

function partsOf(old: ReturnType<typeof judge>, next: ReturnType<typeof judge>, now: number): Part[] {
  const parts: Part[] = ['Concerned']
  const holds = next.holds.map(({ code }) => code)
  if (holds.includes('CaseOpen')) parts.push('OpenCases')
  if (holds.some((code) => PROTECTED.has(code))) parts.push('Protected')
  const was = old.due ?? Number.POSITIVE_INFINITY
  const is = next.due ?? Number.POSITIVE_INFINITY
  if (is <= now && was > now && holds.length === 0) parts.push('BecomeDue')
  else if (is < was) parts.push('Sooner')
  else if (is > was) parts.push('Later')
  return parts
}
