/** The parts of an evidence that are open for change, from the first letter to the station's answer; for everything on its page. */
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { asError } from '../../../ui/problem/as-error.ts'
import { type TagChange, tagsBack, withTags } from '../../../ui/tags/tags.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Evidence } from '../page/queries.ts'
import { type Conflict, ConflictOfParts } from './conflict.tsx'
import { type Draft, type Drafts, isTyped, keepDrafts, keptDrafts, type Place } from './drafts.ts'
import { type Fields, useFields } from './fields.ts'
import {
  type Beside,
  joined,
  type Part,
  type Patch,
  patchOf,
  restoringPatch,
  tidied,
  valueOf,
  type Wrong,
  wrongIn,
} from './parts.ts'
import { type Sent, useSender } from './save.ts'

export interface Editing {
  readonly evidence: Evidence
  /** Whether this person may change it, as far as the page knows; what is open stays open when that is over. */
  readonly may: boolean
  readonly fields: Fields
  readonly drafts: Drafts
  /** What the station refused last, by part. */
  readonly failures: ReadonlyMap<Part, Error>
  readonly busy: ReadonlySet<Part>
  /** The part that was opened last: its field takes the focus. */
  readonly opened: Part | null
  readonly wrongOf: (part: Part) => Wrong | null
  readonly begin: (part: Part, place: Place) => void
  readonly type: (part: Part, value: string) => void
  readonly beside: (part: Part, beside: Beside) => void
  readonly giveUp: (part: Part) => void
  /** Nothing of it is left to save. */
  readonly finish: (part: Part) => void
  /** @param value in place of what is typed: chosen from a list */
  readonly save: (part: Part, value?: string) => void
  readonly changeTags: (change: TagChange, said: string) => void
  /** A suggested value, with its source as the reason. What the station refuses is then open as if it had been typed. */
  readonly accept: (part: Part, value: string, reason: string) => void
}

const Context = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = use(Context)
  if (editing === null) throw new Error('useEditing outside EditingProvider')
  return editing
}

const without = <K, V>(map: ReadonlyMap<K, V>, ...keys: readonly K[]): ReadonlyMap<K, V> =>
  new Map([...map].filter(([key]) => !keys.includes(key)))

/** Where the field was that has gone: what opened it, unless somebody has gone on already. */
function focusOpener({ part, place }: Pick<Draft, 'part' | 'place'>): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  const at = document.querySelector<HTMLElement>(`[data-edit="${CSS.escape(part)}"][data-place="${place}"]`)
  ;(at?.matches('button') === true ? at : at?.querySelector<HTMLElement>('button'))?.focus()
}

export function EditingProvider({ evidence, children }: { readonly evidence: Evidence; readonly children: ReactNode }) {
  const editing = useEditingOf(evidence)
  const { conflict, ...shown } = editing
  return (
    <Context value={shown}>
      {children}
      {conflict.now !== null && (
        <ConflictOfParts key={conflict.now.theirs.ConcurrencyId} {...conflict} conflict={conflict.now} />
      )}
    </Context>
  )
}

interface ConflictState {
  readonly now: Conflict | null
  readonly fields: Fields
  readonly busy: boolean
  readonly onSave: (mine: readonly Part[]) => void
  readonly onClose: () => void
}

