/** What the board asks of the station. Every key begins with `calls-board`: the stream of events asks all of it anew (client/station.ts). */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as links from '../../../shared/cases/case-links.contract.ts'
import * as contract from '../../../shared/calls-board/contract.ts'
import * as correlation from '../../../shared/correlation/contract.ts'
import { addressOf, call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { type CallsSearch, queryOf } from './search.ts'

export type Board = z.output<typeof contract.CallsBoardModel>
export type BoardRow = Board['Rows'][number]
export type BoardItem = BoardRow['Items'][number]
export type BoardCall = Board['Calls'][number]
export type Officer = BoardRow['Officer']
export type NumberGap = BoardRow['Gaps'][number]
export type Tally = Board['Tally']
export type Week = z.output<typeof contract.BoardWeekModel>
export type Reason = z.output<typeof contract.CallReasonModel>
export type ReasonRecording = Reason['Recordings'][number]
export type FootageState = BoardItem['State']

const BOARD = 'calls-board'
/** A docking that brings nothing new is told by no event. */
const MINUTE_MS = 60_000
const WEEKS_MS = 10 * MINUTE_MS

export function useBoard(search: CallsSearch, enabled: boolean) {
  const { tenant } = useSession()
  const query = queryOf(search)
  return useQuery({
    queryKey: [BOARD, 'board', tenant, query],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(contract.getBoard, { params: { tenantId: tenant }, query, signal }),
    // Each look is an entry of the ledger: only what can still change by itself is looked at again.
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? MINUTE_MS : false),
  })
}

/** Something of it is awaited: the shift is on, or a camera is not docked yet. */
const isOpen = ({ TimeUtc, ToUtc, Tally }: Board): boolean => TimeUtc < ToUtc || Tally.NotDocked > 0

export function useReason(caseId: string, principalId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [BOARD, 'reason', tenant, caseId, principalId],
    enabled: caseId !== '' && principalId !== '',
    queryFn: ({ signal }) =>
      call(contract.getCallReason, { params: { tenantId: tenant, caseId, principalId }, signal }),
  })
}

/** Twelve weeks, ending with the one of this date. */
export function useWeeks({ unit, officer }: CallsSearch, date: string | null) {
  const { tenant } = useSession()
  const query = {
    ...(date === null ? {} : { date }),
    ...(unit === '' ? {} : { unit }),
    ...(officer === '' ? {} : { officer }),
  }
  return useQuery({
    // Not under the key of the board: twelve weeks are not reckoned anew for every recording.
    queryKey: ['calls-weeks', tenant, query],
    enabled: date !== null,
    staleTime: WEEKS_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(contract.getBoardWeeks, { params: { tenantId: tenant }, query, signal }),
  })
}

export function useExportAddress(search: CallsSearch): (format: 'csv' | 'json') => string {
  const { tenant } = useSession()
  return (format) =>
    addressOf(contract.exportBoard, { params: { tenantId: tenant }, query: { ...queryOf(search), format } })
}

/** Whether an automatic link is right; everything that it moves is asked anew. */
export function useLinkActs(caseId: string) {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const after = async (evidenceId: string): Promise<void> => {
    await Promise.all(
      [[BOARD], ['case', caseId], ['evidence', evidenceId]].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  }
  const params = (evidenceId: string) => ({ tenantId: tenant, caseId, evidenceId })
  return {
    confirm: async (evidenceId: string) => {
      await call(links.confirmLink, { params: params(evidenceId) })
      await after(evidenceId)
    },
    refuse: async (evidenceId: string, Reason: string) => {
      await call(correlation.refuseLink, { params: params(evidenceId), body: { Reason } })
      await after(evidenceId)
    },
  }
}

export function useShifts(enabled: boolean) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [BOARD, 'shifts', tenant],
    enabled,
    queryFn: ({ signal }) => call(contract.getBoardShifts, { params: { tenantId: tenant }, signal }),
  })
}

export type Shifts = z.output<typeof contract.BoardShiftsModel>['Shifts']

export function useSetShifts(): (shifts: Shifts) => Promise<void> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return async (shifts) => {
    await call(contract.putBoardShifts, { params: { tenantId: tenant }, body: { Shifts: shifts } })
    await queries.invalidateQueries({ queryKey: [BOARD] })
    await queries.invalidateQueries({ queryKey: ['calls-weeks'] })
  }
}
