import * as contract from '../../../../shared/reports/documents.contract.ts'
import { addressOf } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { PrintDialog } from '../../../ui/print/print.tsx'
import type { PrintOptions } from '../../../ui/print/print-props.ts'
import { type Case, evidencesOf } from '../queries.ts'

/** The summary of a case with its contact sheet, and labels for its evidence. */
export function PrintCase({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { tenant } = useSession()
  const params = { tenantId: tenant, caseId: record.CaseId }
  // What this person cannot view has no name here, and no label.
  const items = evidencesOf(record).flatMap(({ EvidenceId: id, Name: name, Clock }) =>
    name === null ? [] : [{ id, name, at: Clock.CorrectedTimeUtc }],
  )
  return (
    <PrintDialog
      name={`${record.Ordinal} ${record.Title}`}
      onClose={onClose}
      choices={[
        {
          id: 'summary',
          address: ({ language, paper }) =>
            addressOf(contract.printCaseSummary, { params, query: { language, paper } }),
        },
        ...(items.length === 0
          ? []
          : [
              {
                id: 'labels' as const,
                items,
                ordinal: record.Ordinal,
                address: ({ language, size, skip }: PrintOptions) =>
                  addressOf(contract.printCaseLabels, { params, query: { language, size, skip: String(skip) } }),
              },
            ]),
      ]}
    />
  )
}
