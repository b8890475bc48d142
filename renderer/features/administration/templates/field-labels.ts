import { CASE_FIELD_NAMES, fieldOf, templateIdOf } from '../../../../shared/cases/fields.ts'
import type { FieldType } from '../../../../shared/templates/custom-fields.ts'
import { translate } from '../../../client/translate.ts'
import type { Words } from '../labels.ts'

/** What the station calls its own fields. A field of a case that is not named here is called as on the pages of cases. */
const WORDS = {
  Title: 'fieldTitle',
  Name: 'name',
  Description: 'description',
  DescriptionTitle: 'fieldDescriptionTitle',
  TagsTitle: 'fieldTags',
  CadNumberTitle: 'fieldCad',
  RecordNumber: 'fieldRecord',
  IncidentNumber: 'fieldIncident',
  OccurredOn: 'fieldOccurred',
  EndedOn: 'fieldEnded',
  StartTime: 'fieldStart',
  EndTime: 'fieldEnd',
  Location: 'fieldLocation',
  Category: 'fieldCategory',
  Department: 'fieldDepartment',
  AssignedPersonnel: 'fieldPersonnel',
  Device: 'fieldDevice',
} as const

/** An id that nothing here knows stays readable as it is. */
export const fieldWords = (id: string, t: Words): string => {
  const key = WORDS[id as keyof typeof WORDS]
  if (key !== undefined) return t(key)
  const name = CASE_FIELD_NAMES.find((one) => templateIdOf(one) === id)
  return name === undefined ? id : translate('cases', fieldOf(name).label)
}

const TYPES = {
  Text: 'typeText',
  Number: 'typeNumber',
  Date: 'typeDate',
  Boolean: 'typeBoolean',
  Choice: 'typeChoice',
} as const
export const fieldTypeWords = (type: FieldType, t: Words): string => t(TYPES[type])
