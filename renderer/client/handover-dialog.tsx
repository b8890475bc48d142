import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as contract from '../../shared/cases/handover.contract.ts'
import { ActDialog } from '../ui/act/act-dialog.tsx'
import { Button } from '../ui/button/button.tsx'
import { Checkbox } from '../ui/field/choice.tsx'
import { visible } from '../ui/format/visible.ts'
import { Problem } from '../ui/problem/problem.tsx'
import { ProgressBar } from '../ui/progress/progress.tsx'
import { toasts } from '../ui/toast/toast.tsx'
import { call } from './api.ts'
import { PrincipalChoice, principalLabel } from './principal-choice.tsx'
import type { Principal } from './principals.ts'
import { useSession } from './session.tsx'
import { useTranslation } from './translate.ts'

interface Props {
  readonly from: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Hands the cases of a person over to another, fifty at a time: it can be stopped between, and goes on where it was. */
export function HandOverDialog({ from, onClose }: Props) {
  const { t } = useTranslation('caseWork')
  const ofUi = useTranslation('uiLater')
  const { tenant, session } = useSession()
  const queries = useQueryClient()
  const own = from.id === session.User?.PrincipalId
  const { data: counts, error } = useQuery({
    queryKey: ['case-handover', from.id],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(contract.countHandover, { params: { tenantId: tenant }, query: { from: from.id }, signal }),
  })
  const [to, setTo] = useState<Principal | null>(null)
  const [keeps, setKeeps] = useState(true)
  const [done, setDone] = useState<number | null>(null)
  const stopping = useRef(false)
  const barred = ({ PrincipalType, PrincipalId, Guest }: Principal): string | undefined =>
    PrincipalType !== 'user' || PrincipalId === from.id || Guest ? t('handOverNotTo') : undefined
  const total = counts?.Cases ?? 0
  const handOver = async (): Promise<void> => {
    stopping.current = false
    let handed = 0
    let left = total
    const body = { FromId: from.id, ToId: to?.PrincipalId ?? '', Keep: keeps ? ('View' as const) : ('None' as const) }
    try {
      while (left > 0 && !stopping.current) {
        setDone(handed)
        const step = await call(contract.handOverCases, { params: { tenantId: tenant }, body })
        handed += step.Cases
        left = step.Cases === 0 ? 0 : step.Left
      }
    } finally {
      setDone(null)
      void queries.invalidateQueries()
    }
    const name = to === null ? '' : principalLabel(to, ofUi.t)
    toasts.show({
      text: left > 0 ? t('handOverStopped', { done: handed, total }) : t('handOverDone', { count: handed, name }),
    })
  }
  const what =
    counts === undefined
      ? t('handOverCounting')
      : total === 0
        ? t(own ? 'handOverNoneOwn' : 'handOverNone')
        : t(own ? 'handOverWhatOwn' : 'handOverWhat', {
            cases: t('handOverCount', { count: total }),
            tasks: t('handOverTasks', { count: counts.Tasks }),
          })
  return (
    <ActDialog
      title={own ? t('handOverTitleOwn') : t('handOverTitle', { name: visible(from.name) })}
      lead={t('handOverLead')}
      act={t('handOver')}
      failed={t('handOverFailed')}
      why={total === 0 ? what : to === null ? t('handOverToMissing') : undefined}
      onAct={handOver}
      onClose={onClose}
    >
      {error === null ? <p aria-live="polite">{what}</p> : <Problem error={error} />}
      {total > 0 && (
        <>
          <PrincipalChoice label={t('handOverTo')} value={to} onChange={setTo} barred={barred} />
          <Checkbox checked={keeps} onChange={setKeeps}>
            {t(own ? 'handOverKeepOwn' : 'handOverKeep')}
          </Checkbox>
        </>
      )}
      {done !== null && (
        <>
          <ProgressBar label={t('handOver')} value={(100 * done) / total} />
          <p aria-live="polite">
            {t('handOverRunning', { done, total })}{' '}
            <Button size="small" onPress={() => void (stopping.current = true)}>
              {t('handOverStop')}
            </Button>
          </p>
        </>
      )}
    </ActDialog>
  )
}
