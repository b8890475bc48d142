/** What the routes are judged on: which path parameter names it, and whether it was done. */
import { z } from 'zod'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Decision } from '../kernel/access/decision.ts'
import type { BoundRoute } from './handlers.ts'

const PARAMETERS: Readonly<Record<string, string>> = { evidence: 'evidenceId', case: 'caseId' }
const SUBJECTS = { evidence: 'evidenceId', case: 'caseId', device: 'deviceId' } as const

/** @throws Error where nobody could judge a request: an unknown subject, or a path or a contract without its id. A mistake of the house. */
export function requireSubject(bound: BoundRoute): void {
  const { id, permission, path, aliases = [], params, idempotent } = bound.route
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
  if (idempotent === true && (bound.kind !== 'json' || bound.judge === undefined))
    throw new Error(`${id}: nobody is judged again before a remembered answer`)
  for (const place of [path, ...aliases])
    if (!parametersOf(place).includes(name)) throw new Error(`${id}: ${place} names no ${permission.on}`)
}

/**
 * The judgement that a route owes before it answers (promise S16): of kind `level` both the route's own check and that of the service, on
 * the very id; of routes for any member that name an evidence, a case or a device, that of the service. Null: nothing is owed.
 */
export function judgementOwed(
  { permission }: RouteDefinition,
  params: Readonly<Record<string, string>>,
  made: { readonly byRoute: Decision | undefined; readonly byService: readonly Decision[] },
): string | null {
  const named = Object.entries(SUBJECTS).filter(([, name]) => params[name] !== undefined)
  const isAbout = (on: string, decision: Decision | undefined): boolean =>
    decision?.on === on && decision.id === params[SUBJECTS[on as keyof typeof SUBJECTS]]
  if (permission.kind === 'level') {
    const { on } = permission
    if (on === 'evidence' && !isAbout(on, made.byRoute)) return `the route did not judge who asks for the ${on}`
    return made.byService.some((one) => isAbout(on, one)) ? null : `the service did not judge who asks for the ${on}`
  }
  if (permission.kind !== 'member' || named.length === 0) return null
  return named.some(([on]) => made.byService.some((one) => isAbout(on, one))) ? null : 'nobody was judged'
}

const parametersOf = (path: string): string[] => [...path.matchAll(/:([^/]+)/g)].map(([, name]) => name as string)
