import * as contract from '../../../shared/notifications/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { OwnNotices } from './own-notices.service.ts'

interface Deps {
  readonly service: OwnNotices
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function noticeRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listNotices, async ({ params, query, call }) => {
      const { unseen, cursor, count } = query
      const out = await service.list(call, tenant(params.tenantId), { unseen: unseen === 'true', cursor, count })
      call.seen({ detail: { returned: out.Items.length } })
      return out
    }),
    json(contract.seeNotices, async ({ params, body, call }) => service.see(call, tenant(params.tenantId), body)),
    json(contract.getNoticeChoices, async ({ params, call }) => {
      tenant(params.tenantId)
      return { Items: await service.choices(call) }
    }),
    json(contract.chooseNotices, async ({ params, body, call }) => {
      tenant(params.tenantId)
      return { Items: await service.choose(call, body.Items) }
    }),
  ]
}