function useEditingOf(evidence: Evidence): Editing & { readonly conflict: ConflictState } {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const { EvidenceId: evidenceId } = evidence
  const [drafts, setDrafts] = useState<Drafts>(() => keptDrafts(evidenceId, owner))
  const [failures, setFailures] = useState<ReadonlyMap<Part, Error>>(new Map())
  const [tried, setTried] = useState<ReadonlySet<Part>>(new Set())
  const [busy, setBusy] = useState<ReadonlySet<Part>>(new Set())
  const [opened, setOpened] = useState<Part | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const fields = useFields()
  const sender = useSender(evidence)
  const said = useSaid(fields)
  useEffect(() => keepDrafts(evidenceId, owner, drafts), [evidenceId, owner, drafts])
  // What runs later must see what is typed by then.
  const now = useRef({ drafts, custom: fields.custom })
  now.current = { drafts, custom: fields.custom }

  const put = useCallback((draft: Draft) => setDrafts((all) => new Map(all).set(draft.part, draft)), [])
  const closed = useRef<Draft | null>(null)
  useEffect(() => {
    const draft = closed.current
    if (draft === null || drafts.has(draft.part)) return
    closed.current = null
    focusOpener(draft)
  }, [drafts])
  const change = useCallback(
    (part: Part, { value, beside }: { readonly value?: string; readonly beside?: Beside }) =>
      setDrafts((all) => {
        const draft = all.get(part)
        if (draft === undefined) return all
        const next = { ...draft, value: value ?? draft.value, beside: { ...draft.beside, ...beside } }
        return new Map(all).set(part, next)
      }),
    [],
  )
  const close = useCallback((...parts: readonly Part[]) => {
    setDrafts((all) => without(all, ...parts))
    setFailures((all) => without(all, ...parts))
    setTried((all) => new Set([...all].filter((one) => !parts.includes(one))))
    closed.current = now.current.drafts.get(parts[0] ?? 'Tags') ?? null
  }, [])

  const working = useCallback(
    async (parts: readonly Part[], act: () => Promise<void>): Promise<void> => {
      setBusy((all) => new Set([...all, ...parts]))
      setFailures((all) => without(all, ...parts))
      try {
        await act()
      } catch (failure) {
        const error = asError(failure)
        setFailures((all) => new Map([...all, ...parts.map((part) => [part, error] as const)]))
        // Its rights may be others by now.
        if (!(error instanceof TypeError)) sender.refresh()
      } finally {
        setBusy((all) => new Set([...all].filter((one) => !parts.includes(one))))
      }
    },
    [sender],
  )

  /** Saved: what was typed while it was under way stays open. */
  const saved = useCallback(
    (sent: Sent & { readonly done: true }, parts: readonly Part[]) => {
      const goneOn = parts.filter((part) => {
        const draft = now.current.drafts.get(part)
        return draft !== undefined && busyTyping(draft, sent.after)
      })
      for (const part of goneOn) {
        const draft = now.current.drafts.get(part) as Draft
        put({ ...draft, was: valueOf(sent.after, part) })
      }
      close(...parts.filter((part) => !goneOn.includes(part)))
      if (sent.before.ConcurrencyId === sent.after.ConcurrencyId) return
      const isAsSaved = (onto: Evidence): boolean =>
        parts.every((part) => valueOf(onto, part) === valueOf(sent.after, part))
      said.saved(parts, () =>
        sender.send(
          (onto) => ({
            ...joined(...parts.map((part) => restoringPatch(onto, part, sent.before))),
            Reason: said.undoReason,
          }),
          (onto) => (isAsSaved(onto) ? 'go' : 'stop'),
        ),
      )
    },
    [close, put, said, sender],
  )

  const save = useCallback(
    (part: Part, chosen?: string): void => {
      const before = now.current.drafts.get(part)
      if (before === undefined || part === 'Tags') return
      const draft = chosen === undefined ? before : { ...before, value: chosen }
      put(draft)
      if (!isTyped(draft)) return close(part)
      setTried((all) => new Set([...all, part]))
      if (wrongIn(sender.latest(), part, draft.value, now.current.custom, draft.beside) !== null) return
      void working([part], async () => {
        const sent = await sender.send(
          (onto) => patchOf(onto, part, draft.value, draft.beside),
          (onto) => (tidied(part, valueOf(onto, part)) === tidied(part, draft.was) ? 'go' : 'stop'),
        )
        if (sent.done) return saved(sent, [part])
        if (tidied(part, valueOf(sent.now, part)) === tidied(part, draft.value)) return close(part)
        const differing = [...now.current.drafts.values()].filter((one) => isTyped(one) && differs(one, sent.now))
        setConflict({ theirs: sent.now, drafts: differing, changed: await sender.lastChange() })
      })
    },
    [close, put, saved, sender, working],
  )

  const resolve = useCallback(
    (mine: readonly Part[]): void => {
      if (conflict === null) return
      const { theirs } = conflict
      const seen = (onto: Evidence): boolean =>
        conflict.drafts.every(({ part }) => valueOf(onto, part) === valueOf(theirs, part))
      const all = conflict.drafts.map(({ part }) => part)
      const yours = conflict.drafts.filter(({ part }) => mine.includes(part))
      void working(all, async () => {
        try {
          const sent =
            yours.length === 0
              ? null
              : await sender.send(
                  (onto) => patchAll(onto, yours),
                  (onto) => (seen(onto) ? 'go' : 'stop'),
                )
          if (sent !== null && !sent.done)
            return setConflict({ ...conflict, theirs: sent.now, changed: await sender.lastChange() })
          setConflict(null)
          close(...all.filter((part) => !mine.includes(part)))
          if (sent !== null) saved(sent, mine)
        } catch (failure) {
          setConflict(null)
          throw failure
        }
      })
    },
    [close, conflict, saved, sender, working],
  )

  const changeTags = useCallback(
    (change: TagChange, words: string): void =>
      void working(['Tags'], async () => {
        const sent = await sender.send(
          (onto) => ({ Tags: [...withTags(onto.Tags, change)] }),
          () => 'go',
        )
        if (!sent.done || sent.before.ConcurrencyId === sent.after.ConcurrencyId) return
        const back = tagsBack(sent.before.Tags, sent.after.Tags)
        said.show(words, () =>
          sender.send(
            (onto) => ({ Tags: [...withTags(onto.Tags, back)] }),
            () => 'go',
          ),
        )
      }),
    [said, sender, working],
  )

  const accept = useCallback(
    (part: Part, value: string, reason: string): void => {
      const was = valueOf(sender.latest(), part)
      const beside = { reason, ...(part === 'StartTimeUtc' ? { moveEnd: true } : {}) }
      const open = (): void => {
        put({ part, place: 'details', was, value, beside, restored: false })
        setTried((all) => new Set([...all, part]))
      }
      if (wrongIn(sender.latest(), part, value, now.current.custom, beside) !== null) return open()
      void working([part], async () => {
        try {
          const sent = await sender.send(
            (onto) => ({ ...patchOf(onto, part, value, beside), Reason: reason }),
            (onto) => (valueOf(onto, part) === was ? 'go' : 'stop'),
          )
          if (sent.done) saved(sent, [part])
          else said.late(part)
        } catch (failure) {
          open()
          throw failure
        }
      })
    },
    [put, saved, said, sender, working],
  )

  const giveUp = useCallback(
    (part: Part): void => {
      const draft = now.current.drafts.get(part)
      close(part)
      if (draft !== undefined && isTyped(draft)) said.givenUp(part, () => put({ ...draft, restored: false }))
    },
    [close, put, said],
  )

  return useMemo(
    () => ({
      evidence,
      may: evidence.AccessorPermissions.includes('Edit') && evidence.LifecycleState !== 'Deleted',
      fields,
      drafts,
      failures,
      busy,
      opened,
      wrongOf: (part) => {
        const draft = drafts.get(part)
        if (draft === undefined || !tried.has(part)) return null
        return wrongIn(evidence, part, draft.value, fields.custom, draft.beside)
      },
      begin: (part, place) => {
        setOpened(part)
        if (now.current.drafts.has(part)) return
        const was = valueOf(sender.latest(), part)
        const beside = part === 'StartTimeUtc' ? { moveEnd: true } : {}
        put({ part, place, was, value: was, beside, restored: false })
      },
      type: (part, value) => {
        change(part, { value })
      },
      beside: (part, beside) => {
        change(part, { beside })
      },
      giveUp,
      finish: close,
      save,
      changeTags,
      accept,
      conflict: {
        now: conflict,
        fields,
        busy: busy.size > 0,
        onSave: resolve,
        onClose: () => setConflict(null),
      },
    }),
    [
      evidence,
      fields,
      drafts,
      failures,
      busy,
      opened,
      tried,
      conflict,
      sender,
      put,
      change,
      close,
      giveUp,
      save,
      changeTags,
      accept,
      resolve,
    ],
  )
}

