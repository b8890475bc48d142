/** A person at a page of the station, with their principal's names for policies. */
import type { Given, Json } from '../../support/given.ts'
import { type Answer, newPage } from '../sessions/page.ts'

export interface Page {
  readonly id: string
  readonly kId: string
  /** For streams, which a page opens by itself. */
  readonly headers: Readonly<Record<string, string>>
  call(method: string, place: string, body?: unknown): Promise<Answer>
}

const PASSWORD = 'three blind mice, 1805'

export async function signInToPage(
  given: Given,
  username: string,
  policies: readonly string[] = [],
  guest = false,
): Promise<Page> {
  await given.command('user.create', { username, password: PASSWORD, group: null, policies, guest })
  const page = newPage(given.url)
  const { json } = await page.signIn(username, PASSWORD)
  const { PrincipalId, KId } = (json as Json).User
  return {
    id: PrincipalId,
    kId: KId,
    headers: { cookie: page.cookie ?? '' },
    call: (method, place, body) => page.send(method, place, body === undefined ? {} : { body }),
  }
}
