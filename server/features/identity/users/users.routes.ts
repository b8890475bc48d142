import * as contract from '../../../../shared/identity/users.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { People } from './people.service.ts'

interface Deps {
  readonly people: People
}

/** The value of a yes-or-no filter. */
export const flagOf = (text: 'true' | 'false' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/** The query of a list, for its ledger entry, without absent members. */
export const queryDetail = (query: Readonly<Record<string, unknown>>, returned: number): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(query).filter(([name, value]) => value !== undefined && name !== 'cursor')),
  returned,
})

export function userRoutes({ people }: Deps): BoundRoute[] {
  return [
    json(contract.listUsers, async ({ query, call }) => {
      const { text = '', enabled, guest, group, cursor, count } = query
      const filter = { text, enabled: flagOf(enabled), guest: flagOf(guest), group }
      const out = await people.list(call.tenant, filter, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createUser, async ({ body, call }) => people.create(call, call.tenant, body)),
    json(contract.getUser, async ({ params, call }) => {
      const out = await people.read(call.tenant, params.userId)
      call.describeRead({ id: out.PrincipalId, name: out.Username })
      return out
    }),
    json(contract.changeUser, async ({ params, body, call }) => people.change(call, call.tenant, params.userId, body)),
    json(contract.disableUser, async ({ params, call }) => people.disable(call, call.tenant, params.userId)),
    json(contract.containUser, async ({ params, body, call }) =>
      people.contain(call, call.tenant, params.userId, body.Reason),
    ),
    json(contract.enableUser, async ({ params, call }) => people.enable(call, call.tenant, params.userId)),
    json(contract.unlockUser, async ({ params, call }) => people.unlock(call, call.tenant, params.userId)),
    json(contract.resetPassword, async ({ params, body, call }) =>
      people.resetPassword(call, call.tenant, params.userId, {
        password: body.Password,
        due: body.ChangePassword ?? true,
      }),
    ),
    json(contract.listUserSessions, async ({ params, call }) => {
      const out = await people.sessions(call.tenant, params.userId)
      call.describeRead({ id: params.userId, detail: { returned: out.length } })
      return out
    }),
    json(contract.endUserSessions, async ({ params, call }) => {
      await people.endSessions(call, call.tenant, params.userId)
      return undefined
    }),
    json(contract.endUserSession, async ({ params, call }) => {
      await people.endSessions(call, call.tenant, params.userId, params.sessionId)
      return undefined
    }),
  ]
}
