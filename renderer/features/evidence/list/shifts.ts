/** Heads of the list: the shifts in which rows began. */
import { useCallback, useState } from 'react'
import { keep, kept } from '../../../client/preferences.ts'
import { useSession } from '../../../client/session.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { RowGroup } from '../../../ui/table/table.tsx'
import type { Words } from './columns.tsx'
import type { ShiftHead } from './use-window.ts'

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

/** A shift in words, with what of the list began in it. */
export function groupOf(
  { at, Name, FromUtc, ToUtc, Count, DurationSeconds }: ShiftHead,
  t: Words,
  format: Format,
): RowGroup {
  const times = { from: format.timeOfDay(FromUtc), to: format.timeOfDay(ToUtc), day: format.day(FromUtc) }
  return {
    id: `${FromUtc} ${at}`,
    at,
    label: Name === '' ? t('shiftTimes', times) : t('shiftNamed', { name: visible(Name), ...times }),
    note: [
      t('shiftCount', { count: Count, shown: format.count(Count) }),
      ...(DurationSeconds > 0 ? [format.duration(DurationSeconds)] : []),
    ].join(', '),
  }
}
