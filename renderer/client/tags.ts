/** Tags that this person can see, most used first: the station counts over what they may view and nothing else. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listTags } from '../../shared/evidence/contract.ts'
import { LONGEST_TAG } from '../../shared/kernel/fields.ts'
import { call } from './api.ts'
import { useSession } from './session.tsx'

const TYPING_PAUSE = 150
const OFFERED = '12'

/** @param asking false: nobody is in the field yet */
export function useTagsFound(text: string, asking = true) {
  const { tenant } = useSession()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim().slice(0, LONGEST_TAG)), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching } = useQuery({
    queryKey: ['tags', tenant, asked],
    placeholderData: keepPreviousData,
    enabled: asking,
    queryFn: ({ signal }) =>
      call(listTags, { params: { tenantName: tenant }, query: { text: asked, count: OFFERED }, signal }),
  })
  return { found: data ?? [], loading: isFetching }
}