/** Whether somebody typed on while it was saved. */
const busyTyping = ({ part, value }: Draft, after: Evidence): boolean =>
  tidied(part, value) !== tidied(part, valueOf(after, part)) &&
  part !== 'StartTimeUtc' &&
  part !== 'EndTimeUtc' &&
  part !== 'Position'

/** Whether somebody else changed what is typed here, to something else. */
const differs = ({ part, was, value }: Draft, theirs: Evidence): boolean => {
  const their = tidied(part, valueOf(theirs, part))
  return their !== tidied(part, was) && their !== tidied(part, value)
}

/** Several parts in one change: custom fields build on each other. */
function patchAll(onto: Evidence, drafts: readonly Draft[]): Patch {
  let record = onto
  const patches = drafts.map(({ part, value, beside }) => {
    const patch = patchOf(record, part, value, beside)
    if (patch.CustomFields) record = { ...record, CustomFields: patch.CustomFields }
    return patch
  })
  return joined(...patches)
}

type Back = () => Promise<Sent>

/** What is said of an act, with its way back. */
function useSaid({ label }: Fields) {
  const { t } = useTranslation('evidencePage')
  return useMemo(() => {
    const undo = (back: Back, field: string) => () =>
      back().then(({ done }) => {
        // Thrown, so that the undo list does not say that it is undone.
        if (!done) throw new Error(t('editUndoLate', { field }))
        toasts.show({ text: t('editUndone', { field }) })
      })
    const show = (text: string, back: Back, field = label('Tags')): void =>
      void toasts.show({ text, undo: undo(back, field) })
    return {
      undoReason: t('editUndoReason'),
      show,
      saved: (parts: readonly Part[], back: Back): void => {
        const field = parts.map(label).join(', ')
        show(t('editSaved', { field }), back, field)
      },
      late: (part: Part): void => void toasts.show({ text: t('editUndoLate', { field: label(part) }) }),
      givenUp: (part: Part, bringBack: () => void): void =>
        void toasts.show({ text: t('editGivenUp', { field: label(part) }), undo: bringBack }),
    }
  }, [t, label])
}
