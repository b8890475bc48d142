import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as links from '../../../../shared/cases/case-links.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { visible } from '../page/text/visible.ts'
import { ActDialog, Refused } from './act-dialog.tsx'
import { useActs } from './acts.ts'
import type { Course } from './course.ts'
import { type Named, type Target, toastOf } from './targets.ts'
import { CaseChoice, type ChosenCase } from './case-choice.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

interface Home {
  readonly id: string
  readonly title: string
  /** Ids of the evidence that somebody put into it. */
  readonly holds: ReadonlySet<string>
}

/** Out of one case and into another in one act; moving back undoes it. */
export function MoveDialog({ targets, leftOut, caseId, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { move } = useActs()
  const { homes, error } = useHomes(targets)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<ChosenCase | null>(null)
  const leaving = from ?? homes?.find(({ id }) => id === caseId)?.id ?? homes?.[0]?.id ?? null
  const moved = targets.filter(({ EvidenceId }) =>
    homes?.some(({ id, holds }) => id === leaving && holds.has(EvidenceId)),
  )
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    if (leaving === null || to === null) return
    await move(left, { from: leaving, to: to.id }, course)
    onDone?.()
    toasts.show({
      text: t('movedToast', { ...toastOf(moved, format.count), title: to.title }),
      undo: () => move(moved, { from: to.id, to: leaving }),
    })
  }
  const homeless = homes !== null && homes.length === 0
  return (
    <ActDialog
      title={t('moveTitle')}
      lead={t('moveLead')}
      act={t('moveAct')}
      failed={t('notMoved')}
      why={leaving === null ? t('moveFromMissing') : to === null ? t('moveToMissing') : undefined}
      targets={moved}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      {error !== null && <Refused refusal={error} title={t('notMoved')} />}
      {homes === null && error === null && <Skeleton lines={2} />}
      {homeless && <Note title={t('inNoCase')}>{t('inNoCaseBody')}</Note>}
      {homes !== null && !homeless && (
        <>
          <Select
            label={t('moveFrom')}
            value={leaving}
            onChange={setFrom}
            options={homes.map(({ id, title, holds }) => ({
              id,
              label: visible(title),
              ...(targets.length === 1
                ? {}
                : { note: t('moveCount', { count: holds.size, shown: format.count(holds.size) }) }),
            }))}
          />
          <CaseChoice label={t('moveTo')} but={leaving} chosen={to} onChoose={setTo} />
        </>
      )}
    </ActDialog>
  )
}

/** The cases that somebody put these into, those with most of them first. */
function useHomes(targets: readonly Target[]): { homes: readonly Home[] | null; error: Error | null } {
  const { tenant } = useSession()
  const ids = targets.map(({ EvidenceId }) => EvidenceId)
  const { data, error } = useQuery({
    queryKey: ['evidence-homes', ...ids],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const homes = new Map<string, { id: string; title: string; holds: Set<string> }>()
      for (const evidenceId of ids) {
        const { Relations } = await call(links.getEvidenceRelations, {
          params: { tenantId: tenant, evidenceId },
          query: {},
          signal,
        })
        for (const { CaseId: id, Title: title, Kind } of Relations) {
          if (Kind !== 'Manual') continue
          const home = homes.get(id) ?? { id, title, holds: new Set<string>() }
          homes.set(id, home)
          home.holds.add(evidenceId)
        }
      }
      return [...homes.values()].sort((one, other) => other.holds.size - one.holds.size)
    },
  })
  return { homes: data ?? null, error }
}
