/** Records of what was given to whom (docs/decisions/0035). They are never changed: a later one replaces an earlier one, and names it. */
import type { z } from 'zod'
import type { AcknowledgeModel, SupersedeDisclosureModel } from '../../../shared/disclosure/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Time } from '../../../shared/kernel/time.ts'
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
  ordinalOf,
  personThen,
  type SummaryOut,
  summaryModel,
  type UnacknowledgedOut,
  unacknowledgedIn,
  type WholeRecord,
  wholeRecords,
} from './disclosure.models.ts'
import * as rows from './disclosure.store.ts'
import type { DisclosureRow } from './disclosure.store.ts'
import { type DisclosureGiven, invalid, newRecord, type NewRecord, type Recipient, recipientOf } from './new-record.ts'
import { keepNumbers } from './numbering.ts'
import { standingAmong } from './restrictions.store.ts'
import { refuseGuests, type Rights } from './rights.ts'

type SupersedingGiven = z.output<typeof SupersedeDisclosureModel>
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
}

/** Every method judges the caller by `rights`, in the transaction that writes. */
export interface Disclosures {
  /** @throws Fault as `newRecord` and `recipientOf` */
  create(call: Call, of: Asked, given: DisclosureGiven, answered?: Answered): Promise<DisclosureOut>
  /** @throws Fault as `create`; DisclosureSuperseded */
  supersede(call: Call, of: AskedRecord, given: SupersedingGiven, answered?: Answered): Promise<DisclosureOut>
  /** @throws Fault DisclosureNotFound, DisclosureSuperseded, DisclosureAcknowledged, EvidenceRelationsNotFound */
  acknowledge(call: Call, of: AskedRecord, given: Acknowledging): Promise<DisclosureOut>
  list(of: Asked): Promise<Listed>
  /** @throws Fault DisclosureNotFound */
  get(of: AskedRecord): Promise<{ readonly row: CaseRow; readonly record: WholeRecord }>
  /** For a route that judges before its body is read. */
  judge(of: Asked): Promise<void>
  /** Of the cases on which the caller has Edit: supplements by the day by which they were asked for, then what nobody acknowledged, oldest first. */
  due(call: UnitCall, tenant: string): Promise<DueOfStation>
}

export interface Asked {
  readonly tenant: string
  readonly caseId: string
  readonly rights: Rights
}
export interface AskedRecord extends Asked {
  readonly no: string
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
}

const MOST_CASES = 1000
/** Clocks of browsers and stations differ. */
const AHEAD_MS = 300_000

