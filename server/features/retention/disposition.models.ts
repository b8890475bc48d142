import type { z } from 'zod'
import type {
  Certificate,
  DispositionItem,
  DispositionPreview,
} from '../../../shared/retention/disposition.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { HoldCode } from '../../../shared/retention/retention.ts'
import type { ReadCertificate } from './disposition/certificate.ts'
import { ordinalOf } from './disposition/facts.store.ts'
import { type Judged, ruleOf } from './disposition/items.ts'
import type { ApprovalRow, ItemRow } from './disposition/queue.store.ts'
import type { CertificateRow } from './disposition/tombstone.store.ts'
import { sameRule } from '../../../shared/retention/retention.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { Judgement } from './approvers.ts'
import type { Amount, ListedItem } from './disposition.store.ts'

export type ItemOut = z.input<typeof DispositionItem>
export type PreviewOut = z.input<typeof DispositionPreview>
export type CertificateOut = z.input<typeof Certificate>
type StayOut = PreviewOut['Stays']['Items'][number]

const STAGES = { waiting: 'Waiting', cooling: 'CoolingOff', bin: 'RecycleBin' } as const

export const approvalOut = (row: ApprovalRow) => ({
  By: JSON.parse(row.approved_by) as PrincipalThen,
  Reason: row.reason,
  TimeUtc: row.approved_utc,
})

export function itemOut(row: ListedItem, { approvals, whyNot, provenance }: Judgement): ItemOut {
  const { kind, id, name, days } = ruleOf(row)
  return {
    ItemId: String(row.item_id),
    Case:
      row.case_id === null
        ? null
        : {
            CaseId: String(row.case_id),
            Ordinal: ordinalOf(row.ordinal_year ?? 0, row.ordinal_number ?? 0),
            Title: row.title ?? '',
          },
    Rule: { Kind: kind, Id: id, Name: name, Days: days },
    Stage: STAGES[row.stage as keyof typeof STAGES],
    Evidence: row.evidence,
    Files: row.files,
    Bytes: row.bytes,
    DueUtc: isoMillis(row.due_at),
    QueuedUtc: row.created_utc,
    UntilUtc: row.next_at === null ? null : isoMillis(row.next_at),
    RequestedBy: JSON.parse(row.requested_by) as PrincipalThen,
    Approvals: approvals.filter((one) => one.item_id === row.item_id).map(approvalOut),
    Held: row.free > 0 ? null : ((row.held ?? null) as HoldCode | null),
    WhyNot: whyNot(row),
    Approvers: provenance(row),
  }
}

const atUtc = (at: number | null): string | null => (at === null ? null : isoMillis(at))

/** @param item the item that contains the evidence; null for evidence that is only in the same case */
export function stayOut(one: Judged, amount: Amount | undefined, item: ItemRow | null): StayOut {
  const { due, rule, holds } = one.judgement
  const stated: StayOut['Holds'] = holds.map(({ code, caseId, ordinal, at }) => ({
    Code: code,
    CaseId: caseId,
    Ordinal: ordinal,
    TimeUtc: atUtc(at),
  }))
  if (stated.length === 0) {
    const other = item !== null && due !== null && !sameRule(rule, ruleOf(item))
    const Code = due === null ? 'NeverDue' : other ? 'OtherRule' : 'NotDue'
    stated.push({ Code, CaseId: null, Ordinal: null, TimeUtc: atUtc(due) })
  }
  return {
    EvidenceId: String(one.id),
    Name: one.name,
    Files: amount?.files ?? 0,
    Bytes: amount?.bytes ?? 0,
    Holds: stated,
  }
}

export function certificateOut(row: CertificateRow): CertificateOut {
  const body = JSON.parse(Buffer.from(row.body).toString('utf8')) as ReadCertificate
  const { kind, id, name, days } = body.rule
  const { snapshots } = body
  return {
    CertificateId: String(row.certificate_id),
    EvidenceId: String(row.evidence_id),
    Name: body.evidence.name,
    Rule: { Kind: kind as CertificateOut['Rule']['Kind'], Id: id, Name: name, Days: days },
    Cases: body.cases.map((one) => ({ CaseId: one.id, Ordinal: one.ordinal })),
    Files: row.files,
    Bytes: row.bytes,
    DestroyedUtc: row.created_utc,
    Sha256: row.sha256,
    Approvals: body.approvals.map(({ by, reason, utc }) => ({ By: by, Reason: reason, TimeUtc: utc })),
    Snapshots:
      snapshots === undefined
        ? null
        : { Scheduled: snapshots.scheduled, UntilUtc: snapshots.untilUtc, Elsewhere: snapshots.elsewhere },
  }
}

export const cursorOf = (id: number): string => Buffer.from(String(id)).toString('base64url')

/** @throws Fault InvalidModel for a cursor that this list did not give */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
    { Path: 'cursor', Message: 'is not one that this list gave' },
  ])
}
