import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type * as contract from '../../../shared/disclosure/contract.ts'
import type { WhyNotSecond } from '../../../shared/disclosure/kinds.ts'
import { type DisclosuresOut, itemModel, personThen, withheldModel } from './disclosure.models.ts'
import type { DisclosureGiven, NewRecord } from './new-record.ts'
import type { ProposalRow } from './proposals.store.ts'
import type { RequestRow } from './requests.store.ts'

export type ProposalOut = DisclosuresOut['Proposals'][number]
export type ProposalInFull = z.input<(typeof contract.getProposal)['responses'][200]>
export type RequestOut = DisclosuresOut['Requests'][number]

/** What was asked for when it was proposed, as the contract read it. */
export type ProposedBody = DisclosureGiven & { readonly Reason: string }

export const bodyOf = (row: ProposalRow): ProposedBody => JSON.parse(row.body) as ProposedBody

/** @param disclosureNo of the record by which it was given */
export function proposalModel(
  row: ProposalRow,
  { disclosureNo, whyNot }: { readonly disclosureNo: number | null; readonly whyNot: WhyNotSecond | null },
): ProposalOut {
  const body = bodyOf(row)
  return {
    No: row.no,
    CaseId: String(row.case_id),
    State: row.state,
    Recipient: { Name: row.recipient_name, Role: row.recipient_role, Organisation: row.recipient_organisation },
    Supersedes: row.supersedes,
    Reason: body.Reason,
    Authority: body.Authority,
    PackageId: body.PackageId ?? null,
    Medium: body.Medium,
    ItemCount: row.item_count,
    WithheldCount: row.withheld_count,
    ProposedTimeUtc: row.proposed_utc,
    ProposedBy: personThen(row.proposed_by),
    Decision:
      row.decided_utc === null || row.decided_by === null
        ? null
        : { By: personThen(row.decided_by), TimeUtc: row.decided_utc, Reason: row.decision_reason },
    DisclosureNo: disclosureNo,
    WhyNot: whyNot,
  }
}

/** As it was typed, for whoever proposed it: others may not see everything that it names. */
export function askedModel(row: ProposalRow, callerId: string): ProposalInFull['Asked'] {
  if (personThen(row.proposed_by).PrincipalId !== callerId) return null
  const { Request, Answers, EvidenceIds, Withheld, MediumSerial } = bodyOf(row)
  return {
    Request: Request == null ? null : { Number: Request.Number, Date: Request.Date ?? null, Due: Request.Due ?? null },
    Answers: Answers ?? null,
    EvidenceIds,
    Withheld: Withheld.map((line) => ({ ...line, ResourceId: line.ResourceId ?? null })),
    MediumSerial,
  }
}

/**
 * SHA-256 over the files that are given and the lines that are withheld. Names and versions of files are left out: a new title changes nothing of what is
 * given. Evidence that is neither given nor withheld is left out too: what comes later is new to the recipient.
 */
export function contentSha256({ package: source, items, withheld }: NewRecord): string {
  const said = {
    package: source === null ? null : [source.id, source.sha256],
    items: items
      .map(({ resource_id: id, kind, sha256, length }) => [id, kind, sha256, length] as const)
      .toSorted(([a, one], [b, other]) => a - b || one.localeCompare(other)),
    withheld: withheld
      .map(({ subject, basis, description, ground, reasons }) => [subject, basis, description, ground, reasons])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  }
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

export const proposedContent = ({ items, withheld }: NewRecord): Pick<ProposalInFull, 'Items' | 'Withheld'> => ({
  Items: items.map(itemModel),
  Withheld: withheld.map(withheldModel),
})

/** @param disclosureNo of the record that answered it */
export const requestModel = (row: RequestRow, disclosureNo: number | null): RequestOut => ({
  No: row.no,
  CaseId: String(row.case_id),
  State: row.state,
  Recipient: { Name: row.recipient_name, Role: row.recipient_role, Organisation: row.recipient_organisation },
  Authority: row.authority,
  Number: row.request_number,
  Date: row.request_date,
  Due: row.request_due,
  What: row.what,
  RecordedTimeUtc: row.recorded_utc,
  RecordedBy: personThen(row.recorded_by),
  Closed:
    row.closed_utc === null || row.closed_by === null
      ? null
      : { TimeUtc: row.closed_utc, By: personThen(row.closed_by), Reason: row.close_reason },
  DisclosureNo: disclosureNo,
})
