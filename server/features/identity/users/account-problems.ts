import { type Fault, fault, type Problem } from '../../../../shared/kernel/errors.ts'
import { nameKey, unusableName } from '../../../../shared/kernel/names.ts'
import { passwordProblems } from './passwords.ts'
import type { PolicyGrant } from './policies.ts'

export const ADMINISTRATORS = 'Account Administrators'

export const nameProblems = (Path: string, name: string): Problem[] => {
  const why = unusableName(name)
  return why === null ? [] : [{ Path, Message: `${Path} ${why}.` }]
}

export const secretProblems = (password: string, names: readonly string[]): Problem[] =>
  passwordProblems(password, names).map((Message) => ({ Path: 'password', Message }))

/** Guests hold no policy but `CreateCases`, and are never administrators (decisions 3). */
export function guestProblems(guest: boolean, grants: readonly PolicyGrant[], group: string | null): Problem[] {
  if (!guest) return []
  const problems: Problem[] = []
  if (grants.some(({ policy }) => policy !== 'CreateCases'))
    problems.push({ Path: 'policies', Message: 'A guest can be in CreateCases only.' })
  if (group !== null && nameKey(group) === nameKey(ADMINISTRATORS)) {
    problems.push({ Path: 'group', Message: `A guest cannot be in ${ADMINISTRATORS}.` })
  }
  return problems
}

/** @throws Fault InvalidModel with every problem listed, unless there is none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  throw fault('InvalidModel', problems.map(({ Message }) => Message).join(' '), problems)
}

export function nameTaken(kind: 'user' | 'group' | 'service', Path: string): Fault {
  const Message = `There is already a ${kind} of that name.`
  return fault('NameTaken', Message, [{ Path, Message }])
}
