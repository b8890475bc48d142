/** Links between cases and evidence, inside a transaction (decisions 2 to 4). Every change makes a version of the case and of the evidence. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { type LinkEvidencesRequestModel, MOST_AT_ONCE } from '../../../shared/cases/case-links.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { callUnit, type UnitCall } from '../../kernel/unit-calls.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { RowLock, RowLocks } from '../../kernel/database/units.ts'
import type { Access } from '../../kernel/access/access.ts'
import {
  countLinks,
  countLinksOf,
  deleteLink,
  deleteLinksOfCase,
  insertLinks,
  type LinkRow,
  linksBetween,
  linksOfCase,
  linksOfEvidence,
  setConfirmed,
} from '../../kernel/evidence/links.store.ts'
import type { Records, Relinked } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, evidenceById, evidencesById } from '../../kernel/evidence/records.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { type CaseCore, refuseStale, WITHOUT_LINKS } from './case-aggregate.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import type { CaseRow } from './cases.store.ts'
import { levelBesideSharing } from '../../kernel/access/guests.ts'

type LinkRequest = z.output<typeof LinkEvidencesRequestModel>

interface LinkInput {
  readonly tenant: string
  readonly caseId: string
  readonly request: LinkRequest
}

interface ConfirmInput {
  readonly tenant: string
  readonly caseId: string
  readonly evidenceId: string
}

export const linkEvidencesUnit = callUnit<LinkInput, void>('case.linkEvidences', ({ caseId, request }) =>
  lockLinked(
    caseId,
    request.Evidences.map(({ EvidenceId }) => EvidenceId),
  ),
)
/** Gives the evidence after the change. */
export const confirmLinkUnit = callUnit<ConfirmInput, EvidenceRow>('case.confirmLink', ({ caseId, evidenceId }) =>
  lockLinked(caseId, [evidenceId]),
)

/** Ids beyond 2⁵³ cannot exist here. */
const lockIds = (table: 'cases' | 'evidence', key: string, ids: readonly string[]): RowLock => ({
  table,
  key,
  values: ids.map(Number).filter(Number.isSafeInteger),
})
export const lockCase = (id: string): RowLock => lockIds('cases', 'case_id', [id])

/** The links of a case belong to it, and those of an evidence to the evidence: how many it has, and its version, hang on them. */
function lockLinked(caseId: string, evidenceIds: readonly string[]): RowLocks {
  return [lockCase(caseId), lockIds('evidence', 'evidence_id', evidenceIds)]
}

/** The most links of one kind that an evidence may have (decisions 2). */
const MAX_LINKS_OF_A_KIND = 50

export interface Change {
  readonly id: string
  readonly action: 'Add' | 'Remove'
  /** Its path in the request, for problems. */
  readonly path: string
}

/** Ids of evidence from a list, each with the index of its first occurrence. */
export type EvidencePlaces = ReadonlyMap<string, number>

/** Ids handled before the event loop gets a turn: about three milliseconds. */
const IDS_PER_TURN = 10_000

/** One pass that yields to the event loop: the list may have 100,000 members (promise S17). */
export async function placesOf(evidenceIds: readonly string[]): Promise<EvidencePlaces> {
  const places = new Map<string, number>()
  for (let at = 0; at < evidenceIds.length; at++) {
    if (at > 0 && at % IDS_PER_TURN === 0) await nextTurn()
    const id = evidenceIds[at] as string
    if (!places.has(id)) places.set(id, at)
  }
  return places
}

