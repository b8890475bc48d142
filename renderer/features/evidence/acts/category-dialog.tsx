import { useState } from 'react'
import { keptFor, useCategories } from '../../../client/categories.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { visible } from '../page/text/visible.ts'
import { ActDialog, Refused } from './act-dialog.tsx'
import { categoryChange } from './changes.ts'
import type { Course } from './course.ts'
import { type Named, toastOf } from './targets.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { useChangeMany } from './use-change-many.ts'

/** Files evidence under a category, which says how long it is kept. *Undo* gives each the category that it had, or none again, where nobody chose another since. */
export function CategoryDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const changeMany = useChangeMany()
  const { data, error } = useCategories()
  const categories = data?.filter(({ Enabled }) => Enabled)
  const [chosen, setChosen] = useState<string | null>(null)
  const name = visible(categories?.find(({ CategoryId }) => CategoryId === chosen)?.Name ?? '')
  const differs = targets.some(({ CategoryId }) => CategoryId !== chosen)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    if (chosen === null) return
    const rest = targets.filter((target) => left.includes(target))
    const said = (changed: readonly Named[]): string =>
      t('categoryToast', { ...toastOf(changed, format.count), category: name })
    await changeMany(rest, categoryChange(chosen), said, course)
    onDone?.()
  }
  return (
    <ActDialog
      title={t('categoryTitle')}
      lead={t('categoryLead')}
      act={t('categoryAct')}
      failed={t('categoryNotSet')}
      why={chosen === null ? t('categoryMissing') : !differs ? t('categorySame') : undefined}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      {error !== null && <Refused refusal={error} title={t('categoryNotSet')} />}
      {categories === undefined && error === null && <Skeleton lines={2} />}
      {categories?.length === 0 && <Note title={t('noCategories')}>{t('noCategoriesBody')}</Note>}
      {categories !== undefined && categories.length > 0 && (
        <Select
          label={t('category')}
          value={chosen}
          onChange={setChosen}
          placeholder={t('categoryMissing')}
          options={categories.map(({ CategoryId, Name, RetentionDays }) => ({
            id: CategoryId,
            label: visible(Name),
            note: keptFor(RetentionDays, t),
          }))}
          required
          autoFocus
        />
      )}
    </ActDialog>
  )
}
