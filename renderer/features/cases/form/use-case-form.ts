/** What is typed into the form, from its first letter to the station's answer. */
import { useCallback, useEffect, useState } from 'react'
import { draftKept, keepDraft } from '../../../client/drafts.ts'
import { useSession } from '../../../client/session.tsx'
import type { Case } from '../queries.ts'
import { type Draft, draftOf, EMPTY, isChanged } from '../fields.ts'
import { type Wrong, wrongIn } from './wrong.ts'

export interface CaseForm {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
  /** The case as it was when the typing began; null for a new one. */
  readonly base: Case | null
  /** Shown once somebody tried to save. */
  readonly wrong: Wrong
  readonly changed: boolean
  /** What was typed before, in this tab, is here again. */
  readonly restored: boolean
  /** Looks at what is typed; the field that is wrong first gets the focus. @returns whether it can be sent */
  readonly check: () => boolean
  /** From here on: the case as it is now, and nothing typed into it. */
  readonly begin: (base: Case | null) => void
  /** Saved: nothing of it is kept. */
  readonly forget: () => void
}

interface Typed {
  readonly draft: Draft
  readonly base: Case | null
}

/** Two versions are never mixed: what was typed is kept with the case that it was typed into. */
function typedIn(value: unknown): Typed | null {
  if (typeof value !== 'object' || value === null || !('draft' in value) || !('base' in value)) return null
  const { draft } = value as { readonly draft: unknown }
  const whole =
    typeof draft === 'object' && draft !== null && Object.keys(EMPTY).every((member) => Object.hasOwn(draft, member))
  return whole ? (value as Typed) : null
}

const pristine = (base: Case | null): Typed => ({ draft: base === null ? EMPTY : draftOf(base), base })

/** @param key under which what is typed is kept until it is saved */
export function useCaseForm(key: string, now: Case | null): CaseForm {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const [kept] = useState(() => typedIn(draftKept(key, owner)))
  const [{ draft, base }, setTyped] = useState<Typed>(() => kept ?? pristine(now))
  const [tried, setTried] = useState(false)
  const [done, setDone] = useState(false)
  const changed = isChanged(draft, pristine(base).draft)
  useEffect(
    () => keepDraft(key, owner, changed && !done ? ({ draft, base } satisfies Typed) : undefined),
    [key, owner, changed, done, draft, base],
  )
  const set = useCallback(
    (change: Partial<Draft>) => setTyped((typed) => ({ ...typed, draft: { ...typed.draft, ...change } })),
    [],
  )
  const problems = wrongIn(draft)
  return {
    draft,
    set,
    base,
    wrong: tried ? problems : {},
    changed,
    restored: kept !== null,
    check: () => {
      setTried(true)
      const [name] = Object.keys(problems)
      if (name !== undefined)
        requestAnimationFrame(() =>
          document
            .querySelector<HTMLElement>(`[data-field="${name}"] :is(input, textarea, [role="spinbutton"])`)
            ?.focus(),
        )
      return name === undefined
    },
    begin: (next) => setTyped(pristine(next)),
    forget: () => {
      setDone(true)
      keepDraft(key, owner, undefined)
    },
  }
}
