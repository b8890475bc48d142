import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { ListPage } from '../list-page.tsx'
import { type UserItem, useUsers } from '../people-data.ts'
import { NEW, usePlace } from '../search-state.ts'
import { TextFilter } from '../text-filter.tsx'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { UserForm } from './user-form.tsx'
import { listName, UserState } from './user-words.tsx'
import { UserPanel } from './user-panel.tsx'

export function UsersPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const place = usePlace()
  const { search, change } = place
  const { rows, more, next, error, retry } = useUsers(search.q ?? '')
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('users')}
      columns={columns}
      rows={rows}
      more={more}
      onMore={next}
      keyOf={({ PrincipalId }) => PrincipalId}
      onOpen={({ PrincipalId }) => change({ open: PrincipalId })}
      error={error}
      onRetry={retry}
      make={{ label: t('userNew'), onPress: () => change({ open: NEW }) }}
      filters={<TextFilter label={t('userFilter')} place={place} />}
      empty={<EmptyState title={t('nothingMatches')}>{t('userNoneBody')}</EmptyState>}
    >
      {search.open === NEW && (
        <UserForm onClose={close} onMade={({ PrincipalId }) => change({ open: PrincipalId }, true)} />
      )}
      {search.open !== undefined && search.open !== NEW && (
        <UserPanel key={search.open} userId={search.open} onClose={close} />
      )}
    </ListPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<UserItem>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 12,
    cell: (user) => (
      <TwoLines
        strong
        first={<bdi>{listName(user)}</bdi>}
        second={[visible(user.Username), user.Badge === '' ? '' : t('badgeOf', { badge: visible(user.Badge) })]
          .filter((said) => said !== '')
          .join(' · ')}
      />
    ),
    text: (user) => `${listName(user)}, ${visible(user.Username)}`,
  },
  {
    id: 'role',
    label: t('role'),
    width: 9,
    priority: 2,
    cell: (user) => roleOf(user, t),
    text: (user) => roleOf(user, t),
  },
  {
    id: 'state',
    label: t('state'),
    width: 9,
    cell: (user) => <UserState user={user} />,
    text: (user) => t(!user.Enabled ? 'disabled' : user.LockedUntilUtc !== null ? 'lockedOut' : 'inUse'),
  },
  {
    id: 'last',
    label: t('lastSignIn'),
    width: 12,
    priority: 3,
    cell: ({ LastSignInUtc: at }) => (at === null ? t('never') : format.instant(at, { precision: 'minute' })),
    text: ({ LastSignInUtc: at }) => (at === null ? t('never') : format.instant(at)),
  },
]

const roleOf = ({ Administrator, Guest }: UserItem, t: Words): string =>
  Administrator ? t('roleAdministrator') : Guest ? t('roleGuest') : t('roleUser')
