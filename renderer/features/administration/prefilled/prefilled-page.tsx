import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/prefilled-fields.contract.ts'
import { call } from '../../../client/api.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { useList } from '../queries.ts'
import { RecordsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'
import { type Prefilled, targetWords } from './targets.ts'

const PrefilledForm = lazyOpened(async () => (await import('./prefilled-form.tsx')).PrefilledForm)

export function PrefilledPage() {
  const { t } = useTranslation('administration')
  const asked = useList<Prefilled>('prefilled', (tenantId, signal) =>
    call(contract.getPrefilledFields, { params: { tenantId }, signal }),
  )
  return (
    <RecordsPage
      title={t('prefilled')}
      lead={t('prefilledLead')}
      make={t('prefilledNew')}
      none={t('prefilledNone')}
      noneBody={t('prefilledNoneBody')}
      asked={asked}
      idOf={({ PrefilledFieldId }) => PrefilledFieldId}
      columnsOf={columnsOf}
    >
      {(field, { onClose, onMade }) => (
        <PrefilledForm field={field} onClose={onClose} onMade={({ PrefilledFieldId }) => onMade(PrefilledFieldId)} />
      )}
    </RecordsPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Prefilled>[] => [
  {
    id: 'target',
    label: t('target'),
    least: 10,
    cell: ({ Target, Label }) => (
      <TwoLines strong first={<bdi>{visible(targetWords(Target, t))}</bdi>} second={visible(Label ?? '')} />
    ),
    text: ({ Target }) => visible(targetWords(Target, t)),
  },
  {
    id: 'values',
    label: t('values'),
    least: 14,
    priority: 2,
    cell: ({ Values }) => visible(Values.join(', ')),
    text: ({ Values }) => visible(Values.join(', ')),
  },
  {
    id: 'count',
    label: t('howMany'),
    width: 9,
    align: 'end',
    cell: ({ Values }) => format.count(Values.length),
    text: ({ Values }) => String(Values.length),
  },
]
