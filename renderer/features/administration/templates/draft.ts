/** A template as it is typed: new names for the station's own fields, and fields of its own (decisions 7). Pure. */
import type { z } from 'zod'
import { namesIn, templateIdOf } from '../../../../shared/cases/fields.ts'
import { Choice, FieldName, PutTemplateModel, type TemplateModel } from '../../../../shared/templates/contract.ts'
import { FIELD_TYPES, type FieldType } from '../../../../shared/templates/custom-fields.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import { type NameProblem, nameProblem } from '../editing/wrong-members.ts'

export type Template = z.output<typeof TemplateModel>
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

export type FieldProblem = NameProblem | 'nameTwice' | 'choicesMissing' | 'choiceTwice' | 'choiceWrong'

/** What the contract refuses: by the key of a field of its own, by the id of one that is called otherwise. */
export function wrongInTemplate(type: TemplateType, draft: TemplateDraft): ReadonlyMap<string, FieldProblem> {
  const wrong = new Map<string, FieldProblem>()
  const body = templateMembers(type, draft)
  for (const { path } of PutTemplateModel.safeParse(body).error?.issues ?? []) {
    const [list, at, member] = path
    const field = list === 'customFields' ? draft.fields[Number(at)] : undefined
    const key = field?.key ?? body.renamedFields[Number(at)]?.fieldId
    const problem = field === undefined ? 'nameWrong' : member === 'name' ? wrongName(field) : wrongChoices(field)
    // What no line shows, such as too many of them, is left to the station to say.
    if (key !== undefined && problem !== null && !wrong.has(key)) wrong.set(key, problem)
  }
  return wrong
}

const wrongName = ({ name }: TypedField): FieldProblem =>
  FieldName.safeParse(name.trim()).success ? 'nameTwice' : nameProblem(name)

function wrongChoices(field: TypedField): FieldProblem | null {
  const choices = choicesOf(field)
  if (choices.length === 0) return 'choicesMissing'
  if (new Set(choices.map(nameKey)).size < choices.length) return 'choiceTwice'
  return choices.every((choice) => Choice.safeParse(choice).success) ? null : 'choiceWrong'
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
