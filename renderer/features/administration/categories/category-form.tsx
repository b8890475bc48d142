import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/categories.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Checkbox, RadioGroup } from '../../../ui/field/choice.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { NumberField } from '../../../ui/field/number-field.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Category, useRefresh } from '../data.ts'
import { ConflictDialog, type FieldWords } from '../editing/conflict-dialog.tsx'
import { Panel } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useSave } from '../editing/use-save.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { RetentionChange } from '../retention/retention-preview.tsx'
import { keptWords, type Words } from '../words.ts'
import { type CategoryDraft, categoryDraft, categoryMembers, wrongInCategory } from './draft.ts'

interface CategoryFormProps {
  /** null: a new one. */
  readonly category: Category | null
  readonly onClose: () => void
  readonly onMade: (category: Category) => void
}

export function CategoryForm({ category, onClose, onMade }: CategoryFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`category-${category?.CategoryId ?? 'new'}`, category, categoryDraft)
  const { draft, base } = editing
  const [tried, setTried] = useState(false)
  const saving = useCategorySave(editing, onMade)
  const wrong = wrongInCategory(draft)
  const save = (): void => {
    setTried(true)
    if (!saving.busy && Object.keys(wrong).length === 0) saving.run(draft, base)
  }
  const { theirs } = saving
  return (
    <>
      <Panel
        title={category?.Name ?? t('categoryNew')}
        onClose={onClose}
        onSubmit={save}
        foot={
          <SaveFoot
            save={t(category === null ? 'categoryMake' : 'save')}
            busy={saving.busy && theirs === null}
            why={editing.changed || category === null ? undefined : t('nothingChanged')}
            onDrop={editing.changed ? () => editing.begin(category) : undefined}
          />
        }
      >
        {editing.restored && <Restored onDrop={() => editing.begin(category)} />}
        <CategoryFields editing={editing} wrong={tried ? wrong : {}} taken={isNameTaken(saving.error)} />
        {category !== null && draft.RetentionDays !== category.RetentionDays && draft.RetentionDays !== 0 && (
          <RetentionChange
            supposition={{ Category: { CategoryId: category.CategoryId, RetentionDays: draft.RetentionDays } }}
          />
        )}
        {saving.error !== null && !isNameTaken(saving.error) && <Problem error={saving.error} title={t('notSaved')} />}
      </Panel>
      {theirs !== null && (
        <ConflictDialog
          key={theirs.ConcurrencyId}
          was={categoryDraft(base)}
          theirs={categoryDraft(theirs)}
          yours={draft}
          fields={wordsOf(t)}
          by={theirs.LastModifiedBy}
          at={theirs.LastModifiedUtcTime}
          busy={saving.busy}
          onSave={(chosen) => saving.run(chosen, theirs)}
          onClose={saving.dismiss}
        />
      )}
    </>
  )
}

function useCategorySave(editing: Editing<Category | null, CategoryDraft>, onMade: (category: Category) => void) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const key = useRef(newKey())
  return useSave<Category | null, CategoryDraft>({
    save: async (typed, onto) => {
      const body = categoryMembers(typed)
      const saved =
        onto === null
          ? await call(contract.createCategory, { params: { tenantId: tenant }, body, idempotencyKey: key.current })
          : await call(contract.updateCategory, {
              params: { tenantId: tenant, categoryId: onto.CategoryId },
              body: { ...body, ConcurrencyId: onto.ConcurrencyId },
            })
      key.current = newKey()
      editing.begin(onto === null ? null : saved)
      refresh('categories')
      toasts.show({ text: t(onto === null ? 'madeToast' : 'savedToast', { name: saved.Name }) })
      if (onto === null) onMade(saved)
    },
    load: () =>
      call(contract.getCategory, { params: { tenantId: tenant, categoryId: editing.base?.CategoryId ?? '' } }),
  })
}

interface FieldsProps {
  readonly editing: { readonly draft: CategoryDraft; readonly set: (change: Partial<CategoryDraft>) => void }
  readonly wrong: ReturnType<typeof wrongInCategory>
  readonly taken: boolean
}

function CategoryFields({ editing: { draft, set }, wrong, taken }: FieldsProps) {
  const { t } = useTranslation('administration')
  const kept = draft.RetentionDays === null
  return (
    <>
      <TextField
        label={t('name')}
        required
        value={draft.Name}
        onChange={(Name) => set({ Name })}
        error={wrong.Name !== undefined ? t(wrong.Name) : taken ? t('refusedNameTaken') : undefined}
      />
      <TextArea
        label={t('description')}
        rows={3}
        value={draft.Description}
        onChange={(Description) => set({ Description })}
      />
      <RadioGroup
        label={t('retention')}
        value={kept ? 'always' : 'days'}
        onChange={(choice) => set({ RetentionDays: choice === 'always' ? null : 0 })}
        options={[
          { id: 'always', label: t('keptAlways'), description: t('keptAlwaysHow') },
          { id: 'days', label: t('keptFor'), description: t('keptForHow') },
        ]}
      />
      {!kept && (
        <NumberField
          label={t('days')}
          min={1}
          max={36_525}
          required
          value={draft.RetentionDays === 0 ? Number.NaN : (draft.RetentionDays ?? Number.NaN)}
          onChange={(days) => set({ RetentionDays: Number.isNaN(days) ? 0 : days })}
          error={wrong.RetentionDays === undefined ? undefined : t(wrong.RetentionDays)}
        />
      )}
      <TextField
        label={t('color')}
        description={t('colorHow')}
        value={draft.Color}
        onChange={(Color) => set({ Color })}
        maxLength={64}
      />
      <Checkbox checked={draft.Enabled} onChange={(Enabled) => set({ Enabled })} description={t('categoryEnabledHow')}>
        {t('inUse')}
      </Checkbox>
    </>
  )
}

const wordsOf = (t: Words): FieldWords<CategoryDraft> => {
  const text = (value: string): string => (value === '' ? t('nothing') : value)
  return {
    Name: { label: t('name'), words: text },
    Description: { label: t('description'), words: text },
    Color: { label: t('color'), words: text },
    RetentionDays: { label: t('retention'), words: (days) => keptWords(days, t) },
    Enabled: { label: t('state'), words: (enabled) => t(enabled ? 'inUse' : 'disabled') },
  }
}