export interface CaseLinking {
  /**
   * Adds and removes links, all or nothing. The caller's transaction makes the version of the case. @returns the links that changed
   * @throws Fault EvidenceNotFound, EvidenceDeleted, PrincipalCannotManageEvidence, InvalidLinkAction, TooManyAddedOrRemovedEvidencesAtOnce
   */
  apply(tx: Tx, call: UnitCall, row: CaseRow, changes: readonly Change[]): Promise<Linked>
  /**
   * Links new evidence to cases, in the caller's transaction. @returns the evidence after the change
   * @throws Fault InvalidModel for the id of a closed case or of no case that the caller can view; Forbidden without Edit on a case
   */
  linkNew(tx: Tx, call: UnitCall, evidence: EvidenceRow, caseIds: readonly string[]): Promise<EvidenceRow>
  /**
   * Links evidence to an open case for the station's command line. No rights are checked.
   * @throws Fault CaseNotFound, CaseDeleted, CaseClosed
   */
  place(tx: Tx, call: Call, tenant: string, caseId: string, evidence: EvidenceRow): Promise<void>
  /** @throws Fault CaseNotFound, CaseDeleted, CaseClosed */
  openCase(from: Tx, tenant: string, caseId: string): Promise<CaseRow>
  /**
   * Moves evidence from one case to another, in the caller's transaction. The calling code checks the right to edit the evidence.
   * @returns the evidence after the change
   * @throws Fault InvalidModel for the id of no case that the caller can view, or of a case without the evidence; Forbidden without Edit on
   * a case; CaseClosed; InvalidLinkAction when the station made the link, or when the evidence is in the other case already
   */
  moveBetween(
    tx: Tx,
    call: UnitCall,
    evidence: EvidenceRow,
    cases: { readonly from: string; readonly to: string },
  ): Promise<EvidenceRow>
  /**
   * The changes that make these the manually linked evidence of the case. Automatic links stay.
   * @throws Fault TooManyAddedOrRemovedEvidencesAtOnce, before any evidence is looked up
   */
  changesTowards(from: Tx, caseId: number, wantedEvidence: EvidencePlaces): Promise<Change[]>
  /** Carries out a link request. @throws Fault as `apply`; CaseClosed, CaseNotUpToDate, Forbidden */
  link(tx: Tx, call: UnitCall, input: LinkInput): Promise<void>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, CaseClosed, InvalidLinkAction @returns the evidence after the change */
  confirm(tx: Tx, call: UnitCall, input: ConfirmInput): Promise<EvidenceRow>
}

/** Ids of evidence, for the ledger entry of the case. */
export interface Linked {
  readonly added: string[]
  readonly removed: string[]
}

interface Deps {
  readonly core: CaseCore
  readonly records: Pick<Records, 'relinked' | 'relinkedAll'>
  readonly access: Access
  readonly clock: Clock
}

