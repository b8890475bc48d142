import type { z } from 'zod'
import type * as contract from '../../../shared/disclosure/contract.ts'
import type { DisclosureGroundsEndedTable } from '../../kernel/database/tables-disclosure.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import * as rows from './disclosure.store.ts'
import { type ProposalRow, proposalsGiven } from './proposals.store.ts'
import type { AcknowledgementRow, DisclosureRow, ItemRow, WithheldRow } from './disclosure.store.ts'

export type DisclosureOut = z.input<typeof contract.DisclosureModel>
export type DisclosuresOut = z.input<(typeof contract.listDisclosures)['responses'][200]>
export type SummaryOut = DisclosuresOut['Items'][number]
export type UnacknowledgedOut = z.input<
  (typeof contract.listSupplementsDue)['responses'][200]
>['Unacknowledged'][number]

export const personThen = (json: string): { PrincipalId: string; Username: string } => {
  const { PrincipalId, Username } = JSON.parse(json) as PrincipalThen
  return { PrincipalId, Username }
}

/** Decisions 4: `2026-000123`. */
export const ordinalOf = (row: Pick<CaseRow, 'ordinal_year' | 'ordinal_number'>): string =>
  `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`

/** A record with everything that belongs to it. */
export interface WholeRecord {
  readonly row: DisclosureRow
  readonly items: readonly ItemRow[]
  readonly withheld: readonly WithheldRow[]
  /** By the subject of its line. */
  readonly ended: ReadonlyMap<string, DisclosureGroundsEndedTable>
  readonly acknowledged: AcknowledgementRow | null
  readonly supersedes: DisclosureRow | null
  readonly supersededBy: DisclosureRow | null
  /** By which a second person approved it. */
  readonly approved: ProposalRow | null
}

/** In the order of their numbers. @param all every record of the case */
export async function wholeRecords(
  from: Tx,
  all: readonly DisclosureRow[],
  wanted: readonly DisclosureRow[] = all,
): Promise<WholeRecord[]> {
  const ids = wanted.map((row) => row.disclosure_id)
  const items = Map.groupBy(await rows.itemsOf(from, ids), (one) => one.disclosure_id)
  const withheld = Map.groupBy(await rows.withheldOf(from, ids), (one) => one.disclosure_id)
  const ended = Map.groupBy(await rows.groundsEndedOf(from, ids), (one) => one.disclosure_id)
  const [first] = wanted
  const approved = first === undefined ? new Map<number, ProposalRow>() : await proposalsGiven(from, first.case_id)
  const acknowledged = new Map((await rows.acknowledgementsOf(from, ids)).map((one) => [one.disclosure_id, one]))
  return wanted.map((row) => ({
    row,
    items: items.get(row.disclosure_id) ?? [],
    withheld: withheld.get(row.disclosure_id) ?? [],
    ended: new Map((ended.get(row.disclosure_id) ?? []).map((one) => [one.subject, one])),
    acknowledged: acknowledged.get(row.disclosure_id) ?? null,
    supersedes: all.find((one) => one.disclosure_id === row.supersedes) ?? null,
    supersededBy: all.find((one) => one.supersedes === row.disclosure_id) ?? null,
    approved: approved.get(row.disclosure_id) ?? null,
  }))
}

/** One record of a case. @throws Fault DisclosureNotFound */
export async function wholeRecord(from: Tx, row: CaseRow, no: string): Promise<WholeRecord> {
  const all = await rows.disclosuresOf(from, row.case_id)
  const wanted = all.filter((one) => String(one.no) === no)
  const [record] = await wholeRecords(from, all, wanted)
  if (record === undefined) throw fault('DisclosureNotFound', `The case has no disclosure ${no}.`)
  return record
}

