import * as contract from '../../../shared/reports/documents.contract.ts'
import { addressOf } from '../../client/api.ts'
import type { LabelItem, PrintChoice } from '../../ui/print/print-props.ts'

/** Labels for some evidence. */
export const labelsOf = (tenant: string, items: readonly LabelItem[]): PrintChoice => ({
  id: 'labels',
  items,
  address: ({ language, size, skip }) =>
    addressOf(contract.printLabels, {
      params: { tenantId: tenant },
      query: { language, size, skip: String(skip), id: items.map(({ id }) => id) },
    }),
})
