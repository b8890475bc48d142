/** What is wrong with a form before the station is asked: what the contract refuses of its members. Pure. */
import type { z } from 'zod'

/** @param problems what to say of each member that the form shows as wrong */
export function wrongMembers<Problems extends Readonly<Record<string, string>>>(
  model: z.ZodType,
  body: unknown,
  problems: Problems,
): Partial<Problems> {
  const refused = new Set(model.safeParse(body).error?.issues.map(({ path }) => path[0]))
  return Object.fromEntries(Object.entries(problems).filter(([member]) => refused.has(member))) as Partial<Problems>
}

export type NameProblem = 'nameMissing' | 'nameWrong'

/** What to say of a name that the contract refuses. */
export const nameProblem = (name: string): NameProblem => (name.trim() === '' ? 'nameMissing' : 'nameWrong')
