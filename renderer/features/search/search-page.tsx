import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { SEARCH_SORTS } from '../../../shared/search/search-values.ts'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { SearchField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { usePhone } from '../../ui/layout/use-media.ts'
import { Note } from '../../ui/note/note.tsx'
import { Menu } from '../../ui/popover/menu.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { lazyPart } from '../../client/load-chunk.ts'
import type { ShowDensity } from './density-view.tsx'
import { FacetPanel } from './facets.tsx'
import type { PickPlace } from './place-filter.tsx'
import { type Results, useFound, useResults, useSaved } from './queries.ts'
import { ResultTable } from './results.tsx'
import { SavedMenu } from './saved-menu.tsx'
import { SearchProblem } from './search-problem.tsx'
import { isBlank, isFiltered, searchSearch, stateOf, type SearchState, WITHOUT_FILTERS } from './search-state.ts'
import styles from './search.module.css'

/** Shows a saved search that the address names, as the notice of what is new in it does. */
function useShowSaved(id: string, show: (search: Partial<SearchState>, replace?: boolean) => void): void {
  const { known } = useSaved()
  const found = useFound()
  useEffect(() => {
    if (id === '' || known === null) return
    const one = known.find(({ SavedSearchId }) => SavedSearchId === id)
    show(one === undefined ? {} : { ...stateOf(one.Question as Record<string, unknown>, found), sort: 'newest' }, true)
  }, [id, known, found, show])
}

const TYPING_PAUSE = 200

const DensityView = lazyPart(async () => ({ default: (await import('./density-view.tsx')).DensityView }))

interface Maps {
  readonly pick: PickPlace
  readonly density: ShowDensity
}

/** @param maps are put in by whoever puts the areas together */
export function SearchPage({ maps }: { readonly maps: Maps }) {
  const { t } = useTranslation('search')
  const said = useSearch({ from: '/search' })
  const navigate = useNavigate({ from: '/search' })
  const search = useMemo<SearchState>(() => searchSearch.read(said), [said])
  const results = useResults(search)
  const blank = isBlank(search)
  const change = useCallback(
    (what: Partial<SearchState>) => {
      // Whoever went on while the typing paused is not called back.
      if (location.pathname === '/search')
        void navigate({
          search: (now: Partial<SearchState>) => searchSearch.withoutUsual({ ...searchSearch.usual, ...now, ...what }),
          replace: 'q' in what,
        })
    },
    [navigate],
  )
  const show = useCallback(
    (next: Partial<SearchState>, replace = false) => void navigate({ search: () => next, replace }),
    [navigate],
  )
  useShowSaved(search.saved, show)
  const box = useRef<HTMLInputElement>(null)
  const { view } = search
  const phone = usePhone()
  const facets = <FacetPanel search={search} change={change} facets={blank ? null : results.facets} map={maps.pick} />
  useShortcuts(
    useMemo(
      () => ({ f: () => box.current?.focus(), v: () => change({ view: view === 'list' ? 'map' : 'list' }) }),
      [change, view],
    ),
  )
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  return (
    <div className={styles['page']}>
      <h1 className="unseen">{t('title')}</h1>
      <div className={styles['head']} role="search">
        <QueryField search={search} change={change} box={box} />
        <div className={styles['acts']}>
          <Segments
            label={t('view')}
            segments={[
              { id: 'list', label: t('viewList'), icon: 'list' },
              { id: 'map', label: t('viewMap'), icon: 'map' },
            ]}
            value={view}
            onChange={(next) => change({ view: next })}
          />
          <SavedMenu search={search} asked={!blank} show={show} />
        </div>
      </div>
      <div className={styles['parts']}>
        {phone ? (
          <details className={styles['folded']}>
            <summary>{t('filters')}</summary>
            {facets}
          </details>
        ) : (
          facets
        )}
        <div className={styles['work']}>
          {view === 'map' ? (
            <Suspense fallback={null}>
              <DensityView search={search} change={change} map={maps.density} />
            </Suspense>
          ) : blank ? (
            <Start
              onTry={(example) => {
                change({ q: example })
                box.current?.focus()
              }}
            />
          ) : (
            <Found search={search} change={change} results={results} />
          )}
        </div>
      </div>
    </div>
  )
}

interface Props {
  readonly search: SearchState
  readonly change: (what: Partial<SearchState>) => void
}

function Found({ search, change, results }: Props & { readonly results: Results }) {
  const { t } = useTranslation('search')
  const format = useFormat()
  const { count, atLeast } = results
  const shown = count === null ? '' : format.count(count)
  return (
    <>
      <div className={styles['line']}>
        <span className="muted" role="status">
          {count === null ? t('searching') : atLeast ? t('foundMore', { shown }) : t('found', { count, shown })}
        </span>
        {search.in !== '' && <Chip label={t('inCase', { id: search.in })} onClear={() => change({ in: '' })} />}
        {search.device !== '' && (
          <Chip label={t('byDevice', { id: search.device.slice(0, 8) })} onClear={() => change({ device: '' })} />
        )}
        {isFiltered(search) && (
          <Button kind="quiet" size="small" onPress={() => change(WITHOUT_FILTERS)}>
            {t('clearAll')}
          </Button>
        )}
        <span>
          <Menu
            label={t('sort')}
            sections={[
              {
                items: SEARCH_SORTS.map((id) => ({ id, label: t(id) })),
                selected: search.sort,
                onSelect: (sort) => change({ sort: sort as SearchState['sort'] }),
              },
            ]}
            trigger={
              <Button size="small" kind="quiet" icon="sort">
                {t(search.sort)}
              </Button>
            }
          />
        </span>
      </div>
      {results.error !== null && (
        <div className={styles['note']}>
          <SearchProblem error={results.error} onRetry={results.retry} />
        </div>
      )}
      {results.placeIsRough && (
        <div className={styles['note']}>
          <Note title={t('nearRough')} />
        </div>
      )}
      <div className={styles['body']}>
        <ResultTable search={search} results={results} change={change} />
      </div>
    </>
  )
}

/** Asks once the typing pauses, or at once with Enter; the address follows what is asked. */
function QueryField({ search, change, box }: Props & { readonly box: React.RefObject<HTMLInputElement | null> }) {
  const { t } = useTranslation('search')
  const [text, setText] = useState(search.q)
  const asked = useRef(search.q)
  useEffect(() => {
    if (search.q !== asked.current) {
      asked.current = search.q
      setText(search.q)
    }
  }, [search.q])
  const ask = useCallback(
    (now: string) => {
      if (now === asked.current) return
      asked.current = now
      change({ q: now })
    },
    [change],
  )
  useEffect(() => {
    const timer = setTimeout(() => ask(text), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, ask])
  return (
    <div className={styles['field']}>
      <SearchField
        ref={box}
        label={t('field')}
        hideLabel
        autoFocus
        placeholder={t('placeholder')}
        value={text}
        onChange={setText}
        onSubmit={() => ask(text)}
      />
    </div>
  )
}

const WAYS = [
  ['"quay road"', 'startPhrase'],
  ['burglary -drill', 'startWithout'],
  ['tag:night', 'startTag'],
  ['officer:okafor', 'startOfficer'],
  ['device:axon', 'startDevice'],
  ['case:2026-000123', 'startCase'],
  ['category:theft', 'startCategory'],
] as const

/** Before anything is asked: how to ask. An example is put into the field, to be changed there. */
function Start({ onTry }: { readonly onTry: (example: string) => void }) {
  const { t } = useTranslation('search')
  return (
    <div className={styles['start']}>
      <h2 className={styles['startTitle']}>{t('startTitle')}</h2>
      <p className={styles['startBody']}>{t('startBody')}</p>
      <h3 className={styles['groupTitle']}>{t('startHow')}</h3>
      <dl className={styles['ways']}>
        {WAYS.map(([example, words]) => (
          <div key={example} className={styles['way']}>
            <dt>
              <Button kind="quiet" size="small" onPress={() => onTry(example)}>
                <code>{example}</code>
              </Button>
            </dt>
            <dd>{t(words)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
