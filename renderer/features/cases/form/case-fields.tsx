import { type Translate, useTranslation } from '../../../client/translate.ts'
import { type CaseFieldName, fieldOf, namesIn } from '../../../../shared/cases/fields.ts'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { CustomInput, OfferedArea, OfferedText } from '../../../ui/offered/offered.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Select } from '../../../ui/select/select.tsx'
import { type Category, type Department, useCategories, useDepartments, usePrefilled } from '../queries.ts'
import { type CaseFields as Fields, useCaseFields } from '../labels.ts'
import { keptWords } from '../people-labels.ts'
import type { Draft } from '../fields.ts'
import { mostOf } from './wrong.ts'
import styles from './form.module.css'
import { TagsField } from './tags-field.tsx'
import type { CaseForm } from './use-case-form.ts'

type TextName = ReturnType<typeof namesIn<'title' | 'about' | 'place' | 'incident' | 'references'>>[number]

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
  const { draft, set } = form
  const errorOf = useErrorOf(form)
  const texts = (...names: readonly TextName[]) => <Texts form={form} fields={fields} offered={offered} names={names} />
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        {texts(...namesIn('title', 'about'))}
        <TagsField
          label={fields.label('Tags')}
          tags={draft.Tags}
          onChange={(Tags) => set({ Tags })}
          offered={offered.get('Tags') ?? []}
          error={errorOf('Tags')}
        />
        <Custom form={form} fields={fields} offered={offered} />
      </div>
      <div className={styles['column']}>
        <Times form={form} fields={fields} />
        {texts(...namesIn('place'))}
        <div data-field="Position">
          <TextField
            label={fields.label('Position')}
            value={draft.Position}
            onChange={(Position) => set({ Position })}
            description={t('positionHow')}
            error={errorOf('Position')}
          />
        </div>
        <div className={styles['pair']}>{texts(...namesIn('incident', 'references'))}</div>
        <Grouping draft={draft} set={set} fields={fields} mayDepartment={mayDepartment} />
      </div>
    </div>
  )
}

interface PartProps {
  readonly form: CaseForm
  readonly fields: Fields
}

interface OfferingProps extends PartProps {
  readonly offered: ReadonlyMap<string, readonly string[]>
}

function useErrorOf({ wrong }: CaseForm): (name: CaseFieldName | 'Position') => string | undefined {
  const { t } = useTranslation('cases')
  const format = useFormat()
  return (name) => {
    const problem = wrong[name]
    return problem === undefined ? undefined : t(problem, { most: format.count(mostOf(name, problem)) })
  }
}

function Texts({ form, fields, offered, names }: OfferingProps & { readonly names: readonly TextName[] }) {
  const errorOf = useErrorOf(form)
  return names.map((name) => {
    const { kind, rows } = fieldOf(name)
    const input = {
      label: fields.label(name),
      value: form.draft[name],
      onChange: (value: string): void => form.set({ [name]: value }),
      offered: offered.get(name) ?? [],
      error: errorOf(name),
    }
    const first = kind === 'title'
    return (
      <div key={name} data-field={name}>
        {rows === undefined ? (
          <OfferedText {...input} required={first} autoFocus={first} />
        ) : (
          <OfferedArea {...input} rows={rows} />
        )}
      </div>
    )
  })
}

function Times({ form, fields }: PartProps) {
  const errorOf = useErrorOf(form)
  const { zone } = useFormat()
  const { draft, set } = form
  return (
    <div className={styles['pair']}>
      {namesIn('times').map((name) => (
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

type Words = Translate<'cases'>

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
function Custom({ form, fields, offered }: OfferingProps) {
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
