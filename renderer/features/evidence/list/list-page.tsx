import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Fault } from '../../../client/api.ts'
import { startEvidenceDrag } from '../../../client/evidence-drag.ts'
import { useSession } from '../../../client/session.tsx'
import { useAddEvidence } from '../../../client/uploads/use-add-evidence.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { setDragWords } from '../../../ui/drag/drag-image.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { usePhone } from '../../../ui/layout/use-media.ts'
import type { MenuPlace } from '../../../ui/popover/context-menu.tsx'
import { countOf, EVERYTHING, isEmpty, isSelected, NOTHING, type Selection } from '../../../ui/table/selection.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListHead } from './list-head.tsx'
import styles from './list.module.css'
import { isFiltered, type ListSearch, readSearch, toAddress } from './search.ts'
import { groupOf, useByShift, useFolded } from './shifts.ts'
import type { Asked } from './list-selection.tsx'
import { useListColumns } from './use-list-columns.ts'
import { type Item, type ListWindow, useListWindow } from './use-window.ts'
import { lazyPart } from '../../../client/load-chunk.ts'

const ListSelection = lazyPart(() => import('./list-selection.tsx'))
const TileGrid = lazyPart(() => import('./tile-grid.tsx'))

const keyOf = (item: Item): string => item.EvidenceId

