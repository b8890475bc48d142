import { useQuery } from '@tanstack/react-query'
import * as documents from '../../../shared/evidence/contract.ts'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { type Contents, contentsOf } from './contents.ts'
import { OrderDialog } from './order-dialog.tsx'

interface Props {
  readonly caseId: string
  /** Of the evidence of the case, what this person cannot view. */
  readonly unseen: number
  readonly onClose: () => void
}

/** A package of all of a case. */
export function CaseOrderDialog({ caseId, unseen, onClose }: Props) {
  const contents = useContents(caseId, unseen)
  return <OrderDialog of={{ caseId }} contents={contents} onClose={onClose} />
}

const PAGE = 100
/** So many are looked through for what may not be downloaded; the station judges all of them. */
const MOST_LOOKED_AT = 2_000

function useContents(caseId: string, unseen: number): Contents | null {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['evidence-list', tenant, 'of-case-to-package', caseId],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const page = (offset: number) =>
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: { case: caseId, count: String(PAGE), offset: String(offset), ...(offset === 0 && { sums: 'true' }) },
          signal,
        })
      const first = await page(0)
      const items = [...first.Items]
      while (items.length < Math.min(first.Total, MOST_LOOKED_AT)) {
        const { Items } = await page(items.length)
        if (Items.length === 0) break
        items.push(...Items)
      }
      return { items, total: first.Total, bytes: first.Sums?.LengthInBytes ?? null }
    },
  })
  if (data === undefined) return null
  return { ...contentsOf(data.items), items: data.total, bytes: data.bytes, unseen }
}