export function summaryModel({
  row,
  items,
  withheld,
  acknowledged,
  supersedes,
  supersededBy,
  approved,
}: WholeRecord): SummaryOut {
  return {
    No: row.no,
    CaseId: String(row.case_id),
    Chain: row.chain,
    Supersedes: supersedes?.no ?? null,
    SupersededBy: supersededBy?.no ?? null,
    Reason: row.reason,
    Recipient: recipientModel(row),
    Authority: row.authority,
    Request: { Number: row.request_number, Date: row.request_date, Due: row.request_due },
    Package:
      row.package_id === null
        ? null
        : { PackageId: String(row.package_id), Sha256: row.package_sha256 ?? '', Bytes: row.package_bytes ?? 0 },
    Medium: row.medium,
    MediumSerial: row.medium_serial,
    GivenTimeUtc: row.given_utc,
    GivenBy: personThen(row.given_by),
    Acknowledged:
      acknowledged === null
        ? null
        : {
            By: acknowledged.acknowledged_by,
            TimeUtc: acknowledged.received_utc,
            How: acknowledged.how,
            EvidenceId: acknowledged.evidence_id === null ? null : String(acknowledged.evidence_id),
            Witnesses: JSON.parse(acknowledged.witnesses) as string[],
            RecordedBy: personThen(acknowledged.recorded_by),
          },
    ItemCount: items.length,
    WithheldCount: withheld.length,
    Approved:
      approved === null || approved.decided_by === null || approved.decided_utc === null
        ? null
        : { ProposalNo: approved.no, By: personThen(approved.decided_by), TimeUtc: approved.decided_utc },
  }
}

/** A file that was or would be given. */
export const itemModel = (item: Omit<ItemRow, 'disclosure_id'>) => ({
  EvidenceId: String(item.evidence_id),
  ResourceId: String(item.resource_id),
  Kind: item.kind,
  Name: item.name,
  Sha256: item.sha256,
  LengthInBytes: item.length,
})

/** What was or would be withheld, and why. */
export const withheldModel = (line: Omit<WithheldRow, 'disclosure_id'>) => ({
  EvidenceId: String(line.evidence_id),
  ResourceId: line.resource_id === null ? null : String(line.resource_id),
  Description: line.description,
  Ground: line.ground,
  Basis: line.basis,
  Reasons: line.reasons,
  Restricted: line.restriction_id !== null,
})

export const disclosureModel = (whole: WholeRecord): DisclosureOut => ({
  ...summaryModel(whole),
  Items: whole.items.map((item) => ({ Number: item.number, ...itemModel(item), Version: item.version })),
  Withheld: whole.withheld.map((line) => ({
    Number: line.number,
    ...withheldModel(line),
    DecidedBy: personThen(line.decided_by),
    Ended: endedModel(whole.ended.get(line.subject)),
  })),
})

const endedModel = (row: DisclosureGroundsEndedTable | undefined) =>
  row === undefined ? null : { TimeUtc: row.ended_utc, By: personThen(row.ended_by), Reason: row.reason }

/** Records that stand and that nobody acknowledged. @param all every record of the case */
export async function unacknowledgedIn(
  from: Tx,
  row: CaseRow,
  all: readonly DisclosureRow[],
): Promise<UnacknowledgedOut[]> {
  const replaced = new Set(all.map(({ supersedes }) => supersedes))
  const ids = all.map((one) => one.disclosure_id)
  const acknowledged = new Set((await rows.acknowledgementsOf(from, ids)).map((one) => one.disclosure_id))
  return all
    .filter(({ disclosure_id: id }) => !replaced.has(id) && !acknowledged.has(id))
    .map((one) => ({
      CaseId: String(row.case_id),
      Ordinal: ordinalOf(row),
      Title: row.title,
      No: one.no,
      Recipient: recipientModel(one),
      GivenTimeUtc: one.given_utc,
      RequestDue: one.request_due,
    }))
}

export const recipientModel = (row: DisclosureRow): SummaryOut['Recipient'] => ({
  Name: row.recipient_name,
  Role: row.recipient_role,
  Organisation: row.recipient_organisation,
})
