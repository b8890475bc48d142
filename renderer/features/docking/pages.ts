import { useQuery } from '@tanstack/react-query'
import { isMember } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { Session } from './sessions/session.ts'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { receiptSearch, sessionSearch, sessionsSearch } from './sessions/search.ts'

export const dockWallPage = definePage({
  path: '/dock',
  load: async () => (await withWords(import('./wall/wall-page.tsx'), 'dockWall', 'dockSessions')).default,
  name: { en: 'Dock', fr: 'Dock' },
  isOffered: isMember,
  rail: { group: 'areas', icon: 'dock' },
  command: { name: { en: 'Go to the dock wall', fr: 'Aller au mur du dock' }, icon: 'dock' },
  key: { letter: 'd', does: { en: 'Go to the dock', fr: 'Aller au dock' } },
})

/** With nobody signed in app.tsx shows the same page. */
export const takePage = definePage({
  path: '/dock/take',
  load: async () => (await withWords(import('./assign/take-page.tsx'), 'dockSessions', 'signIn')).default,
  name: { en: 'Take a camera', fr: 'Prendre une caméra' },
  under: '/dock',
})

export const dockSessionsPage = definePage({
  path: '/dock/sessions',
  readSearch: (given) => sessionsSearch.withoutUsual(sessionsSearch.read(given)),
  load: async () => (await withWords(import('./sessions/list-page.tsx'), 'dockSessions')).DockSessionsPage,
  name: { en: 'Docked cameras', fr: 'Caméras déposées' },
  under: '/dock',
})

export const dockSessionPage = definePage({
  path: '/dock/sessions/$dockSessionId',
  readSearch: (given) => sessionSearch.read(given),
  load: async () =>
    (await withWords(import('./sessions/session-page.tsx'), 'dockSessions', 'dockReceipt', 'dockReasons'))
      .DockSessionPage,
  useName: useCameraName,
  under: '/dock/sessions',
})

export const dockReceiptPage = definePage({
  path: '/dock/sessions/$dockSessionId/receipt',
  readSearch: (given) => receiptSearch.read(given),
  load: async () =>
    (await withWords(import('./sessions/receipt-page.tsx'), 'dockReceipt', 'dockSessions', 'dockReasons'))
      .DockReceiptPage,
  name: { en: 'Receipt', fr: 'Reçu' },
  under: '/dock/sessions/$dockSessionId',
})

/** The camera of a docking, which is known as soon as the docking is here; until then its number. */
function useCameraName(dockSessionId: string): string {
  const { tenant } = useSession()
  const { data } = useQuery<Pick<Session, 'Device'>>({
    queryKey: ['dock', 'session', tenant, dockSessionId],
    enabled: false,
  })
  return visible(data?.Device?.SerialNumber || data?.Device?.Model || `#${dockSessionId}`)
}
