/** A person as typed, and what of it is sent. Pure. */
import { unusableName } from '../../../../shared/kernel/names.ts'
import type { UserItem } from '../people-queries.ts'

/** Shortest password that the station takes (decisions 10). */
export const SHORTEST = 12

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

export type WrongUser = Readonly<Partial<Record<keyof UserDraft, 'nameMissing' | 'nameWrong' | 'emailWrong'>>>

export function wrongInUser(draft: UserDraft): WrongUser {
  const wrong: Partial<Record<keyof UserDraft, 'nameMissing' | 'nameWrong' | 'emailWrong'>> = {}
  for (const name of ['Username', 'FirstName', 'LastName', 'Badge'] as const)
    if (draft[name].trim() !== '' && unusableName(draft[name].trim()) !== null) wrong[name] = 'nameWrong'
  if (draft.Username.trim() === '') wrong.Username = 'nameMissing'
  if (draft.Email.trim() !== '' && !/^[^\s@]+@[^\s@]+$/.test(draft.Email.trim())) wrong.Email = 'emailWrong'
  return wrong
}

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
