/** Writes a new record of a disclosure with its entries. Everything is asked in the transaction that writes. */
import type { Time } from '../../../shared/kernel/time.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { disclosureModel, type DisclosureOut, ordinalOf, wholeRecord } from './disclosure.models.ts'
import * as rows from './disclosure.store.ts'
import type { DisclosureRow } from './disclosure.store.ts'
import { type DisclosureGiven, invalid, newRecord, type NewRecord, type Recipient, recipientOf } from './new-record.ts'
import { keepNumbers } from './numbering.ts'
import { openRequest } from './requests.service.ts'
import { type RequestRow, updateRequest } from './requests.store.ts'
import type { Rights } from './rights.ts'

/** Clocks of browsers and stations differ. */
const AHEAD_MS = 300_000

/** What is about to be recorded. */
export interface Asking {
  readonly tenant: string
  readonly rights: Rights
  readonly row: CaseRow
  readonly given: DisclosureGiven
  readonly replaced: DisclosureRow | null
  /** Who decides what is named as withheld, as JSON of a principal then. */
  readonly decidedBy: string
}

interface Planned {
  readonly recipient: Recipient
  /** Number of the first record of the case to the recipient; null: this is the first one. */
  readonly chain: number | null
  readonly content: NewRecord
  /** The request that it answers. */
  readonly request: RequestRow | null
}

/**
 * What a record would hold now.
 * @throws Fault as `newRecord` and `recipientOf`
 */
export async function planRecord(tx: Tx, asking: Asking): Promise<Planned> {
  const { tenant, rights, row, given, replaced, decidedBy } = asking
  const records = await rows.disclosuresOf(tx, row.case_id)
  // A record that replaces one is for its recipient, unless it says otherwise.
  const isForTheSame = replaced !== null && given.Recipient == null && given.Supplements == null
  const request = given.Answers == null ? null : await openRequest(tx, row, given.Answers)
  const { recipient, chain } = recipientOf(
    records,
    isForTheSame ? { Recipient: null, Supplements: String(replaced.no) } : given,
  )
  const content = await newRecord(tx, { row, tenant, given, rights, role: recipient.role, decidedBy })
  if (request !== null && request.recipient_role !== recipient.role)
    throw invalid('Answers', 'must be a request of a recipient with the same role')
  return { recipient, chain, content, request }
}

/** What a second person approved before it was given. */
export interface ApprovedProposal {
  readonly no: number
  /** A principal then. */
  readonly approvedBy: string
  readonly approvedUtc: string
}

interface Writing extends Asking {
  readonly reason: string
  readonly planned: Planned
  readonly approved: ApprovedProposal | null
}

export interface WriteDeps {
  readonly ledger: Ledger
  readonly clock: Clock
}

/** Writes what was planned in the same transaction. @throws Fault InvalidModel */
export async function writeRecord(
  { ledger, clock }: WriteDeps,
  tx: Tx,
  call: Call,
  { tenant, row, given, replaced, reason, planned: { recipient, chain, content, request }, approved }: Writing,
): Promise<{ readonly id: number; readonly out: DisclosureOut }> {
  const records = await rows.disclosuresOf(tx, row.case_id)
  // Writers wait for each other, so the numbers are still the next ones.
  if (!(await keepNumbers(tx, content.numbers))) throw new Error('Numbers of a schedule were taken meanwhile')
  const no = records.reduce((most, one) => Math.max(most, one.no), 0) + 1
  const asked = askedIn(given, request)
  const id = await rows.insertDisclosure(tx, {
    tenant_id: tenant,
    case_id: row.case_id,
    no,
    chain: chain ?? no,
    supersedes: replaced?.disclosure_id ?? null,
    reason,
    recipient_name: recipient.name,
    recipient_role: recipient.role,
    recipient_organisation: recipient.organisation,
    authority: given.Authority,
    request_number: asked.number,
    request_date: asked.date,
    request_due: asked.due,
    package_id: content.package?.id ?? null,
    package_sha256: content.package?.sha256 ?? null,
    package_bytes: content.package?.bytes ?? null,
    medium: given.Medium,
    medium_serial: given.MediumSerial,
    given_utc: momentOf(clock, given.GivenTimeUtc, 'GivenTimeUtc'),
    given_by: JSON.stringify(principalThen(call.actor)),
  })
  if (request !== null)
    await updateRequest(tx, request.request_id, {
      state: 'answered',
      closed_utc: isoMillis(clock.now()),
      closed_by: JSON.stringify(principalThen(call.actor)),
      disclosure_id: id,
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
  const entered = {
    row,
    no,
    id,
    given,
    asked,
    request,
    recipient,
    content,
    replaced,
    reason,
    chain: chain ?? no,
    approved,
  }
  await append(ledger, tx, call, entered)
  return { id, out: disclosureModel(await wholeRecord(tx, row, String(no))) }
}

/** What the record says of the request: as it was typed, else as it was recorded. */
const askedIn = ({ Request: typed }: DisclosureGiven, request: RequestRow | null) =>
  typed == null && request !== null
    ? { number: request.request_number, date: request.request_date, due: request.request_due }
    : { number: typed?.Number ?? '', date: typed?.Date ?? null, due: typed?.Due ?? null }

/** The time that was stated, or now. @throws Fault InvalidModel */
export function momentOf(clock: Clock, given: Time | null | undefined, path: string): string {
  const now = clock.now()
  if (given == null) return isoMillis(now)
  if (Date.parse(given.text) > now + AHEAD_MS) throw invalid(path, 'must not be in the future')
  return given.text
}

export const objectOf = (row: CaseRow, no: number, id: number) =>
  ({ type: 'disclosure', id: String(id), name: `${ordinalOf(row)} / ${no}` }) as const

interface Appending {
  readonly row: CaseRow
  readonly no: number
  readonly id: number
  readonly chain: number
  readonly given: DisclosureGiven
  readonly asked: ReturnType<typeof askedIn>
  readonly request: RequestRow | null
  readonly recipient: Recipient
  readonly content: NewRecord
  readonly replaced: DisclosureRow | null
  readonly reason: string
  readonly approved: ApprovedProposal | null
}

/** The record as an entry, and one in the custody of every item. */
async function append(
  ledger: Ledger,
  tx: Tx,
  call: Call,
  { row, no, id, chain, given, asked, request, recipient, content, replaced, reason, approved }: Appending,
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
      ...(approved === null
        ? {}
        : {
            proposal: approved.no,
            approvedBy: JSON.parse(approved.approvedBy) as PrincipalThen,
            approvedUtc: approved.approvedUtc,
          }),
      recipient,
      authority: given.Authority,
      request: asked,
      ...(request === null ? {} : { answers: request.no }),
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
