import { useCallback, useState } from 'react'
import { keep, kept } from '../../client/preferences.ts'
import { useSession } from '../../client/session.tsx'

/** Which columns of a list this person sees in this browser. @param usual before anybody chose */
export function useChosenColumns(choice: 'evidenceColumns' | 'caseColumns', usual: readonly string[]) {
  const { session } = useSession()
  const person = session.User?.PrincipalId
  const [shown, setShown] = useState<readonly string[]>(() => kept(choice, person)?.split(',') ?? usual)
  const change = useCallback(
    (next: readonly string[]) => {
      setShown(next)
      keep(choice, next.join(','), person)
    },
    [choice, person],
  )
  return [shown, change] as const
}
