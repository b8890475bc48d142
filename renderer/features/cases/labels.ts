/** What the fields of a case are called at this station, and which fields of its own it has (decisions 7). */
import { useMemo } from 'react'
import { type CaseFieldName, fieldOf, isCaseField, templateIdOf } from '../../../shared/cases/fields.ts'
import { type Template, useTemplate } from '../../client/templates.ts'
import { useTranslation } from '../../client/translate.ts'

/** What has a name as a field has, beside the fields. */
const FURTHER = { Position: 'fieldPosition', Personnel: 'fieldPersonnel' } as const
export type FieldName = CaseFieldName | keyof typeof FURTHER

/** The ids under which the template may name a field; the first that it names counts. */
const templateIdsOf = (field: FieldName): readonly (string | undefined)[] =>
  isCaseField(field) ? [templateIdOf(field), fieldOf(field).alias] : field === 'Personnel' ? ['AssignedPersonnel'] : []

export interface CaseFields extends Pick<Template, 'custom' | 'known'> {
  readonly label: (field: FieldName) => string
}

export function useCaseFields(): CaseFields {
  const { t } = useTranslation('cases')
  const { named, custom, known } = useTemplate('Case')
  return useMemo(
    () => ({
      label: (field) => named(templateIdsOf(field)) ?? t(isCaseField(field) ? fieldOf(field).label : FURTHER[field]),
      custom,
      known,
    }),
    [named, custom, known, t],
  )
}
