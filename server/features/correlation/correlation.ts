import { INTERNAL, type Principal } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { deleteLink, insertLink } from '../../kernel/evidence/links.store.ts'
import { evidenceObject, principalThen, type Records } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, evidenceOf } from '../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as rows from './correlation.store.ts'
import type { What } from './correlation.store.ts'
import { DAY } from '../../../shared/correlation/rules.ts'
import { type Verdict, windowOf } from './engine.ts'
import { freshRecordings, incidentsFor, type Judged, judgeAll, rulesOf } from './facts.ts'
import { verdictWords } from './explanation-text.ts'

/** Links that changed in a case, by ids of the evidence: one version of the case for all that happened in one transaction. */
export interface CaseLinksChanged {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly records: Pick<Records, 'relinked'>
  readonly clock: Clock
  /** Whether the station takes changes now. */
  readonly mayWrite: () => boolean
  /** Makes the version of a case whose links changed, with its entry. */
  readonly caseChanged: (tx: Tx, call: Call, caseId: number, changed: CaseLinksChanged) => Promise<void>
}

/**
 * The engine at work (decisions 8). Whatever may change which recording belongs to which call is found in `correlation_pending`, where
 * the transaction that changed it wrote it down; what is decided commits together with the row that asked for it.
 */
export interface Correlation {
  /** Decides until nothing is asked any more. @returns how many recordings were looked at */
  run(): Promise<number>
}

/** So many at a time: other writers wait behind a transaction. */
const AT_ONCE = { device: 20, case: 100, evidence: 200 } as const

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: 'correlation' })

export function createCorrelation(deps: Deps): Correlation {
  const { db, mayWrite } = deps
  const step = async (what: What, work: (tx: Tx, ids: readonly string[]) => Promise<void>): Promise<number> => {
    if ((await rows.pendingOf(db.read, what, 1)).length === 0) return 0
    return db.transaction(async (tx) => {
      const ids = await rows.pendingOf(tx, what, AT_ONCE[what])
      // Taken away first: what the work itself touches is asked anew.
      await rows.settlePending(tx, what, ids)
      await work(tx, ids)
      return ids.length
    })
  }
  const devices = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await askFor(tx, await rows.evidencesOfDevice(tx, id))
  }
  const cases = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    const found = await incidentsFor(tx, await rows.incidentsById(tx, ids.map(Number)))
    for (const { incident, row } of found.values()) {
      await askFor(tx, await rows.touchedByCase(tx, incident.caseId))
      const window = windowOf(incident)
      if (window === null) continue
      const rules = await rulesOf(tx, row.tenant_id)
      const officers = rules.number || rules.place !== null ? null : incident.assigned
      await askFor(tx, await rows.recordingsBetween(tx, { ...window, longest: DAY }, officers))
    }
  }
  const evidences = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    const numbers = ids.map(Number)
    await rows.putRecordings(tx, await freshRecordings(tx, numbers))
    const { judged } = await judgeAll(tx, numbers)
    await settle(deps, tx, judged)
  }
  return {
    run: async () => {
      let examined = 0
      while (mayWrite()) {
        // Who else is to be looked at comes first: a recording that is judged in between would be judged again.
        const asked = (await step('device', devices)) + (await step('case', cases))
        const decided = asked > 0 ? 0 : await step('evidence', evidences)
        examined += decided
        if (asked + decided === 0) break
      }
      return examined
    },
  }
}

const askFor = async (tx: Tx, evidenceIds: readonly number[]): Promise<void> => {
  for (let at = 0; at < evidenceIds.length; at += 1000)
    await rows.addPending(tx, 'evidence', evidenceIds.slice(at, at + 1000).map(String))
}

/** Writes what was decided about each recording, and one version of every case that it concerns. */
async function settle(deps: Deps, tx: Tx, judged: readonly Judged[]): Promise<void> {
  const call = ownCall()
  const changed = new Map<number, { added: string[]; removed: string[] }>()
  const of = (caseId: number) => {
    const known = changed.get(caseId) ?? { added: [], removed: [] }
    changed.set(caseId, known)
    return known
  }
  const ids = judged.map(({ recording }) => recording.evidenceId)
  const facts = new Map((await rows.linkFacts(tx, ids)).map((row) => [`${row.evidence_id} ${row.case_id}`, row]))
  const reviews = Map.groupBy(await rows.openReviews(tx, ids), (row) => row.evidence_id)
  const named = new Map<number, string>()
  // Each is another recording's, so none waits for another: their statements go to the database together.
  const settleOne = async (one: Judged): Promise<void> => {
    const { plan, recording } = one
    const id = String(recording.evidenceId)
    for (const { caseId } of plan.link) of(caseId).added.push(id)
    for (const { caseId } of plan.withdraw) of(caseId).removed.push(id)
    if (plan.link.length > 0 || plan.withdraw.length > 0) await relink(deps, tx, call, one, { named, facts })
    for (const verdict of plan.keep) {
      const before = facts.get(`${recording.evidenceId} ${verdict.caseId}`)
      if (before === undefined || !sameFacts(before, factsRow(one, verdict, '')))
        await reassess(deps, tx, call, one, verdict)
    }
    await ask(deps, tx, call, one, reviews.get(recording.evidenceId) ?? [])
  }
  await Promise.all(judged.map(settleOne))
  const inOrder = [...changed].sort(([a], [b]) => a - b)
  await Promise.all(inOrder.map(([caseId, links]) => deps.caseChanged(tx, call, caseId, links)))
}

