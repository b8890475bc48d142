/** What the people are called whom a case names: the record has their user names alone. */
import { createContext, type ReactNode, use, useMemo } from 'react'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { calledIn, markIn, NOBODY, type People, peopleAmong } from '../../client/people.ts'
import type { Who } from '../../client/principals.ts'
import { visible } from '../../ui/format/visible.ts'
import type { Words } from './people-labels.ts'
import type { Case } from './queries.ts'
import { managersOf } from './rights.ts'
import { useWork } from './work/queries.ts'

const Known = createContext<People | null>(NOBODY)

/** @param caseId of a case that the person can view */
export function CasePeople({ caseId, children }: { readonly caseId: string; readonly children: ReactNode }) {
  const { session } = useSession()
  const { data, error } = useWork(caseId)
  const self = session.User
  const known = useMemo(
    () => (data === undefined ? null : peopleAmong([...(self === null ? [] : [self]), ...data.People])),
    [data, self],
  )
  return <Known value={known ?? (error === null ? null : NOBODY)}>{children}</Known>
}

/** `D. Okafor`; the station by its own word, and whoever is not known by the user name. */
export function nameAmong(people: People, who: Who, t: Words): string {
  if (who.PrincipalId === '0') return t('theStation')
  const name = calledIn(people, who)
  return name === null ? t('somebody') : visible(name)
}

export function useNames() {
  const { t } = useTranslation('cases')
  const known = use(Known)
  return useMemo(() => {
    const people = known ?? NOBODY
    const nameOf = (who: Who): string => nameAmong(people, who, t)
    return {
      /** false: the names are asked for. */
      ready: known !== null,
      people,
      nameOf,
      markOf: (who: Who): string => markIn(people, who),
      /** Whom to ask for more, in words. */
      managers: (record: Case): string => managersOf(record).map(nameOf).join(', ') || t('anAdministrator'),
    }
  }, [known, t])
}
