/** What the pages about automatic links ask of the station. What is told of one case begins with its key, so that its live events refresh it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as cases from '../../../shared/cases/contract.ts'
import * as links from '../../../shared/cases/case-links.contract.ts'
import * as contract from '../../../shared/correlation/contract.ts'
import * as documents from '../../../shared/evidence/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'

export type Pair = z.output<typeof contract.CorrelationModel>
export type Check = Pair['Checks'][number]
export type Withdrawn = NonNullable<Pair['Withdrawn']>

export function usePair(caseId: string, evidenceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['case', caseId, 'correlation', evidenceId],
    queryFn: ({ signal }) =>
      call(contract.explainCorrelation, { params: { tenantId: tenant, caseId, evidenceId }, signal }),
  })
}

export function useLinksOfCase(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['case', caseId, 'correlation'],
    queryFn: ({ signal }) => call(contract.getCaseCorrelation, { params: { tenantId: tenant, caseId }, signal }),
  })
}

export function useCasesOf(evidenceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['evidence', evidenceId, 'relations'],
    queryFn: ({ signal }) =>
      call(links.getEvidenceRelations, { params: { tenantId: tenant, evidenceId }, query: {}, signal }),
  })
}

/** Who may decide about a link: Manage on the recording. Under the keys of the pages of both. */
export function useManages(evidenceId: string): boolean {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['evidence', evidenceId, 'record'],
    queryFn: ({ signal }) =>
      call(documents.getEvidence, { params: { tenantName: tenant, evidenceId }, query: {}, signal }),
  })
  return data?.AccessorPermissions.includes('Manage') ?? false
}

export function useCaseRecord(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['case', caseId, 'record'],
    queryFn: ({ signal }) => call(cases.getCase, { params: { tenantId: tenant, caseId }, query: {}, signal }),
  })
}

/** After a decision: the case, the recording and the questions are asked anew. */
export function useDecisions(caseId: string, evidenceId: string) {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const after = useCallback(async () => {
    void queries.invalidateQueries({ queryKey: ['case-list'] })
    void queries.invalidateQueries({ queryKey: ['evidence', evidenceId] })
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['reviews'] }),
      queries.invalidateQueries({ queryKey: ['case', caseId] }),
    ])
  }, [queries, caseId, evidenceId])
  const params = { tenantId: tenant, caseId, evidenceId }
  const decided = (reviewId: string, Reason: string, accept: boolean): Promise<void> =>
    call(accept ? contract.acceptReview : contract.settleReview, {
      params: { tenantId: tenant, reviewId },
      body: { Reason },
    }).then(after)
  return {
    confirm: () => call(links.confirmLink, { params }).then(after),
    refuse: (Reason: string) => call(contract.refuseLink, { params, body: { Reason } }).then(after),
    decided,
  }
}
