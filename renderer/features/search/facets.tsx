import { Suspense, useState } from 'react'
import { SEARCH_STATES, SEARCHED_MEDIA } from '../../../shared/search/search-values.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { useRangeWords } from '../../ui/filter/filter.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Popover } from '../../ui/popover/popover.tsx'
import { CustomFilters } from './custom-filters.tsx'
import type { FilterProps } from './filter-props.ts'
import { type PickPlace, PlaceFilter } from './place-filter.tsx'
import { type Facets, useCategoryNames, useFound } from './queries.ts'
import type { HitType, SearchState } from './search-state.ts'
import styles from './search.module.css'

interface Props extends FilterProps {
  readonly facets: Facets | null
  readonly map: PickPlace
}

/** Beside what was found: what there is of each, and what to leave out. */
export function FacetPanel({ search, change, facets, map }: Props) {
  const { t } = useTranslation('search')
  const found = useFound()
  const mayRestore = useMayRestore()
  const states = SEARCH_STATES.filter((state) => state !== 'Deleted' || mayRestore)
  const more = facets?.AreAtLeast === true
  return (
    <aside className={styles['filters']} aria-label={t('filters')} data-region>
      <Values
        title={t('type')}
        values={found.map((id) => ({ id, label: t(id) }))}
        counts={facets?.Types}
        more={more}
        chosen={search.types}
        onChange={(types) => change({ types: types as HitType[] })}
        all
      />
      <WhenFilter search={search} change={change} />
      <PlaceFilter search={search} change={change} map={map} />
      <Values
        title={t('state')}
        values={states.map((id) => ({ id, label: t(id) }))}
        counts={facets?.States}
        more={more}
        chosen={search.states}
        onChange={(chosen) => change({ states: chosen as SearchState['states'] })}
        always={mayRestore ? ['Deleted'] : []}
      />
      <Categories facets={facets} search={search} change={change} />
      <Values
        title={t('media')}
        values={SEARCHED_MEDIA.map((id) => ({ id, label: t(id) }))}
        counts={facets?.MediaTypes}
        more={more}
        chosen={search.media}
        onChange={(media) => change({ media: media as SearchState['media'] })}
      />
      <CustomFilters search={search} change={change} />
      <section className={styles['group']} aria-label={t('more')}>
        <h2 className={styles['groupTitle']}>{t('more')}</h2>
        <Checkbox checked={search.free} onChange={(free) => change({ free })}>
          {t('unassociated')}
        </Checkbox>
      </section>
    </aside>
  )
}

/** Whoever may not restore finds nothing there. */
function useMayRestore(): boolean {
  const { session } = useSession()
  const { User } = session
  return User !== null && (User.Administrator || User.Policies.includes('RestoreFromRecycleBin'))
}

interface ValuesProps {
  readonly title: string
  readonly values: readonly { readonly id: string; readonly label: string }[]
  readonly counts: Facets['Types'] | undefined
  /** The counts are of the newest alone. */
  readonly more: boolean
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  /** Shown though nothing is counted. */
  readonly always?: readonly string[]
  readonly all?: boolean
}

/** Of the values only those that there are, and those that are chosen. */
function Values({ title, values, counts, more, chosen, onChange, always = [], all = false }: ValuesProps) {
  const { t } = useTranslation('search')
  const format = useFormat()
  const known = new Map((counts ?? []).map(({ Value, Count }) => [Value, Count]))
  const shown = values.filter(({ id }) => all || known.has(id) || chosen.includes(id) || always.includes(id))
  if (shown.length === 0) return null
  const toggle = (id: string, on: boolean): void => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <section className={styles['group']} aria-label={title}>
      <h2 className={styles['groupTitle']}>{title}</h2>
      {shown.map(({ id, label }) => {
        const count = known.get(id)
        const said = count === undefined ? null : format.count(count)
        return (
          <div key={id} className={styles['value']}>
            <Checkbox
              checked={chosen.includes(id)}
              onChange={(on) => toggle(id, on)}
              label={said === null ? label : t(more ? 'valueCountMore' : 'valueCount', { name: label, shown: said })}
            >
              <span className={styles['valueName']}>{label}</span>
            </Checkbox>
            {said !== null && (
              <span className={styles['count']} aria-hidden="true">
                {more ? `> ${said}` : said}
              </span>
            )}
          </div>
        )
      })}
    </section>
  )
}

const FEW = 8

function Categories({ facets, search, change }: FilterProps & { readonly facets: Facets | null }) {
  const { t } = useTranslation('search')
  const names = useCategoryNames()
  const [whole, setWhole] = useState(false)
  // Guests may not read the list of names, and an id says nothing to a person.
  const counted = (facets?.Categories ?? []).map(({ Value }) => Value).filter((id) => names.has(id))
  const ids = [...new Set([...counted, ...search.categories])]
  const values = ids.map((id) => ({ id, label: visible(names.get(id) ?? id) }))
  const hidden = values.length - FEW
  return (
    <>
      <Values
        title={t('category')}
        values={whole ? values : values.filter(({ id }, at) => at < FEW || search.categories.includes(id))}
        counts={facets?.Categories}
        more={facets?.AreAtLeast === true}
        chosen={search.categories}
        onChange={(categories) => change({ categories })}
      />
      {hidden > 0 && (
        <div className={styles['group']}>
          <Button kind="quiet" size="small" onPress={() => setWhole(!whole)}>
            {whole ? t('fewerCategories') : t('moreCategories', { count: hidden })}
          </Button>
        </div>
      )}
    </>
  )
}

const WhenForm = lazyPart(() => import('../../ui/filter/when-form.tsx'))

/** From and to, as the address has them. */
function WhenFilter({ search: { from, to }, change }: FilterProps) {
  const { t } = useTranslation('search')
  const words = useRangeWords({ from, to })
  return (
    <section className={styles['group']} aria-label={t('when')}>
      <h2 className={styles['groupTitle']}>{t('when')}</h2>
      <div className={styles['set']}>
        {words !== '' && <Chip label={words} onClear={() => change({ from: '', to: '' })} />}
        <Popover
          label={t('when')}
          trigger={
            <Button size="small" icon="calendar">
              {t('whenSet')}
            </Button>
          }
        >
          {(close: () => void) => (
            <Suspense fallback={<div className={styles['form']} />}>
              <WhenForm
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
      </div>
    </section>
  )
}
