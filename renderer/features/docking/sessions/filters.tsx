import { Suspense, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { DOCK_STATES } from '../../../../shared/docking/docking.ts'
import { Filters as Row, OneFilter, PickFilter, TextFilter, WhenFilter } from '../../../ui/filter/filter.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { Session } from './queries.ts'
import { isFiltered, type SessionsSearch, sessionsSearch } from './search.ts'
import styles from './sessions.module.css'
import { stateWords } from './labels.ts'
import { lazyPart } from '../../../client/load-chunk.ts'

const OfficerFilter = lazyPart(() => import('./officer-filter.tsx'))

interface Props {
  readonly search: SessionsSearch
  readonly change: (what: Partial<SessionsSearch>) => void
  /** What is shown now: the officers in it have names. */
  readonly rows: readonly Session[] | null
}

/** States that people tell apart; the steps of looking at a camera pass in a moment. */
const ASKED = DOCK_STATES.filter((state) =>
  ['copying', 'verifying', 'committed', 'released', 'failed', 'pulled', 'refused'].includes(state),
)

export function Filters({ search, change, rows }: Props) {
  const { t } = useTranslation('dockSessions')
  return (
    <Row
      label={t('filters')}
      clear={t('clearAll')}
      onClear={isFiltered(search) ? () => change(sessionsSearch.usual) : undefined}
    >
      <TextFilter label={t('findSerial')} value={search.serial} onChange={(serial) => change({ serial })} />
      <OneFilter
        name={t('state')}
        options={ASKED.map((id) => ({ id, label: stateWords(id, t) }))}
        chosen={search.state}
        onChange={(state) => change({ state: state as SessionsSearch['state'] })}
      />
      <Officer search={search} change={change} rows={rows} />
      <WhenFilter name={t('docked')} from={search.from} to={search.to} onChange={change} />
    </Row>
  )
}

function Officer({ search, change, rows }: Props) {
  const { t } = useTranslation('dockSessions')
  const known = rows?.flatMap(({ Officers }) => Officers).find(({ PrincipalId }) => PrincipalId === search.officer)
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const name = chosen?.id === search.officer ? chosen.name : (known?.Username ?? search.officer)
  return (
    <PickFilter
      name={t('officer')}
      words={search.officer === '' ? t('anyOfficer') : <bdi>{visible(name)}</bdi>}
      set={search.officer !== ''}
      onClear={() => change({ officer: '' })}
    >
      {(close) => (
        <Suspense fallback={<div className={styles['pick']} />}>
          <OfficerFilter
            onChosen={(who) => {
              setChosen(who)
              change({ officer: who.id })
              close()
            }}
          />
        </Suspense>
      )}
    </PickFilter>
  )
}
