import { useTranslation } from '../../../client/translate.ts'
import type { Choices, Whose } from '../../../ui/conflict/choice.ts'
import { chosenIn } from '../../../ui/conflict/choice.ts'
import { ConflictDialog as Plain, type Differing } from '../../../ui/conflict/conflict-dialog.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { Words } from '../labels.ts'
import { type Base, differing, type Wanted, wantedOf } from './draft.ts'
import { keyOf, type Member, sameMember } from './members.ts'
import { pathWords } from './member-labels.tsx'

interface ConflictProps {
  readonly was: Base
  readonly theirs: Base
  readonly yours: Wanted
  readonly busy: boolean
  readonly onSave: (wanted: Wanted) => void
  readonly onClose: () => void
}

/** Whether it has anything of its own, beside the members. No member has this key. */
const OWN = 'own'

/** Somebody saved what is edited here first: member by member, whose stands. */
export function ConflictDialog({ was, theirs, yours, busy, onSave, onClose }: ConflictProps) {
  const { t } = useTranslation('devices')
  const three = { was: wantedOf(was), theirs: wantedOf(theirs), yours }
  const rows = rowsOf(three, t)
  return (
    <Plain
      title={t('conflictTitle')}
      lead={t('conflictLead', { count: rows.length })}
      who={t('somebody')}
      theirs={t('theirs')}
      rows={rows}
      busy={busy}
      onSave={(choices) => onSave(resolved(three, rows, choices))}
      onClose={onClose}
    />
  )
}

interface Three {
  readonly was: Wanted
  readonly theirs: Wanted
  readonly yours: Wanted
}

function rowsOf({ was, theirs, yours }: Three, t: Words): readonly Differing[] {
  const find = ({ members }: Wanted, key: string) => members.find(({ path }) => keyOf(path) === key) ?? null
  const said = (member: Member | null): string => (member === null ? t('notThere') : visible(member.text))
  const whose = (own: boolean): string => t(own ? 'ownWords' : 'ofTypeWords')
  const own: readonly Differing[] =
    theirs.own === yours.own
      ? []
      : [
          {
            key: OWN,
            label: t('expected'),
            was: whose(was.own),
            theirs: whose(theirs.own),
            yours: whose(yours.own),
            mine: yours.own !== was.own,
            others: theirs.own !== was.own,
          },
        ]
  const members = differing(theirs.members, yours.members).map((key): Differing => {
    const [before, other, mine] = [find(was, key), find(theirs, key), find(yours, key)]
    return {
      key,
      label: pathWords((mine ?? other)?.path ?? []),
      was: said(before),
      theirs: said(other),
      yours: said(mine),
      mine: !sameMember(before, mine),
      others: !sameMember(before, other),
    }
  })
  return [...own, ...members]
}

/** Yours, with theirs in it where that was chosen. */
function resolved({ theirs, yours }: Three, rows: readonly Differing[], choices: Choices): Wanted {
  const chosen = new Map<string, Whose>(rows.map((row) => [row.key, chosenIn(choices, row)]))
  const takes = (member: Member, whose: Whose): boolean => (chosen.get(keyOf(member.path)) ?? whose) === whose
  const mine = yours.members.filter((member) => takes(member, 'yours'))
  const here = new Set(mine.map(({ path }) => keyOf(path)))
  const others = theirs.members.filter(
    (member) => chosen.get(keyOf(member.path)) === 'theirs' && !here.has(keyOf(member.path)),
  )
  return {
    own: chosen.get(OWN) === 'theirs' ? theirs.own : yours.own,
    members: [...mine, ...others],
  }
}
