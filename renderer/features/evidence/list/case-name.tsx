import { useQuery } from '@tanstack/react-query'
import { getCase } from '../../../../shared/cases/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { visible } from '../page/text/visible.ts'

/** The title of a case, as it is now; its id where there is none that one can view. */
export default function CaseName({ caseId }: { readonly caseId: string }) {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['case', tenant, 'title', caseId],
    retry: false,
    queryFn: ({ signal }) => call(getCase, { params: { tenantId: tenant, caseId }, query: {}, signal }),
  })
  return <bdi>{visible(data?.Title ?? caseId)}</bdi>
}
