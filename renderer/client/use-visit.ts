import { useEffect } from 'react'
import { noteVisit, type Visit } from './recent.ts'
import { useSession } from './session.tsx'

/** Remembers that a page was looked at, once its name is known. */
export function useVisit(kind: Visit['kind'], id: string, title: string | undefined): void {
  const { session } = useSession()
  const person = session.User?.PrincipalId ?? ''
  useEffect(() => {
    if (title !== undefined && person !== '') noteVisit(person, { kind, id, title })
  }, [person, kind, id, title])
}
