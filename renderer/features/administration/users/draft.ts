/** A person as typed, and what of it is sent. Pure. */
import { ChangeUserModel } from '../../../../shared/identity/users.contract.ts'
import { type NameProblem, nameProblem, wrongMembers } from '../editing/wrong-members.ts'
import type { UserItem } from '../people-queries.ts'

/** Never the password: what is typed is kept in the tab until it is saved. */
export interface UserDraft {
  readonly Username: string
  readonly FirstName: string
  readonly LastName: string
  readonly Badge: string
  readonly Email: string
}
export const USER_FIELDS = ['Username', 'FirstName', 'LastName', 'Badge', 'Email'] as const

export const userDraft = (user: UserItem | null): UserDraft => ({
  Username: user?.Username ?? '',
  FirstName: user?.FirstName ?? '',
  LastName: user?.LastName ?? '',
  Badge: user?.Badge ?? '',
  Email: user?.Email ?? '',
})

export type WrongUser = Readonly<Partial<Record<keyof UserDraft, NameProblem | 'emailWrong'>>>

export const wrongInUser = (draft: UserDraft): WrongUser =>
  wrongMembers(ChangeUserModel, userMembers(draft), {
    Username: nameProblem(draft.Username),
    FirstName: 'nameWrong',
    LastName: 'nameWrong',
    Badge: 'nameWrong',
    Email: 'emailWrong',
  })

export const userMembers = (draft: UserDraft): UserDraft => ({
  Username: draft.Username.trim(),
  FirstName: draft.FirstName.trim(),
  LastName: draft.LastName.trim(),
  Badge: draft.Badge.trim(),
  Email: draft.Email.trim(),
})

/** Only what differs is sent: what somebody else changed meanwhile stays. */
export function changedMembers(draft: UserDraft, before: UserDraft): Partial<UserDraft> {
  const now = userMembers(draft)
  return Object.fromEntries(USER_FIELDS.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]))
}
