/** The parts of one evidence that are open for change in this tab: what is typed, what is under way, and what the station refused. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../../client/session.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { type Draft, type Drafts, keepDrafts, keptDrafts } from './drafts.ts'
import type { Beside, Part } from './parts.ts'

export interface OpenParts {
  readonly drafts: Drafts
  /** What the station refused last, by part. */
  readonly failures: ReadonlyMap<Part, Error>
  /** Parts that somebody wanted to save: what is wrong in them is said. */
  readonly tried: ReadonlySet<Part>
  readonly busy: ReadonlySet<Part>
}

/** The same functions as long as the page shows the evidence. */
export interface OpenPartActs {
  /** As typed by now, for what runs later. */
  readonly typed: () => Drafts
  readonly put: (draft: Draft) => void
  readonly change: (part: Part, change: { readonly value?: string; readonly beside?: Beside }) => void
  readonly close: (...parts: readonly Part[]) => void
  readonly markTried: (part: Part) => void
  /** Runs an act for the parts: busy meanwhile, and its failure stands at each of them. */
  readonly working: (parts: readonly Part[], act: () => Promise<void>) => Promise<void>
}

/** @param refresh asks for the record anew: its rights may be others after a failure */
export function useOpenParts(evidenceId: string, refresh: () => void): { parts: OpenParts; acts: OpenPartActs } {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const [drafts, setDrafts] = useState<Drafts>(() => keptDrafts(evidenceId, owner))
  const [failures, setFailures] = useState<ReadonlyMap<Part, Error>>(new Map())
  const [tried, setTried] = useState<ReadonlySet<Part>>(new Set())
  const [busy, setBusy] = useState<ReadonlySet<Part>>(new Set())
  useEffect(() => keepDrafts(evidenceId, owner, drafts), [evidenceId, owner, drafts])
  const now = useRef(drafts)
  now.current = drafts
  const closed = useFocusAfterClosing(drafts)

  const acts = useMemo<OpenPartActs>(
    () => ({
      typed: () => now.current,
      put: (draft) => setDrafts((all) => new Map(all).set(draft.part, draft)),
      change: (part, { value, beside }) =>
        setDrafts((all) => {
          const draft = all.get(part)
          if (draft === undefined) return all
          const next = { ...draft, value: value ?? draft.value, beside: { ...draft.beside, ...beside } }
          return new Map(all).set(part, next)
        }),
      close: (...parts) => {
        setDrafts((all) => without(all, ...parts))
        setFailures((all) => without(all, ...parts))
        setTried((all) => withoutAny(all, parts))
        closed(now.current.get(parts[0] ?? 'Tags') ?? null)
      },
      markTried: (part) => setTried((all) => new Set([...all, part])),
      working: async (parts, act) => {
        setBusy((all) => new Set([...all, ...parts]))
        setFailures((all) => without(all, ...parts))
        try {
          await act()
        } catch (failure) {
          const error = asError(failure)
          setFailures((all) => new Map([...all, ...parts.map((part) => [part, error] as const)]))
          if (!(error instanceof TypeError)) refresh()
        } finally {
          setBusy((all) => withoutAny(all, parts))
        }
      },
    }),
    [closed, refresh],
  )
  return { parts: { drafts, failures, tried, busy }, acts }
}

const without = <K, V>(map: ReadonlyMap<K, V>, ...keys: readonly K[]): ReadonlyMap<K, V> =>
  new Map([...map].filter(([key]) => !keys.includes(key)))

const withoutAny = <T>(set: ReadonlySet<T>, gone: readonly T[]): ReadonlySet<T> =>
  new Set([...set].filter((one) => !gone.includes(one)))

/** @returns to be called with what was closed: the focus goes to what opened it, once its field has gone */
function useFocusAfterClosing(drafts: Drafts): (draft: Draft | null) => void {
  const closed = useRef<Draft | null>(null)
  useEffect(() => {
    const draft = closed.current
    if (draft === null || drafts.has(draft.part)) return
    closed.current = null
    focusOpener(draft)
  }, [drafts])
  return useMemo(
    () => (draft) => {
      closed.current = draft
    },
    [],
  )
}

/** Where the field was that has gone: what opened it, unless somebody has gone on already. */
function focusOpener({ part, place }: Pick<Draft, 'part' | 'place'>): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const at = document.querySelector<HTMLElement>(`[data-edit="${CSS.escape(part)}"][data-place="${place}"]`)
  ;(at?.matches('button') === true ? at : at?.querySelector<HTMLElement>('button'))?.focus()
}
