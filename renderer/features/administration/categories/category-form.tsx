import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/categories.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import type { Category } from '../queries.ts'
import type { FieldWords } from '../editing/conflict-dialog.tsx'
import { NameField } from '../editing/name-field.tsx'
import { RecordPanel } from '../editing/record-panel.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useRecordSave } from '../editing/use-record-save.ts'
import { RetentionField } from '../retention/retention-field.tsx'
import { RetentionChange } from '../retention/retention-preview.tsx'
import { keptWords, type Words } from '../labels.ts'
import { type CategoryDraft, categoryDraft, categoryMembers, type WrongCategory, wrongInCategory } from './draft.ts'

interface CategoryFormProps {
  /** null: a new one. */
  readonly category: Category | null
  readonly onClose: () => void
  readonly onMade: (category: Category) => void
}

export function CategoryForm({ category, onClose, onMade }: CategoryFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`category-${category?.CategoryId ?? 'new'}`, category, categoryDraft)
  const saving = useCategorySave(editing, onMade)
  const { RetentionDays } = editing.draft
  return (
    <RecordPanel
      title={category?.Name ?? t('categoryNew')}
      record={category}
      make={t('categoryMake')}
      editing={editing}
      saving={saving}
      draftOf={categoryDraft}
      words={wordsOf(t)}
      lastSave={(one) => ({ version: one.ConcurrencyId, by: one.LastModifiedBy, at: one.LastModifiedUtcTime })}
      wrong={wrongInCategory(editing.draft)}
      onClose={onClose}
    >
      {(wrong, taken) => (
        <>
          <CategoryFields editing={editing} wrong={wrong} taken={taken} />
          {category !== null && RetentionDays !== category.RetentionDays && RetentionDays !== 0 && (
            <RetentionChange supposition={{ Category: { CategoryId: category.CategoryId, RetentionDays } }} />
          )}
        </>
      )}
    </RecordPanel>
  )
}

function useCategorySave(editing: Editing<Category | null, CategoryDraft>, onMade: (category: Category) => void) {
  const { tenant: tenantId } = useSession()
  return useRecordSave<Category, CategoryDraft>({
    editing,
    make: (draft, idempotencyKey) =>
      call(contract.createCategory, { params: { tenantId }, body: categoryMembers(draft), idempotencyKey }),
    change: (draft, { CategoryId: categoryId, ConcurrencyId }) =>
      call(contract.updateCategory, {
        params: { tenantId, categoryId },
        body: { ...categoryMembers(draft), ConcurrencyId },
      }),
    load: ({ CategoryId: categoryId }) => call(contract.getCategory, { params: { tenantId, categoryId } }),
    nameOf: ({ Name }) => Name,
    refresh: 'categories',
    onMade,
  })
}

interface FieldsProps {
  readonly editing: Pick<Editing<Category | null, CategoryDraft>, 'draft' | 'set'>
  readonly wrong: WrongCategory
  readonly taken: boolean
}

function CategoryFields({ editing: { draft, set }, wrong, taken }: FieldsProps) {
  const { t } = useTranslation('administration')
  const { t: ui } = useTranslation('ui')
  return (
    <>
      <NameField value={draft.Name} onChange={(Name) => set({ Name })} wrong={wrong.Name} taken={taken} />
      <TextArea
        label={t('description')}
        rows={3}
        value={draft.Description}
        onChange={(Description) => set({ Description })}
        error={wrong.Description && ui(wrong.Description)}
      />
      <RetentionField
        days={draft.RetentionDays}
        onChange={(RetentionDays) => set({ RetentionDays })}
        wrong={wrong.RetentionDays}
      />
      <TextField
        label={t('color')}
        description={t('colorHow')}
        value={draft.Color}
        onChange={(Color) => set({ Color })}
        maxLength={contract.LONGEST_COLOR}
        error={wrong.Color && ui(wrong.Color)}
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
