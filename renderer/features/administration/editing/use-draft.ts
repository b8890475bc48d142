/** What is typed into a form, from its first letter to the station's answer. */
import { useCallback, useEffect, useState } from 'react'
import { draftKept, keepDraft } from '../../../client/drafts.ts'
import { useSession } from '../../../client/session.tsx'
import { same } from '../../../ui/conflict/choice.ts'

export interface Editing<Base, Draft extends object> {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  /** As it was when the typing began. */
  readonly base: Base
  readonly changed: boolean
  /** What was typed before, in this tab, is here again. */
  readonly restored: boolean
  /** From here on: this state, and nothing typed into it. */
  readonly begin: (base: Base) => void
  /** From here on: this state, with what is typed on top. */
  readonly rebase: (base: Base) => void
}

interface Typed<Base, Draft> {
  readonly draft: Draft
  readonly base: Base
}

/** @param key under which what is typed is kept until it is saved; nothing secret may be in the draft */
export function useDraft<Base, Draft extends object>(
  key: string,
  now: Base,
  draftOf: (base: Base) => Draft,
): Editing<Base, Draft> {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const [kept] = useState(() => keptIn<Base, Draft>(draftKept(`administration-${key}`, owner), draftOf(now)))
  const [{ draft, base }, setTyped] = useState<Typed<Base, Draft>>(() => kept ?? { draft: draftOf(now), base: now })
  const changed = !same(draft, draftOf(base))
  useEffect(
    () => keepDraft(`administration-${key}`, owner, changed ? { draft, base } : undefined),
    [key, owner, changed, draft, base],
  )
  const set = useCallback(
    (change: Partial<Draft>) => setTyped((typed) => ({ ...typed, draft: { ...typed.draft, ...change } })),
    [],
  )
  return {
    draft,
    set,
    base,
    changed,
    restored: kept !== null && changed,
    begin: (next) => setTyped({ draft: draftOf(next), base: next }),
    rebase: (next) => setTyped((typed) => ({ ...typed, base: next })),
  }
}

/** What an older page kept may have other members: then it is not taken up. */
function keptIn<Base, Draft extends object>(value: unknown, like: Draft): Typed<Base, Draft> | null {
  if (typeof value !== 'object' || value === null || !('draft' in value) || !('base' in value)) return null
  const { draft } = value
  const whole =
    typeof draft === 'object' && draft !== null && Object.keys(like).every((member) => Object.hasOwn(draft, member))
  return whole ? (value as Typed<Base, Draft>) : null
}
