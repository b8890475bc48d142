import { useTranslation } from '../../../client/translate.ts'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import type { UserItem } from '../people-queries.ts'

/** As in a list; whoever has no name is called by the user name. */
export const listName = (user: Pick<UserItem, 'FirstName' | 'LastName' | 'Username'>): string =>
  visible([user.LastName, user.FirstName].filter((part) => part !== '').join(', ') || user.Username)

export function UserState({ user }: { readonly user: Pick<UserItem, 'Enabled' | 'LockedUntilUtc'> }) {
  const { t } = useTranslation('administration')
  if (!user.Enabled)
    return (
      <StateMark state="waiting" small>
        {t('disabled')}
      </StateMark>
    )
  if (user.LockedUntilUtc !== null)
    return (
      <StateMark state="attention" small>
        {t('lockedOut')}
      </StateMark>
    )
  return <>{t('inUse')}</>
}
