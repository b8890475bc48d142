import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/prefilled-fields.ts'
import { call } from '../../../client/api.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { useList } from '../data.ts'
import { ListPage } from '../list-page.tsx'
import { NEW, usePlace } from '../search-state.ts'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { PrefilledForm } from './prefilled-form.tsx'
import { type Prefilled, targetWords } from './targets.ts'

export function PrefilledPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { search, change } = usePlace()
  const { rows, error, retry } = useList<Prefilled>('prefilled', (tenantId, signal) =>
    call(contract.getPrefilledFields, { params: { tenantId }, signal }),
  )
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const open = rows?.find(({ PrefilledFieldId }) => PrefilledFieldId === search.open) ?? null
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('prefilled')}
      lead={t('prefilledLead')}
      columns={columns}
      rows={rows}
      keyOf={({ PrefilledFieldId }) => PrefilledFieldId}
      onOpen={({ PrefilledFieldId }) => change({ open: PrefilledFieldId })}
      error={error}
      onRetry={retry}
      make={{ label: t('prefilledNew'), onPress: () => change({ open: NEW }) }}
      empty={<EmptyState title={t('prefilledNone')}>{t('prefilledNoneBody')}</EmptyState>}
    >
      {rows !== null && (open !== null || search.open === NEW) && (
        <PrefilledForm
          key={open?.PrefilledFieldId ?? NEW}
          field={open}
          onClose={close}
          onMade={({ PrefilledFieldId }) => change({ open: PrefilledFieldId }, true)}
        />
      )}
    </ListPage>
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
    width: 6,
    align: 'end',
    cell: ({ Values }) => format.count(Values.length),
    text: ({ Values }) => String(Values.length),
  },
]
