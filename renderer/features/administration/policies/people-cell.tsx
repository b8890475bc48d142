import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { cellKey, type Changes, heldNow, type Holder, type Policy } from './matrix.ts'
import { policyWords } from './policy-labels.ts'
import styles from './policies.module.css'

interface PeopleCellProps {
  readonly policy: Policy
  readonly people: readonly Holder[]
  readonly changes: Changes
  readonly place: string
  /** The one that Tab stops at. */
  readonly reached: boolean
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onFocus: () => void
}

/** How many people hold the right themselves: a folded column hides nobody's right. */
export function PeopleCell({ policy, people, changes, place, reached, open, onOpen, onFocus }: PeopleCellProps) {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const count = people.filter(({ id }) => heldNow(policy, id, changes) !== null).length
  const change = people.some(({ id }) => changes.has(cellKey(policy.Policy, id)))
  const name = [
    policyWords(policy.Policy, t),
    t('peopleHold', { count }),
    ...(change ? [t('peopleChanged')] : []),
  ].join(', ')
  return (
    <td
      className={styles['peopleCell']}
      data-place={place}
      data-stays=""
      onFocus={onFocus}
      {...(change ? { 'data-changed': '' } : {})}
    >
      <button
        type="button"
        className={styles['check']}
        aria-label={name}
        aria-expanded={open}
        tabIndex={reached ? 0 : -1}
        onClick={() => onOpen(!open)}
      >
        {count === 0 ? '–' : format.count(count)}
      </button>
      {change && (
        <span className={styles['note']} aria-hidden="true">
          {t('peopleChanged')}
        </span>
      )}
    </td>
  )
}
