/**
 * Disclosures that a second person approves before they are given (docs/decisions/0040). What was proposed is planned again by the approver and by whoever
 * gives it, with their own rights, in the transaction that writes: it is given only as it was approved.
 */
import type { z } from 'zod'
import type { decideProposal, giveProposed, ProposeDisclosureModel } from '../../../shared/disclosure/contract.ts'
import type { WhyNotSecond } from '../../../shared/disclosure/kinds.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { DisclosureOut } from './disclosure.models.ts'
import { ordinalOf, personThen } from './disclosure.models.ts'
import { requireStanding } from './disclosure.service.ts'
import { disclosuresOf, managersOf } from './disclosure.store.ts'
import { tellMay } from './due-notices.ts'
import { invalid } from './new-record.ts'
import {
  askedModel,
  bodyOf,
  contentSha256,
  proposalModel,
  type ProposalInFull,
  type ProposalOut,
  proposedContent,
} from './proposals.models.ts'
import * as rows from './proposals.store.ts'
import type { ProposalRow } from './proposals.store.ts'
import type { Asked, AskedRecord, Rights } from './rights.ts'
import { planRecord, writeRecord } from './write-record.ts'

type Proposing = z.output<typeof ProposeDisclosureModel>
type Deciding = z.output<NonNullable<(typeof decideProposal)['body']>>
type Giving = z.output<NonNullable<(typeof giveProposed)['body']>>

/** Why the account of somebody does not count as a second person beside this one (decisions 6). Supplied by retention. */
export type WhyNotSecondPerson = (
  from: Tx,
  caller: Principal,
  first: { readonly who: PrincipalThen; readonly since: number },
) => Promise<Exclude<WhyNotSecond, 'NotManage'> | null>

export interface ProposalDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly access: Access
  readonly notices: Notices
  readonly whyNotSecondPerson: WhyNotSecondPerson
}

/** Every method that writes judges the caller by `rights`, in its transaction. */
export interface Proposals {
  /** Of one case, as this caller sees them. @param open leaves out what ended */
  of(from: Tx, call: UnitCall, row: CaseRow, open?: 'open'): Promise<ProposalOut[]>
  /** That the caller may approve now; guests may none. @param most looked at */
  countToApprove(
    call: UnitCall,
    tenant: string,
    most: number,
  ): Promise<{ readonly count: number; readonly more: boolean }>
  /** @throws Fault as `planRecord`; DisclosureSuperseded */
  propose(call: UnitCall, of: Asked, given: Proposing): Promise<ProposalOut>
  /** @throws Fault DisclosureProposalNotFound */
  get(call: UnitCall, of: AskedRecord): Promise<{ readonly row: CaseRow; readonly out: ProposalInFull }>
  /** @throws Fault as `planRecord`; DisclosureProposalNotFound, DisclosureProposalClosed, DisclosureProposalOutdated, Forbidden */
  decide(call: UnitCall, of: AskedRecord, given: Deciding): Promise<ProposalOut>
  /** @throws Fault DisclosureProposalNotFound, DisclosureProposalClosed, Forbidden */
  withdraw(call: UnitCall, of: AskedRecord): Promise<ProposalOut>
  /** @throws Fault as `decide` */
  give(call: UnitCall, of: AskedRecord, given: Giving): Promise<DisclosureOut>
}

const ENDED: Readonly<Record<ProposalRow['state'], string>> = {
  waiting: 'waits for a second person',
  approved: 'was approved already',
  refused: 'was refused',
  withdrawn: 'was withdrawn',
  given: 'was given already',
}

/** Who looks at what is proposed needs no right on the items, as for a record. */
const looking = (rights: Rights): Rights => ({ reach: rights.reach, require: async () => {} })

