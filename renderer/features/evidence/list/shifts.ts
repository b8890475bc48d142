/** Heads of the list: the shifts in which rows began. */
import { useCallback, useState } from 'react'
import { draftKept, keepDraft } from '../../../client/drafts.ts'
import { keep, kept } from '../../../client/preferences.ts'
import { useSession } from '../../../client/session.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { RowGroup } from '../../../ui/table/table.tsx'
import type { Words } from './columns.tsx'
import type { ShownShift } from './use-window.ts'

/** Whether rows stand under the shifts in which they began; kept for the person. */
export function useByShift() {
  const { session } = useSession()
  const person = session.User?.PrincipalId
  const [on, setOn] = useState(() => kept('shifts', person) !== 'off')
  const change = useCallback(
    (next: boolean) => {
      setOn(next)
      keep('shifts', next ? null : 'off', person)
    },
    [person],
  )
  return [on, change] as const
}

const FOLDED = 'foldedShifts'

/** The shifts, by their beginnings, whose rows are folded away. Kept as drafts are: in this tab, for this person, until they sign out. */
export function useFolded() {
  const { session } = useSession()
  const person = session.User?.PrincipalId ?? ''
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => {
    const was = draftKept(FOLDED, person)
    return new Set(Array.isArray(was) ? was.map(String) : [])
  })
  const change = useCallback(
    (from: string, isShut: boolean) =>
      setFolded((now) => {
        const next = new Set(now)
        if (isShut) next.add(from)
        else next.delete(from)
        keepDraft(FOLDED, person, next.size === 0 ? undefined : [...next])
        return next
      }),
    [person],
  )
  return [folded, change] as const
}

/** A shift in words, with what of the list began in it. */
export function groupOf(
  { shownAt, folded, Name, FromUtc, ToUtc, Count, DurationSeconds }: ShownShift,
  t: Words,
  format: Format,
): RowGroup {
  const times = { from: format.timeOfDay(FromUtc), to: format.timeOfDay(ToUtc), day: format.day(FromUtc) }
  return {
    id: FromUtc,
    at: shownAt,
    folded,
    label: Name === '' ? t('shiftTimes', times) : t('shiftNamed', { name: visible(Name), ...times }),
    note: [
      t('shiftCount', { count: Count, shown: format.count(Count) }),
      ...(DurationSeconds > 0 ? [format.duration(DurationSeconds)] : []),
    ].join(', '),
  }
}
