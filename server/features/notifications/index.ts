import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { createNotices, forgetSeenNotices } from './notices.ts'
import { noticeRoutes } from './own-notices.routes.ts'
import { createOwnNotices } from './own-notices.service.ts'

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
