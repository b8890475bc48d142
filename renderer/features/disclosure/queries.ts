import { useQuery } from '@tanstack/react-query'
import * as disclosure from '../../../shared/disclosure/contract.ts'
import * as documents from '../../../shared/evidence/contract.ts'
import { listPackages } from '../../../shared/packages/contract.ts'
import { call } from '../../client/api.ts'
import { DISCLOSURES } from '../../client/disclosure/disclosure.ts'
import { PACKAGES, type Package } from '../../client/packages/packages.ts'
import { useSession } from '../../client/session.tsx'

const PAGE = 100
/** So much of a case is offered by name; a case of more is disclosed as a package. */
const MOST_LISTED = 2_000

export interface EvidenceOfCase {
  readonly id: string
  readonly name: string
  readonly mayDownload: boolean
}

/** Evidence of a case that this person can view and that is not in the recycle bin. */
export function useEvidenceOfCase(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['evidence-list', tenant, 'of-case-to-disclose', caseId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly EvidenceOfCase[]> => {
      const page = (offset: number) =>
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: { case: caseId, count: String(PAGE), offset: String(offset) },
          signal,
        })
      const { Items, Total } = await page(0)
      const items = [...Items]
      while (items.length < Math.min(Total, MOST_LISTED)) {
        const more = await page(items.length)
        if (more.Items.length === 0) break
        items.push(...more.Items)
      }
      return items
        .filter(({ LifecycleState }) => LifecycleState !== 'Deleted')
        .map(({ EvidenceId, DisplayName, AccessorPermissions }) => ({
          id: EvidenceId,
          name: DisplayName,
          mayDownload: AccessorPermissions.includes('Download'),
        }))
    },
  })
}

/** Packages of a case that were made, newest first. */
export function useMadePackages(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...PACKAGES, tenant, 'made', caseId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly Package[]> => {
      const { Items } = await call(listPackages, {
        params: { tenantId: tenant },
        query: { caseId, count: String(PAGE) },
        signal,
      })
      return Items.filter(({ State, OfExport }) => State === 'Made' && !OfExport)
    },
  })
}

export function useDueOfStation() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...DISCLOSURES, tenant, 'due'],
    queryFn: ({ signal }) => call(disclosure.listSupplementsDue, { params: { tenantId: tenant }, signal }),
  })
}
