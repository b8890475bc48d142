/**
 * Finds the route of a path. Literal segments win over parameters, whatever the method (decisions 1). A trailing slash is optional. The
 * frame percent-decodes ids once. Routes with the same path shape share a place and differ by method.
 */
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { Fault } from '../../shared/kernel/errors.ts'
import type { BoundRoute } from './handlers.ts'
import type { Serve } from './bind.ts'
import type { FrameContext, Middleware } from './context.ts'
import { createPathTree, isParameter, type PathTree } from './path-tree.ts'
import { requireSubject } from './route-subjects.ts'
import { pathOf } from './target.ts'

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
