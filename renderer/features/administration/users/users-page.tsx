import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { type UserItem, useUsers } from '../people-queries.ts'
import { PrincipalsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'
import { listName, UserState } from './user-labels.tsx'

const UserForm = lazyOpened(async () => (await import('./user-form.tsx')).UserForm)
const UserPanel = lazyOpened(async () => (await import('./user-panel.tsx')).UserPanel)

export function UsersPage() {
  const { t } = useTranslation('administration')
  return (
    <PrincipalsPage
      title={t('users')}
      make={t('userNew')}
      filter={t('userFilter')}
      none={t('nothingMatches')}
      noneBody={t('userNoneBody')}
      ask={useUsers}
      idOf={({ PrincipalId }) => PrincipalId}
      columnsOf={columnsOf}
      form={({ onClose, onMade }) => <UserForm onClose={onClose} onMade={({ PrincipalId }) => onMade(PrincipalId)} />}
      panel={(id, onClose) => <UserPanel userId={id} onClose={onClose} />}
    />
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
