/** What the fields of a case are called at this station, and which fields of its own it has (decisions 7). */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import * as templates from '../../../shared/templates/contract.ts'
import { call } from '../../client/api.ts'
import { useIsMember, useSession } from '../../client/session.tsx'

export type CustomField = z.output<typeof templates.TemplateModel>['customFields'][number]

/** Fields with a name that a station may change, and what they are called otherwise. */
const WORDS = {
  Title: 'fieldTitle',
  Description: 'fieldDescription',
  CategoryId: 'fieldCategory',
  DepartmentId: 'fieldDepartment',
  OccurredOn: 'fieldOccurred',
  EndedOn: 'fieldEnded',
  ExternalReferenceId1: 'fieldRecord',
  ExternalReferenceId2: 'fieldIncident',
  LocationText: 'fieldLocation',
  Position: 'fieldPosition',
  Tags: 'fieldTags',
  Personnel: 'fieldPersonnel',
} as const
export type FieldName = keyof typeof WORDS

/** Under which ids the template renames them; the first that is there counts. */
const RENAMED: Readonly<Partial<Record<FieldName, readonly string[]>>> = {
  Title: ['Title'],
  Description: ['Description'],
  CategoryId: ['Category'],
  DepartmentId: ['Department'],
  OccurredOn: ['OccurredOn'],
  EndedOn: ['EndedOn'],
  ExternalReferenceId1: ['RecordNumber'],
  ExternalReferenceId2: ['IncidentNumber', 'CadNumberTitle'],
  LocationText: ['Location'],
  Tags: ['TagsTitle'],
  Personnel: ['AssignedPersonnel'],
}

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
        RENAMED[field]?.map((id) => names.get(id)).find((name) => name !== undefined) ?? t(WORDS[field]),
      custom: template?.customFields ?? [],
      known: data !== undefined,
    }
  }, [data, t])
}
