import * as contract from '../../../../shared/identity/groups.contract.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'
import type { Groups } from './groups.service.ts'
import { queryDetail } from './users.routes.ts'

interface Deps {
  readonly groups: Groups
}

export function groupRoutes({ groups }: Deps): BoundRoute[] {
  return [
    json(contract.listGroups, async ({ query, call }) => {
      const { text = '', cursor, count } = query
      const out = await groups.list(call.tenant, text, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createGroup, async ({ body, call }) =>
      groups.create(call, call.tenant, { name: body.Name, members: body.PrincipalIds ?? [] }),
    ),
    json(contract.getGroup, async ({ params, call }) => {
      const out = await groups.read(call.tenant, params.groupId)
      call.describeRead({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(contract.renameGroup, async ({ params, body, call }) =>
      groups.rename(call, call.tenant, params.groupId, body.Name),
    ),
    json(contract.deleteGroup, async ({ params, call }) => {
      await groups.remove(call, call.tenant, params.groupId)
      return answer(204, undefined)
    }),
    json(contract.addMembers, async ({ params, body, call }) =>
      groups.add(call, call.tenant, params.groupId, body.PrincipalIds),
    ),
    json(contract.replaceMembers, async ({ params, body, call }) =>
      groups.replace(call, call.tenant, params.groupId, {
        members: body.PrincipalIds,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(contract.removeMember, async ({ params, call }) =>
      groups.removeMember(call, call.tenant, params.groupId, params.principalId),
    ),
  ]
}
