/** Records of what was given to whom (docs/decisions/0035). They are never changed: a later one replaces an earlier one, and names it. */
import type { z } from 'zod'
import type {
  AcknowledgeModel,
  endGround as endGroundRoute,
  SupersedeDisclosureModel,
} from '../../../shared/disclosure/contract.ts'
import type { RecipientRole } from '../../../shared/disclosure/kinds.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { tellMay } from './due-notices.ts'
import { type DueOut, dueOfCase } from './due.service.ts'
import {
  disclosureModel,
  type DisclosureOut,
  type DisclosuresOut,
  personThen,
  type SummaryOut,
  summaryModel,
  type UnacknowledgedOut,
  unacknowledgedIn,
  type WholeRecord,
  wholeRecord,
  wholeRecords,
} from './disclosure.models.ts'
import * as rows from './disclosure.store.ts'
import type { DisclosureRow } from './disclosure.store.ts'
import { type DisclosureGiven, invalid } from './new-record.ts'
import { standingAmong } from './restrictions.store.ts'
import { type Asked, type AskedRecord, refuseGuests } from './rights.ts'
import { momentOf, objectOf, planRecord, writeRecord } from './write-record.ts'

type SupersedingGiven = z.output<typeof SupersedeDisclosureModel>
type EndingGround = z.output<NonNullable<(typeof endGroundRoute)['body']>>
type Acknowledging = z.output<typeof AcknowledgeModel>

export interface Listed {
  readonly row: CaseRow
  readonly items: SummaryOut[]
  readonly due: DueOut[]
  readonly restricted: DisclosuresOut['Restricted']
}

export interface DueOfStation {
  readonly due: DueOut[]
  readonly unacknowledged: UnacknowledgedOut[]
  /** With a proposal or a request that is open. */
  readonly cases: readonly CaseRow[]
}

/** Every method judges the caller by `rights`, in the transaction that writes. */
export interface Disclosures {
  /** @throws Fault as `newRecord` and `recipientOf` */
  create(call: Call, of: Asked, given: DisclosureGiven, answered?: Answered): Promise<DisclosureOut>
  /** @throws Fault as `create`; DisclosureSuperseded */
  supersede(call: Call, of: AskedRecord, given: SupersedingGiven, answered?: Answered): Promise<DisclosureOut>
  /** @throws Fault DisclosureNotFound, DisclosureSuperseded, DisclosureAcknowledged, EvidenceRelationsNotFound */
  acknowledge(call: Call, of: AskedRecord, given: Acknowledging): Promise<DisclosureOut>
  /** @throws Fault DisclosureNotFound, DisclosureSuperseded, DisclosureGroundEnded, InvalidModel */
  endGround(call: Call, of: AskedRecord, given: EndingGround): Promise<DisclosureOut>
  list(of: Asked): Promise<Listed>
  /** @throws Fault DisclosureNotFound */
  get(of: AskedRecord): Promise<{ readonly row: CaseRow; readonly record: WholeRecord }>
  /** For a route that judges before its body is read. */
  judge(of: Asked): Promise<void>
  /** Of the cases on which the caller has Edit: supplements by the day by which they were asked for, then what nobody acknowledged, oldest first. */
  due(call: UnitCall, tenant: string): Promise<DueOfStation>
}

/** Remembers the answer in the transaction. */
export type Answered = (tx: Tx, out: DisclosureOut) => Promise<DisclosureOut>

export interface DisclosureDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly access: Access
  readonly reachCase: ReachCase
  readonly notices: Notices
  /** Recipients to whom nothing is given before a second person approved it. */
  readonly approvalFor: readonly RecipientRole[]
}

const MOST_CASES = 1000

