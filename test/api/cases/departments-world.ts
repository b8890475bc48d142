/** What suites about departments do with a station of cases: make them, assign the default one, be refused. */
import { expect } from 'vitest'
import { ADMINISTRATOR, type Json, type Reply } from '../../support/given.ts'
import type { CasesWorld, Person } from './world.ts'

export const PLACE = '/api/v1/department/station'
export const DEFAULT = '/api/v1/department/default/station'

let count = 0
export const fresh = (name = 'Harbour'): string => `${name} ${(count += 1)}`

/** @param world is there when the first of these is called. */
export function departments(world: () => CasesWorld) {
  const send: CasesWorld['send'] = (...given) => world().send(...given)
  const ok = (reply: Promise<Reply>): Promise<Json> => world().given.expecting(200, reply)
  const manage = (who: Person = world().maker): Json[] => [world().policy(who, 'Manage')]
  const body = (more: Record<string, unknown> = {}) => ({ Name: fresh(), AccessPolicies: manage(), ...more })
  const assign = (DepartmentId: string | null, ConcurrencyId: string): Promise<Reply> =>
    send('PUT', `${DEFAULT}/assign`, { DepartmentId, ConcurrencyId })
  return {
    at: ({ DepartmentId }: Json): string => `${PLACE}/${DepartmentId}`,
    send,
    ok,
    manage,
    body,
    assign,
    made: (more?: Record<string, unknown>): Promise<Json> =>
      world().given.expecting(201, send('POST', PLACE, body(more))),
    refused: async (reply: Promise<Reply>, code: string): Promise<Json> => {
      const { status, json, text } = await reply
      expect([status, json?.ErrorCode ?? text]).toEqual([400, code])
      return json
    },
    denied: async (reply: Promise<Reply>, reason: string): Promise<void> => {
      const { status, text, correlationId } = await reply
      expect([status, text]).toEqual([403, ''])
      const entries = world()
        .given.ledger()
        .filter((entry) => entry.correlationId === correlationId)
      expect(entries.map((entry) => [entry.action, entry.outcome, entry.reason])).toEqual([
        ['access.denied', 'denied', reason],
      ])
    },
    /** Action, department and version of each entry of a call. */
    entriesOf: ({ correlationId }: Reply) =>
      world()
        .given.ledger()
        .filter((entry) => entry.correlationId === correlationId)
        .map(({ action, object, detail }) => [action, object.id, detail?.['concurrencyId']]),
    /** There is none afterwards. */
    withoutDefault: async (): Promise<void> => {
      const { status, json } = await send('GET', DEFAULT)
      if (status === 200) await ok(assign(null, json.ConcurrencyId))
    },
    /** What a guest sends along who signed in at a page. */
    guest: async (): Promise<{ headers: Record<string, string> }> => {
      const username = fresh('visitor')
      const { password } = ADMINISTRATOR
      const { given } = world()
      await given.command('user.create', { username, password, group: null, policies: [], guest: true })
      const { headers } = await given.call('POST', '/connect/session', {
        token: null,
        body: { Username: username, Password: password, NoticeId: 'default' },
      })
      return { headers: { cookie: headers.get('set-cookie')?.split(';')[0] as string, origin: given.url } }
    },
  }
}
