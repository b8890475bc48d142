/** Suggested times for what is in a case; from its page. */
import { useQuery } from '@tanstack/react-query'
import { listEvidence } from '../../../../shared/evidence/list.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { useLeftOut } from '../acts/chosen-acts.tsx'
import { fits, type Target } from '../acts/targets.ts'
import { TimesDialog } from '../acts/times-dialog.tsx'

interface CaseTimesProps {
  readonly caseId: string
  readonly onClose: () => void
}

const PAGE = 500

export function CaseTimes({ caseId, onClose }: CaseTimesProps) {
  const { t } = useTranslation('evidenceSuggestions')
  const leftOutOf = useLeftOut()
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['evidence-list', tenant, 'times', caseId],
    // The dialog goes on with what it was opened with.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<readonly Target[]> => {
      const query = { case: caseId, sort: 'name', direction: 'asc', count: String(PAGE) } as const
      const found: Target[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const asked = cursor === undefined ? query : { ...query, cursor }
        const page = await call(listEvidence, { params: { tenantName: tenant }, query: asked, signal })
        found.push(...page.Items)
        cursor = page.Cursor
      }
      return found
    },
  })
  if (data === undefined)
    return (
      <Dialog title={t('timesTitle')} onClose={onClose}>
        {error === null ? <Skeleton lines={4} /> : <Problem error={asError(error)} onRetry={() => void refetch()} />}
      </Dialog>
    )
  const targets = data.filter((target) => fits('times', target))
  return <TimesDialog targets={targets} leftOut={leftOutOf('times', data)} onClose={onClose} />
}
