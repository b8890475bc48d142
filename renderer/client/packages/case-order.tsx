import { useQuery } from '@tanstack/react-query'
import * as documents from '../../../shared/evidence/contract.ts'
import { listPackages } from '../../../shared/packages/contract.ts'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { type Contents, contentsOf } from './contents.ts'
import { OrderDialog } from './order-dialog.tsx'
import { type Package, PACKAGES } from './packages.ts'

interface Props {
  readonly caseId: string
  /** Of the evidence of the case, what this person cannot view. */
  readonly unseen: number
  readonly onClose: () => void
}

/** A package of all of a case. */
export function CaseOrderDialog({ caseId, unseen, onClose }: Props) {
  const contents = useContents(caseId, unseen)
  const earlier = useMadePackages(caseId)
  return <OrderDialog of={{ caseId }} contents={contents} earlier={earlier} onClose={onClose} />
}

/** Of those only the newest for each recipient can be supplemented, and people rarely make more. */
const EARLIER = 50

/** Packages of the case that are made, newest first; none until they are known. */
function useMadePackages(caseId: string): readonly Package[] {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: [...PACKAGES, tenant, 'to-supplement', caseId],
    queryFn: ({ signal }) =>
      call(listPackages, { params: { tenantId: tenant }, query: { caseId, count: String(EARLIER) }, signal }),
  })
  return data?.Items.filter(({ State, OfExport }) => State === 'Made' && !OfExport) ?? []
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
