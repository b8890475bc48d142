import type { z } from 'zod'
import { fault } from '../../shared/kernel/errors.ts'

/** Validates input of bytes handlers by the contract; the frame does this for JSON handlers. @throws Fault InvalidModel */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => ({ Path: path.join('.'), Message: message }))
  throw fault('InvalidModel', 'The request is not valid.', problems)
}

/**
 * The query of a bytes request in the form for schemas: a repeated member is an array, an empty one counts as absent
 * (decisions 1). Wrong percent encoding was refused before.
 */
export function queryMembers(url: string): Record<string, string | string[]> {
  const all = Map.groupBy(
    [...new URLSearchParams(url.split('?').slice(1).join('?'))].filter(([, value]) => value !== ''),
    ([name]) => name,
  )
  return Object.fromEntries(
    [...all].map(([name, members]) => {
      const values = members.map(([, value]) => value)
      return [name, values.length === 1 ? (values[0] as string) : values]
    }),
  )
}