export function EvidenceListPage() {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const { tenant } = useSession()
  const navigate = useNavigate({ from: '/evidence' })
  const said = useSearch({ from: '/evidence' })
  const given = useMemo<ListSearch>(() => readSearch(said), [said])
  const phone = usePhone()
  // A table has no room there; which of the two a person chose elsewhere stays in the address.
  const search = useMemo<ListSearch>(() => (phone ? { ...given, view: 'grid' } : given), [given, phone])
  const add = useAddEvidence()
  const [byShift, setByShift] = useByShift()
  const inShifts = byShift && search.view === 'list' && search.sort === 'recorded' && !search.bin
  const [folded, onFold] = useFolded()
  const rows = useListWindow(tenant, search, { inShifts, folded })
  const groups = useMemo(() => rows.shifts.map((shift) => groupOf(shift, t, format)), [rows.shifts, t, format])
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [asked, setAsked] = useState<Asked | null>(null)
  const answered = useCallback(() => setAsked(null), [])
  const selecting = useOnce(!isEmpty(selection) || asked !== null)
  const change = useCallback(
    (what: Partial<ListSearch>) =>
      void navigate({
        search: (now: object) => toAddress({ ...readSearch({ ...now }), ...what }),
        replace: 'q' in what,
      }),
    [navigate],
  )
  const columns = useListColumns(search, change)
  const open = useCallback(
    (item: Item) => void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: item.EvidenceId } }),
    [navigate],
  )
  useListKeys({ search, change, selection, rows, onAsk: setAsked })
  const title = search.bin ? t('bin') : t('title')
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  const turn = (bin: boolean): void => {
    setSelection(NOTHING)
    // What was thrown away last is what somebody looks for there.
    change({ bin, has: [], sort: bin ? 'deleted' : 'recorded', dir: 'desc' })
  }
  const drag = useDragItems({ selection, rows, search })
  const openMenu = useCallback((item: Item, place: MenuPlace) => setAsked({ kind: 'menu', item, place }), [])
  const parts = {
    label: title,
    total: rows.shown ?? 0,
    rowAt: rows.rowAt,
    keyOf,
    onWindow: rows.show,
    onOpen: open,
    selection,
    onSelection: setSelection,
    onSelectAll: () => setSelection(EVERYTHING),
    room: !isEmpty(selection),
    onMenu: openMenu,
    onDrag: search.bin ? undefined : drag,
    busy: rows.total === null,
    empty: rows.total === null ? undefined : <NoEvidence search={search} onAdd={add} />,
  }
  return (
    <div className={styles['page']}>
      <ListHead
        title={title}
        search={search}
        change={change}
        rows={rows}
        columns={columns}
        byShift={byShift}
        setByShift={setByShift}
        onBin={turn}
        onAdd={add}
      />
      <FilterBar search={search} change={change} />
      {rows.error !== null && <ListProblem error={rows.error} retry={rows.retry} />}
      <div className={styles['body']}>
        {search.view === 'list' ? (
          <DataTable
            {...parts}
            columns={columns.chosen}
            groups={groups}
            onFold={onFold}
            media
            sort={{ column: search.sort, direction: search.dir === 'asc' ? 'ascending' : 'descending' }}
            onSort={({ column, direction }) =>
              change({ sort: column as ListSearch['sort'], dir: direction === 'ascending' ? 'asc' : 'desc' })
            }
          />
        ) : (
          <Suspense fallback={null}>
            <TileGrid {...parts} />
          </Suspense>
        )}
        {selecting && (
          <Suspense fallback={null}>
            <ListSelection
              selection={selection}
              setSelection={setSelection}
              loaded={rows.loaded}
              total={rows.total ?? 0}
              search={search}
              asked={asked}
              onAsked={answered}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

interface ListKeys {
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
  readonly selection: Selection
  readonly rows: ListWindow
  readonly onAsk: (asked: Asked | null) => void
}

/** F to the filter, V to the other view, and a letter for each act. */
function useListKeys({ search, change, selection, rows, onAsk }: ListKeys): void {
  useShortcuts(
    useMemo(
      () => ({
        f: () => document.querySelector<HTMLInputElement>('[data-filter] input')?.focus(),
        v: () => change({ view: search.view === 'list' ? 'grid' : 'list' }),
        t: () => onAsk(askFor('tag', selection, rows)),
        c: () => onAsk(askFor('link', selection, rows)),
        s: () => onAsk(askFor('category', selection, rows)),
        r: () => onAsk(askFor('title', selection, rows)),
      }),
      [change, search.view, selection, rows, onAsk],
    ),
  )
}

interface Draggable {
  readonly selection: Selection
  readonly rows: ListWindow
  readonly search: ListSearch
}

/** A row is dragged alone, or with the whole selection that it is in. */
function useDragItems({ selection, rows, search }: Draggable): (item: Item, transfer: DataTransfer) => void {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const { tenant } = useSession()
  return ({ EvidenceId, DisplayName }, transfer) => {
    const total = rows.total ?? 0
    const many = isSelected(selection, EvidenceId)
    const count = many ? countOf(selection, total) : 1
    const gather = async (): Promise<readonly string[]> => {
      if (!many) return [EvidenceId]
      const { itemsOf } = await import('./selected-items.ts')
      const items = await itemsOf({ selection, loaded: rows.loaded, total, search }, tenant)
      return items.map((item) => item.EvidenceId)
    }
    setDragWords(transfer, count === 1 ? visible(DisplayName) : t('dragMany', { count, shown: format.count(count) }))
    startEvidenceDrag(transfer, { count, gather })
  }
}

/** An act by its key: with the selection, or where nothing is selected with the row that has the focus. */
function askFor(act: string, selection: Selection, { rowAt }: Pick<ListWindow, 'rowAt'>): Asked | null {
  if (!isEmpty(selection)) return { kind: 'act', act, item: undefined }
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  const item = row === null || row === undefined ? undefined : rowAt(Number(row.dataset['row']))
  return item === undefined ? null : { kind: 'act', act, item }
}

/** What will stand here, and the one way to begin. */
function NoEvidence({ search, onAdd }: { readonly search: ListSearch; readonly onAdd: () => void }) {
  const { t } = useTranslation('evidenceList')
  const { has, bin } = search
  if (has.includes('unfinished') && !isFiltered({ ...search, has: has.filter((one) => one !== 'unfinished') }))
    return <EmptyState title={t('nothingUnfinishedTitle')}>{t('nothingUnfinishedBody')}</EmptyState>
  if (isFiltered(search)) return <EmptyState title={t('nothingTitle')}>{t('nothingBody')}</EmptyState>
  if (bin) return <EmptyState title={t('binEmptyTitle')}>{t('binEmptyBody')}</EmptyState>
  return (
    <EmptyState
      title={t('emptyTitle')}
      action={
        <Button kind="main" icon="upload" onPress={onAdd}>
          {t('addFirst')}
        </Button>
      }
    >
      {t('emptyBody')}
    </EmptyState>
  )
}

/** Whether it was so at any time: what a selection asks for is answered after it was taken away, too. */
function useOnce(now: boolean): boolean {
  const [once, setOnce] = useState(false)
  if (now && !once) setOnce(true)
  return now || once
}

function ListProblem({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const { t } = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  return (
    <div className={styles['note']}>
      <Note
        state="attention"
        title={t('errorTitle')}
        action={
          <Button size="small" icon="retry" onPress={retry}>
            {t('tryAgain')}
          </Button>
        }
      >
        {t('errorBody', { message: error instanceof TypeError ? t('offlineTitle') : error.message })}{' '}
        {id !== undefined && t('errorId', { id })}
      </Note>
    </div>
  )
}