async function relink(
  { records, clock }: Deps,
  tx: Tx,
  call: Call,
  one: Judged,
  { named, facts }: { named: Map<number, string>; facts: ReadonlyMap<string, rows.LinkFacts> },
): Promise<void> {
  const { plan, recording } = one
  const now = isoMillis(clock.now())
  const by = JSON.stringify(linkedBy(call.actor))
  let evidence: EvidenceRow = await evidenceOf(tx, recording.evidenceId)
  for (const verdict of plan.withdraw) {
    const pair = { case_id: verdict.caseId, evidence_id: recording.evidenceId }
    await deleteLink(tx, { ...pair, kind: 'Automatic' })
    await rows.dropLinkFacts(tx, pair.case_id, pair.evidence_id)
    const reason = await reasonOf(tx, verdict, named)
    const rule = facts.get(`${pair.evidence_id} ${pair.case_id}`)?.rule ?? null
    await rows.insertWithdrawn(tx, { ...pair, rule, reason, withdrawn_utc: now, withdrawn_by: by })
  }
  if (plan.withdraw.length > 0) evidence = await records.relinked(tx, call, evidence, 'evidence.unlinked')
  for (const verdict of plan.link) {
    await insertLink(tx, {
      case_id: verdict.caseId,
      evidence_id: recording.evidenceId,
      kind: 'Automatic',
      confirmed: 0,
      rule: verdict.rule,
      linked_on: now,
      linked_by: by,
    })
    await rows.putLinkFacts(tx, factsRow(one, verdict, now))
  }
  if (plan.link.length > 0) await records.relinked(tx, call, evidence, 'evidence.linked')
}

/** What stands against it; a link that was pushed out by better ones has nothing against itself. */
async function reasonOf(tx: Tx, verdict: Verdict, named: Map<number, string>): Promise<string> {
  if (verdict.rule !== null) return 'Fifty other cases overlap the recording by more.'
  const ids = verdict.checks.flatMap(({ facts }) => (facts['officers'] ?? []) as readonly number[])
  const unknown = ids.filter((id) => !named.has(id))
  for (const [id, name] of await rows.officerNames(tx, unknown)) named.set(id, name)
  return verdictWords(verdict, { officer: (id) => named.get(id) ?? `user ${id}` })
}

const linkedBy = (who: Principal) => {
  const { KId, Username, PrincipalId, PrincipalType } = principalThen(who)
  return { PrincipalId, KId, Name: Username, Username, PrincipalType }
}

const factsRow = ({ recording }: Judged, verdict: Verdict, now: string): rows.LinkFacts => ({
  case_id: verdict.caseId,
  evidence_id: recording.evidenceId,
  rule: verdict.rule ?? '',
  overlap_ms: verdict.overlap,
  offset_ms: recording.offset,
  uncertainty_ms: recording.uncertainty,
  confidence: verdict.confidence,
  facts: JSON.stringify(verdict.checks),
  judged_utc: now,
})

const sameFacts = (one: rows.LinkFacts, other: rows.LinkFacts): boolean =>
  one.rule === other.rule && one.confidence === other.confidence && one.facts === other.facts

/** The link stays, and it stands on other facts than before. */
async function reassess({ ledger, clock }: Deps, tx: Tx, call: Call, one: Judged, verdict: Verdict): Promise<void> {
  const row = factsRow(one, verdict, isoMillis(clock.now()))
  await rows.putLinkFacts(tx, row)
  await rows.setRule(tx, verdict.caseId, row.evidence_id, row.rule)
  const evidence = await evidenceOf(tx, row.evidence_id)
  await ledger.append(tx, call, {
    action: 'link.reassessed',
    object: evidenceObject(evidence),
    // Which case is told by nothing here, as with every link: not everybody who reads the custody may know of it.
    detail: { rule: row.rule, overlapMilliseconds: row.overlap_ms, confidence: row.confidence },
  })
}

/** What the engine may not do by itself is put before people; a question that is gone is taken away again. */
async function ask(
  { ledger, clock }: Deps,
  tx: Tx,
  call: Call,
  { plan, recording, tenant }: Judged,
  open: readonly rows.ReviewRow[],
): Promise<void> {
  const now = isoMillis(clock.now())
  const asked = new Map(plan.review.map((one) => [one.verdict.caseId, one]))
  for (const row of open) {
    const still = asked.get(row.case_id)
    if (still !== undefined && still.act === row.act && still.because === row.because) asked.delete(row.case_id)
    else await rows.endReview(tx, row.review_id, { ended_utc: now, ended_by: null, ended_reason: null })
  }
  for (const [caseId, { act, because, verdict }] of asked) {
    const pair = { case_id: caseId, evidence_id: recording.evidenceId, act, because }
    if (await rows.wasSettled(tx, pair)) continue
    const id = await rows.insertReview(tx, {
      ...pair,
      tenant_id: tenant,
      facts: JSON.stringify(verdict),
      created_utc: now,
    })
    await ledger.append(tx, call, {
      action: 'review.asked',
      object: { type: 'review', id: String(id), name: '' },
      detail: { act, because, caseId: String(caseId), evidenceId: String(recording.evidenceId) },
    })
  }
}
