/** Which path parameter names what a route of kind `level` is judged on. */
import { z } from 'zod'
import type { RouteDefinition } from '../../shared/contract/route.ts'

const PARAMETERS: Readonly<Record<string, string>> = { evidence: 'evidenceId', case: 'caseId' }

/** @throws Error where nobody could judge a request: an unknown subject, or a path or a contract without its id. A mistake of the house. */
export function requireSubject({ id, permission, path, aliases = [], params }: RouteDefinition): void {
  const schemas = params instanceof z.ZodObject ? (params.shape as Readonly<Record<string, unknown>>) : {}
  const requireParameter = (name: string): void => {
    if (schemas[name] === undefined) throw new Error(`${id}: the contract does not parse the parameter ${name}`)
  }
  for (const place of [path, ...aliases])
    if (params !== undefined) for (const name of parametersOf(place)) requireParameter(name)
  if (permission.kind !== 'level') return
  const name = PARAMETERS[permission.on]
  if (name === undefined) throw new Error(`${id}: nobody judges levels on ${permission.on}`)
  requireParameter(name)
  for (const place of [path, ...aliases])
    if (!parametersOf(place).includes(name)) throw new Error(`${id}: ${place} names no ${permission.on}`)
}

const parametersOf = (path: string): string[] => [...path.matchAll(/:([^/]+)/g)].map(([, name]) => name as string)
