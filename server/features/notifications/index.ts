import * as contract from '../../../shared/notifications/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createNotices, forgetSeenNotices } from './notices.ts'
import { createOwnNotices, type OwnNotices } from './own-notices.service.ts'

interface Needs {
  /** The officers who have a device now. */
  readonly officersOf: Parameters<typeof createNotices>[0]['officersOf']
}

/** Notices about events, for the people concerned. */
export function notificationsFeature(kernel: Kernel, { officersOf }: Needs): Feature & { readonly notices: Notices } {
  const notices = createNotices({ ...kernel, officersOf })
  return {
    notices,
    on: notices.on,
    routes: noticeRoutes({ service: createOwnNotices(kernel) }),
    tasks: [
      {
        name: 'notices that were seen long ago',
        runsOn: 'one node',
        everyMs: 3_600_000,
        run: () => forgetSeenNotices(kernel, kernel.mode.mayWrite),
      },
    ],
  }
}

interface Deps {
  readonly service: OwnNotices
}

function noticeRoutes({ service }: Deps): BoundRoute[] {
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
