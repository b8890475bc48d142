import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { changedColumn, stateColumn } from '../columns.tsx'
import { type Department, useDepartments } from '../queries.ts'
import { RecordsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'

const DepartmentForm = lazyOpened(async () => (await import('./department-form.tsx')).DepartmentForm)

export function DepartmentsPage() {
  const { t } = useTranslation('administration')
  return (
    <RecordsPage
      title={t('departments')}
      lead={t('departmentsLead')}
      make={t('departmentNew')}
      none={t('departmentsNone')}
      noneBody={t('departmentsNoneBody')}
      asked={useDepartments()}
      idOf={({ DepartmentId }) => DepartmentId}
      columnsOf={columnsOf}
    >
      {(department, { onClose, onMade }) => (
        <DepartmentForm department={department} onClose={onClose} onMade={({ DepartmentId }) => onMade(DepartmentId)} />
      )}
    </RecordsPage>
  )
}

const managersOf = ({ AccessPolicies }: Department): string =>
  (AccessPolicies ?? [])
    .filter(({ Permissions }) => Permissions === 'Manage')
    .map(({ Username }) => visible(Username ?? ''))
    .join(', ')

const columnsOf = (t: Words, format: Format): readonly Column<Department>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 12,
    cell: ({ Name, Description, IsDefault }) => (
      <TwoLines
        strong
        first={
          <>
            <bdi>{visible(Name)}</bdi> {IsDefault && <Badge>{t('default')}</Badge>}
          </>
        }
        second={visible(Description ?? '')}
      />
    ),
    text: ({ Name, IsDefault }) => `${visible(Name)}${IsDefault ? `, ${t('default')}` : ''}`,
  },
  { id: 'manage', label: t('manages'), least: 10, priority: 2, cell: managersOf, text: managersOf },
  stateColumn(t),
  changedColumn(t, format),
]
