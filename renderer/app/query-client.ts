/** What the window knows of the station: every answer that a page asked for, until it is too old. */
import { QueryClient } from '@tanstack/react-query'
import { Fault } from '../client/api.ts'
import { sessionQuery } from '../client/session.tsx'

export const queries = new QueryClient({
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

export const askForSession = (): Promise<void> => queries.prefetchQuery(sessionQuery)
