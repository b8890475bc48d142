import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { type Category, useCategories } from '../data.ts'
import { InUse } from '../in-use.tsx'
import { ListPage } from '../list-page.tsx'
import { NEW, usePlace } from '../search-state.ts'
import { visible } from '../visible.ts'
import { keptWords, type Words } from '../words.ts'
import { CategoryForm } from './category-form.tsx'

export function CategoriesPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { search, change } = usePlace()
  const { rows, error, retry } = useCategories()
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const open = rows?.find(({ CategoryId }) => CategoryId === search.open) ?? null
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('categories')}
      lead={t('categoriesLead')}
      columns={columns}
      rows={rows}
      keyOf={({ CategoryId }) => CategoryId}
      onOpen={({ CategoryId }) => change({ open: CategoryId })}
      error={error}
      onRetry={retry}
      make={{ label: t('categoryNew'), onPress: () => change({ open: NEW }) }}
      empty={<EmptyState title={t('categoriesNone')}>{t('categoriesNoneBody')}</EmptyState>}
    >
      {rows !== null && (open !== null || search.open === NEW) && (
        <CategoryForm
          key={open?.CategoryId ?? NEW}
          category={open}
          onClose={close}
          onMade={({ CategoryId }) => change({ open: CategoryId }, true)}
        />
      )}
    </ListPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Category>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 12,
    cell: ({ Name, Description }) => (
      <TwoLines strong first={<bdi>{visible(Name)}</bdi>} second={visible(Description ?? '')} />
    ),
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'kept',
    label: t('retention'),
    width: 11,
    cell: ({ RetentionDays }) => keptWords(RetentionDays, t),
    text: ({ RetentionDays }) => keptWords(RetentionDays, t),
  },
  {
    id: 'state',
    label: t('state'),
    width: 9,
    cell: ({ Enabled }) => <InUse enabled={Enabled} />,
    text: ({ Enabled }) => t(Enabled ? 'inUse' : 'disabled'),
  },
  {
    id: 'changed',
    label: t('changed'),
    width: 10,
    priority: 3,
    cell: ({ LastModifiedUtcTime }) => format.day(LastModifiedUtcTime),
    text: ({ LastModifiedUtcTime }) => format.instant(LastModifiedUtcTime),
  },
]
