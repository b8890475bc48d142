import type { z } from 'zod'
import type { CaseCorrelationModel, CorrelationModel, ReviewModel } from '../../../shared/correlation/contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import {
  dropLinkFacts,
  endReview,
  putRefusal,
  putRule,
  type ReviewRow,
  reviewById,
  reviewsAfter,
  ruleRows,
  type WithdrawnRow,
  withdrawnOf,
} from './correlation.store.ts'
import type { CaseLinksChanged } from './correlation.ts'
import type { ReviewReason } from './engine.ts'
import { explainCase, explainPair, type Explanation } from './explain.ts'
import { REVIEW_REASONS } from './explanation-text.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { deleteLink, linksOfEvidence } from '../../kernel/evidence/links.store.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import { evidenceObject, type Records } from '../../kernel/evidence/records.ts'
import { shownNames } from '../../kernel/evidence/display-names.store.ts'
import { type EvidenceRow, evidenceById } from '../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type CaseRow, liveCasesById } from '../../kernel/cases/cases.store.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { isGuest, levelBesideSharing } from '../../kernel/access/guests.ts'

type PairOut = z.input<typeof CorrelationModel>
type CaseOut = z.input<typeof CaseCorrelationModel>
type ReviewOut = z.input<typeof ReviewModel>

export interface Rules {
  readonly Place: { readonly Enabled: boolean; readonly RadiusMetres: number }
  readonly Number: { readonly Enabled: boolean }
}

/** What people ask of the correlation engine, and answer it (decisions 3 and 8). */
export interface CorrelationActs {
  /** @throws Fault CaseNotFound, CaseDeleted, Forbidden */
  ofCase(call: HttpCall, tenant: string, caseId: string): Promise<CaseOut>
  /** @throws Fault also EvidenceNotFound, EvidenceDeleted */
  ofPair(call: HttpCall, tenant: string, caseId: string, evidenceId: string): Promise<PairOut>
  /** @throws Fault also CaseClosed, InvalidLinkAction, Forbidden without Manage on the evidence */
  refuse(call: HttpCall, tenant: string, caseId: string, evidenceId: string, reason: string): Promise<void>
  reviews(
    call: HttpCall,
    tenant: string,
    page: { readonly after: number; readonly count: number },
  ): Promise<{ Items: ReviewOut[]; last: number | null }>
  /** Of the questions that the caller may decide, up to `most`. */
  countReviews(
    call: HttpCall,
    tenant: string,
    most: number,
  ): Promise<{ readonly count: number; readonly more: boolean }>
  /** @throws Fault ReviewNotFound */
  settle(call: HttpCall, tenant: string, reviewId: string, reason: string): Promise<void>
  /**
   * Does what the engine asks for, in the name of the person.
   * @throws Fault also CaseClosed, CaseDeleted, EvidenceDeleted, InvalidLinkAction, Forbidden without Edit on the case
   */
  accept(call: HttpCall, tenant: string, reviewId: string, reason: string): Promise<void>
  rules(tenant: string): Promise<Rules>
  setRules(call: HttpCall, tenant: string, rules: Rules): Promise<Rules>
}

/** What correlation needs of the case service. */
export interface CasesOfCorrelation {
  readonly reachCase: ReachCase
  /**
   * Changes manual links of a case. Makes no version of the case. @returns the links that changed
   * @throws Fault EvidenceNotFound, EvidenceDeleted, PrincipalCannotManageEvidence
   */
  readonly linkToCase: (
    tx: Tx,
    call: UnitCall,
    row: CaseRow,
    changes: readonly { readonly id: string; readonly action: 'Add'; readonly path: string }[],
  ) => Promise<CaseLinksChanged>
  /** Makes the version of a case whose links changed, with its entry. */
  readonly linksChanged: (
    tx: Tx,
    call: Call,
    caseId: number,
    changed: CaseLinksChanged & { readonly automatic?: true; readonly refused?: true },
  ) => Promise<void>
}

interface Deps extends CasesOfCorrelation {
  readonly db: Database
  readonly ledger: Ledger
  readonly records: Pick<Records, 'relinked'>
  readonly access: Access
  readonly clock: Clock
  /** IANA name, of the station. */
  readonly timeZone: string
}

const USUAL_RADIUS = 200
/** Questions looked through for one page of those that the caller may see. */
const MOST_LOOKED_THROUGH = 5000

