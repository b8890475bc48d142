import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/case-links.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Case, CaseEvidence } from '../queries.ts'

/** The station takes so many at once (decisions 4). */
const AT_ONCE = 500

function useAfterLinks(caseId: string): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    void queries.invalidateQueries({ queryKey: ['case-list'] })
    await queries.invalidateQueries({ queryKey: ['case', caseId] })
  }, [queries, caseId])
}

/** Puts evidence into the case or takes it out, and shows the case as it is then. @throws Fault */
export function useLinks(record: Case) {
  const { tenant } = useSession()
  const after = useAfterLinks(record.CaseId)
  return async (ids: readonly string[], action: 'Add' | 'Remove'): Promise<void> => {
    try {
      for (let at = 0; at < ids.length; at += AT_ONCE)
        await call(contract.linkEvidences, {
          params: { tenantId: tenant, caseId: record.CaseId },
          body: { Evidences: ids.slice(at, at + AT_ONCE).map((EvidenceId) => ({ EvidenceId, Action: action })) },
        })
    } finally {
      await after()
    }
  }
}

/** A link that a rule made counts from then on as one that a person made. */
export function useConfirm(record: Case): (evidence: CaseEvidence) => void {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const after = useAfterLinks(record.CaseId)
  const caseId = record.CaseId
  return useCallback(
    ({ EvidenceId, DisplayName }) => {
      const params = { tenantId: tenant, caseId, evidenceId: EvidenceId }
      void call(contract.confirmLink, { params })
        .then(after)
        .then(() => toasts.show({ text: t('confirmed', { name: visible(DisplayName) }) }), toasts.problem)
    },
    [t, tenant, caseId, after],
  )
}