export function createDisclosures(deps: DisclosureDeps): Disclosures {
  const { db, access } = deps
  return {
    create: (call, of, given, answered = async (_tx, out) => out) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        return answered(tx, await write(deps, tx, call, { of, row, given, replaced: null, reason: '' }))
      }),
    supersede: (call, of, { Reason: reason, ...given }, answered = async (_tx, out) => out) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        const replaced = await requireStanding(tx, row, of.no)
        return answered(tx, await write(deps, tx, call, { of, row, given, replaced, reason }))
      }),
    acknowledge: (call, of, given) => db.transaction((tx) => acknowledge(deps, tx, call, of, given)),
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
      return { row, record: await whole(db.read, row, no) }
    },
    judge: async ({ rights, caseId }) => void (await rights.reach(db.read, caseId)),
    due: async (call, tenant) => {
      await refuseGuests(db.read, call)
      const cases = await rows.casesWithDisclosures(db.read, tenant, MOST_CASES)
      const levels = await access.onCases(
        db.read,
        call.principal,
        cases.map((one) => one.case_id),
      )
      const due: DueOut[] = []
      const unacknowledged: UnacknowledgedOut[] = []
      for (const row of cases) {
        if (!includes(levels.get(row.case_id) ?? 'None', 'Edit')) continue
        due.push(...(await dueOfCase(db.read, row)))
        unacknowledged.push(...(await unacknowledgedIn(db.read, row, await rows.disclosuresOf(db.read, row.case_id))))
      }
      return {
        due: due.sort((a, b) => dueKey(a).localeCompare(dueKey(b))),
        unacknowledged: unacknowledged.sort((a, b) => a.GivenTimeUtc.localeCompare(b.GivenTimeUtc)),
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

/** @throws Fault DisclosureNotFound */
async function whole(from: Tx, row: CaseRow, no: string): Promise<WholeRecord> {
  const all = await rows.disclosuresOf(from, row.case_id)
  const wanted = all.filter((one) => String(one.no) === no)
  const [record] = await wholeRecords(from, all, wanted)
  if (record === undefined) throw fault('DisclosureNotFound', `The case has no disclosure ${no}.`)
  return record
}

/** @throws Fault DisclosureNotFound, DisclosureSuperseded */
async function requireStanding(from: Tx, row: CaseRow, no: string): Promise<DisclosureRow> {
  const record = await whole(from, row, no)
  if (record.supersededBy !== null)
    throw fault('DisclosureSuperseded', `Disclosure ${no} was replaced by ${record.supersededBy.no} already.`)
  return record.row
}

interface Writing {
  readonly of: Asked
  readonly row: CaseRow
  readonly given: DisclosureGiven
  readonly replaced: DisclosureRow | null
  readonly reason: string
}

async function write(
  deps: DisclosureDeps,
  tx: Tx,
  call: Call,
  { of, row, given, replaced, reason }: Writing,
): Promise<DisclosureOut> {
  const { ledger, clock } = deps
  const records = await rows.disclosuresOf(tx, row.case_id)
  // A record that replaces one is for its recipient, unless it says otherwise.
  const isForTheSame = replaced !== null && given.Recipient == null && given.Supplements == null
  const { recipient, chain } = recipientOf(
    records,
    isForTheSame ? { Recipient: null, Supplements: String(replaced.no) } : given,
  )
  const by = JSON.stringify(principalThen(call.actor))
  const content = await newRecord(tx, {
    row,
    tenant: of.tenant,
    given,
    rights: of.rights,
    role: recipient.role,
    decidedBy: by,
  })
  // Writers wait for each other, so the numbers are still the next ones.
  if (!(await keepNumbers(tx, content.numbers))) throw new Error('Numbers of a schedule were taken meanwhile')
  const no = records.reduce((most, one) => Math.max(most, one.no), 0) + 1
  const id = await rows.insertDisclosure(tx, {
    tenant_id: of.tenant,
    case_id: row.case_id,
    no,
    chain: chain ?? no,
    supersedes: replaced?.disclosure_id ?? null,
    reason,
    recipient_name: recipient.name,
    recipient_role: recipient.role,
    recipient_organisation: recipient.organisation,
    authority: given.Authority,
    request_number: given.Request?.Number ?? '',
    request_date: given.Request?.Date ?? null,
    request_due: given.Request?.Due ?? null,
    package_id: content.package?.id ?? null,
    package_sha256: content.package?.sha256 ?? null,
    package_bytes: content.package?.bytes ?? null,
    medium: given.Medium,
    medium_serial: given.MediumSerial,
    given_utc: momentOf(clock, given.GivenTimeUtc, 'GivenTimeUtc'),
    given_by: by,
  })
  await rows.insertItems(
    tx,
    content.items.map((item) => ({ disclosure_id: id, ...item })),
  )
  await rows.insertWithheld(
    tx,
    content.withheld.map((line) => ({ disclosure_id: id, ...line })),
  )
  await rows.insertOthers(tx, id, content.others)
  await append(ledger, tx, call, { row, no, id, given, recipient, content, replaced, reason, chain: chain ?? no })
  return disclosureModel(await whole(tx, row, String(no)))
}

/** The time that was stated, or now. @throws Fault InvalidModel */
function momentOf(clock: Clock, given: Time | null | undefined, path: string): string {
  const now = clock.now()
  if (given == null) return isoMillis(now)
  if (Date.parse(given.text) > now + AHEAD_MS) throw invalid(path, 'must not be in the future')
  return given.text
}

const objectOf = (row: CaseRow, no: number, id: number) =>
  ({ type: 'disclosure', id: String(id), name: `${ordinalOf(row)} / ${no}` }) as const

interface Appending {
  readonly row: CaseRow
  readonly no: number
  readonly id: number
  readonly chain: number
  readonly given: DisclosureGiven
  readonly recipient: Recipient
  readonly content: NewRecord
  readonly replaced: DisclosureRow | null
  readonly reason: string
}

/** The record as an entry, and one in the custody of every item. */
async function append(
  ledger: Ledger,
  tx: Tx,
  call: Call,
  { row, no, id, chain, given, recipient, content, replaced, reason }: Appending,
): Promise<void> {
  const caseId = String(row.case_id)
  await ledger.append(tx, call, {
    action: replaced === null ? 'disclosure.given' : 'disclosure.superseded',
    object: objectOf(row, no, id),
    ...(reason === '' ? {} : { reason }),
    ...(content.package === null ? {} : { bytes: content.package.bytes, sha256: content.package.sha256 }),
    detail: {
      caseId,
      no,
      chain,
      ...(replaced === null ? {} : { supersedes: replaced.no }),
      recipient,
      authority: given.Authority,
      request: {
        number: given.Request?.Number ?? '',
        date: given.Request?.Date ?? null,
        due: given.Request?.Due ?? null,
      },
      packageId: content.package === null ? null : String(content.package.id),
      medium: given.Medium,
      serial: given.MediumSerial,
      items: content.items.length,
      evidence: [...new Set(content.items.map((item) => String(item.evidence_id)))],
      withheld: content.withheld.map(({ subject, basis, number, ground }) => ({ subject, basis, number, ground })),
    },
  })
  for (const item of content.items)
    await ledger.append(tx, call, {
      action: 'resource.disclosed',
      object: { type: 'resource', id: String(item.resource_id), name: item.name },
      bytes: item.length,
      sha256: item.sha256,
      detail: { evidenceId: String(item.evidence_id), caseId, disclosure: no, number: item.number, kind: item.kind },
    })
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
  const { acknowledged } = await whole(tx, row, of.no)
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
  return disclosureModel(await whole(tx, row, of.no))
}
