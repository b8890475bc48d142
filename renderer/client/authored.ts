/** What bookmarks and notes have in common at the page: whose they are. */
import { useSession } from './session.tsx'

export interface Authored {
  readonly Author: { readonly PrincipalId: string; readonly Username: string }
  readonly ModifiedBy: { readonly Username: string }
  readonly CreatedUtc: string
  readonly ModifiedUtc: string
  readonly Edits: number
  readonly ConcurrencyId: string
}

/** Whether the station would let this person change it: authors their own, who manages everybody's. */
export function useMayChange(permissions: readonly string[]): (one: Pick<Authored, 'Author'>) => boolean {
  const { session } = useSession()
  const own = session.User?.PrincipalId
  return ({ Author }) => permissions.includes('Edit') && (Author.PrincipalId === own || permissions.includes('Manage'))
}
