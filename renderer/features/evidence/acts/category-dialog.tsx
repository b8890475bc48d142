import { useState } from 'react'
import { keptFor, useCategories } from '../../../client/categories.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { visible } from '../page/text/visible.ts'
import { ActDialog, Refused } from './act-dialog.tsx'
import { useActs } from './acts.ts'
import type { Course } from './course.ts'
import { type Named, toastOf } from './targets.ts'
import type { ActDialogOf } from './protect-dialog.tsx'

/** Files evidence under a category, which says how long it is kept. *Undo* gives each the category that it had, or none again. */
export function CategoryDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { setCategory } = useActs()
  const { data, error } = useCategories()
  const categories = data?.filter(({ Enabled }) => Enabled)
  const [chosen, setChosen] = useState<string | null>(null)
  const name = visible(categories?.find(({ CategoryId }) => CategoryId === chosen)?.Name ?? '')
  const changed = targets.filter(({ CategoryId }) => CategoryId !== chosen)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    if (chosen === null) return
    await setCategory(
      changed.filter((target) => left.includes(target)),
      () => chosen,
      course,
    )
    onDone?.()
    toasts.show({
      text: t('categoryToast', { ...toastOf(changed, format.count), category: name }),
      undo: () => void setCategory(changed, ({ CategoryId }) => CategoryId).catch(toasts.problem),
    })
  }
  return (
    <ActDialog
      title={t('categoryTitle')}
      lead={t('categoryLead')}
      act={t('categoryAct')}
      failed={t('categoryNotSet')}
      why={chosen === null ? t('categoryMissing') : changed.length === 0 ? t('categorySame') : undefined}
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
