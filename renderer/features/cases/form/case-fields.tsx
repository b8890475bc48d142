import { useTranslation } from 'react-i18next'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Select } from '../../../ui/select/select.tsx'
import { type Category, type Department, useCategories, useDepartments, usePrefilled } from '../queries.ts'
import { type CaseFields as Fields, useCaseFields } from '../labels.ts'
import { keptWords } from '../people-labels.ts'
import type { Draft } from './fields.ts'
import styles from './form.module.css'
import { CustomInput, OfferedArea, OfferedText } from './inputs.tsx'
import { TagsField } from './tags-field.tsx'
import type { CaseForm } from './use-case-form.ts'

interface CaseFieldsProps {
  readonly form: CaseForm
  /** Departments change with Manage alone (decisions 4). */
  readonly mayDepartment: boolean
}

/** Everything that describes a case, under the names that this station gives it. */
export function CaseFields({ form, mayDepartment }: CaseFieldsProps) {
  const { t } = useTranslation('cases')
  const fields = useCaseFields()
  const offered = usePrefilled()
  const { draft, set, wrong } = form
  const errorOf = (name: string): string | undefined => {
    const problem = wrong[name]
    return problem === undefined ? undefined : t(problem)
  }
  const text = (name: 'Title' | 'Description' | 'ExternalReferenceId1' | 'ExternalReferenceId2' | 'LocationText') => ({
    label: fields.label(name),
    value: draft[name],
    onChange: (value: string): void => set({ [name]: value }),
    offered: offered.get(name) ?? [],
    error: errorOf(name),
  })
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <div data-field="Title">
          <OfferedText {...text('Title')} required autoFocus />
        </div>
        <OfferedArea {...text('Description')} rows={7} />
        <TagsField
          label={fields.label('Tags')}
          tags={draft.Tags}
          onChange={(Tags) => set({ Tags })}
          offered={offered.get('Tags') ?? []}
        />
        <Custom form={form} fields={fields} offered={offered} />
      </div>
      <div className={styles['column']}>
        <Times form={form} fields={fields} errorOf={errorOf} />
        <OfferedText {...text('LocationText')} />
        <div data-field="Position">
          <TextField
            label={fields.label('Position')}
            value={draft.Position}
            onChange={(Position) => set({ Position })}
            description={t('positionHow')}
            error={errorOf('Position')}
          />
        </div>
        <div className={styles['pair']}>
          <div data-field="ExternalReferenceId2">
            <OfferedText {...text('ExternalReferenceId2')} />
          </div>
          <div data-field="ExternalReferenceId1">
            <OfferedText {...text('ExternalReferenceId1')} />
          </div>
        </div>
        <Grouping draft={draft} set={set} fields={fields} mayDepartment={mayDepartment} />
      </div>
    </div>
  )
}

interface PartProps {
  readonly form: CaseForm
  readonly fields: Fields
}

function Times({ form, fields, errorOf }: PartProps & { readonly errorOf: (name: string) => string | undefined }) {
  const { zone } = useFormat()
  const { draft, set } = form
  return (
    <div className={styles['pair']}>
      {(['OccurredOn', 'EndedOn'] as const).map((name) => (
        <div key={name} data-field={name}>
          <DateTimeField
            label={fields.label(name)}
            zone={zone}
            value={draft[name] === '' ? null : draft[name]}
            onChange={(at) => set({ [name]: at ?? '' })}
            error={errorOf(name)}
          />
        </div>
      ))}
    </div>
  )
}

const NONE = 'none'

function Grouping({
  draft,
  set,
  fields,
  mayDepartment,
}: Pick<CaseForm, 'draft' | 'set'> & { readonly fields: Fields; readonly mayDepartment: boolean }) {
  const { t } = useTranslation('cases')
  const { data: categories = [] } = useCategories()
  const { data: departments = [] } = useDepartments()
  return (
    <>
      {(categories.length > 0 || draft.CategoryId !== '') && (
        <Select
          label={fields.label('CategoryId')}
          value={draft.CategoryId === '' ? NONE : draft.CategoryId}
          onChange={(id) => set({ CategoryId: id === NONE ? '' : id })}
          options={[{ id: NONE, label: t('noCategory') }, ...categoryOptions(categories, draft, t)]}
        />
      )}
      {(departments.length > 0 || draft.DepartmentId !== '') && (
        <Select
          label={fields.label('DepartmentId')}
          value={draft.DepartmentId === '' ? null : draft.DepartmentId}
          placeholder={t('departmentStandard')}
          onChange={(DepartmentId) => set({ DepartmentId })}
          why={mayDepartment ? undefined : t('needsManage')}
          description={mayDepartment ? t('departmentHow') : undefined}
          options={departmentOptions(departments, draft, t)}
        />
      )}
    </>
  )
}

type Words = ReturnType<typeof useTranslation<'cases'>>['t']

/** A disabled one is shown where the case has it already, and takes no new one. */
const categoryOptions = (categories: readonly Category[], { CategoryId }: Draft, t: Words) =>
  categories
    .filter((one) => one.Enabled || one.CategoryId === CategoryId)
    .map((one) => ({
      id: one.CategoryId,
      label: visible(one.Name),
      note: keptWords(one.RetentionDays, t),
    }))

const departmentOptions = (departments: readonly Department[], { DepartmentId }: Draft, t: Words) =>
  departments
    .filter((one) => one.Enabled || one.DepartmentId === DepartmentId)
    .map((one) => ({
      id: one.DepartmentId,
      label: visible(one.Name),
      ...(one.IsDefault ? { note: t('departmentDefault') } : {}),
    }))

/** Those of the template by their type; what the case holds of fields that are none any more stays below them. */
function Custom({ form, fields, offered }: PartProps & { readonly offered: ReadonlyMap<string, readonly string[]> }) {
  const { t } = useTranslation('cases')
  const { draft, set } = form
  const put = (name: string, value: string): void => set({ CustomFields: { ...draft.CustomFields, [name]: value } })
  const known = new Set(fields.custom.map(({ name }) => name))
  const removed = Object.entries(draft.CustomFields).filter(([name]) => !known.has(name))
  return (
    <>
      {fields.custom.map((field) => (
        <CustomInput
          key={field.name}
          field={field}
          value={draft.CustomFields[field.name] ?? ''}
          onChange={(value) => put(field.name, value)}
          offered={offered.get(field.name) ?? []}
        />
      ))}
      {removed.map(([name, value]) => (
        <TextField
          key={name}
          label={visible(name)}
          value={value}
          onChange={(next) => put(name, next)}
          description={fields.known ? t('fieldRemoved') : undefined}
        />
      ))}
    </>
  )
}
