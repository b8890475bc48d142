/**
 * Finds the route of a path. Literal segments win over parameters, whatever the method (decisions 1). A trailing slash is optional. The
 * frame percent-decodes ids once. Routes with the same path shape share a place and differ by method. Also tells on which parameter of the
 * path a route's permission is checked, and whether it was.
 */
import { z } from 'zod'
import { Fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Decision } from '../kernel/access/decision.ts'
import type { FrameContext, Middleware, Serve } from './context.ts'
import type { BoundRoute } from './handlers.ts'
import { pathOf } from './read-request.ts'

/** All routes of one path shape, such as `/api/v1/case/:/:`. They differ by method only. */
export interface Place {
  /** `names`: the parameters of the path, each with the index of its segment. */
  readonly byMethod: Map<string, { bound: BoundRoute; names: readonly (readonly [name: string, segment: number])[] }>
}

export type Places = Pick<PathTree<Place>, 'find' | 'values'>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const
const ANSWERED: ReadonlySet<string> = new Set(METHODS)

export const pathsOf = (route: RouteDefinition): readonly string[] => [route.path, ...(route.aliases ?? [])]

/** @throws Error, a programming error, for two routes with the same path and method or the same id, or a route whose permission cannot be checked */
export function placesOf(routes: readonly BoundRoute[]): Places {
  const places = createPathTree<Place>()
  const ids = new Set<string>()
  for (const bound of routes) {
    if (ids.has(bound.route.id)) throw new Error(`Two routes are called ${bound.route.id}`)
    ids.add(bound.route.id)
    requireSubject(bound)
    for (const path of pathsOf(bound.route)) {
      const { byMethod } = places.at(path, () => ({ byMethod: new Map() }))
      const { method } = bound.route
      if (byMethod.has(method)) throw new Error(`Two routes answer ${method} ${path}`)
      const names = path
        .split('/')
        .flatMap((part, segment) => (isParameter(part) ? [[part.slice(1), segment] as const] : []))
      byMethod.set(method, { bound, names })
    }
  }
  return places
}

export function createRouting(places: Places, serve: Serve): Middleware {
  return async (ctx, next) => {
    const found = ANSWERED.has(ctx.method) ? places.find(pathOf(ctx.req.url ?? '')) : null
    if (found === null) await next()
    else await atPlace(ctx, found.value, found.segments, serve)
  }
}

async function atPlace(ctx: FrameContext, place: Place, segments: readonly string[], serve: Serve): Promise<void> {
  const found = place.byMethod.get(ctx.method) ?? (ctx.method === 'HEAD' ? place.byMethod.get('GET') : undefined)
  if (found === undefined) {
    const [any] = place.byMethod.values()
    // Gives the refusal the form of this interface.
    if (any !== undefined) ctx.state.route = any.bound.route
    throw new Fault('MethodNotAllowed', `${ctx.method} is not allowed at this address.`, {
      headers: { Allow: allowOf(place) },
    })
  }
  await serve(ctx, found.bound, Object.fromEntries(found.names.map(([name, at]) => [name, segments[at] ?? ''])))
}

function allowOf(place: Place): string {
  const methods = new Set<string>(place.byMethod.keys())
  if (methods.has('GET')) methods.add('HEAD')
  return METHODS.filter((method) => methods.has(method)).join(', ')
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>
  parameter: Node<T> | null
  value: T | null
}

interface Found<T> {
  readonly value: T
  /** Segments of the whole path, as received. */
  readonly segments: readonly string[]
}

interface PathTree<T> {
  /** The value of a path of the contract (`/case/:id`); `make` creates it when it is missing. Names of parameters make no difference. */
  at(path: string, make: () => T): T
  find(path: string): Found<T> | null
  values(): readonly T[]
}

const isParameter = (segment: string): boolean => segment.startsWith(':')

/**
 * Finds the value of a path, in as many steps as the path has segments. From left to right, a literal segment is preferred to a parameter. A
 * parameter matches any non-empty segment, still percent-encoded. One slash at the end is optional.
 */
export function createPathTree<T>(): PathTree<T> {
  const root: Node<T> = emptyNode()
  const values: T[] = []
  return {
    at: (path, make) => {
      let node = root
      for (const segment of path.split('/')) node = childOf(node, segment)
      if (node.value === null) {
        node.value = make()
        values.push(node.value)
      }
      return node.value
    },
    find: (path) => {
      const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
      const value = walk(root, segments, 0)
      return value === null ? null : { value, segments }
    },
    values: () => values,
  }
}

function emptyNode<T>(): Node<T> {
  return { literals: new Map(), parameter: null, value: null }
}

function childOf<T>(node: Node<T>, segment: string): Node<T> {
  if (isParameter(segment)) return (node.parameter ??= emptyNode())
  const child = node.literals.get(segment) ?? emptyNode()
  node.literals.set(segment, child)
  return child
}

function walk<T>(node: Node<T>, segments: readonly string[], at: number): T | null {
  const segment = segments[at]
  if (segment === undefined) return node.value
  const literal = node.literals.get(segment)
  const found = literal === undefined ? null : walk(literal, segments, at + 1)
  if (found !== null || segment === '' || node.parameter === null) return found
  return walk(node.parameter, segments, at + 1)
}

/** The path parameter that names the subject of a permission. */
const PARAMETERS: Readonly<Record<string, string>> = { evidence: 'evidenceId', case: 'caseId' }
const SUBJECTS = { evidence: 'evidenceId', case: 'caseId', device: 'deviceId' } as const

/** @throws Error, a programming error, when the permission could not be checked: unknown subject, or its id is missing in path or contract */
function requireSubject(bound: BoundRoute): void {
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
