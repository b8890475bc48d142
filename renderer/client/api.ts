/** The station's interfaces, typed by the contract, on the page's own origin with its session cookie. */
import { type Arguments, createClient, faultFrom, type Result } from '../../shared/kernel/contract-client.ts'
import { Fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'

const client = createClient<AbortSignal>({
  baseUrl: '',
  fetch: (url, init) => fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' }),
})

type Refused = (fault: Fault) => void
const refused = new Set<Refused>()

/** Told of every refusal that ends or locks the session. @returns how to stop listening. */
export function onSessionRefused(listener: Refused): () => void {
  refused.add(listener)
  return () => refused.delete(listener)
}

/** Whether the station could be reached at all lately; told on every change. */
type Reach = (since: Date | null) => void
const reach = new Set<Reach>()
let unreachableSince: Date | null = null
export function onReach(listener: Reach): () => void {
  reach.add(listener)
  return () => reach.delete(listener)
}
export const unreachable = (): Date | null => unreachableSince
export function reached(now: boolean): void {
  const next = now ? null : (unreachableSince ?? new Date())
  if (next === unreachableSince) return
  unreachableSince = next
  for (const listener of reach) listener(next)
}

/** After these another page is due than the one that asked. */
const ENDS: ReadonlySet<string> = new Set(['SessionLocked', 'Unauthorized', 'PasswordChangeNeeded'])

/** What a route answers when it does what was asked. */
export type Answer<R extends RouteDefinition> = Result<R>['body']

/** @throws Fault for every refusal; TypeError when the station cannot be reached. */
export async function call<R extends RouteDefinition>(route: R, given: Arguments<R, AbortSignal>): Promise<Answer<R>> {
  try {
    const body = await client.call(route, given)
    reached(true)
    return body
  } catch (error) {
    if (error instanceof Fault) {
      reached(true)
      if (ENDS.has(error.code)) for (const listener of refused) listener(error)
    } else if (error instanceof TypeError) reached(false)
    throw error
  }
}

export const addressOf = client.url
export { Fault } from '../../shared/kernel/errors.ts'

/** A fresh key for a create: repeating it after a lost answer makes nothing twice (decisions 1). */
export const newKey = (): string => crypto.randomUUID()

/** Of bytes that a page fetched by their address: why they did not come. */
export const refusalOf = async (answer: Response): Promise<Fault> =>
  faultFrom(answer.status, await answer.text(), (name) => answer.headers.get(name))
