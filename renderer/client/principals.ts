/** People, groups and integrations, found by typing and named. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/identity/policies.contract.ts'
import { person } from '../ui/format/format.ts'
import { call } from './api.ts'
import { useSession } from './session.tsx'

export type Principal = z.output<typeof contract.PrincipalMatch>

const TYPING_PAUSE = 200

/** Asks once the typing pauses. Until the answer is there, of the last one only those who fit are given: Enter would choose somebody else. */
export function useFoundPrincipals(text: string): { readonly found: readonly Principal[]; readonly busy: boolean } {
  const { tenant } = useSession()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['principals', tenant, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.findPrincipals, { params: { tenantId: tenant }, query: { text: asked }, signal }),
  })
  const isCurrent = asked === text.trim() && !isPlaceholderData
  const found = data ?? []
  return { found: isCurrent ? found : found.filter((one) => fitsTyped(one, text)), busy: isFetching }
}

const words = (text: string): string[] => text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether each word that is typed begins one of theirs. */
export function fitsTyped(
  one: Pick<Principal, 'FirstName' | 'LastName' | 'Name' | 'Username' | 'Badge'>,
  text: string,
): boolean {
  const own = words([one.FirstName, one.LastName, one.Name, one.Username, one.Badge].join(' '))
  return words(text).every((typed) => own.some((word) => word.startsWith(typed)))
}

export const principalsFor = (tenant: string, text: string): Promise<Principal[]> =>
  call(contract.findPrincipals, { params: { tenantId: tenant }, query: { text } })

/** As people are called everywhere: `D. Okafor`. */
export const personName = (one: { readonly FirstName: string; readonly LastName: string; readonly Username: string }) =>
  person(one)

/** A person, group or integration as models name it. */
export interface Who {
  readonly Name?: string | null
  readonly Username?: string | null
  readonly PrincipalId?: string | null
}

/** @returns the station's own id as `station`, a name, or null where there is none */
export function nameIn({ Name, Username, PrincipalId }: Who, station: string): string | null {
  if (PrincipalId === '0') return station
  return [Name, Username].find((one) => typeof one === 'string' && one.trim() !== '') ?? null
}
