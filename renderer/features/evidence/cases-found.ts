import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listCases } from '../../../shared/cases/case-list.contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'

const TYPING_PAUSE = 250
const MOST_FOUND = '30'

/**
 * Cases that one can view, found by what their titles and numbers say, a moment after the last key.
 * @returns `isCurrent`: they are those of this text. Until then nobody may choose one: it could be another case than the one that was typed.
 */
export function useCasesFound(text: string, more: { readonly state?: 'Open' } = {}) {
  const { tenant } = useSession()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery({
    queryKey: ['case-list', tenant, 'to-choose', more.state ?? null, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listCases, {
        params: { tenantId: tenant },
        query: { ...more, count: MOST_FOUND, ...(asked === '' ? {} : { text: asked }) },
        signal,
      }),
  })
  return {
    data: found.data,
    isFetching: found.isFetching,
    isCurrent: asked === text.trim() && !found.isPlaceholderData,
  }
}
