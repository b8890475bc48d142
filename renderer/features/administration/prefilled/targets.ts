import type { z } from 'zod'
import type * as contract from '../../../../shared/cases/prefilled-fields.contract.ts'
import type { Words } from '../labels.ts'

export type Prefilled = z.output<typeof contract.PrefilledFieldModel>

/** Fields of a case that take what the station offers; besides them any custom field by its name. */
export const TARGETS = [
  'Title',
  'Description',
  'Tags',
  'LocationText',
  'ExternalReferenceId1',
  'ExternalReferenceId2',
] as const
const WORDS = {
  Title: 'fieldTitle',
  Description: 'description',
  Tags: 'fieldTags',
  LocationText: 'fieldLocation',
  ExternalReferenceId1: 'fieldRecord',
  ExternalReferenceId2: 'fieldIncident',
} as const satisfies Record<(typeof TARGETS)[number], string>

export const targetWords = (target: string, t: Words): string => {
  const key = WORDS[target as keyof typeof WORDS]
  return key === undefined ? target : t(key)
}
