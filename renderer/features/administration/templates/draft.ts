/** A template as it is typed: new names for the station's own fields, and fields of its own (decisions 7). Pure. */
import type { z } from 'zod'
import { namesIn, templateIdOf } from '../../../../shared/cases/fields.ts'
import type * as contract from '../../../../shared/templates/contract.ts'
import { FIELD_TYPES, type FieldType } from '../../../../shared/templates/custom-fields.ts'
import { nameKey, unusableName } from '../../../../shared/kernel/names.ts'

export type Template = z.output<typeof contract.TemplateModel>
export type TemplateType = Template['type']
export { FIELD_TYPES }

/** The fields that can be called otherwise, in the order of their form. */
export const RENAMEABLE = {
  Case: [
    ...namesIn('title', 'about', 'tags').map(templateIdOf),
    'CadNumberTitle',
    ...namesIn('references', 'incident', 'times', 'place', 'category', 'department').map(templateIdOf),
    'AssignedPersonnel',
  ],
  Evidence: [
    'Name',
    'Description',
    'DescriptionTitle',
    'TagsTitle',
    'StartTime',
    'EndTime',
    'Location',
    'Category',
    'Device',
  ],
} as const satisfies Record<TemplateType, readonly string[]>

export interface TypedField {
  /** Of the line in the form; a name may change while it is typed. */
  readonly key: string
  readonly name: string
  readonly type: FieldType
  /** One a line. */
  readonly choices: string
}

export interface TemplateDraft {
  /** By field id; absent or empty: called as usual. */
  readonly renamed: Readonly<Record<string, string>>
  readonly fields: readonly TypedField[]
}

/** @param template null where there is none yet */
export const templateDraft = (template: Template | null): TemplateDraft => ({
  renamed: Object.fromEntries((template?.renamedFields ?? []).map(({ fieldId, customName }) => [fieldId, customName])),
  fields: (template?.customFields ?? []).map(({ name, type, choices = [] }, at) => ({
    key: String(at),
    name,
    type,
    choices: choices.join('\n'),
  })),
})

export const choicesOf = ({ choices }: TypedField): readonly string[] =>
  choices
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type FieldProblem = 'nameMissing' | 'nameWrong' | 'nameTwice' | 'choicesMissing' | 'choiceTwice'

const twice = (names: readonly string[]): boolean => new Set(names.map(nameKey)).size < names.length

/** What is wrong with a field, by its line. */
export function wrongInFields(fields: readonly TypedField[]): ReadonlyMap<string, FieldProblem> {
  const wrong = new Map<string, FieldProblem>()
  fields.forEach((field, at) => {
    const name = field.name.trim()
    const choices = choicesOf(field)
    if (name === '') wrong.set(field.key, 'nameMissing')
    else if (unusableName(name) !== null) wrong.set(field.key, 'nameWrong')
    else if (fields.slice(0, at).some((other) => nameKey(other.name) === nameKey(name)))
      wrong.set(field.key, 'nameTwice')
    else if (field.type === 'Choice' && choices.length === 0) wrong.set(field.key, 'choicesMissing')
    else if (field.type === 'Choice' && twice(choices)) wrong.set(field.key, 'choiceTwice')
  })
  return wrong
}

/** As the station takes it, whole. */
export const templateMembers = (type: TemplateType, { renamed, fields }: TemplateDraft) => ({
  type,
  renamedFields: Object.entries(renamed)
    .filter(([, name]) => name.trim() !== '')
    .map(([fieldId, name]) => ({ fieldId, customName: name.trim() })),
  customFields: fields.map((field) => ({
    name: field.name.trim(),
    type: field.type,
    ...(field.type === 'Choice' ? { choices: [...choicesOf(field)] } : {}),
  })),
})

export function moved<One>(list: readonly One[], from: number, to: number): readonly One[] {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one === undefined || to < 0 || to >= list.length) return list
  next.splice(to, 0, one)
  return next
}