export async function findEvidence(from: Tx, tenant: string, id: string): Promise<EvidenceRow | undefined> {
  const row = await evidenceById(from, tenant, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another evidence.
  return row === undefined || String(row.evidence_id) !== id ? undefined : row
}

export const createCaseLinking = (deps: Deps): CaseLinking => ({
  apply: (tx, call, row, changes) => applyChanges(deps, tx, call, row, changes),
  linkNew: (tx, call, evidence, caseIds) => linkNew(deps, tx, call, evidence, caseIds),
  place: (tx, call, tenant, caseId, evidence) => placeInCase(deps, tx, call, { tenant, caseId }, evidence),
  openCase: (from, tenant, caseId) => openCase(deps, from, tenant, caseId),
  moveBetween: (tx, call, evidence, cases) => moveBetween(deps, tx, call, evidence, cases),
  changesTowards,
  link: (tx, call, input) => linkEvidences(deps, tx, call, input),
  confirm: (tx, call, input) => confirmLink(deps, tx, call, input),
})

async function linkEvidences(deps: Deps, tx: Tx, call: UnitCall, input: LinkInput): Promise<void> {
  const { core } = deps
  const { tenant, caseId, request } = input
  const aggregate = await core.loadLive(tx, call, tenant, caseId, WITHOUT_LINKS)
  core.requireHeld(call, aggregate, 'Edit')
  const { row } = aggregate
  refuseStale(row, request.ConcurrencyId)
  if (row.state === 'Closed')
    throw fault('CaseClosed', 'The case is closed: no evidence goes in or out. Reopen it first.')
  const linked = await applyChanges(deps, tx, call, row, changesOf(request.Evidences))
  if (linked.added.length + linked.removed.length > 0)
    await core.changed(tx, call, row, {}, 'case.linked', { ...linked })
}

async function linkNew(
  deps: Deps,
  tx: Tx,
  call: UnitCall,
  evidence: EvidenceRow,
  caseIds: readonly string[],
): Promise<EvidenceRow> {
  const { core } = deps
  const id = String(evidence.evidence_id)
  for (const [at, caseId] of [...new Set(caseIds)].entries()) {
    const row = await findEditableCase(deps, tx, call, evidence.tenant_id, caseId, `CaseIds[${at}]`)
    if (row.state === 'Closed')
      throw fault('InvalidModel', 'A closed case takes no more evidence.', [
        { Path: `CaseIds[${at}]`, Message: `case ${caseId} is closed` },
      ])
    await applyChanges(deps, tx, call, row, [{ id, action: 'Add', path: `CaseIds[${at}]` }])
    await core.changed(tx, call, row, {}, 'case.linked', { added: [id], removed: [] })
  }
  return (await evidenceById(tx, evidence.tenant_id, evidence.evidence_id)) as EvidenceRow
}

async function placeInCase(
  deps: Deps,
  tx: Tx,
  call: Call,
  { tenant, caseId }: { readonly tenant: string; readonly caseId: string },
  evidence: EvidenceRow,
): Promise<void> {
  const { core } = deps
  const row = await openCase(deps, tx, tenant, caseId)
  const isLinked = (await linksOfEvidence(tx, evidence.evidence_id)).some(
    (link) => link.case_id === row.case_id && link.kind === 'Manual',
  )
  if (isLinked) return
  await addLink(deps, tx, call, row, evidence)
  await core.changed(tx, call, row, {}, 'case.linked', { added: [String(evidence.evidence_id)], removed: [] })
}

async function moveBetween(
  deps: Deps,
  tx: Tx,
  call: UnitCall,
  evidence: EvidenceRow,
  cases: { readonly from: string; readonly to: string },
): Promise<EvidenceRow> {
  const { core, records } = deps
  const id = String(evidence.evidence_id)
  const from = await findEditableCase(deps, tx, call, evidence.tenant_id, cases.from, 'FromCaseId')
  const to = await findEditableCase(deps, tx, call, evidence.tenant_id, cases.to, 'ToCaseId')
  for (const row of [from, to])
    if (row.state === 'Closed')
      throw fault('CaseClosed', `Case ${row.case_id} is closed: no evidence goes in or out. Reopen it first.`)
  await moveLink(deps, tx, call, evidence, { from, to })
  const moved = await records.relinked(tx, call, evidence, 'evidence.moved')
  await core.changed(tx, call, from, {}, 'case.linked', { added: [], removed: [id] })
  await core.changed(tx, call, to, {}, 'case.linked', { added: [id], removed: [] })
  return moved
}

async function changesTowards(from: Tx, caseId: number, wantedEvidence: EvidencePlaces): Promise<Change[]> {
  const links = await linksOfCase(from, caseId)
  const linked = new Set(links.map((link) => String(link.evidence_id)))
  const removed = links.filter((link) => link.kind === 'Manual' && !wantedEvidence.has(String(link.evidence_id)))
  let added = 0
  for (const id of wantedEvidence.keys()) if (!linked.has(id)) added++
  refuseTooMany(added + removed.length)
  const changes = removed.map(
    (link): Change => ({ id: String(link.evidence_id), action: 'Remove', path: 'EvidenceIds' }),
  )
  if (added === 0) return changes
  const additions: Change[] = []
  for (const [id, at] of wantedEvidence)
    if (!linked.has(id)) additions.push({ id, action: 'Add', path: `EvidenceIds[${at}]` })
  return [...additions, ...changes]
}

async function confirmLink(deps: Deps, tx: Tx, call: UnitCall, input: ConfirmInput): Promise<EvidenceRow> {
  const { core, access, records } = deps
  const { tenant, caseId, evidenceId } = input
  const row = await core.live(tx, call, tenant, caseId)
  await core.require(tx, call, row, 'View')
  const evidence = await findEvidence(tx, tenant, evidenceId)
  const level = evidence === undefined ? 'None' : await access.onEvidence(tx, call.principal, evidence.evidence_id)
  if (evidence === undefined || level === 'None') throw notThere(evidenceId, 'evidenceId')
  if (evidence.lifecycle_state === 'Deleted') throw deleted(evidenceId, 'evidenceId')
  if (!includes(await levelBesideSharing(tx, call.principal, level), 'Manage'))
    throw new Fault('Forbidden', 'Confirming a link needs Manage on the evidence.', {
      reason: 'PrincipalCannotManageEvidence',
    })
  if (row.state === 'Closed') throw fault('CaseClosed', 'The case is closed. Reopen it first.')
  const link = (await linksOfEvidence(tx, evidence.evidence_id)).find(
    ({ case_id: id, kind }) => id === row.case_id && kind === 'Automatic',
  )
  if (link === undefined || link.confirmed === 1)
    throw fault('InvalidLinkAction', 'There is no automatic link between them that waits to be confirmed.')
  await setConfirmed(tx, row.case_id, evidence.evidence_id)
  const confirmed = await records.relinked(tx, call, evidence, 'evidence.confirmed')
  await core.changed(tx, call, row, {}, 'case.linked', { confirmed: [evidenceId] })
  return confirmed
}

const linkOf = ({ clock }: Deps, call: Call, row: CaseRow, evidence: EvidenceRow): LinkRow => ({
  case_id: row.case_id,
  evidence_id: evidence.evidence_id,
  kind: 'Manual',
  confirmed: 1,
  rule: null,
  linked_on: isoMillis(clock.now()),
  linked_by: JSON.stringify(authorOf(call.actor)),
})

interface Moved {
  readonly from: CaseRow
  readonly to: CaseRow
}

/** Moves only the manual link. Moving back must undo it, so the target case must not hold one already. */
async function moveLink(deps: Deps, tx: Tx, call: Call, evidence: EvidenceRow, { from, to }: Moved): Promise<void> {
  const links = await linksOfEvidence(tx, evidence.evidence_id)
  const inCase = (row: CaseRow) => links.filter((link) => link.case_id === row.case_id)
  const made = inCase(from).find(({ kind }) => kind === 'Manual')
  if (made === undefined && inCase(from).length > 0)
    throw fault('InvalidLinkAction', 'The station linked this evidence; such a link is not moved.', [
      { Path: 'FromCaseId', Message: 'is linked automatically' },
    ])
  if (made === undefined)
    throw fault('InvalidModel', `The evidence is not in case ${from.case_id}.`, [
      { Path: 'FromCaseId', Message: 'does not hold this evidence' },
    ])
  if (inCase(to).some(({ kind }) => kind === 'Manual'))
    throw fault('InvalidLinkAction', `The evidence is in case ${to.case_id} already.`, [
      { Path: 'ToCaseId', Message: 'holds this evidence already' },
    ])
  await deleteLink(tx, made)
  await insertLinks(tx, [linkOf(deps, call, to, evidence)])
}

async function addLink(deps: Deps, tx: Tx, call: Call, row: CaseRow, evidence: EvidenceRow): Promise<void> {
  if ((await countLinks(tx, evidence.evidence_id, 'Manual')) >= MAX_LINKS_OF_A_KIND)
    throw inTooMany(evidence, 'the file')
  await insertLinks(tx, [linkOf(deps, call, row, evidence)])
  await deps.records.relinked(tx, call, evidence, 'evidence.linked')
}

/** A case named in a request about evidence. A case that the caller cannot view is reported as nonexistent. */
async function findEditableCase(
  { core }: Deps,
  tx: Tx,
  call: UnitCall,
  tenant: string,
  id: string,
  path: string,
): Promise<CaseRow> {
  const row = await core.found(tx, tenant, id).catch(refusedAsMember(path, id))
  const level = await core.levelOf(tx, call, row)
  if (row.lifecycle_state === 'Deleted' || level === 'None') throw noSuchCase(path, id)
  if (!includes(level, 'Edit'))
    throw new Fault('Forbidden', `Evidence goes into case ${id} and out of it with Edit on the case.`, {
      reason: 'PrincipalCannotEditCase',
    })
  return row
}

/** Loads the facts about all changes, one statement for each kind of fact. */
async function loadFacts({ access }: Deps, tx: Tx, call: UnitCall, row: CaseRow, changes: readonly Change[]) {
  // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another evidence.
  const ids = changes.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  const [known, evidences, levels, counts] = await Promise.all([
    linksBetween(tx, row.case_id, ids),
    evidencesById(tx, row.tenant_id, ids),
    access.onEvidences(tx, call.principal, ids),
    countLinksOf(tx, ids, 'Manual'),
  ])
  return {
    links: Map.groupBy(known, (link) => String(link.evidence_id)),
    evidences: new Map(evidences.map((evidence) => [String(evidence.evidence_id), evidence])),
    levelOf: (evidence: EvidenceRow) => levels.get(evidence.evidence_id) ?? 'None',
    countOf: (evidence: EvidenceRow) => counts.get(evidence.evidence_id) ?? 0,
  }
}
type Facts = Awaited<ReturnType<typeof loadFacts>>

/** @returns the evidence to link; null when it has a manual link already */
function toAdd({ links, evidences, levelOf, countOf }: Facts, { id, path }: Change): EvidenceRow | null {
  const evidence = evidences.get(id)
  const level = evidence === undefined ? 'None' : levelOf(evidence)
  if (evidence === undefined || level === 'None') throw notThere(id, path)
  if (evidence.lifecycle_state === 'Deleted') throw deleted(id, path)
  if (links.get(id)?.some(({ kind }) => kind === 'Manual')) return null
  if (!includes(level, 'Edit'))
    throw fault('PrincipalCannotManageEvidence', `Linking evidence ${id} needs Edit on it.`, [
      { Path: path, Message: `needs Edit on the evidence; you have ${level}` },
    ])
  if (countOf(evidence) >= MAX_LINKS_OF_A_KIND) throw inTooMany(evidence, path)
  return evidence
}

function toRemove({ links, evidences }: Facts, { id, path }: Change): EvidenceRow {
  const known = links.get(id) ?? []
  if (known.length === 0) throw notThere(id, path)
  if (!known.some(({ kind }) => kind === 'Manual'))
    throw fault('InvalidLinkAction', `The station linked evidence ${id}; such a link is not removed here.`, [
      { Path: path, Message: 'is linked automatically' },
    ])
  const evidence = evidences.get(id) as EvidenceRow
  if (evidence.lifecycle_state === 'Deleted') throw deleted(id, path)
  return evidence
}

async function applyChanges(
  deps: Deps,
  tx: Tx,
  call: UnitCall,
  row: CaseRow,
  changes: readonly Change[],
): Promise<Linked> {
  refuseTooMany(changes.length)
  if (changes.length === 0) return { added: [], removed: [] }
  const facts = await loadFacts(deps, tx, call, row, changes)
  const added: EvidenceRow[] = []
  const removed: EvidenceRow[] = []
  const relinked: Relinked[] = []
  for (const change of changes) {
    const adds = change.action === 'Add'
    const evidence = adds ? toAdd(facts, change) : toRemove(facts, change)
    if (evidence === null) continue
    ;(adds ? added : removed).push(evidence)
    relinked.push({ evidenceId: evidence.evidence_id, action: adds ? 'evidence.linked' : 'evidence.unlinked' })
  }
  await insertLinks(
    tx,
    added.map((evidence) => linkOf(deps, call, row, evidence)),
  )
  await deleteLinksOfCase(
    tx,
    row.case_id,
    removed.map((evidence) => evidence.evidence_id),
    'Manual',
  )
  await deps.records.relinkedAll(tx, call, row.tenant_id, relinked)
  const named = (list: readonly EvidenceRow[]): string[] => list.map((evidence) => String(evidence.evidence_id))
  return { added: named(added), removed: named(removed) }
}

async function openCase({ core }: Deps, from: Tx, tenant: string, caseId: string): Promise<CaseRow> {
  const row = await core.found(from, tenant, caseId)
  if (row.lifecycle_state === 'Deleted') throw fault('CaseDeleted', `Case ${caseId} is in the recycle bin.`)
  if (row.state === 'Closed') throw fault('CaseClosed', `Case ${caseId} is closed. Reopen it first.`)
  return row
}

const noSuchCase = (path: string, id: string): Fault =>
  fault('InvalidModel', 'The evidence names cases that are not there.', [
    { Path: path, Message: `There is no case ${id}.` },
  ])

const refusedAsMember =
  (path: string, id: string) =>
  (error: unknown): never => {
    throw error instanceof Fault && error.code === 'CaseNotFound' ? noSuchCase(path, id) : error
  }

const inTooMany = (evidence: EvidenceRow, path: string): Fault =>
  fault('InvalidLinkAction', `Evidence ${evidence.evidence_id} is in ${MAX_LINKS_OF_A_KIND} cases already.`, [
    { Path: path, Message: `is linked to ${MAX_LINKS_OF_A_KIND} cases already` },
  ])

export const deleted = (id: string, path: string): Fault =>
  fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`, [{ Path: path, Message: 'is deleted' }])

export const notThere = (id: string, path: string): Fault =>
  fault('EvidenceNotFound', `There is no evidence ${id} here.`, [{ Path: path, Message: 'names none' }])

export function refuseTooMany(changes: number): void {
  if (changes > MOST_AT_ONCE)
    throw fault('TooManyAddedOrRemovedEvidencesAtOnce', `At most ${MOST_AT_ONCE} may be added or removed at once.`, [
      { Path: 'EvidenceIds', Message: `names ${changes}` },
    ])
}

/** @throws Fault InvalidLinkAction; InvalidModel when an evidence is named twice */
function changesOf(request: LinkRequest['Evidences']): Change[] {
  const named = new Set<string>()
  return request.map(({ EvidenceId, Action }, at) => {
    const path = `Evidences[${at}]`
    const action = Action ?? 'Add'
    if (action !== 'Add' && action !== 'Remove')
      throw fault('InvalidLinkAction', 'Evidence is added or removed.', [
        { Path: `${path}.Action`, Message: 'must be Add or Remove' },
      ])
    if (named.has(EvidenceId))
      throw fault('InvalidModel', 'The request names an evidence twice.', [{ Path: path, Message: 'is named before' }])
    named.add(EvidenceId)
    return { id: EvidenceId, action, path }
  })
}
