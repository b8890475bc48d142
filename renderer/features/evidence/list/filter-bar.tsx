import { Suspense, useState } from 'react'
import { statusWord } from '../../../client/evidence-status.ts'
import { lazyPart } from '../../../client/load-chunk.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Filters, PickFilter, TextFilter, useRangeWords } from '../../../ui/filter/filter.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Popover } from '../../../ui/popover/popover.tsx'
import {
  FILTER_WORDS,
  type FilterName,
  FILTERS,
  HAS_WORDS,
  isSet,
  NEEDS_A_LOOK,
  PERIOD_WORDS,
  WITHOUT,
  type Words,
} from './filters.ts'
import styles from './list.module.css'
import { isFiltered, type ListSearch, NO_FILTERS } from './search.ts'
import { useFacet } from './use-facet.ts'

const CaseName = lazyPart(() => import('./case-name.tsx'))
const FilterPanel = lazyPart(() => import('./filter-panel.tsx'))
const FilterChoice = lazyPart(() => import('./filter-choice.tsx'))

interface Props {
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
}

/** What is looked for, and one button for everything that could be. */
export function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('evidenceList')
  return (
    <Filters
      label={t('filters')}
      clear={t('clearAll')}
      onClear={isFiltered(search) ? () => change(NO_FILTERS as Partial<ListSearch>) : undefined}
    >
      <TextFilter label={t('searchHere')} value={search.q} onChange={(q) => change({ q })} />
      {FILTERS.filter((name) => isSet(name, search)).map((name) => (
        <PickFilter
          key={name}
          name={t(FILTER_WORDS[name])}
          words={<Said name={name} search={search} />}
          set
          onClear={() => change(WITHOUT[name] as Partial<ListSearch>)}
        >
          {(close) => (
            <Suspense fallback={<div className={styles['panel']} />}>
              <FilterPanel {...{ name, search, change, close }} />
            </Suspense>
          )}
        </PickFilter>
      ))}
      <span data-add-filter>
        <AddFilter search={search} change={change} />
      </span>
    </Filters>
  )
}

/** First which filter, found by typing, then by what. */
function AddFilter({ search, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const [chosen, setChosen] = useState<FilterName | null>(null)
  return (
    <Popover
      label={chosen === null ? t('addFilter') : t(FILTER_WORDS[chosen])}
      onOpenChange={(open) => open && setChosen(null)}
      trigger={
        <Button size="small" kind="quiet" icon="plus">
          {t('addFilter')}
        </Button>
      }
    >
      {(close: () => void) => (
        <Suspense fallback={<div className={styles['panel']} />}>
          {chosen === null ? (
            <FilterChoice {...{ search, change, close }} onChoose={setChosen} />
          ) : (
            <FilterPanel {...{ name: chosen, search, change, close }} />
          )}
        </Suspense>
      )}
    </Popover>
  )
}

/** By what it filters. */
function Said({ name, search }: { readonly name: FilterName; readonly search: ListSearch }) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const range = useRangeWords(search)
  switch (name) {
    case 'recorded':
      return search.when === '' ? range : t(PERIOD_WORDS[search.when])
    case 'type':
      return search.type.map((one) => t(one)).join(', ')
    case 'status':
      return isNeedsALook(search) ? t('needsALook') : search.status.map(statusWord).join(', ')
    case 'tag':
      return <bdi>{search.tag.map(visible).join(', ')}</bdi>
    case 'has':
      return search.has.map((one) => t(HAS_WORDS[one])).join(', ')
    case 'size':
      return sizeWords(search, t, format.bytes)
    case 'case':
      return (
        <Suspense fallback={search.case}>
          <CaseName caseId={search.case} />
        </Suspense>
      )
    default:
      return <Named facet={name} search={search} />
  }
}

const isNeedsALook = ({ status }: ListSearch): boolean =>
  status.length === NEEDS_A_LOOK.length && NEEDS_A_LOOK.every((one) => status.includes(one))

function sizeWords({ min, max }: ListSearch, t: Words, bytes: (value: number) => string): string {
  const said = { from: bytes(Number(min)), to: bytes(Number(max)) }
  if (min !== '' && max !== '') return t('sizeBetween', said)
  return min === '' ? t('sizeTo', said) : t('sizeFrom', said)
}

/** People, cameras and categories are known by the station; what nothing here has is called by its id. */
function Named({ facet, search }: { readonly facet: 'officer' | 'device' | 'category'; readonly search: ListSearch }) {
  // Named whatever else is looked for.
  const { values } = useFacet(facet, { ...search, ...(NO_FILTERS as Partial<ListSearch>) } as ListSearch)
  const names = new Map((values ?? []).map(({ id, name }) => [id, name]))
  const words = search[facet].map((id) => visible(names.get(id) ?? (facet === 'device' ? id.slice(0, 8) : id)))
  return <bdi>{values === null ? '…' : words.join('; ')}</bdi>
}
