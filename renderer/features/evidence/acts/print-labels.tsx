import { useState } from 'react'
import { MOST_LABELS } from '../../../../shared/reports/labels.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { PrintDialog } from '../../../ui/print/print.tsx'
import type { SelectionAct } from '../../../ui/selection-bar/selection-bar.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { labelsOf } from '../labels-choice.ts'
import type { Named } from './targets.ts'

/** QR labels for what is selected: an act of the selection bar, and its dialog. */
export function useLabelsAct(count: number, gather: () => Promise<readonly Named[]>) {
  const { t } = useTranslation('evidenceList')
  const { tenant } = useSession()
  const [items, setItems] = useState<readonly Named[] | null>(null)
  const act: SelectionAct = {
    id: 'labels',
    label: t('labels'),
    icon: 'print',
    more: true,
    why: count > MOST_LABELS ? t('tooMany', { most: MOST_LABELS }) : undefined,
    onPress: () => void gather().then(setItems, toasts.problem),
  }
  const dialog = items !== null && (
    <PrintDialog
      name={t('labelsOf', { count: items.length, shown: String(items.length) })}
      choices={[
        labelsOf(
          tenant,
          items.map(({ EvidenceId: id, Name: name }) => ({ id, name, at: null })),
        ),
      ]}
      onClose={() => setItems(null)}
    />
  )
  return { act, dialog }
}