export function createCorrelationActs(deps: Deps): CorrelationActs {
  const { db, reachCase, linkToCase, linksChanged } = deps
  return {
    ofCase: (call, tenant, caseId) => ofCase(deps, call, tenant, caseId),
    ofPair: async (call, tenant, caseId, evidenceId) => {
      const row = await reachCase(db.read, call, tenant, caseId, 'View')
      const evidence = await evidenceFor(deps, db.read, call, tenant, evidenceId)
      const { evidence_id: id, name } = evidence.row
      const [last] = await withdrawnOf(db.read, row.case_id, id)
      const before = last === undefined ? null : withdrawnModel(last, name)
      return pairModel(await explainPair(db.read, row.case_id, id), name, before)
    },
    refuse: (call, tenant, caseId, evidenceId, reason) =>
      db.transaction(async (tx) => {
        const row = await reachCase(tx, call, tenant, caseId, 'View')
        const { row: evidence, level } = await evidenceFor(deps, tx, call, tenant, evidenceId)
        if (!includes(await levelBesideSharing(tx, call.principal, level), 'Manage'))
          throw new Fault('Forbidden', 'Refusing a link needs Manage on the evidence.', {
            reason: 'PrincipalCannotManageEvidence',
          })
        await takeAway(deps, tx, call, row, evidence, reason)
      }),
    reviews: (call, tenant, page) => reviews(deps, call, tenant, page),
    countReviews: async (call, tenant, most) => {
      const { shown, examined } = await openReviews(deps, call, tenant, { after: 0, count: most })
      return { count: Math.min(shown.length, most), more: shown.length > most || examined >= MOST_LOOKED_THROUGH }
    },
    settle: (call, tenant, reviewId, reason) =>
      db.transaction(async (tx) => {
        await ended(deps, tx, call, await openReview(deps, tx, call, tenant, reviewId), reason, false)
      }),
    accept: (call, tenant, reviewId, reason) =>
      db.transaction(async (tx) => {
        const review = await openReview(deps, tx, call, tenant, reviewId)
        const row = await reachCase(tx, call, tenant, String(review.case_id), 'Edit')
        if (row.state === 'Closed') throw fault('CaseClosed', 'The case is closed. Reopen it first.')
        const id = String(review.evidence_id)
        if (review.act === 'Link') {
          const linked = await linkToCase(tx, call, row, [{ id, action: 'Add', path: 'reviewId' }])
          if (linked.added.length > 0) await linksChanged(tx, call, row.case_id, linked)
        } else {
          const { row: evidence } = await evidenceFor(deps, tx, call, tenant, id)
          await takeAway(deps, tx, call, row, evidence, reason)
        }
        await ended(deps, tx, call, review, reason, true)
      }),
    rules: async (tenant) => rulesModel(await ruleRows(db.read, tenant)),
    setRules: (call, tenant, rules) => db.transaction((tx) => setRules(deps, tx, call, tenant, rules)),
  }
}

async function ofCase(deps: Deps, call: HttpCall, tenant: string, caseId: string) {
  const { db, reachCase, access } = deps
  const row = await reachCase(db.read, call, tenant, caseId, 'View')
  const { window, items } = await explainCase(db.read, row.case_id)
  const withdrawn = await withdrawnOf(db.read, row.case_id)
  const ids = [...new Set([...items.map((one) => one.evidenceId), ...withdrawn.map((one) => one.evidence_id)])]
  const levels = await access.onEvidences(db.read, call.principal, ids)
  const seen = (id: number): boolean => includes(levels.get(id) ?? 'None', 'View')
  const shown = ids.filter(seen)
  const names = await shownNames(deps, db.read, call.principal, shown)
  const modelOf = (one: WithdrawnRow) => withdrawnModel(one, names.get(one.evidence_id) ?? null)
  const last = new Map(withdrawn.toReversed().map((one) => [one.evidence_id, one]))
  return {
    CaseId: caseId,
    WindowFromUtc: window === null ? null : isoMillis(window.from),
    WindowToUtc: window === null ? null : isoMillis(window.to),
    WindowCut: window?.cut ?? false,
    Items: items
      .filter((one) => seen(one.evidenceId))
      .map((one) => {
        const before = last.get(one.evidenceId)
        return pairModel(one, names.get(one.evidenceId) ?? null, before === undefined ? null : modelOf(before))
      }),
    Withdrawn: withdrawn.filter((one) => seen(one.evidence_id)).map(modelOf),
  }
}