export function createProposals(deps: ProposalDeps): Proposals {
  const { db } = deps
  return {
    of: (from, call, row, open) => models(deps, from, call, row, open),
    countToApprove: async (call, tenant, most) => {
      const waiting = await rows.waitingProposals(db.read, tenant, most)
      let count = 0
      for (const proposal of waiting) if ((await whyNot(deps, db.read, call, proposal)) === null) count++
      return { count, more: waiting.length === most }
    },
    propose: (call, of, given) => db.transaction((tx) => propose(deps, tx, call, of, given)),
    get: async (call, of) => {
      const row = await of.rights.reach(db.read, of.caseId)
      const proposal = await found(db.read, row, of.no)
      const open = proposal.state === 'waiting' || proposal.state === 'approved'
      const planned = open ? await plannedNow(db.read, { ...of, rights: looking(of.rights) }, row, proposal) : null
      const content = planned === null || planned.content === null ? { Items: [], Withheld: [] } : planned.content
      const out = await model(deps, db.read, call, proposal)
      const Asked = askedModel(proposal, call.principal?.id ?? '')
      return { row, out: { ...out, ...content, Outdated: planned?.outdated ?? null, Asked } }
    },
    decide: (call, of, given) => db.transaction((tx) => decide(deps, tx, call, of, given)),
    withdraw: (call, of) => db.transaction((tx) => withdraw(deps, tx, call, of)),
    give: (call, of, given) => db.transaction((tx) => give(deps, tx, call, of, given)),
  }
}

/** @throws Fault DisclosureProposalNotFound */
async function found(from: Tx, row: CaseRow, no: string): Promise<ProposalRow> {
  const proposal = await rows.proposalOf(from, row.case_id, no)
  if (proposal === undefined) throw fault('DisclosureProposalNotFound', `Nothing was proposed as ${no} in this case.`)
  return proposal
}

/** @throws Fault DisclosureProposalClosed */
function requireState(proposal: ProposalRow, ...states: readonly ProposalRow['state'][]): void {
  if (!states.includes(proposal.state))
    throw fault('DisclosureProposalClosed', `Proposal ${proposal.no} ${ENDED[proposal.state]}.`)
}

async function models(
  deps: ProposalDeps,
  from: Tx,
  call: UnitCall,
  row: CaseRow,
  open?: 'open',
): Promise<ProposalOut[]> {
  const all = await rows.proposalsOf(from, row.case_id)
  const shown = open === undefined ? all : all.filter(({ state }) => state === 'waiting' || state === 'approved')
  const out: ProposalOut[] = []
  for (const proposal of shown) out.push(await model(deps, from, call, proposal))
  return out
}

async function model(deps: ProposalDeps, from: Tx, call: UnitCall, proposal: ProposalRow): Promise<ProposalOut> {
  const { disclosure_id: given, case_id: caseId } = proposal
  const record =
    given === null ? undefined : (await disclosuresOf(from, caseId)).find((one) => one.disclosure_id === given)
  return proposalModel(proposal, {
    disclosureNo: record?.no ?? null,
    whyNot: await whyNot(deps, from, call, proposal),
  })
}

/** As it is after a change in this transaction. */
const modelNow = async (deps: ProposalDeps, tx: Tx, call: UnitCall, row: CaseRow, { no }: ProposalRow) =>
  model(deps, tx, call, await found(tx, row, String(no)))

async function whyNot(
  deps: ProposalDeps,
  from: Tx,
  call: UnitCall,
  proposal: ProposalRow,
): Promise<WhyNotSecond | null> {
  if (proposal.state !== 'waiting') return null
  if (!includes(await deps.access.onCase(from, call.principal, proposal.case_id), 'Manage')) return 'NotManage'
  return deps.whyNotSecondPerson(from, call.actor, proposerOf(proposal))
}

const proposerOf = (proposal: ProposalRow) => ({
  who: JSON.parse(proposal.proposed_by) as PrincipalThen,
  since: Date.parse(proposal.proposed_utc),
})

async function asking(tx: Tx, { tenant, rights }: Asked, row: CaseRow, proposal: ProposalRow) {
  const { Reason: _reason, ...given } = bodyOf(proposal)
  const replaced = proposal.supersedes === null ? null : await requireStanding(tx, row, String(proposal.supersedes))
  return { tenant, rights, row, given, replaced, decidedBy: proposal.proposed_by }
}

