import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../../../../shared/contract/captions.ts'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'

export type Captions = z.output<typeof contract.CaptionsModel>

/** What was attached stays as it is: asked for once, part of no live event. */
export function useCaptions(evidenceId: string, resourceId: string | null) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['captions', evidenceId, resourceId],
    enabled: resourceId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call(contract.getCaptions, {
        params: { tenantName: tenant, evidenceId, resourceId: resourceId ?? '' },
        signal,
      }),
  })
}
