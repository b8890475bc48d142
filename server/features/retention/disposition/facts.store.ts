import type { CaseFacts, RetentionFacts, SourceMatch, Term } from '../../../../shared/retention/retention.ts'
import { sourceFits } from '../../../../shared/retention/retention.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { disclosedInOpenCases } from '../../../kernel/evidence/disclosed.store.ts'
import type { PrincipalThen } from '../../../kernel/evidence/model.ts'

/** Input for the rule of shared/retention/retention.ts, read from the rows. */
export interface JudgedEvidence {
  readonly id: number
  readonly tenant: string
  readonly name: string
  /** The person who moved it to the recycle bin. */
  readonly deletedBy: PrincipalThen | null
  readonly facts: RetentionFacts
}

export interface SourceTerm extends Term {
  readonly tenant: string
  readonly match: SourceMatch
}

/** A hypothetical policy, for a preview that does not change rows. */
export interface Supposed {
  readonly sources?: readonly SourceTerm[]
  readonly categoryDays?: ReadonlyMap<string, number | null>
}

const EVIDENCE = [
  'evidence_id',
  'tenant_id',
  'name',
  'category_id',
  'source_id',
  'device',
  'end_utc',
  'created_utc',
  'created_by',
  'lifecycle_state',
  'deleted_utc',
  'deleted_by',
  'protected_until',
] as const

type Row = Awaited<ReturnType<typeof evidenceRows>>[number]

const evidenceRows = (from: Tx, ids: readonly number[]) =>
  from.selectFrom('evidence').select(EVIDENCE).where('evidence_id', 'in', ids).execute()

/** The existing evidence among these, by id. @param ids at most a few thousand */
export async function judgedEvidence(
  from: Tx,
  ids: readonly number[],
  supposed: Supposed = {},
): Promise<Map<number, JudgedEvidence>> {
  if (ids.length === 0) return new Map()
  const rows = await evidenceRows(from, ids)
  const sources = supposed.sources ?? (await sourceTerms(from))
  const cases = await casesOf(from, ids, supposed)
  const disclosed = Map.groupBy(await disclosedInOpenCases(from, ids), (one) => one.evidence_id)
  const categories = await categoriesById(
    from,
    rows.map((row) => row.category_id),
    supposed,
  )
  const withdrawn = await withdrawnOf(from, ids)
  const kept = await keptOf(from, ids)
  const unfinished = await unfinishedOf(from, ids)
  return new Map(
    rows.map((row) => {
      const id = row.evidence_id
      const source = sourceOf(row)
      const facts: RetentionFacts = {
        lifecycle: row.lifecycle_state as RetentionFacts['lifecycle'],
        protectedUntil: instant(row.protected_until),
        deletedAt: instant(row.deleted_utc),
        endedAt: instant(row.end_utc),
        createdAt: Date.parse(row.created_utc),
        // An unknown category gives no period, so the evidence is kept.
        category: row.category_id === null ? null : (categories.get(row.category_id) ?? unknown(row.category_id)),
        sources: sources.filter((one) => one.tenant === row.tenant_id && sourceFits(one.match, source)),
        cases: cases.get(id) ?? [],
        disclosed: (disclosed.get(id) ?? []).map((one) => ({
          caseId: String(one.case_id),
          ordinal: ordinalOf(one.ordinal_year, one.ordinal_number),
        })),
        withdrawnAt: withdrawn.get(id) ?? [],
        keptUntil: kept.get(id) ?? null,
        unfinished: unfinished.has(id),
      }
      const deletedBy = row.deleted_by === null ? null : (JSON.parse(row.deleted_by) as PrincipalThen)
      return [id, { id, tenant: row.tenant_id, name: row.name, deletedBy, facts }]
    }),
  )
}

const instant = (text: string | null): number | null => (text === null ? null : Date.parse(text))
const unknown = (id: string): Term => ({ id, name: '', days: null })

function sourceOf(row: Row): SourceMatch {
  const device = row.device === null ? null : (JSON.parse(row.device) as { DeviceType: string | null })
  const { PrincipalType } = JSON.parse(row.created_by) as PrincipalThen
  return {
    deviceType: device?.DeviceType ?? null,
    sourceId: row.source_id,
    uploader:
      PrincipalType === 'group' || PrincipalType === 'anonymous' || PrincipalType === 'share-link'
        ? null
        : PrincipalType,
  }
}

