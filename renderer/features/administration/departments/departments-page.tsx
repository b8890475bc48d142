import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { InUse } from '../in-use.tsx'
import { type Department, useDepartments } from '../data.ts'
import { ListPage } from '../list-page.tsx'
import { NEW, usePlace } from '../search-state.ts'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { DepartmentForm } from './department-form.tsx'

export function DepartmentsPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { search, change } = usePlace()
  const { rows, error, retry } = useDepartments()
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const open = rows?.find(({ DepartmentId }) => DepartmentId === search.open) ?? null
  return (
    <ListPage
      title={t('departments')}
      lead={t('departmentsLead')}
      columns={columns}
      rows={rows}
      keyOf={({ DepartmentId }) => DepartmentId}
      onOpen={({ DepartmentId }) => change({ open: DepartmentId })}
      error={error}
      onRetry={retry}
      make={{ label: t('departmentNew'), onPress: () => change({ open: NEW }) }}
      empty={<EmptyState title={t('departmentsNone')}>{t('departmentsNoneBody')}</EmptyState>}
    >
      {rows !== null && (open !== null || search.open === NEW) && (
        <DepartmentForm
          key={open?.DepartmentId ?? NEW}
          department={open}
          onClose={() => change({ open: undefined })}
          onMade={({ DepartmentId }) => change({ open: DepartmentId }, true)}
        />
      )}
    </ListPage>
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
