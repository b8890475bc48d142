import type { z } from 'zod'
import { namesIn, templateIdOf } from '../../../../shared/cases/fields.ts'
import type * as contract from '../../../../shared/cases/prefilled-fields.contract.ts'
import type { Words } from '../labels.ts'
import { fieldWords } from '../templates/field-labels.ts'

export type Prefilled = z.output<typeof contract.PrefilledFieldModel>

/** Fields of a case that take what the station offers; besides them any custom field by its name. */
export const TARGETS = namesIn('title', 'about', 'tags', 'place', 'references', 'incident')

export const targetWords = (target: string, t: Words): string => {
  const name = TARGETS.find((one) => one === target)
  return name === undefined ? target : fieldWords(templateIdOf(name), t)
}
