import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { madeColumn } from '../columns.tsx'
import { type GroupItem, useGroups } from '../people-queries.ts'
import { PrincipalsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'

const GroupForm = lazyOpened(async () => (await import('./group-form.tsx')).GroupForm)
const GroupPanel = lazyOpened(async () => (await import('./group-panel.tsx')).GroupPanel)

export function GroupsPage() {
  const { t } = useTranslation('administration')
  return (
    <PrincipalsPage
      title={t('groups')}
      lead={t('groupsLead')}
      make={t('groupNew')}
      filter={t('groupFilter')}
      none={t('nothingMatches')}
      noneBody={t('groupNoneBody')}
      ask={useGroups}
      idOf={({ PrincipalId }) => PrincipalId}
      columnsOf={columnsOf}
      form={({ onClose, onMade }) => <GroupForm onClose={onClose} onMade={({ PrincipalId }) => onMade(PrincipalId)} />}
      panel={(id, onClose) => <GroupPanel groupId={id} onClose={onClose} />}
    />
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
  madeColumn(t, format),
]