/** Questions that the caller may decide: more than `count` where there are more. */
async function openReviews(
  deps: Deps,
  call: HttpCall,
  tenant: string,
  { after, count }: { readonly after: number; readonly count: number },
) {
  const shown: ReviewRow[] = []
  let last = after
  let examined = 0
  while (shown.length <= count && examined < MOST_LOOKED_THROUGH) {
    const rows = await reviewsAfter(deps.db.read, tenant, last, 500)
    examined += rows.length
    shown.push(...(await seenBy(deps, call, rows)))
    last = rows.at(-1)?.review_id ?? last
    if (rows.length < 500) break
  }
  return { shown, last, examined }
}

async function reviews(
  deps: Deps,
  call: HttpCall,
  tenant: string,
  { after, count }: { readonly after: number; readonly count: number },
): Promise<{ Items: ReviewOut[]; last: number | null }> {
  const { db } = deps
  const { shown, last, examined } = await openReviews(deps, call, tenant, { after, count })
  const page = shown.slice(0, count)
  const titles = new Map(
    (await liveCasesById(db.read, [...new Set(page.map((row) => row.case_id))])).map((row) => [row.case_id, row.title]),
  )
  const about = [...new Set(page.map((row) => row.evidence_id))]
  const names = await shownNames(deps, db.read, call.principal, about)
  const more = shown.length > count ? page.at(-1)?.review_id : examined >= MOST_LOOKED_THROUGH ? last : undefined
  return {
    Items: page.map((row) => ({
      ReviewId: String(row.review_id),
      CaseId: String(row.case_id),
      CaseTitle: titles.get(row.case_id) ?? '',
      EvidenceId: String(row.evidence_id),
      EvidenceName: names.get(row.evidence_id) ?? null,
      Act: row.act,
      Because: row.because as ReviewReason,
      Text: REVIEW_REASONS[row.because as ReviewReason],
      CreatedUtc: row.created_utc,
    })),
    last: more ?? null,
  }
}

async function setRules({ ledger, clock }: Deps, tx: Tx, call: HttpCall, tenant: string, rules: Rules): Promise<Rules> {
  const by = {
    tenant_id: tenant,
    modified_utc: isoMillis(clock.now()),
    modified_by: JSON.stringify(authorOf(call.actor)),
  }
  const { Place, Number: Named } = rules
  const before = rulesModel(await ruleRows(tx, tenant))
  await putRule(tx, { ...by, rule: 'place', enabled: Place.Enabled ? 1 : 0, radius_metres: Place.RadiusMetres })
  await putRule(tx, { ...by, rule: 'number', enabled: Named.Enabled ? 1 : 0, radius_metres: null })
  await ledger.append(tx, call, {
    action: 'correlation.rulesChanged',
    object: { type: 'correlation', id: 'rules', name: '' },
    detail: { before, after: rules },
  })
  return rulesModel(await ruleRows(tx, tenant))
}

/** Evidence that the caller cannot view is reported as missing. */
async function evidenceFor({ access }: Deps, from: Tx, call: HttpCall, tenant: string, id: string) {
  const row: EvidenceRow | undefined = await evidenceById(from, tenant, Number(id))
  const level =
    row === undefined || String(row.evidence_id) !== id
      ? 'None'
      : await access.onEvidence(from, call.principal, row.evidence_id)
  if (row === undefined || level === 'None')
    throw fault('EvidenceNotFound', `There is no evidence ${id} here.`, [{ Path: 'evidenceId', Message: 'names none' }])
  if (row.lifecycle_state === 'Deleted') throw fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
  return { row, level }
}

