import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { ListPage } from '../list-page.tsx'
import { type GroupItem, useGroups } from '../people-data.ts'
import { NEW, usePlace } from '../search-state.ts'
import { TextFilter } from '../text-filter.tsx'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { GroupForm } from './group-form.tsx'
import { GroupPanel } from './group-panel.tsx'

export function GroupsPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const place = usePlace()
  const { search, change } = place
  const { rows, more, next, error, retry } = useGroups(search.q ?? '')
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('groups')}
      lead={t('groupsLead')}
      columns={columns}
      rows={rows}
      more={more}
      onMore={next}
      keyOf={({ PrincipalId }) => PrincipalId}
      onOpen={({ PrincipalId }) => change({ open: PrincipalId })}
      error={error}
      onRetry={retry}
      make={{ label: t('groupNew'), onPress: () => change({ open: NEW }) }}
      filters={<TextFilter label={t('groupFilter')} place={place} />}
      empty={<EmptyState title={t('nothingMatches')}>{t('groupNoneBody')}</EmptyState>}
    >
      {search.open === NEW && (
        <GroupForm onClose={close} onMade={({ PrincipalId }) => change({ open: PrincipalId }, true)} />
      )}
      {search.open !== undefined && search.open !== NEW && (
        <GroupPanel key={search.open} groupId={search.open} onClose={close} />
      )}
    </ListPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<GroupItem>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 12,
    cell: ({ Name, BuiltIn }) => (
      <TwoLines
        strong
        first={
          <>
            <bdi>{visible(Name)}</bdi> {BuiltIn && <Badge>{t('builtIn')}</Badge>}
          </>
        }
      />
    ),
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'members',
    label: t('members'),
    width: 8,
    align: 'end',
    cell: ({ MemberCount }) => format.count(MemberCount),
    text: ({ MemberCount }) => String(MemberCount),
  },
  {
    id: 'made',
    label: t('made'),
    width: 10,
    priority: 3,
    cell: ({ CreatedUtcTime }) => format.day(CreatedUtcTime),
    text: ({ CreatedUtcTime }) => format.instant(CreatedUtcTime),
  },
]
