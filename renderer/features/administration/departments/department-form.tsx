import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/departments.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { Department } from '../queries.ts'
import type { FieldWords } from '../editing/conflict-dialog.tsx'
import { NameField } from '../editing/name-field.tsx'
import { RecordPanel } from '../editing/record-panel.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useRecordSave } from '../editing/use-record-save.ts'
import type { Words } from '../labels.ts'
import { AccessField, levelWords } from './access-field.tsx'
import { DefaultPart } from './default-part.tsx'
import {
  type DepartmentDraft,
  departmentDraft,
  departmentMembers,
  type WrongDepartment,
  wrongInDepartment,
} from './draft.ts'

interface DepartmentFormProps {
  /** null: a new one. */
  readonly department: Department | null
  readonly onClose: () => void
  readonly onMade: (department: Department) => void
}

export function DepartmentForm({ department, onClose, onMade }: DepartmentFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`department-${department?.DepartmentId ?? 'new'}`, department, departmentDraft)
  const saving = useDepartmentSave(editing, onMade)
  return (
    <RecordPanel
      title={department?.Name ?? t('departmentNew')}
      record={department}
      make={t('departmentMake')}
      editing={editing}
      saving={saving}
      draftOf={departmentDraft}
      words={wordsOf(t)}
      lastSave={(one) => ({ version: one.ConcurrencyId, by: one.LastModifiedBy, at: one.LastModifiedUtcTime })}
      wrong={wrongInDepartment(editing.draft)}
      onClose={onClose}
      after={department !== null && <DefaultPart department={department} onChanged={editing.rebase} />}
    >
      {(wrong, taken) => (
        <DepartmentFields editing={editing} wrong={wrong} taken={taken} isDefault={department?.IsDefault === true} />
      )}
    </RecordPanel>
  )
}

function useDepartmentSave(
  editing: Editing<Department | null, DepartmentDraft>,
  onMade: (department: Department) => void,
) {
  const { tenant: tenantId } = useSession()
  return useRecordSave<Department, DepartmentDraft>({
    editing,
    make: (draft, idempotencyKey) =>
      call(contract.createDepartment, { params: { tenantId }, body: departmentMembers(draft), idempotencyKey }),
    change: (draft, { DepartmentId: departmentId, ConcurrencyId }) =>
      call(contract.updateDepartment, {
        params: { tenantId, departmentId },
        body: { ...departmentMembers(draft), ConcurrencyId },
      }),
    load: ({ DepartmentId: departmentId }) => call(contract.getDepartment, { params: { tenantId, departmentId } }),
    nameOf: ({ Name }) => Name,
    refresh: 'departments',
    onMade,
  })
}

interface FieldsProps {
  readonly editing: Pick<Editing<Department | null, DepartmentDraft>, 'draft' | 'set'>
  readonly wrong: WrongDepartment
  readonly taken: boolean
  readonly isDefault: boolean
}

function DepartmentFields({ editing: { draft, set }, wrong, taken, isDefault }: FieldsProps) {
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
      <AccessField
        access={draft.AccessPolicies}
        onChange={(AccessPolicies) => set({ AccessPolicies })}
        error={wrong.AccessPolicies === undefined ? undefined : t(wrong.AccessPolicies)}
      />
      <Checkbox
        checked={draft.Enabled}
        onChange={(Enabled) => set({ Enabled })}
        description={t('departmentEnabledHow')}
        why={isDefault ? t('refusedDefault') : undefined}
      >
        {t('inUse')}
      </Checkbox>
    </>
  )
}

const wordsOf = (t: Words): FieldWords<DepartmentDraft> => {
  const text = (value: string): string => (value === '' ? t('nothing') : value)
  return {
    Name: { label: t('name'), words: text },
    Description: { label: t('description'), words: text },
    AccessPolicies: {
      label: t('access'),
      words: (access) =>
        access.length === 0
          ? t('nothing')
          : access.map((one) => `${visible(one.Username)}: ${levelWords(one.Permissions, t)}`).join(', '),
    },
    Enabled: { label: t('state'), words: (enabled) => t(enabled ? 'inUse' : 'disabled') },
  }
}
