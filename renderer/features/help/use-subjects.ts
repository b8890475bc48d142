import { useMemo } from 'react'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { aboutThis, SUBJECTS } from './subjects.ts'

export type Subject = (typeof SUBJECTS)[number]

/** @returns what of the help a person may do and a text is about, best first; everything for an empty text */
export function useSubjects(): (text: string) => readonly Subject[] {
  const { t } = useTranslation('help')
  const { session } = useSession()
  return useMemo(() => {
    const offered = SUBJECTS.filter((subject) => !('isOffered' in subject) || subject.isOffered(session))
    return (text) => aboutThis(offered, text, ({ id }) => ({ title: t(id), words: t(`${id}Words`) }))
  }, [t, session])
}
