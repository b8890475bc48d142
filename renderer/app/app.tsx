import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Activity, type ReactNode, Suspense, useEffect } from 'react'
import { GUEST_PAGE } from '../../shared/share-links/rules.ts'
import { useTranslation } from '../client/translate.ts'
import { withWords } from '../client/i18n.ts'
import { SessionProvider, useSessionQuery } from '../client/session.tsx'
import { FormatProvider } from '../ui/format/use-format.tsx'
import { ToastRegion, toasts } from '../ui/toast/toast.tsx'
import { showPanel } from './frame/panel.ts'
import { queries } from './query-client.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { StationUnreachable } from './unreachable.tsx'
import { router } from './router.tsx'
import { useHangingWall } from './use-hanging-wall.ts'
import { lazyPart } from '../client/load-chunk.ts'

const SignIn = lazyPart(() => withWords(import('../features/identity/sign-in/sign-in-page.tsx'), 'signIn'))
const SetUp = lazyPart(() => withWords(import('../features/identity/sign-in/set-up-page.tsx'), 'signIn'))
const PasswordDue = lazyPart(() => withWords(import('../features/identity/account/password-due-page.tsx'), 'account'))
const DockWall = lazyPart(() => withWords(import('../features/docking/wall/wall-page.tsx'), 'dockWall', 'dockSessions'))
const Take = lazyPart(() => withWords(import('../features/docking/assign/take-page.tsx'), 'dockSessions', 'signIn'))
const Pairing = lazyPart(() =>
  withWords(import('../features/identity/sign-in/pairing/pairing-page.tsx'), 'pairing', 'signIn'),
)
const GuestLink = lazyPart(() => withWords(import('../features/share-links/guest/guest-page.tsx'), 'guestLink'))
const Locked = lazyPart(() => withWords(import('../features/identity/sign-in/locked-page.tsx'), 'signIn'))

const showUndo = (): void => showPanel('undo')

/** Where another computer learns to trust the station, whoever is signed in there or nobody. */
const PAIRING = '/pair'

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queries}>
        <InLanguage>
          <Suspense fallback={null}>
            {window.location.pathname === PAIRING ? (
              <Pairing />
            ) : window.location.pathname === GUEST_PAGE ? (
              <GuestLink />
            ) : (
              <Gate />
            )}
          </Suspense>
          <ToastRegion onOlderActs={showUndo} />
        </InLanguage>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

/**
 * Above every part: what they say, the zone of the station in which every time is shown, and the mark by which the component library writes
 * no style of its own. Until the station answered there are no times to show.
 */
function InLanguage({ children }: { readonly children: ReactNode }) {
  const { language } = useTranslation()
  const { data: session } = useSessionQuery()
  return (
    <FormatProvider locale={language} zone={session?.Station.TimeZone ?? 'UTC'}>
      {children}
    </FormatProvider>
  )
}

/** Which face the station shows: set-up, sign-in, the work, or the lock over it. */
function Gate() {
  const { data: session, error, refetch } = useSessionQuery()
  const [hangs, askForSignIn] = useHangingWall(session?.State)
  const person = session?.User?.PrincipalId ?? null
  useEffect(() => toasts.belongTo(person), [person])
  if (session === undefined)
    return error === null ? null : <StationUnreachable error={error} onRetry={() => void refetch()} />
  const due = session.User?.PasswordDue === true
  const signedIn = !due && (session.State === 'open' || session.State === 'locked')
  return (
    <SessionProvider session={session}>
      <Suspense fallback={null}>
        {session.State === 'setup' && <SetUp />}
        {hangs && <DockWall onSignIn={askForSignIn} />}
        {!hangs && session.State === 'none' && (window.location.pathname === '/dock/take' ? <Take /> : <SignIn />)}
        {!hangs && session.State === 'locked' && <Locked />}
        {session.State === 'open' && due && <PasswordDue />}
        {signedIn && (
          // Hidden whole while locked, not blurred; what was typed and where one was stays.
          <Activity mode={session.State === 'open' ? 'visible' : 'hidden'}>
            <RouterProvider router={router} />
          </Activity>
        )}
      </Suspense>
    </SessionProvider>
  )
}
