/** The subject of a route's permission: the path parameter that names it, and whether the permission was checked on it. */
import { z } from 'zod'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Decision } from '../kernel/access/decision.ts'
import type { BoundRoute } from './handlers.ts'

const PARAMETERS: Readonly<Record<string, string>> = { evidence: 'evidenceId', case: 'caseId' }
const SUBJECTS = { evidence: 'evidenceId', case: 'caseId', device: 'deviceId' } as const

/** @throws Error, a programming error, when the permission could not be checked: unknown subject, or its id is missing in path or contract */
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
    throw new Error(`${id}: the permission is not checked again before a remembered answer`)
  for (const place of [path, ...aliases])
    if (!parametersOf(place).includes(name)) throw new Error(`${id}: ${place} names no ${permission.on}`)
}

/**
 * The permission decision that is missing although the route needs it before its answer (promise S16), or null. Routes of kind `level`
 * need the check of the route (on evidence) and that of the service, on the same id. Routes for any member that name an evidence, a case
 * or a device need that of the service.
 */
export function findMissingDecision(
  { permission }: RouteDefinition,
  params: Readonly<Record<string, string>>,
  made: { readonly byRoute: Decision | undefined; readonly byService: readonly Decision[] },
): string | null {
  const named = Object.entries(SUBJECTS).filter(([, name]) => params[name] !== undefined)
  const isAbout = (on: string, decision: Decision | undefined): boolean =>
    decision?.on === on && decision.id === params[SUBJECTS[on as keyof typeof SUBJECTS]]
  if (permission.kind === 'level') {
    const { on } = permission
    if (on === 'evidence' && !isAbout(on, made.byRoute)) return `the route did not check the permission on the ${on}`
    const byService = made.byService.some((decision) => isAbout(on, decision))
    return byService ? null : `the service did not check the permission on the ${on}`
  }
  if (permission.kind !== 'member' || named.length === 0) return null
  const byService = named.some(([on]) => made.byService.some((decision) => isAbout(on, decision)))
  return byService ? null : 'no permission was checked'
}

const parametersOf = (path: string): string[] => [...path.matchAll(/:([^/]+)/g)].map(([, name]) => name as string)
