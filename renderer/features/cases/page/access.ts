/** Who is in a case, with policies and assignments together; and the lists that go back to the station. Pure. */
import { calledIn, markIn, type People } from '../../../client/people.ts'
import { visible } from '../../../ui/format/visible.ts'
import type { Case, Personnel, Policy } from '../queries.ts'

export interface Member {
  readonly id: string
  readonly kId: string
  readonly name: string
  /** Two letters of it. */
  readonly mark: string
  readonly kind: 'user' | 'group' | 'service' | 'other'
  /** null: assigned without any access of their own. */
  readonly level: string | null
  readonly until: string | null
  /** null: not assigned. */
  readonly role: string | null
  readonly policy: Policy | null
}

const KINDS: readonly Member['kind'][] = ['user', 'group', 'service']
const kindOf = (type: string | null): Member['kind'] => KINDS.find((kind) => kind === type?.toLowerCase()) ?? 'other'

/** Assigned people first, then by level, then by name. */
export function membersIn({ AccessPolicies, PersonnelRelations }: Case, people: People): readonly Member[] {
  const named = (who: { PrincipalId: string | null; Name?: string | null; Username: string | null }) => ({
    name: visible(calledIn(people, who) ?? who.PrincipalId ?? ''),
    mark: markIn(people, who),
  })
  const members = new Map<string, Member>()
  for (const policy of AccessPolicies) {
    const id = policy.PrincipalId ?? ''
    members.set(id, {
      id,
      kId: policy.KId ?? '',
      ...named(policy),
      kind: kindOf(policy.PrincipalType),
      level: policy.Permissions,
      until: policy.ExpirationDateUtc,
      role: null,
      policy,
    })
  }
  for (const one of PersonnelRelations) {
    const id = one.PrincipalId ?? ''
    const found = members.get(id)
    members.set(
      id,
      found === undefined
        ? {
            id,
            kId: one.KId ?? '',
            ...named(one),
            kind: 'user',
            level: null,
            until: null,
            role: one.Role,
            policy: null,
          }
        : { ...found, role: one.Role },
    )
  }
  return [...members.values()].sort(
    (one, other) =>
      Number(other.role !== null) - Number(one.role !== null) ||
      rank(other.level) - rank(one.level) ||
      one.name.localeCompare(other.name),
  )
}

const RANKS: readonly (string | null)[] = [null, 'View', 'Download', 'Edit', 'Manage']
const rank = (level: string | null): number => RANKS.indexOf(level)

/** What one member shall have from now on; a null level takes the access away, a null role the assignment. */
export interface Change {
  readonly level: string | null
  readonly until: string | null
  readonly role: string | null
}

/** Both lists whole, as PATCH takes them; everybody else stays as they are in this very version. */
export function listsWith({ AccessPolicies, PersonnelRelations }: Case, { id, kId, policy }: Member, change: Change) {
  const sent = ({ Permissions, PrincipalId, KId, PrincipalType, Username }: Policy) => ({
    Permissions: Permissions as 'View',
    PrincipalId: PrincipalId ?? '',
    KId: KId ?? '',
    PrincipalType: PrincipalType ?? '',
    Username,
  })
  const kept = AccessPolicies.filter(({ PrincipalId }) => PrincipalId !== id).map(sent)
  const own =
    change.level === null
      ? []
      : [
          {
            Permissions: change.level as 'View',
            PrincipalId: id,
            KId: kId,
            PrincipalType: policy?.PrincipalType ?? 'user',
            Username: policy?.Username ?? null,
          },
        ]
  const staff = (one: Personnel) => ({
    PrincipalId: one.PrincipalId ?? '',
    KId: one.KId,
    Name: one.Name,
    Username: one.Username,
    Role: one.Role,
  })
  const assigned = PersonnelRelations.filter(({ PrincipalId }) => PrincipalId !== id).map(staff)
  const wasAssigned = PersonnelRelations.find(({ PrincipalId }) => PrincipalId === id)
  return {
    AccessPolicies: [...kept, ...own],
    // Manage never expires (decisions 3): the station clears it.
    ...(change.level === null || change.level === 'Manage'
      ? {}
      : { AccessPolicyExpirations: [{ PrincipalId: id, KId: kId, ExpirationDateUtc: change.until }] }),
    ...(change.role === (wasAssigned?.Role ?? null)
      ? {}
      : {
          PersonnelRelations: [
            ...assigned,
            ...(change.role === null
              ? []
              : [{ PrincipalId: id, KId: kId, Name: null, Username: null, Role: change.role }]),
          ],
        }),
  }
}