/** Of all tenants: there are few. */
export async function sourceTerms(from: Tx): Promise<SourceTerm[]> {
  const rows = await from.selectFrom('source_policies').selectAll().orderBy('source_policy_id').execute()
  return rows.map((row) => ({
    id: String(row.source_policy_id),
    name: row.name,
    days: row.retention_days,
    tenant: row.tenant_id,
    match: { deviceType: row.device_type, sourceId: row.source_id, uploader: row.uploader },
  }))
}

async function categoriesById(
  from: Tx,
  ids: readonly (string | null)[],
  { categoryDays }: Supposed,
): Promise<Map<string, Term>> {
  const wanted = [...new Set(ids)].map(Number).filter(Number.isSafeInteger)
  if (wanted.length === 0) return new Map()
  const rows = await from
    .selectFrom('categories')
    .select(['category_id', 'name', 'retention_days'])
    .where('category_id', 'in', wanted)
    .execute()
  return new Map(
    rows.map((row) => {
      const id = String(row.category_id)
      return [id, { id, name: row.name, days: supposedDays(id, row.retention_days, categoryDays) }]
    }),
  )
}

const supposedDays = (id: string, days: number | null, supposed: Supposed['categoryDays']): number | null => {
  const other = supposed?.get(id)
  return other === undefined ? days : other
}

/** Every case of the evidence. An unconfirmed link keeps evidence too. */
async function casesOf(from: Tx, ids: readonly number[], supposed: Supposed): Promise<Map<number, CaseFacts[]>> {
  const rows = await from
    .selectFrom('case_links as l')
    .innerJoin('cases as c', 'c.case_id', 'l.case_id')
    .leftJoin('categories as k', 'k.category_id', 'c.category_id')
    .select(['l.evidence_id', 'c.case_id', 'c.ordinal_year', 'c.ordinal_number', 'c.state', 'c.lifecycle_state'])
    .select(['c.protected_until', 'c.closed_on', 'k.category_id', 'k.name', 'k.retention_days'])
    .distinct()
    .where('l.evidence_id', 'in', ids)
    .orderBy('c.case_id')
    .execute()
  const found = new Map<number, CaseFacts[]>()
  for (const row of rows) {
    const categoryId = row.category_id === null ? null : String(row.category_id)
    const one: CaseFacts = {
      caseId: String(row.case_id),
      ordinal: ordinalOf(row.ordinal_year, row.ordinal_number),
      state: row.state,
      lifecycle: row.lifecycle_state,
      protectedUntil: instant(row.protected_until),
      closedAt: instant(row.closed_on),
      category:
        categoryId === null
          ? null
          : {
              id: categoryId,
              name: row.name ?? '',
              days: supposedDays(categoryId, row.retention_days, supposed.categoryDays),
            },
    }
    const list = found.get(row.evidence_id)
    if (list === undefined) found.set(row.evidence_id, [one])
    else list.push(one)
  }
  return found
}

/** Decisions 4: per tenant and year, `2026-000123`. */
export const ordinalOf = (year: number, number: number): string => `${year}-${String(number).padStart(6, '0')}`

async function withdrawnOf(from: Tx, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await from
    .selectFrom('withdrawn_links')
    .select(['evidence_id', 'withdrawn_utc'])
    .where('evidence_id', 'in', ids)
    .where('settled_utc', 'is', null)
    .execute()
  const found = new Map<number, number[]>()
  for (const { evidence_id: id, withdrawn_utc: at } of rows) found.set(id, [...(found.get(id) ?? []), Date.parse(at)])
  return found
}

async function keptOf(from: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await from
    .selectFrom('disposition_keeps')
    .select(['evidence_id', 'until_at'])
    .where('evidence_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.evidence_id, row.until_at]))
}

async function unfinishedOf(from: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await from
    .selectFrom('resources')
    .select('evidence_id')
    .where('evidence_id', 'in', ids)
    .where('state', '=', 'None')
    .execute()
  return new Set(rows.map((row) => row.evidence_id))
}
