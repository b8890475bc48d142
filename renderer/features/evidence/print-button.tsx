import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/reports/documents.contract.ts'
import { addressOf } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { Button } from '../../ui/button/button.tsx'
import { PrintDialog } from '../../ui/print/print.tsx'
import { labelsOf } from './labels-choice.ts'
import type { LabelItem, PrintChoice } from '../../ui/print/print-props.ts'

/** What can be printed of one evidence. @param item for its label; without it none is offered */
export function usePrintChoices(evidenceId: string, item?: LabelItem): readonly PrintChoice[] {
  const { tenant } = useSession()
  const params = { tenantId: tenant, evidenceId }
  const custody = (kind: 'acts' | 'all'): PrintChoice => ({
    id: kind,
    address: ({ language, paper }) => addressOf(contract.printCustody, { params, query: { language, paper, kind } }),
  })
  return [
    {
      id: 'sheet',
      address: ({ language, paper }) => addressOf(contract.printEvidenceSheet, { params, query: { language, paper } }),
    },
    custody('acts'),
    custody('all'),
    ...(item === undefined ? [] : [labelsOf(tenant, [item])]),
  ]
}

/** In the panel of custody: the sheet, and the two reports. */
export function PrintButton({ evidenceId }: { readonly evidenceId: string }) {
  const { t } = useTranslation('evidencePage')
  const [open, setOpen] = useState(false)
  const choices = usePrintChoices(evidenceId)
  return (
    <>
      <Button size="small" icon="print" onPress={() => setOpen(true)}>
        {t('print')}
      </Button>
      {open && (
        <PrintDialog name={t('evidenceNumber', { id: evidenceId })} choices={choices} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
