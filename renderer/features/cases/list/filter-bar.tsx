import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Menu } from '../../../ui/popover/menu.tsx'
import { Popover } from '../../../ui/popover/popover.tsx'
import { useCategories, useDepartments } from '../data.ts'
import { useCaseFields } from '../labels.ts'
import styles from './list.module.css'
import { type CaseSearch, isFiltered, STATES, WHOSE, WITHOUT_FILTERS } from './search.ts'

const WhenFilter = lazy(() => import('./when-filter.tsx'))

interface Props {
  readonly search: CaseSearch
  readonly change: (what: Partial<CaseSearch>) => void
}

const TYPING_PAUSE = 250

export function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const { data: categories = [] } = useCategories()
  const { data: departments = [] } = useDepartments()
  const onBoard = search.view === 'board'
  return (
    <div className={styles['filters']} role="group" aria-label={t('filters')}>
      <TextFilter search={search} change={change} />
      <OneFilter
        name={t('filterWhose')}
        any={t('anyone')}
        options={WHOSE.map((id) => ({ id, label: t(id) }))}
        chosen={search.whose}
        onChange={(whose) => change({ whose: whose as CaseSearch['whose'] })}
      />
      {!search.bin && !onBoard && (
        <OneFilter
          name={t('columnState')}
          options={STATES.map((id) => ({ id, label: t(id === 'Open' ? 'stateOpen' : 'stateClosed') }))}
          chosen={search.state}
          onChange={(state) => change({ state: state as CaseSearch['state'] })}
        />
      )}
      <When search={search} change={change} name={label('OccurredOn')} />
      {categories.length > 0 && (
        <OneFilter
          name={label('CategoryId')}
          options={categories.map(({ CategoryId, Name }) => ({ id: CategoryId, label: visible(Name) }))}
          chosen={search.category}
          onChange={(category) => change({ category })}
        />
      )}
      {departments.length > 0 && (
        <OneFilter
          name={label('DepartmentId')}
          options={departments.map(({ DepartmentId, Name }) => ({ id: DepartmentId, label: visible(Name) }))}
          chosen={search.department}
          onChange={(department) => change({ department })}
        />
      )}
      {isFiltered(search) && (
        <Button kind="quiet" size="small" onPress={() => change(WITHOUT_FILTERS)}>
          {t('clearAll')}
        </Button>
      )}
    </div>
  )
}

/** Asks once the typing pauses; the address follows what is asked. */
function TextFilter({ search, change }: Props) {
  const { t } = useTranslation('cases')
  const [text, setText] = useState(search.q)
  const asked = useRef(search.q)
  useEffect(() => {
    if (search.q !== asked.current) {
      asked.current = search.q
      setText(search.q)
    }
  }, [search.q])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      change({ q: text })
    }, TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, change])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={t('searchHere')} hideLabel placeholder={t('searchHere')} value={text} onChange={setText} />
    </div>
  )
}

interface OneProps {
  readonly name: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  /** Empty: any. */
  readonly chosen: string
  readonly onChange: (chosen: string) => void
  readonly any?: string | undefined
}

function OneFilter({ name, options, chosen, onChange, any }: OneProps) {
  const { t } = useTranslation('cases')
  const words = options.find(({ id }) => id === chosen)?.label ?? chosen
  return (
    <Filter name={name} set={chosen !== ''} onClear={() => onChange('')}>
      <Menu
        label={name}
        placement="bottom start"
        sections={[{ items: options, selected: chosen, onSelect: onChange }]}
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {chosen === '' ? (any ?? t('any')) : words}
          </Button>
        }
      />
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
  const { t } = useTranslation('cases')
  return (
    <span className={styles['filter']}>
      {children}
      {set && <IconButton kind="quiet" size="small" icon="x" label={t('clearFilter', { name })} onPress={onClear} />}
    </span>
  )
}

function When({ search: { from, to }, change, name }: Props & { readonly name: string }) {
  const { t } = useTranslation('cases')
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
    <Filter name={name} set={from !== '' || to !== ''} onClear={() => change({ from: '', to: '' })}>
      <Popover
        label={name}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {words}
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
