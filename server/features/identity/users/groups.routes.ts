import * as contract from '../../../../shared/identity/groups.contract.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'
import type { Groups } from './groups.service.ts'
import { queryDetail } from './users.routes.ts'

interface Deps {
  readonly groups: Groups
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function groupRoutes({ groups, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listGroups, async ({ params, query, call }) => {
      const { text = '', cursor, count } = query
      const out = await groups.list(tenant(params.tenantId), text, { cursor, count })
      call.seen({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createGroup, async ({ params, body, call }) =>
      groups.create(call, tenant(params.tenantId), { name: body.Name, members: body.PrincipalIds ?? [] }),
    ),
    json(contract.getGroup, async ({ params, call }) => {
      const out = await groups.read(tenant(params.tenantId), params.groupId)
      call.seen({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(contract.renameGroup, async ({ params, body, call }) =>
      groups.rename(call, tenant(params.tenantId), params.groupId, body.Name),
    ),
    json(contract.deleteGroup, async ({ params, call }) => {
      await groups.remove(call, tenant(params.tenantId), params.groupId)
      return answer(204, undefined)
    }),
    json(contract.addMembers, async ({ params, body, call }) =>
      groups.add(call, tenant(params.tenantId), params.groupId, body.PrincipalIds),
    ),
    json(contract.replaceMembers, async ({ params, body, call }) =>
      groups.replace(call, tenant(params.tenantId), params.groupId, {
        members: body.PrincipalIds,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(contract.removeMember, async ({ params, call }) =>
      groups.removeMember(call, tenant(params.tenantId), params.groupId, params.principalId),
    ),
  ]
}
