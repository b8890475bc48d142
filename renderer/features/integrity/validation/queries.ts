import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import * as contract from '../../../../shared/validation/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'

export type ValidationState = z.output<typeof contract.ValidationStateModel>
export type NewestValidation = NonNullable<ValidationState['Newest']>
export type ValidationCheck = NewestValidation['Checks'][number]
export type KeptValidation = z.output<typeof contract.KeptValidationModel>

const STATE = ['validation', 'state'] as const
const KEPT = ['validation', 'kept'] as const
const SOON_MS = 700
const LATER_MS = 30_000

export function useValidation() {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [...STATE, tenant],
    queryFn: ({ signal }) => call(contract.getValidation, { params: { tenantId: tenant }, signal }),
    refetchInterval: ({ state }) => (state.data?.Running == null ? LATER_MS : SOON_MS),
  })
  const isRunning = data?.Running != null
  const wasRunning = useRef(false)
  // A run that ended may have raised an alarm, which stands on this page and on every other.
  useEffect(() => {
    if (wasRunning.current && !isRunning)
      for (const queryKey of [['integrity'], ['station'], KEPT]) void queries.invalidateQueries({ queryKey })
    wasRunning.current = isRunning
  }, [isRunning, queries])
  return { state: data ?? null, error, retry: () => void refetch() }
}

/** Asked for by the part that shows them. */
export function useKeptValidations() {
  const { tenant } = useSession()
  const { data, error } = useQuery({
    queryKey: [...KEPT, tenant],
    queryFn: ({ signal }) => call(contract.listValidations, { params: { tenantId: tenant }, signal }),
  })
  return { kept: data?.Items ?? null, error }
}

/** After an act its answer is the state. */
export function useTold(): (act: Promise<ValidationState>) => Promise<void> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return async (act) => {
    try {
      queries.setQueryData([...STATE, tenant], await act)
    } finally {
      await queries.invalidateQueries({ queryKey: STATE })
    }
  }
}
