import { useTranslation } from '../../../client/translate.ts'
import { GRANTED_LEVELS } from '../../../../shared/kernel/permissions.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Box } from '../../../ui/field/choice.tsx'
import { Icon } from '../../../ui/icon/icon.tsx'
import { Menu } from '../../../ui/popover/menu.tsx'
import { levelWords } from '../departments/access-field.tsx'
import {
  cellKey,
  type Changes,
  type GroupMembers,
  HELD,
  type Held,
  heldDirectly,
  heldThroughGroups,
  type Holder,
  mayHold,
  type Policy,
} from './matrix.ts'
import { policyWords } from './policy-labels.ts'
import styles from './policies.module.css'

interface MatrixCellProps {
  readonly policy: Policy
  readonly holder: Holder
  readonly groups: readonly GroupMembers[]
  readonly changes: Changes
  readonly held: Held
  readonly place: string
  /** The one that Tab stops at. */
  readonly reached: boolean
  readonly onFocus: () => void
  readonly onChange: (held: Held) => void
}

/** Filled box: held directly; bare check and *group*: through one; a dash: not at all. A change is said in words until it is saved. */
export function MatrixCell(props: MatrixCellProps) {
  const { policy, holder, groups, changes, held, place, onFocus } = props
  const { t } = useTranslation('administration')
  const change = changes.has(cellKey(policy.Policy, holder.id))
  const through = held === null ? heldThroughGroups(policy, holder, groups, changes) : null
  const before = heldDirectly(policy, holder.id)
  const note = !change ? null : t(held === null ? 'removed' : before === null ? 'added' : 'altered')
  const name = [
    policyWords(policy.Policy, t),
    holder.name,
    ...(policy.WithLevel && held !== null ? [levelWords(held, t)] : []),
    ...(through === null ? [] : [t('throughSome')]),
    ...(note === null ? [] : [note]),
  ].join(', ')
  return (
    <td className={styles['cell']} data-place={place} onFocus={onFocus} {...(change ? { 'data-changed': '' } : {})}>
      <Inside {...props} name={name} through={through} />
      {note !== null && (
        <span className={styles['note']} aria-hidden="true">
          {note}
        </span>
      )}
      {note === null && through !== null && (
        <span className={styles['kind']} aria-hidden="true">
          {t('kindGroup')}
        </span>
      )}
    </td>
  )
}

interface InsideProps extends MatrixCellProps {
  readonly name: string
  readonly through: Held
}

function Inside({ policy, holder, held, reached, onChange, name, through }: InsideProps) {
  const { t } = useTranslation('administration')
  const tabIndex = reached ? 0 : -1
  const fixed = holder.builtIn ? t('alwaysAdministrators') : mayHold(policy.Policy, holder) ? null : t('notForGuests')
  if (fixed !== null)
    return (
      <span role="img" aria-label={`${name}, ${fixed}`} title={fixed} tabIndex={tabIndex} className={styles['fixed']}>
        {holder.builtIn ? policy.WithLevel && held !== null ? levelWords(held, t) : <Box checked /> : '–'}
      </span>
    )
  if (policy.WithLevel)
    return (
      <Menu
        label={name}
        placement="bottom start"
        trigger={
          <Button size="small" kind={held === null ? 'quiet' : 'plain'} tabIndex={tabIndex}>
            <span aria-hidden="true">
              {held === null ? (through === null ? '–' : levelWords(through, t)) : levelWords(held, t)}
            </span>
            <span className="unseen">{name}</span>
          </Button>
        }
        sections={[
          {
            selected: held ?? NONE,
            onSelect: (level) => onChange(level === NONE ? null : level),
            items: [
              { id: NONE, label: t('levelNone') },
              ...GRANTED_LEVELS.map((level) => ({ id: level, label: levelWords(level, t) })),
            ],
          },
        ]}
      />
    )
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={held !== null}
      aria-label={name}
      tabIndex={tabIndex}
      className={styles['check']}
      onClick={() => onChange(held === null ? HELD : null)}
    >
      {held !== null ? <Box checked /> : through !== null ? <Icon name="check" /> : <span aria-hidden="true">–</span>}
    </button>
  )
}

const NONE = 'none'
