import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../../../../shared/evidence/captions.contract.ts'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { useRefresh } from '../queries.ts'

/** Takes captions away and gives them back. Each resolves when it is done. */
export function useCaptionActs(evidenceId: string) {
  const { tenant } = useSession()
  const refresh = useRefresh(evidenceId)
  const at = (resourceId: string) => ({ params: { tenantName: tenant, evidenceId, resourceId } })
  return {
    takeAway: async (resourceId: string): Promise<void> => {
      await call(contract.detachCaptions, at(resourceId))
      refresh()
    },
    giveBack: async (resourceId: string): Promise<void> => {
      await call(contract.restoreCaptions, at(resourceId))
      refresh()
    },
  }
}

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
