import * as contract from '../../../shared/notifications/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { OwnNotices } from './own-notices.service.ts'

interface Deps {
  readonly service: OwnNotices
}

export function noticeRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.listNotices, async ({ query, call }) => {
      const { unseen, cursor, count } = query
      const out = await service.list(call, call.tenant, { unseen: unseen === 'true', cursor, count })
      call.describeRead({ detail: { returned: out.Items.length } })
      return out
    }),
    json(contract.seeNotices, async ({ body, call }) => service.see(call, call.tenant, body)),
    json(contract.getNoticeChoices, async ({ call }) => {
      return { Items: await service.choices(call) }
    }),
    json(contract.chooseNotices, async ({ body, call }) => {
      return { Items: await service.choose(call, body.Items) }
    }),
  ]
}
