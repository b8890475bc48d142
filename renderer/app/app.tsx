import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Activity, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '../client/api.ts'
import { SessionProvider, useSessionQuery } from '../client/session.tsx'
import { FormatProvider } from '../ui/format/use-format.tsx'
import { ToastRegion } from '../ui/toast/toast.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { StationUnreachable } from './unreachable.tsx'
import { router } from './router.tsx'

const SignIn = lazy(() => import('../features/sign-in/sign-in-page.tsx'))
const SetUp = lazy(() => import('../features/sign-in/set-up-page.tsx'))
const Locked = lazy(() => import('../features/sign-in/locked-page.tsx'))

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // What the station refused it refuses again; what did not reach it is tried once more.
      retry: (failures, error) => !(error instanceof Fault) && failures < 2,
      staleTime: 10_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queries}>
        <Gate />
        <ToastRegion />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

/** Which face the station shows: set-up, sign-in, the work, or the lock over it. */
function Gate() {
  const { i18n } = useTranslation()
  const { data: session, error, refetch } = useSessionQuery()
  if (session === undefined)
    return error === null ? null : <StationUnreachable error={error} onRetry={() => void refetch()} />
  const signedIn = session.State === 'open' || session.State === 'locked'
  return (
    <FormatProvider locale={i18n.language} zone={Intl.DateTimeFormat().resolvedOptions().timeZone}>
      <SessionProvider session={session}>
        <Suspense fallback={null}>
          {session.State === 'setup' && <SetUp />}
          {session.State === 'none' && <SignIn />}
          {session.State === 'locked' && <Locked />}
          {signedIn && (
            // Hidden whole while locked, not blurred; what was typed and where one was stays.
            <Activity mode={session.State === 'open' ? 'visible' : 'hidden'}>
              <RouterProvider router={router} />
            </Activity>
          )}
        </Suspense>
      </SessionProvider>
    </FormatProvider>
  )
}
