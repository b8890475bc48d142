import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DOCK_STATES } from '../../../../shared/domain/dock.ts'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Menu } from '../../../ui/popover/menu.tsx'
import { Popover } from '../../../ui/popover/popover.tsx'
import type { Session } from './data.ts'
import { EMPTY, isFiltered, type SessionsSearch } from './search.ts'
import styles from './sessions.module.css'
import { stateWords } from './words.ts'

const WhenFilter = lazy(() => import('./when-filter.tsx'))
const OfficerFilter = lazy(() => import('./officer-filter.tsx'))

interface Props {
  readonly search: SessionsSearch
  readonly change: (what: Partial<SessionsSearch>) => void
  /** What is shown now: the officers in it have names. */
  readonly rows: readonly Session[] | null
}

const TYPING_PAUSE = 250
/** States that people tell apart; the steps of looking at a camera pass in a moment. */
const ASKED = DOCK_STATES.filter((state) =>
  ['copying', 'verifying', 'committed', 'released', 'failed', 'pulled', 'refused'].includes(state),
)

export function Filters({ search, change, rows }: Props) {
  const { t } = useTranslation('dockSessions')
  return (
    <div className={styles['filters']} role="group" aria-label={t('filters')}>
      <SerialFilter search={search} change={change} />
      <Filter name={t('state')} set={search.state !== ''} onClear={() => change({ state: '' })}>
        <Menu
          label={t('state')}
          placement="bottom start"
          sections={[
            {
              items: ASKED.map((id) => ({ id, label: stateWords(id, t) })),
              selected: search.state,
              onSelect: (state) => change({ state: state as SessionsSearch['state'] }),
            },
          ]}
          trigger={
            <Button size="small" kind="plain">
              <b>{t('state')}</b> {search.state === '' ? t('any') : stateWords(search.state, t)}
            </Button>
          }
        />
      </Filter>
      <Officer search={search} change={change} rows={rows} />
      <When search={search} change={change} />
      {isFiltered(search) && (
        <Button kind="quiet" size="small" onPress={() => change(EMPTY)}>
          {t('clearAll')}
        </Button>
      )}
    </div>
  )
}

type Given = Pick<Props, 'search' | 'change'>

/** Asks once the typing pauses; the address follows what is asked. */
function SerialFilter({ search, change }: Given) {
  const { t } = useTranslation('dockSessions')
  const [text, setText] = useState(search.serial)
  const asked = useRef(search.serial)
  useEffect(() => {
    if (search.serial !== asked.current) {
      asked.current = search.serial
      setText(search.serial)
    }
  }, [search.serial])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      change({ serial: text })
    }, TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, change])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={t('findSerial')} hideLabel placeholder={t('findSerial')} value={text} onChange={setText} />
    </div>
  )
}

function Officer({ search, change, rows }: Props) {
  const { t } = useTranslation('dockSessions')
  const known = rows?.flatMap(({ Officers }) => Officers).find(({ PrincipalId }) => PrincipalId === search.officer)
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const name = chosen?.id === search.officer ? chosen.name : (known?.Username ?? search.officer)
  return (
    <Filter name={t('officer')} set={search.officer !== ''} onClear={() => change({ officer: '' })}>
      <Popover
        label={t('officer')}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{t('officer')}</b> {search.officer === '' ? t('anyOfficer') : <bdi>{visible(name)}</bdi>}
          </Button>
        }
      >
        {(close: () => void) => (
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
      </Popover>
    </Filter>
  )
}

function When({ search: { from, to }, change }: Given) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const at = (time: string): string => format.instant(time, { precision: 'minute' })
  const words =
    from !== '' && to !== ''
      ? t('fromTo', { from: at(from), to: at(to) })
      : from !== ''
        ? t('since', { time: at(from) })
        : to !== ''
          ? t('until', { time: at(to) })
          : t('any')
  return (
    <Filter name={t('docked')} set={from !== '' || to !== ''} onClear={() => change({ from: '', to: '' })}>
      <Popover
        label={t('docked')}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{t('docked')}</b> {words}
          </Button>
        }
      >
        {(close: () => void) => (
          <Suspense fallback={<div className={styles['when']} />}>
            <WhenFilter
              from={from}
              to={to}
              onChange={(range) => {
                change(range)
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
    </Filter>
  )
}

interface FilterProps {
  readonly name: string
  readonly set: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}

function Filter({ name, set, onClear, children }: FilterProps) {
  const { t } = useTranslation('dockSessions')
  return (
    <span className={styles['filter']}>
      {children}
      {set && <IconButton kind="quiet" size="small" icon="x" label={t('clearFilter', { name })} onPress={onClear} />}
    </span>
  )
}