/** The automatic link goes and never comes back. */
async function takeAway(
  { linksChanged, ledger, records, clock }: Deps,
  tx: Tx,
  call: HttpCall,
  row: CaseRow,
  evidence: EvidenceRow,
  reason: string,
): Promise<void> {
  if (row.state === 'Closed') throw fault('CaseClosed', 'The case is closed. Reopen it first.')
  const pair = { case_id: row.case_id, evidence_id: evidence.evidence_id }
  const links = await linksOfEvidence(tx, evidence.evidence_id)
  if (!links.some((link) => link.case_id === row.case_id && link.kind === 'Automatic'))
    throw fault('InvalidLinkAction', 'The station made no link between them.')
  await deleteLink(tx, { ...pair, kind: 'Automatic' })
  await dropLinkFacts(tx, pair.case_id, pair.evidence_id)
  await putRefusal(tx, {
    ...pair,
    reason,
    refused_utc: isoMillis(clock.now()),
    refused_by: JSON.stringify(authorOf(call.actor)),
  })
  // As with every link, the custody of the evidence does not tell of which case.
  await ledger.append(tx, call, {
    action: 'link.refused',
    object: evidenceObject(evidence),
    detail: { given: reason },
  })
  await records.relinked(tx, call, evidence, 'evidence.unlinked')
  await linksChanged(tx, call, row.case_id, { added: [], removed: [String(evidence.evidence_id)], refused: true })
}

async function openReview({ access }: Deps, tx: Tx, call: HttpCall, tenant: string, reviewId: string) {
  const row = await reviewById(tx, tenant, Number(reviewId))
  const levels =
    row === undefined || row.ended_utc !== null || String(row.review_id) !== reviewId
      ? null
      : {
          onCase: await access.onCase(tx, call.principal, row.case_id),
          onEvidence: await levelBesideSharing(
            tx,
            call.principal,
            await access.onEvidence(tx, call.principal, row.evidence_id),
          ),
        }
  // A question that the caller may not see is reported as missing.
  if (
    row === undefined ||
    levels === null ||
    !includes(levels.onCase, 'View') ||
    !includes(levels.onEvidence, 'Manage')
  )
    throw fault('ReviewNotFound', `There is no open question ${reviewId}.`)
  return row
}

async function ended(
  { ledger, clock }: Deps,
  tx: Tx,
  call: HttpCall,
  row: ReviewRow,
  reason: string,
  accepted: boolean,
): Promise<void> {
  await endReview(tx, row.review_id, {
    ended_utc: isoMillis(clock.now()),
    ended_by: JSON.stringify(authorOf(call.actor)),
    ended_reason: reason,
  })
  await ledger.append(tx, call, {
    action: 'review.settled',
    object: { type: 'review', id: String(row.review_id), name: '' },
    detail: { act: row.act, because: row.because, given: reason, accepted },
  })
}

async function seenBy({ db, access }: Deps, call: HttpCall, rows: readonly ReviewRow[]): Promise<ReviewRow[]> {
  const cases = await access.onCases(db.read, call.principal, [...new Set(rows.map((row) => row.case_id))])
  const evidences = await access.onEvidences(db.read, call.principal, [...new Set(rows.map((row) => row.evidence_id))])
  if (await isGuest(db.read, call.principal)) return []
  return rows.filter(
    (row) =>
      includes(cases.get(row.case_id) ?? 'None', 'View') &&
      includes(evidences.get(row.evidence_id) ?? 'None', 'Manage'),
  )
}

function rulesModel(found: Awaited<ReturnType<typeof ruleRows>>): Rules {
  const [place, named] = (['place', 'number'] as const).map((rule) => found.find((row) => row.rule === rule))
  return {
    Place: { Enabled: place?.enabled === 1, RadiusMetres: place?.radius_metres ?? USUAL_RADIUS },
    Number: { Enabled: named?.enabled === 1 },
  }
}

const SECOND = 1000
const inSeconds = (millis: number | null): number | null => (millis === null ? null : millis / SECOND)

const withdrawnModel = (one: WithdrawnRow, name: string | null): NonNullable<PairOut['Withdrawn']> => ({
  EvidenceId: String(one.evidence_id),
  EvidenceName: name,
  Reason: one.reason,
  WithdrawnUtc: one.withdrawn_utc,
  Suspends: one.settled_utc === null,
})

const pairModel = (one: Explanation, name: string | null, withdrawn: PairOut['Withdrawn']): PairOut => ({
  CaseId: String(one.caseId),
  EvidenceId: String(one.evidenceId),
  EvidenceName: name,
  State: one.state,
  Rule: one.rule as PairOut['Rule'],
  OverlapSeconds: one.overlap / SECOND,
  OffsetSeconds: inSeconds(one.offset),
  UncertaintySeconds: inSeconds(one.uncertainty),
  Confidence: one.confidence,
  Because: one.because,
  Text: one.text,
  Checks: one.checks.map(({ code, holds, text, facts }) => ({ Code: code, Holds: holds, Text: text, Facts: facts })),
  Withdrawn: withdrawn,
})
