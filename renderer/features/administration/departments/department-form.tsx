import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/departments.ts'
import { call, newKey } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Department, useRefresh } from '../data.ts'
import { ConflictDialog, type FieldWords } from '../editing/conflict-dialog.tsx'
import { Panel } from '../editing/panel.tsx'
import { Restored, SaveFoot } from '../editing/save-foot.tsx'
import { type Editing, useDraft } from '../editing/use-draft.ts'
import { useSave } from '../editing/use-save.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { AccessField, levelWords } from './access-field.tsx'
import { DefaultPart } from './default-part.tsx'
import { type DepartmentDraft, departmentDraft, departmentMembers, wrongInDepartment } from './draft.ts'

interface DepartmentFormProps {
  /** null: a new one. */
  readonly department: Department | null
  readonly onClose: () => void
  readonly onMade: (department: Department) => void
}

export function DepartmentForm({ department, onClose, onMade }: DepartmentFormProps) {
  const { t } = useTranslation('administration')
  const editing = useDraft(`department-${department?.DepartmentId ?? 'new'}`, department, departmentDraft)
  const { draft, base } = editing
  const [tried, setTried] = useState(false)
  const saving = useDepartmentSave(editing, onMade)
  const wrong = wrongInDepartment(draft)
  const save = (): void => {
    setTried(true)
    if (!saving.busy && Object.keys(wrong).length === 0) saving.run(draft, base)
  }
  const { theirs } = saving
  return (
    <>
      <Panel
        title={department?.Name ?? t('departmentNew')}
        onClose={onClose}
        onSubmit={save}
        foot={
          <SaveFoot
            save={t(department === null ? 'departmentMake' : 'save')}
            busy={saving.busy && theirs === null}
            why={editing.changed || department === null ? undefined : t('nothingChanged')}
            onDrop={editing.changed ? () => editing.begin(department) : undefined}
          />
        }
      >
        {editing.restored && <Restored onDrop={() => editing.begin(department)} />}
        <DepartmentFields
          editing={editing}
          wrong={tried ? wrong : {}}
          taken={isNameTaken(saving.error)}
          isDefault={department?.IsDefault === true}
        />
        {saving.error !== null && !isNameTaken(saving.error) && <Problem error={saving.error} title={t('notSaved')} />}
        {department !== null && <DefaultPart department={department} onChanged={editing.rebase} />}
      </Panel>
      {theirs !== null && (
        <ConflictDialog
          key={theirs.ConcurrencyId}
          was={departmentDraft(base)}
          theirs={departmentDraft(theirs)}
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

function useDepartmentSave(
  editing: Editing<Department | null, DepartmentDraft>,
  onMade: (department: Department) => void,
) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const key = useRef(newKey())
  return useSave<Department | null, DepartmentDraft>({
    save: async (typed, onto) => {
      const body = departmentMembers(typed)
      const saved =
        onto === null
          ? await call(contract.createDepartment, { params: { tenantId: tenant }, body, idempotencyKey: key.current })
          : await call(contract.updateDepartment, {
              params: { tenantId: tenant, departmentId: onto.DepartmentId },
              body: { ...body, ConcurrencyId: onto.ConcurrencyId },
            })
      key.current = newKey()
      editing.begin(onto === null ? null : saved)
      refresh('departments')
      toasts.show({ text: t(onto === null ? 'madeToast' : 'savedToast', { name: saved.Name }) })
      if (onto === null) onMade(saved)
    },
    load: () =>
      call(contract.getDepartment, {
        params: { tenantId: tenant, departmentId: editing.base?.DepartmentId ?? '' },
      }),
  })
}

interface FieldsProps {
  readonly editing: Pick<Editing<Department | null, DepartmentDraft>, 'draft' | 'set'>
  readonly wrong: ReturnType<typeof wrongInDepartment>
  readonly taken: boolean
  readonly isDefault: boolean
}

function DepartmentFields({ editing: { draft, set }, wrong, taken, isDefault }: FieldsProps) {
  const { t } = useTranslation('administration')
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
