/** The parts of an evidence that are open for change, from the first letter to the station's answer; for everything on its page. */
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react'
import { type TagChange, tagsBack, withTags } from '../../../ui/tags/tags.ts'
import type { Evidence } from '../page/queries.ts'
import { type Conflict, ConflictOfParts } from './conflict.tsx'
import { type Draft, isTyped, type Place } from './drafts.ts'
import { type Fields, useFields } from './fields.ts'
import { type OpenPartActs, type OpenParts, useOpenParts } from './open-parts.ts'
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
import { type Said, useSaid } from './said.ts'
import { type Sender, type Sent, useSender } from './save.ts'

export interface Editing extends Omit<OpenParts, 'tried'> {
  readonly evidence: Evidence
  /** Whether this person may change it, as far as the page knows; what is open stays open when that is over. */
  readonly may: boolean
  readonly fields: Fields
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

/** What the ways to save share; all of it stays the same while the page shows the evidence. */
interface Tools {
  readonly acts: OpenPartActs
  readonly sender: Sender
  readonly said: Said
  /** The custom fields by now. */
  readonly custom: () => Fields['custom']
}

function useEditingOf(evidence: Evidence): Editing & { readonly conflict: ConflictState } {
  const fields = useFields()
  const sender = useSender(evidence)
  const said = useSaid(fields)
  const { parts, acts } = useOpenParts(evidence.EvidenceId, sender.refresh)
  const [opened, setOpened] = useState<Part | null>(null)
  const custom = useRef(fields.custom)
  custom.current = fields.custom
  const tools = useMemo<Tools>(() => ({ acts, sender, said, custom: () => custom.current }), [acts, sender, said])
  const saved = useSaved(tools)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const save = useSave(tools, saved, setConflict)
  const resolve = useResolve(tools, saved, [conflict, setConflict])
  const changeTags = useChangeTags(tools)
  const accept = useAccept(tools, saved)

  const begin = useCallback(
    (part: Part, place: Place): void => {
      setOpened(part)
      if (acts.typed().has(part)) return
      const was = valueOf(sender.latest(), part)
      const beside = part === 'StartTimeUtc' ? { moveEnd: true } : {}
      acts.put({ part, place, was, value: was, beside, restored: false })
    },
    [acts, sender],
  )
  const giveUp = useCallback(
    (part: Part): void => {
      const draft = acts.typed().get(part)
      acts.close(part)
      if (draft !== undefined && isTyped(draft)) said.givenUp(part, () => acts.put({ ...draft, restored: false }))
    },
    [acts, said],
  )
  const wrongOf = (part: Part): Wrong | null => {
    const draft = parts.drafts.get(part)
    if (draft === undefined || !parts.tried.has(part)) return null
    return wrongIn(evidence, part, draft.value, fields.custom, draft.beside)
  }
  const { drafts, failures, busy } = parts
  return {
    evidence,
    may: evidence.AccessorPermissions.includes('Edit') && evidence.LifecycleState !== 'Deleted',
    fields,
    drafts,
    failures,
    busy,
    opened,
    wrongOf,
    begin,
    type: (part, value) => acts.change(part, { value }),
    beside: (part, beside) => acts.change(part, { beside }),
    giveUp,
    finish: acts.close,
    save,
    changeTags,
    accept,
    conflict: { now: conflict, fields, busy: busy.size > 0, onSave: resolve, onClose: () => setConflict(null) },
  }
}

type Done = Sent & { readonly done: true }
type Saved = (sent: Done, parts: readonly Part[]) => void

/** @returns to be called when parts are saved: what was typed while it was under way stays open */
function useSaved({ acts, sender, said }: Tools): Saved {
  return useCallback(
    (sent, parts) => {
      const goneOn = parts.filter((part) => {
        const draft = acts.typed().get(part)
        return draft !== undefined && busyTyping(draft, sent.after)
      })
      for (const part of goneOn) {
        const draft = acts.typed().get(part) as Draft
        acts.put({ ...draft, was: valueOf(sent.after, part) })
      }
      acts.close(...parts.filter((part) => !goneOn.includes(part)))
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
    [acts, said, sender],
  )
}

function useSave({ acts, sender, custom }: Tools, saved: Saved, onConflict: (found: Conflict) => void) {
  return useCallback(
    (part: Part, chosen?: string): void => {
      const before = acts.typed().get(part)
      if (before === undefined || part === 'Tags') return
      const draft = chosen === undefined ? before : { ...before, value: chosen }
      acts.put(draft)
      if (!isTyped(draft)) return acts.close(part)
      acts.markTried(part)
      if (wrongIn(sender.latest(), part, draft.value, custom(), draft.beside) !== null) return
      void acts.working([part], async () => {
        const sent = await sender.send(
          (onto) => patchOf(onto, part, draft.value, draft.beside),
          (onto) => (tidied(part, valueOf(onto, part)) === tidied(part, draft.was) ? 'go' : 'stop'),
        )
        if (sent.done) return saved(sent, [part])
        if (tidied(part, valueOf(sent.now, part)) === tidied(part, draft.value)) return acts.close(part)
        const differing = [...acts.typed().values()].filter((one) => isTyped(one) && differs(one, sent.now))
        onConflict({ theirs: sent.now, drafts: differing, changed: await sender.lastChange() })
      })
    },
    [acts, custom, onConflict, saved, sender],
  )
}

/** @returns ends the conflict: of the named parts yours counts, of the others theirs */
function useResolve(
  { acts, sender }: Tools,
  saved: Saved,
  [conflict, setConflict]: readonly [Conflict | null, (next: Conflict | null) => void],
) {
  return useCallback(
    (mine: readonly Part[]): void => {
      if (conflict === null) return
      const { theirs } = conflict
      const seen = (onto: Evidence): boolean =>
        conflict.drafts.every(({ part }) => valueOf(onto, part) === valueOf(theirs, part))
      const all = conflict.drafts.map(({ part }) => part)
      const yours = conflict.drafts.filter(({ part }) => mine.includes(part))
      void acts.working(all, async () => {
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
          acts.close(...all.filter((part) => !mine.includes(part)))
          if (sent !== null) saved(sent, mine)
        } catch (failure) {
          setConflict(null)
          throw failure
        }
      })
    },
    [acts, conflict, saved, sender, setConflict],
  )
}

function useChangeTags({ acts, sender, said }: Tools) {
  return useCallback(
    (change: TagChange, words: string): void =>
      void acts.working(['Tags'], async () => {
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
    [acts, said, sender],
  )
}

function useAccept({ acts, sender, said, custom }: Tools, saved: Saved) {
  return useCallback(
    (part: Part, value: string, reason: string): void => {
      const was = valueOf(sender.latest(), part)
      const beside = { reason, ...(part === 'StartTimeUtc' ? { moveEnd: true } : {}) }
      const open = (): void => {
        acts.put({ part, place: 'details', was, value, beside, restored: false })
        acts.markTried(part)
      }
      if (wrongIn(sender.latest(), part, value, custom(), beside) !== null) return open()
      void acts.working([part], async () => {
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
    [acts, custom, saved, said, sender],
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
