/** Text that somebody types into a page or a dialog, kept letter by letter until it is sent: a reload or leaving the page loses none of it. */
import { useCallback, useMemo, useState } from 'react'
import { draftKept, keepDraft } from './drafts.ts'
import { useSession } from './session.tsx'

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Drafts of one place, each under its own name: the new note, and each note that is being changed. */
export interface TextDrafts {
  readonly kept: (name: string) => string | undefined
  /** @param text undefined: sent or given up */
  readonly keep: (name: string, text: string | undefined) => void
}

export function useTextDrafts(place: string): TextDrafts {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  return useMemo(
    () => ({
      kept: (name) => textIn(draftKept(`${place}-${name}`, owner)),
      keep: (name, text) => keepDraft(`${place}-${name}`, owner, text === '' ? undefined : text),
    }),
    [place, owner],
  )
}

/**
 * As useState with a text. Never for a secret.
 * @param key what the text is about; another one begins with what is kept under it when the part is drawn anew
 * @returns the text, how to change it, and how to forget it once it was sent
 */
export function useTextDraft(key: string): readonly [string, (text: string) => void, () => void] {
  const { kept, keep } = useTextDrafts('text')
  const [text, setText] = useState(() => kept(key) ?? '')
  const change = useCallback(
    (next: string) => {
      setText(next)
      keep(key, next)
    },
    [key, keep],
  )
  const forget = useCallback(() => {
    setText('')
    keep(key, undefined)
  }, [key, keep])
  return [text, change, forget]
}
