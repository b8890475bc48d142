/** What the frame of every page asks of disposition. */
import { useQuery } from '@tanstack/react-query'
import { dispositionFigures } from '../../../shared/retention/disposition-figures.contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'

/** By itself again each minute: what is due comes without anybody asking. */
export function useFigures(enabled = true) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['disposition', 'figures', tenant],
    enabled,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => call(dispositionFigures, { params: { tenantName: tenant }, signal }),
  })
}