/** What it would give now, and why that is not what was proposed; the same refusals that a record has are a reason. */
async function plannedNow(from: Tx, of: Asked, row: CaseRow, proposal: ProposalRow) {
  try {
    const { content } = await planRecord(from, await asking(from, of, row, proposal))
    return { content: proposedContent(content), outdated: whyOutdated(proposal, contentSha256(content)) }
  } catch (error) {
    if (error instanceof Fault) return { content: null, outdated: error.message }
    throw error
  }
}

const whyOutdated = (proposal: ProposalRow, sha256: string): string | null =>
  sha256 === proposal.content_sha256
    ? null
    : 'The files, or what is withheld, are not what was proposed. Withdraw it, and propose it again.'

async function propose(
  deps: ProposalDeps,
  tx: Tx,
  call: UnitCall,
  of: Asked,
  { Supersedes, ...body }: Proposing,
): Promise<ProposalOut> {
  const { ledger, clock, notices } = deps
  const row = await of.rights.reach(tx, of.caseId)
  const { Reason: _reason, ...given } = body
  const replaced = Supersedes == null ? null : await requireStanding(tx, row, Supersedes)
  const by = JSON.stringify(principalThen(call.actor))
  const { recipient, content } = await planRecord(tx, { ...of, row, given, replaced, decidedBy: by })
  const no = (await rows.proposalsOf(tx, row.case_id)).reduce((most, one) => Math.max(most, one.no), 0) + 1
  const sha256 = contentSha256(content)
  await rows.insertProposal(tx, {
    tenant_id: of.tenant,
    case_id: row.case_id,
    no,
    recipient_name: recipient.name,
    recipient_role: recipient.role,
    recipient_organisation: recipient.organisation,
    supersedes: replaced?.no ?? null,
    body: JSON.stringify(body),
    content_sha256: sha256,
    item_count: content.items.length,
    withheld_count: content.withheld.length,
    others: JSON.stringify(content.others),
    proposed_utc: isoMillis(clock.now()),
    proposed_by: by,
    state: 'waiting',
    decided_utc: null,
    decided_by: null,
    decision_reason: '',
    disclosure_id: null,
  })
  const proposal = await found(tx, row, String(no))
  await append(ledger, tx, call, row, proposal, {
    action: 'disclosure.proposed',
    detail: { recipient, items: content.items.length, withheld: content.withheld.length, contentSha256: sha256 },
  })
  await notices.tell(tx, call, await managersOf(tx, row.case_id), {
    tenant: row.tenant_id,
    kind: 'disclosure.proposed',
    object: { type: 'case', id: String(row.case_id) },
  })
  return call.rememberAnswer(tx, await model(deps, tx, call, proposal))
}

