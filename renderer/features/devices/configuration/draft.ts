/** A configuration being edited: from its first change to the station's answer. */
import { useCallback, useState } from 'react'
import { useSession } from '../../../client/session.tsx'
import { type FreeForm, keyOf, type Member, membersOf, sameMember, valueOf } from './members.ts'

/** What is expected; `own` false: nothing of its own. */
export interface Wanted {
  readonly own: boolean
  readonly members: readonly Member[]
}

/** As the station has it. */
export interface Base {
  /** null: nothing of its own. */
  readonly configuration: FreeForm | null
  readonly version: string
}

export interface Draft {
  readonly wanted: Wanted
  readonly base: Base
}

export const wantedOf = ({ configuration }: Base): Wanted => ({
  own: configuration !== null,
  members: configuration === null ? [] : membersOf(configuration),
})

export const isWrong = (member: Member): boolean => valueOf(member) === undefined

/** @param broken the text that is typed as a whole says nothing yet */
export const isSound = ({ own, members }: Wanted, broken: boolean): boolean =>
  !broken && !(own && members.some(isWrong))

export function isChanged({ wanted, base }: Draft): boolean {
  const was = wantedOf(base)
  return wanted.own !== was.own || (wanted.own && differing(was.members, wanted.members).length > 0)
}

/** Keys of members that are not the same in both. */
export function differing(these: readonly Member[], those: readonly Member[]): readonly string[] {
  const byKey = (members: readonly Member[]) => new Map(members.map((one) => [keyOf(one.path), one]))
  const [one, other] = [byKey(these), byKey(those)]
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (key) => !sameMember(one.get(key) ?? null, other.get(key) ?? null),
  )
}

/**
 * What is typed and not saved outlives a lock of the screen and a look at another page. In memory alone: a configuration is sealed where it
 * lies at the station, and must not lie in the browser's storage in the clear.
 */
const kept = new Map<string, Draft>()
let owner = ''

export interface Editing extends Draft {
  readonly changed: boolean
  readonly set: (wanted: Wanted) => void
  /** Nothing is typed any more: what the station has is shown, also when somebody changes it. */
  readonly drop: () => void
}

export function useConfigurationDraft(key: string, base: Base): Editing {
  const { session } = useSession()
  const who = session.User?.PrincipalId ?? ''
  if (who !== owner) {
    kept.clear()
    owner = who
  }
  const [typed, setTyped] = useState<Draft | null>(() => kept.get(key) ?? null)
  const draft = typed ?? { wanted: wantedOf(base), base }
  const keep = useCallback(
    (next: Draft | null) => {
      if (next === null || !isChanged(next)) kept.delete(key)
      else kept.set(key, next)
      setTyped(next)
    },
    [key],
  )
  return {
    ...draft,
    changed: isChanged(draft),
    set: (wanted) => keep({ wanted, base: draft.base }),
    drop: () => keep(null),
  }
}
