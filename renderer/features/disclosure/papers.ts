/** Papers of a disclosure: which there are for its recipient, and how one is fetched. */
import * as contract from '../../../shared/disclosure/contract.ts'
import { SCHEDULES, type Schedule, seesSensitive } from '../../../shared/disclosure/kinds.ts'
import { addressOf } from '../../client/api.ts'
import { saveFetched } from '../../client/save-file.ts'
import type { Summary } from '../../client/disclosure/disclosure.ts'

export type Paper =
  | { readonly kind: 'receipt' }
  | { readonly kind: 'schedule'; readonly schedule: Schedule; readonly format: 'pdf' | 'csv' }

/** The report is one for people alone; what names sensitive material is made for those who may have it. */
export const papersFor = ({ Recipient: { Role } }: Pick<Summary, 'Recipient'>): readonly Paper[] => [
  { kind: 'receipt' },
  ...SCHEDULES.filter((one) => one === 'list' || one === 'MG6C' || seesSensitive(Role)).flatMap((schedule): Paper[] => [
    { kind: 'schedule', schedule, format: 'pdf' },
    ...(schedule === 'MG6E' ? [] : [{ kind: 'schedule' as const, schedule, format: 'csv' as const }]),
  ]),
]

/** Of the whole case, for the station and the prosecutor. @throws Fault as the station refuses it */
export const saveRecordSheet = (
  tenant: string,
  caseId: string,
  format: 'pdf' | 'csv',
  language: 'en' | 'fr',
): Promise<void> =>
  saveFetched(
    addressOf(contract.printRecordSheet, { params: { tenantId: tenant, caseId }, query: { format, language } }),
    `Disclosure record sheet.${format}`,
  )

/** @throws Fault as the station refuses it */
export function savePaper(
  tenant: string,
  { CaseId, No }: Pick<Summary, 'CaseId' | 'No'>,
  paper: Paper,
  language: 'en' | 'fr',
): Promise<void> {
  const params = { tenantId: tenant, caseId: CaseId, no: String(No) }
  if (paper.kind === 'receipt')
    return saveFetched(
      addressOf(contract.printDisclosureReceipt, { params, query: { language } }),
      `Disclosure ${No} receipt.pdf`,
    )
  const { schedule, format } = paper
  return saveFetched(
    addressOf(contract.printSchedule, { params, query: { schedule, format, language } }),
    `Disclosure ${No} schedule ${schedule}.${format}`,
  )
}