export function createDisclosures(deps: DisclosureDeps): Disclosures {
  const { db, access } = deps
  return {
    create: (call, of, given, answered = async (_tx, out) => out) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        return answered(tx, await record(deps, tx, call, of, { row, given, replaced: null, reason: '' }))
      }),
    supersede: (call, of, { Reason: reason, ...given }, answered = async (_tx, out) => out) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        const replaced = await requireStanding(tx, row, of.no)
        return answered(tx, await record(deps, tx, call, of, { row, given, replaced, reason }))
      }),
    acknowledge: (call, of, given) => db.transaction((tx) => acknowledge(deps, tx, call, of, given)),
    endGround: (call, of, given) => db.transaction((tx) => endGround(deps, tx, call, of, given)),
    list: async ({ rights, caseId }) => {
      const row = await rights.reach(db.read, caseId)
      const all = await rows.disclosuresOf(db.read, row.case_id)
      return {
        row,
        items: (await wholeRecords(db.read, all)).map(summaryModel),
        due: await dueOfCase(db.read, row),
        restricted: await restrictedIn(db.read, row),
      }
    },
    get: async ({ rights, caseId, no }) => {
      const row = await rights.reach(db.read, caseId)
      return { row, record: await wholeRecord(db.read, row, no) }
    },
    judge: async ({ rights, caseId }) => void (await rights.reach(db.read, caseId)),
    due: async (call, tenant) => {
      await refuseGuests(db.read, call)
      const cases = await rows.casesWithDisclosures(db.read, tenant, MOST_CASES)
      const open = await rows.casesWithOpen(db.read, tenant, MOST_CASES)
      const levels = await access.onCases(db.read, call.principal, [
        ...new Set([...cases, ...open].map((one) => one.case_id)),
      ])
      const edits = (row: CaseRow): boolean => includes(levels.get(row.case_id) ?? 'None', 'Edit')
      const due: DueOut[] = []
      const unacknowledged: UnacknowledgedOut[] = []
      for (const row of cases) {
        if (!edits(row)) continue
        due.push(...(await dueOfCase(db.read, row)))
        unacknowledged.push(...(await unacknowledgedIn(db.read, row, await rows.disclosuresOf(db.read, row.case_id))))
      }
      return {
        due: due.sort((a, b) => dueKey(a).localeCompare(dueKey(b))),
        unacknowledged: unacknowledged.sort((a, b) => a.GivenTimeUtc.localeCompare(b.GivenTimeUtc)),
        cases: open.filter(edits),
      }
    },
  }
}

async function restrictedIn(from: Tx, row: CaseRow): Promise<Listed['restricted']> {
  const inCase = await rows.evidenceOfCase(from, row.case_id)
  const standing = await standingAmong(
    from,
    inCase.map((one) => one.evidence_id),
  )
  return [...standing].map(([id, all]) => ({ EvidenceId: String(id), Kinds: all.map(({ kind }) => kind) }))
}

/** What has a day goes first. */
const dueKey = ({ RequestDue, Ordinal, Chain }: DueOut): string =>
  `${RequestDue ?? '9999'} ${Ordinal} ${String(Chain).padStart(9, '0')}`

interface Recording {
  readonly row: CaseRow
  readonly given: DisclosureGiven
  readonly replaced: DisclosureRow | null
  readonly reason: string
}

/** Records what nobody else has to approve. @throws Fault DisclosureNeedsApproval; as `planRecord` */
async function record(
  deps: DisclosureDeps,
  tx: Tx,
  call: Call,
  { tenant, rights }: Asked,
  { reason, ...what }: Recording,
): Promise<DisclosureOut> {
  const asking = { ...what, tenant, rights, decidedBy: JSON.stringify(principalThen(call.actor)) }
  const planned = await planRecord(tx, asking)
  const { role } = planned.recipient
  if (deps.approvalFor.includes(role))
    throw fault(
      'DisclosureNeedsApproval',
      `What is given to this recipient (${role}) is approved by a second person first. Nothing was recorded: propose it.`,
    )
  return (await writeRecord(deps, tx, call, { ...asking, reason, planned, approved: null })).out
}