interface Appended {
  readonly action: 'disclosure.proposed' | 'disclosure.approved' | 'disclosure.refused' | 'disclosure.withdrawn'
  readonly reason?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

const append = (
  ledger: Ledger,
  tx: Tx,
  call: Call,
  row: CaseRow,
  { proposal_id: id, no }: ProposalRow,
  { action, reason = '', detail = {} }: Appended,
): Promise<unknown> =>
  ledger.append(tx, call, {
    action,
    object: { type: 'disclosureProposal', id: String(id), name: `${ordinalOf(row)} / ${no}` },
    ...(reason === '' ? {} : { reason }),
    detail: { caseId: String(row.case_id), no, ...detail },
  })

const REFUSALS: Readonly<Record<WhyNotSecond, string>> = {
  NotManage: 'Needs Manage on the case.',
  NotAPerson: 'Only people approve a disclosure.',
  Requested: 'You proposed this disclosure; somebody else has to approve it.',
  ControlsOther:
    'You created or reset the account of whoever proposed this, or they did yours. Somebody else has to approve it.',
}

async function decide(
  deps: ProposalDeps,
  tx: Tx,
  call: UnitCall,
  of: AskedRecord,
  { Decision, Reason }: Deciding,
): Promise<ProposalOut> {
  const row = await of.rights.reach(tx, of.caseId, 'Manage')
  const proposal = await found(tx, row, of.no)
  requireState(proposal, 'waiting')
  const why = await whyNot(deps, tx, call, proposal)
  if (why !== null) throw new Fault('Forbidden', REFUSALS[why], { reason: `CannotApproveDisclosure:${why}` })
  const approves = Decision === 'Approve'
  // A refusal needs no right on what is named: nothing leaves by it.
  if (approves) {
    const { content } = await planRecord(tx, await asking(tx, of, row, proposal))
    requireSame(proposal, contentSha256(content))
  }
  await rows.updateProposal(tx, proposal.proposal_id, {
    state: approves ? 'approved' : 'refused',
    ...decidedNow(deps, call, Reason),
  })
  await append(deps.ledger, tx, call, row, proposal, {
    action: approves ? 'disclosure.approved' : 'disclosure.refused',
    reason: Reason,
    detail: { contentSha256: proposal.content_sha256, proposedBy: proposerOf(proposal).who },
  })
  const kind = approves ? 'disclosure.approved' : 'disclosure.refused'
  await tellMay(deps, tx, call, row, [personThen(proposal.proposed_by).PrincipalId], kind)
  return modelNow(deps, tx, call, row, proposal)
}

const decidedNow = ({ clock }: ProposalDeps, call: Call, reason: string) => ({
  decided_utc: isoMillis(clock.now()),
  decided_by: JSON.stringify(principalThen(call.actor)),
  decision_reason: reason,
})

/** @throws Fault DisclosureProposalOutdated */
function requireSame(proposal: ProposalRow, sha256: string): void {
  const outdated = whyOutdated(proposal, sha256)
  if (outdated !== null) throw fault('DisclosureProposalOutdated', outdated)
}

async function withdraw(deps: ProposalDeps, tx: Tx, call: UnitCall, of: AskedRecord): Promise<ProposalOut> {
  const row = await of.rights.reach(tx, of.caseId)
  const proposal = await found(tx, row, of.no)
  requireState(proposal, 'waiting', 'approved')
  if (personThen(proposal.proposed_by).PrincipalId !== call.actor.id) await of.rights.reach(tx, of.caseId, 'Manage')
  await rows.updateProposal(tx, proposal.proposal_id, { state: 'withdrawn', ...decidedNow(deps, call, '') })
  await append(deps.ledger, tx, call, row, proposal, { action: 'disclosure.withdrawn' })
  return modelNow(deps, tx, call, row, proposal)
}

async function give(
  deps: ProposalDeps,
  tx: Tx,
  call: UnitCall,
  of: AskedRecord,
  { MediumSerial, GivenTimeUtc }: Giving,
): Promise<DisclosureOut> {
  const row = await of.rights.reach(tx, of.caseId)
  const proposal = await found(tx, row, of.no)
  requireState(proposal, 'approved')
  const { decided_utc: approvedUtc, decided_by: approvedBy } = proposal
  if (approvedUtc === null || approvedBy === null) throw new Error(`Proposal ${proposal.proposal_id} has no approver`)
  if (GivenTimeUtc != null && Date.parse(GivenTimeUtc.text) < Date.parse(approvedUtc))
    throw invalid('GivenTimeUtc', 'must not be before it was approved')
  const { given: proposed, ...asked } = await asking(tx, of, row, proposal)
  const given = { ...proposed, GivenTimeUtc, MediumSerial: MediumSerial ?? proposed.MediumSerial }
  const planned = await planRecord(tx, { ...asked, given })
  requireSame(proposal, contentSha256(planned.content))
  const known = new Set(JSON.parse(proposal.others) as number[])
  const content = { ...planned.content, others: planned.content.others.filter((id) => known.has(id)) }
  const { id, out } = await writeRecord(deps, tx, call, {
    ...asked,
    given,
    reason: bodyOf(proposal).Reason,
    planned: { ...planned, content },
    approved: { no: proposal.no, approvedBy, approvedUtc },
  })
  await rows.updateProposal(tx, proposal.proposal_id, { state: 'given', disclosure_id: id })
  const whole = { ...out, Approved: { ProposalNo: proposal.no, By: personThen(approvedBy), TimeUtc: approvedUtc } }
  return call.rememberAnswer(tx, whole)
}
