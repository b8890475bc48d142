/** What the template of a tenant says of cases or of evidence: other names of fields, and fields of its own (decisions 7). */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as templates from '../../shared/templates/contract.ts'
import type { CustomField } from '../../shared/templates/custom-fields.ts'
import { call } from './api.ts'
import { useIsMember, useSession } from './session.tsx'

export interface Template {
  /** What the first of these field ids that the template names is called. */
  readonly named: (ids: readonly (string | undefined)[]) => string | undefined
  /** In the order of the template. */
  readonly custom: readonly CustomField[]
  /** Whether the template is known: until then no field counts as removed from it. */
  readonly known: boolean
}

/** It changes seldom. */
const FRESH_MS = 60_000

export function useTemplate(type: (typeof templates.TEMPLATE_TYPES)[number]): Template {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['templates', tenant],
    staleTime: FRESH_MS,
    enabled: member,
    queryFn: ({ signal }) => call(templates.listTemplates, { params: { tenantName: tenant }, signal }),
  })
  return useMemo(() => {
    const template = data?.find((one) => one.type === type)
    const names = new Map(template?.renamedFields.map(({ fieldId, customName }) => [fieldId, customName]))
    return {
      named: (ids) => ids.map((id) => names.get(id ?? '')).find((name) => name !== undefined),
      custom: template?.customFields ?? [],
      known: data !== undefined,
    }
  }, [data, type])
}
