import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { z } from 'zod'
import * as contract from '../../../shared/sample/contract.ts'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { currentLanguage } from '../translate.ts'

export type Sample = z.output<typeof contract.SampleDataModel>

const LOOK_EVERY_MS = 1_000
/** It changes by what administrators do, which is rare. */
const FRESH_MS = 300_000

const isGoingOn = ({ State }: Sample): boolean => State === 'Adding' || State === 'Removing'

/**
 * Whether sample data is there; undefined to who does not administer the station, who is never asked for. While it is added or removed it is
 * looked at every second. @param onEnd what was going on is over
 */
export function useSample(onEnd?: (now: Sample) => void): Sample | undefined {
  const { tenant, session } = useSession()
  const queries = useQueryClient()
  const { data } = useQuery<Sample>({
    queryKey: ['sample-data', tenant],
    enabled: session.User?.Administrator === true,
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => (state.data !== undefined && isGoingOn(state.data) ? LOOK_EVERY_MS : false),
    queryFn: ({ signal }) => call(contract.getSampleData, { params: { tenantId: tenant }, signal }),
  })
  const before = useRef(data)
  useEffect(() => {
    const was = before.current
    before.current = data
    if (was === undefined || data === undefined || !isGoingOn(was) || isGoingOn(data)) return
    // Lists, counts and pages show it or show it no more.
    void queries.invalidateQueries()
    onEnd?.(data)
  }, [data, queries, onEnd])
  return data
}

export interface SampleActs {
  add(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

export function useSampleActs(): SampleActs {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const take = useCallback(
    async (answer: Promise<Sample>): Promise<void> => {
      queries.setQueryData(['sample-data', tenant], await answer)
    },
    [queries, tenant],
  )
  const params = { tenantId: tenant }
  return {
    add: () => take(call(contract.addSampleData, { params, body: { Language: currentLanguage() } })),
    stop: () => take(call(contract.stopSampleData, { params })),
    remove: () => take(call(contract.removeSampleData, { params })),
  }
}