/** @throws Fault DisclosureNotFound, DisclosureSuperseded */
export async function requireStanding(from: Tx, row: CaseRow, no: string): Promise<DisclosureRow> {
  const record = await wholeRecord(from, row, no)
  if (record.supersededBy !== null)
    throw fault('DisclosureSuperseded', `Disclosure ${no} was replaced by ${record.supersededBy.no} already.`)
  return record.row
}

async function acknowledge(
  deps: DisclosureDeps,
  tx: Tx,
  call: Call,
  of: AskedRecord,
  given: Acknowledging,
): Promise<DisclosureOut> {
  const { ledger, clock } = deps
  const row = await of.rights.reach(tx, of.caseId)
  const record = await requireStanding(tx, row, of.no)
  const { acknowledged } = await wholeRecord(tx, row, of.no)
  if (acknowledged !== null)
    throw fault(
      'DisclosureAcknowledged',
      `Disclosure ${of.no} was acknowledged by ${acknowledged.acknowledged_by} already.`,
    )
  if (given.EvidenceId != null) {
    const scan = (await rows.evidenceOfCase(tx, row.case_id)).find(
      (one) => String(one.evidence_id) === given.EvidenceId,
    )
    if (scan === undefined)
      throw fault(
        'EvidenceRelationsNotFound',
        `Evidence ${given.EvidenceId} is not in this case. Put the scan into it first.`,
      )
    await of.rights.require(tx, [scan], 'View')
  }
  await rows.insertAcknowledgement(tx, {
    disclosure_id: record.disclosure_id,
    acknowledged_utc: isoMillis(clock.now()),
    received_utc: momentOf(clock, given.TimeUtc, 'TimeUtc'),
    acknowledged_by: given.By,
    how: given.How,
    evidence_id: given.EvidenceId == null ? null : Number(given.EvidenceId),
    witnesses: JSON.stringify(given.Witnesses),
    recorded_by: JSON.stringify(principalThen(call.actor)),
  })
  await ledger.append(tx, call, {
    action: 'disclosure.acknowledged',
    object: objectOf(row, record.no, record.disclosure_id),
    detail: {
      caseId: String(row.case_id),
      no: record.no,
      by: given.By,
      how: given.How,
      evidenceId: given.EvidenceId ?? null,
      witnesses: given.Witnesses,
    },
  })
  await tellMay(deps, tx, call, row, [personThen(record.given_by).PrincipalId], 'disclosure.acknowledged')
  return disclosureModel(await wholeRecord(tx, row, of.no))
}

async function endGround(
  { ledger, clock }: DisclosureDeps,
  tx: Tx,
  call: Call,
  of: AskedRecord,
  { EvidenceId, ResourceId, Reason }: EndingGround,
): Promise<DisclosureOut> {
  const row = await of.rights.reach(tx, of.caseId)
  const record = await requireStanding(tx, row, of.no)
  const { withheld, ended } = await wholeRecord(tx, row, of.no)
  const subject = ResourceId == null ? `evidence:${EvidenceId}` : `resource:${ResourceId}`
  const line = withheld.find((one) => one.subject === subject && String(one.evidence_id) === EvidenceId)
  if (line === undefined)
    throw invalid(ResourceId == null ? 'EvidenceId' : 'ResourceId', 'is not withheld by this record')
  if (line.restriction_id !== null) throw invalid('EvidenceId', 'is withheld for a restriction: lift that')
  if (ended.has(subject)) throw fault('DisclosureGroundEnded', 'This ground was ended already.')
  await rows.insertGroundEnded(tx, {
    disclosure_id: record.disclosure_id,
    subject,
    reason: Reason,
    ended_utc: isoMillis(clock.now()),
    ended_by: JSON.stringify(principalThen(call.actor)),
  })
  await ledger.append(tx, call, {
    action: 'disclosure.groundEnded',
    object: objectOf(row, record.no, record.disclosure_id),
    reason: Reason,
    detail: { caseId: String(row.case_id), no: record.no, subject, basis: line.basis, number: line.number },
  })
  return disclosureModel(await wholeRecord(tx, row, of.no))
}
