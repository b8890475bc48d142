import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as links from '../../../../shared/cases/case-links.contract.ts'
import { getCase } from '../../../../shared/cases/contract.ts'
import { PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../page/text/visible.ts'
import { ActDialog } from './act-dialog.tsx'
import { isUntitled, titleChange, titlesOf } from './changes.ts'
import type { Course } from './course.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { type Named, type Target, toastOf } from './targets.ts'
import { useChangeMany } from './use-change-many.ts'

/** Titles for what has none. Several get the same one with a number, in the order in which they were recorded. */
export function TitleDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  const changeMany = useChangeMany()
  const bare = targets.filter(isUntitled)
  const titled = targets.length - bare.length
  const [all, setAll] = useState(bare.length === 0)
  const asked = all ? targets : bare
  const suggested = useCaseTitle(targets)
  const [typed, setTyped] = useState<string | null>(null)
  const title = (typed ?? suggested ?? '').trim()
  const titles = titlesOf(asked, title)
  const by = titleChange(titles)
  const differs = asked.some((target) => by.patchOf(target) !== null)
  const fitting = [...titles.values()].every((Name) => PatchEvidenceModel.shape.Name.safeParse(Name).success)
  const why = title === '' ? t('titleMissing') : !fitting ? ui('notStorable') : differs ? undefined : t('titleSame')
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    const rest = asked.filter((target) => left.includes(target))
    await changeMany(rest, by, (changed) => t('titleToast', toastOf(changed, format.count)), course)
    onDone?.()
  }
  const names = [...titles.values()]
  return (
    <ActDialog
      title={t('titleTitle', toastOf(asked, format.count))}
      lead={asked.length > 1 ? t('titleLead') : undefined}
      act={t('titleAct', { count: asked.length })}
      failed={t('titleNotSet')}
      why={why}
      check={() => why === undefined}
      targets={asked}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <TextField
        label={t('titleField')}
        description={typed === null && suggested !== undefined ? t('titleOfCase') : undefined}
        value={typed ?? suggested ?? ''}
        onChange={setTyped}
        required
        autoFocus
      />
      {asked.length > 1 && title !== '' && (
        <p className="muted">
          {t('titleFromTo', { first: visible(names[0] ?? ''), last: visible(names.at(-1) ?? '') })}
        </p>
      )}
      {titled > 0 && bare.length > 0 && (
        <Checkbox checked={all} onChange={setAll}>
          {t('titleAlso', { count: titled, shown: format.count(titled) })}
        </Checkbox>
      )}
    </ActDialog>
  )
}

/** What the case is called in which the first of them is; undefined: in none that one can view, or in several. */
function useCaseTitle(targets: readonly Target[]): string | undefined {
  const { tenant } = useSession()
  const evidenceId = targets.find(({ AssociationState }) => AssociationState !== 'None')?.EvidenceId
  const { data } = useQuery({
    queryKey: ['evidence', evidenceId, 'title-of-case'],
    enabled: evidenceId !== undefined,
    retry: false,
    queryFn: async ({ signal }) => {
      const params = { tenantId: tenant, evidenceId: evidenceId ?? '' }
      const { Relations } = await call(links.getEvidenceRelations, { params, query: {}, signal })
      const [only, ...others] = Relations
      if (only === undefined || others.length > 0) return null
      const { Title } = await call(getCase, { params: { tenantId: tenant, caseId: only.CaseId }, query: {}, signal })
      return Title
    },
  })
  return data ?? undefined
}
