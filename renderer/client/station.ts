/** What the station says about itself, asked once and then told by its event stream. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/station/contract.ts'
import { addressOf, call, reached } from './api.ts'
import { knownNotices, NOTICES } from './notices.ts'
import { probe } from './reach.ts'
import { useIsMember, useSession } from './session.tsx'
import { uploads } from './uploads/uploads.ts'

export type StationState = z.output<typeof contract.StationModel>
const STATION = ['station'] as const
/** The start page. */
export const TODAY = ['today'] as const

export function useStation(): StationState | null {
  const { tenant, session } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: STATION,
    queryFn: ({ signal }) => call(contract.getStation, { params: { tenantId: tenant }, signal }),
    enabled: member && session.State === 'open',
    refetchInterval: 60_000,
  })
  return data ?? null
}

/**
 * Keeps what is on the screen true: an evidence that changed is asked for again. Lists wait a moment, so that a batch asks once. The station
 * has passed what events carry through the contract already (server/http/event-stream.ts).
 */
export function useLiveEvents(): void {
  const { tenant, session } = useSession()
  const queries = useQueryClient()
  const member = useIsMember()
  const open = member && session.State === 'open'
  useEffect(() => {
    if (!open) return
    return listen(addressOf(contract.stationEvents, { params: { tenantId: tenant } }), queries)
  }, [open, tenant, queries])
}

function listen(address: string, queries: QueryClient): () => void {
  const source = new EventSource(address)
  const { delayed, stop } = delays()
  const changed = new Set<string>()
  const refreshLists = delayed(700, () => {
    void queries.invalidateQueries({ queryKey: ['evidence-list'] })
    const ids = new Set(changed)
    changed.clear()
    void queries.invalidateQueries({ predicate: ({ queryKey, state }) => showsAny(queryKey, state.data, ids) })
  })
  // Each look at one of these is an entry of the ledger, and a camera that docks changes much in little time. They are asked for only where
  // somebody looks at them.
  const refreshBoard = delayed(3_000, () => void queries.invalidateQueries({ queryKey: ['calls-board'] }))
  const refreshToday = delayed(5_000, () => void queries.invalidateQueries({ queryKey: TODAY }))
  // What comes into a case that was disclosed, or changes in it, is due to the recipients.
  const refreshDue = delayed(5_000, () => void queries.invalidateQueries({ queryKey: ['disclosures'] }))
  // What is told is that a message came; what became of it stands a moment later.
  const refreshDispatch = delayed(700, () => void queries.invalidateQueries({ queryKey: ['administration', 'cad'] }))
  source.addEventListener('evidence', (event) => {
    const { EvidenceId } = JSON.parse(event.data) as z.output<typeof contract.EvidenceEvent>
    void queries.invalidateQueries({ queryKey: ['evidence', EvidenceId] })
    changed.add(EvidenceId)
    refreshLists()
    refreshBoard()
    refreshToday()
    refreshDue()
  })
  source.addEventListener('case', (event) => {
    const { CaseId } = JSON.parse(event.data) as z.output<typeof contract.CaseEvent>
    void queries.invalidateQueries({ queryKey: ['case', CaseId, 'record'] })
    void queries.invalidateQueries({ queryKey: ['case', CaseId, 'history'] })
    void queries.invalidateQueries({ queryKey: ['case', CaseId, 'notes'] })
    void queries.invalidateQueries({ queryKey: ['case', CaseId, 'dispatch'] })
    void queries.invalidateQueries({ queryKey: ['case', CaseId, 'correlation'] })
    void queries.invalidateQueries({ queryKey: ['case-list'] })
    refreshBoard()
    refreshToday()
    refreshDue()
  })
  source.addEventListener('dispatch', refreshDispatch)
  source.addEventListener('review', () => {
    void queries.invalidateQueries({ queryKey: ['reviews'] })
    refreshToday()
  })
  source.addEventListener('disclosure', () => void queries.invalidateQueries({ queryKey: ['disclosures'] }))
  source.addEventListener('notice', (event) => {
    const { Unseen, Newest } = JSON.parse(event.data) as z.output<typeof contract.NoticeEvent>
    const known = knownNotices(queries)
    // It is told once at the beginning, when most pages have just read them.
    if (known?.unseen !== Unseen || known.newest !== Newest) void queries.invalidateQueries({ queryKey: NOTICES })
    if (known !== undefined && known.unseen !== Unseen) refreshToday()
  })
  source.addEventListener('station', (event) => {
    queries.setQueryData(STATION, JSON.parse(event.data) as StationState)
  })
  const unwatch = uploads.onFinished(refreshLists)
  let broken = false
  source.onopen = () => {
    reached(true)
    // What happened while nobody listened is asked for.
    if (broken) void queries.invalidateQueries()
    broken = false
  }
  source.onerror = () => {
    broken = true
    // It tries again by itself and does not say why it broke.
    void probe()
  }
  return () => {
    unwatch()
    source.close()
    stop()
  }
}

/** Work that waits for more of the same, and is done once for all of it. */
function delays() {
  const running = new Set<ReturnType<typeof setTimeout>>()
  return {
    delayed: (milliseconds: number, work: () => void) => {
      let waits = false
      return (): void => {
        if (waits) return
        waits = true
        const timer = setTimeout(() => {
          waits = false
          running.delete(timer)
          work()
        }, milliseconds)
        running.add(timer)
      }
    },
    stop: (): void => {
      for (const timer of running) clearTimeout(timer)
    },
  }
}

/** A case shows name, picture and state of what is in it. */
function showsAny(queryKey: readonly unknown[], data: unknown, ids: ReadonlySet<string>): boolean {
  if (queryKey[0] !== 'case' || queryKey[2] !== 'record') return false
  const { Evidences = [] } = (data ?? {}) as { readonly Evidences?: readonly { readonly EvidenceId: string }[] }
  return Evidences.some(({ EvidenceId }) => ids.has(EvidenceId))
}
