import { useTranslation } from '../../client/translate.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { StateMark, StatePill } from '../../ui/state/state.tsx'
import type { CaseItem } from './queries.ts'
import styles from './cases.module.css'

type Shown = Pick<CaseItem, 'State' | 'LifecycleState'>

/** Open or closed is a fact; protected and deleted are states that somebody must know of. */
export function CaseState({
  of: { State, LifecycleState },
  pill = false,
}: {
  readonly of: Shown
  readonly pill?: boolean
}) {
  const { t } = useTranslation('cases')
  const Mark = pill ? StatePill : StateMark
  return (
    <span className={styles['states']}>
      {LifecycleState === 'Deleted' ? (
        <Mark state="attention">{t('stateDeleted')}</Mark>
      ) : (
        <Badge icon={State === 'Open' ? 'cases' : 'check'}>{t(State === 'Open' ? 'stateOpen' : 'stateClosed')}</Badge>
      )}
      {LifecycleState === 'Protected' && <Mark state="sealed">{t('stateProtected')}</Mark>}
    </span>
  )
}
