import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getEvidenceSuggestions } from '../../../../shared/evidence/suggestions.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useEditing } from '../edit/editing.tsx'
import { customPart, type Part, valueOf } from '../edit/parts.ts'
import { dismissalKey, useDismissed } from './dismissed.ts'
import type { Suggestion } from './suggestion-words.ts'

export const partOf = ({ Field, CustomField }: Suggestion): Part => {
  if (Field === 'CustomFields') return customPart(CustomField ?? '')
  return Field === 'LocationWKT' ? 'Position' : Field
}

/** What is suggested for the evidence of the page and neither dismissed nor filled in; asked for only by whoever may change it. */
export function useSuggestions(): readonly Suggestion[] {
  const { tenant, session } = useSession()
  const { evidence, may } = useEditing()
  const { EvidenceId: evidenceId, ConcurrencyId: version } = evidence
  const owner = session.User?.PrincipalId ?? ''
  const dismissed = useDismissed()
  const { data } = useQuery({
    queryKey: ['evidence', evidenceId, 'suggestions', version],
    enabled: may,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getEvidenceSuggestions, { params: { tenantName: tenant, evidenceId }, signal }),
  })
  return useMemo(() => {
    if (!may) return []
    return (data?.Items ?? []).filter(
      (one) =>
        !dismissed.includes(dismissalKey(owner, evidenceId, one)) &&
        (one.Because !== 'empty' || valueOf(evidence, partOf(one)) === '') &&
        valueOf(evidence, partOf(one)) !== one.Value,
    )
  }, [data, may, dismissed, owner, evidenceId, evidence])
}
