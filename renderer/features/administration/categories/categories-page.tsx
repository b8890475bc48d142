import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { changedColumn, keptColumn, stateColumn } from '../columns.tsx'
import { type Category, useCategories } from '../queries.ts'
import { RecordsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'

const CategoryForm = lazyOpened(async () => (await import('./category-form.tsx')).CategoryForm)

export function CategoriesPage() {
  const { t } = useTranslation('administration')
  return (
    <RecordsPage
      title={t('categories')}
      lead={t('categoriesLead')}
      make={t('categoryNew')}
      none={t('categoriesNone')}
      noneBody={t('categoriesNoneBody')}
      asked={useCategories()}
      idOf={({ CategoryId }) => CategoryId}
      columnsOf={columnsOf}
    >
      {(category, { onClose, onMade }) => (
        <CategoryForm category={category} onClose={onClose} onMade={({ CategoryId }) => onMade(CategoryId)} />
      )}
    </RecordsPage>
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
  keptColumn(t),
  stateColumn(t),
  changedColumn(t, format),
]
