/** Dropping on a case: evidence of this window is linked to it, files become evidence in it. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import * as links from '../../shared/cases/case-links.contract.ts'
import * as cases from '../../shared/cases/contract.ts'
import { visible } from '../ui/format/visible.ts'
import { useFormat } from '../ui/format/use-format.tsx'
import type { RowDrop } from '../ui/table/use-row-drag.ts'
import { toasts } from '../ui/toast/toast.tsx'
import { call } from './api.ts'
import {
  type CaseTarget,
  draggedEvidence,
  type DraggedEvidence,
  EVIDENCE_TYPE,
  setCaseUnderFiles,
} from './evidence-drag.ts'
import { useSession } from './session.tsx'
import { useTranslation } from './translate.ts'

/** Links evidence to a case and says so; *Undo* removes what was not in the case before. */
export function useLinkDropped(): (target: CaseTarget, dropped: DraggedEvidence) => void {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useCallback(
    (target, dropped) => {
      const params = { tenantId: tenant, caseId: target.caseId }
      const link = async (ids: readonly string[], Action: 'Add' | 'Remove'): Promise<void> => {
        try {
          for (let at = 0; at < ids.length; at += links.MOST_AT_ONCE) {
            const part = ids.slice(at, at + links.MOST_AT_ONCE)
            const body = { Evidences: part.map((EvidenceId) => ({ EvidenceId, Action })) }
            await call(links.linkEvidences, { params, body })
          }
        } finally {
          for (const key of [['case-list'], ['case', target.caseId], ['evidence-list'], ['evidence']])
            void queries.invalidateQueries({ queryKey: key })
        }
      }
      const run = async (): Promise<void> => {
        const ids = await dropped.gather()
        const { EvidenceIds } = await call(cases.getCase, { params, query: {} })
        const inside = new Set(EvidenceIds)
        const fresh = ids.filter((id) => !inside.has(id))
        const words = { title: visible(target.title), count: fresh.length, shown: format.count(fresh.length) }
        if (fresh.length === 0) {
          toasts.show({ text: t('dropLinkedBefore', words) })
          return
        }
        await link(fresh, 'Add')
        toasts.show({
          text: t('dropLinked', words),
          undo: () => link(fresh, 'Remove'),
        })
      }
      void run().catch(toasts.problem)
    },
    [t, format, tenant, queries],
  )
}

const holdsFiles = ({ types }: DataTransfer): boolean => types.includes('Files')
const holdsEvidence = ({ types }: DataTransfer): boolean => types.includes(EVIDENCE_TYPE)

/** For lists with rows of cases. @param caseOf the case of a row; null where nothing can be put into it */
export function useCaseDrop<Row>(caseOf: (row: Row) => CaseTarget | null): RowDrop<Row> {
  const link = useLinkDropped()
  return useMemo(
    () => ({
      accepts: (row, transfer) => (holdsFiles(transfer) || holdsEvidence(transfer)) && caseOf(row) !== null,
      // Files are taken up by the window wherever they fall; the row only says into which case.
      over: (row, transfer) => setCaseUnderFiles(row !== null && holdsFiles(transfer) ? caseOf(row) : null),
      drop: (row, transfer) => {
        const dropped = draggedEvidence()
        const target = caseOf(row)
        if (holdsEvidence(transfer) && dropped !== null && target !== null) link(target, dropped)
      },
    }),
    [caseOf, link],
  )
}
