/**
 * Paths to routes. Literal segments win over parameters, whatever the method (decisions 1); a trailing slash is optional; ids are
 * percent-decoded once, by the frame. Routes of one shape share a place and differ by method.
 */
import Router from '@koa/router'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { Fault } from '../../shared/kernel/errors.ts'
import type { BoundRoute } from './handlers.ts'
import type { Serve } from './bind.ts'
import type { FrameContext, Middleware } from './context.ts'
import { requireSubject } from './route-subjects.ts'

interface Place {
  /** `/api/v1/case/:/:`: what two routes must share to be told apart by method alone. */
  readonly shape: string
  readonly byMethod: Map<string, { bound: BoundRoute; names: readonly string[] }>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

export const pathsOf = (route: RouteDefinition): readonly string[] => [route.path, ...(route.aliases ?? [])]

const shapeOf = (path: string): string => path.replaceAll(/:[^/]+/g, ':')

/** @throws when two routes claim one path and method, an id is there twice, or nobody could judge who may call one: mistakes of the house. */
export function createRouting(routes: readonly BoundRoute[], serve: Serve): Middleware {
  const router = new Router({ sensitive: true })
  for (const place of placesOf(routes)) {
    let count = 0
    const path = place.shape.replaceAll(':', () => `:p${count++}`)
    router.register(path, [...METHODS], [(ctx) => atPlace(ctx as unknown as FrameContext, place, serve)])
  }
  const routed = router.routes()
  return async (ctx, next) => {
    await routed(ctx as unknown as Parameters<typeof routed>[0], next)
  }
}

function placesOf(routes: readonly BoundRoute[]): Place[] {
  const places = new Map<string, Place>()
  const ids = new Set<string>()
  for (const bound of routes) {
    if (ids.has(bound.route.id)) throw new Error(`Two routes are called ${bound.route.id}`)
    ids.add(bound.route.id)
    requireSubject(bound)
    for (const path of pathsOf(bound.route)) {
      const shape = shapeOf(path)
      const place = places.get(shape) ?? { shape, byMethod: new Map() }
      places.set(shape, place)
      const { method } = bound.route
      if (place.byMethod.has(method)) throw new Error(`Two routes answer ${method} ${path}`)
      place.byMethod.set(method, {
        bound,
        names: path
          .split('/')
          .filter((part) => part.startsWith(':'))
          .map((part) => part.slice(1)),
      })
    }
  }
  return [...places.values()].sort((a, b) => compareShapes(a.shape, b.shape))
}

/** From left to right, a literal segment comes before a parameter: the router takes the first that matches. */
export function compareShapes(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]?.startsWith(':')) - Number(right[index]?.startsWith(':'))
    if (difference !== 0) return difference
  }
  return left.length - right.length || (a < b ? -1 : 1)
}

async function atPlace(ctx: FrameContext, place: Place, serve: Serve): Promise<void> {
  const found = place.byMethod.get(ctx.method) ?? (ctx.method === 'HEAD' ? place.byMethod.get('GET') : undefined)
  if (found === undefined) {
    const [any] = place.byMethod.values()
    // So that the refusal looks as the interface's own do.
    if (any !== undefined) ctx.state.route = any.bound.route
    throw new Fault('MethodNotAllowed', `${ctx.method} is not answered here.`, { headers: { Allow: allowOf(place) } })
  }
  await serve(ctx, found.bound, segmentsOf(ctx, place.shape, found.names))
}

function allowOf(place: Place): string {
  const methods = new Set<string>(place.byMethod.keys())
  if (methods.has('GET')) methods.add('HEAD')
  return METHODS.filter((method) => methods.has(method)).join(', ')
}

/** Still percent-encoded, from the path as it came: what the router decodes passes a broken encoding through. */
function segmentsOf(ctx: FrameContext, shape: string, names: readonly string[]): Record<string, string> {
  const segments = (ctx.req.url ?? '').split('?', 1)[0]?.split('/') ?? []
  const values = shape.split('/').flatMap((part, index) => (part === ':' ? [segments[index] ?? ''] : []))
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}
