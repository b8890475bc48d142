/** What the fields of a case are called at this station, and which fields of its own it has (decisions 7). */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import type { z } from 'zod'
import { type CaseFieldName, fieldOf, isCaseField, templateIdOf } from '../../../shared/cases/fields.ts'
import * as templates from '../../../shared/templates/contract.ts'
import { call } from '../../client/api.ts'
import { useIsMember, useSession } from '../../client/session.tsx'

export type CustomField = z.output<typeof templates.TemplateModel>['customFields'][number]

/** What has a name as a field has, beside the fields. */
const FURTHER = { Position: 'fieldPosition', Personnel: 'fieldPersonnel' } as const
export type FieldName = CaseFieldName | keyof typeof FURTHER

/** The ids under which the template may name a field; the first that it names counts. */
const templateIdsOf = (field: FieldName): readonly (string | undefined)[] =>
  isCaseField(field) ? [templateIdOf(field), fieldOf(field).alias] : field === 'Personnel' ? ['AssignedPersonnel'] : []

export interface CaseFields {
  readonly label: (field: FieldName) => string
  /** In the order of the template. */
  readonly custom: readonly CustomField[]
  /** Whether the template is known: until then no field counts as removed from it. */
  readonly known: boolean
}

const SELDOM = 60_000

export function useCaseFields(): CaseFields {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['templates', tenant],
    staleTime: SELDOM,
    enabled: member,
    queryFn: ({ signal }) => call(templates.listTemplates, { params: { tenantName: tenant }, signal }),
  })
  return useMemo(() => {
    const template = data?.find(({ type }) => type === 'Case')
    const names = new Map(template?.renamedFields.map(({ fieldId, customName }) => [fieldId, customName]))
    return {
      label: (field) =>
        templateIdsOf(field)
          .map((id) => names.get(id ?? ''))
          .find((name) => name !== undefined) ?? t(isCaseField(field) ? fieldOf(field).label : FURTHER[field]),
      custom: template?.customFields ?? [],
      known: data !== undefined,
    }
  }, [data, t])
}
