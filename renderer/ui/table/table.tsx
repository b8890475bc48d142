import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import { useTranslation } from '../../client/translate.ts'
import { cx } from '../given.ts'
import type { MenuPlace } from '../popover/context-menu.tsx'
import { asText, type Column, fittingColumns, leastOf, type Sort, tracksOf } from './columns.ts'
import { FullText } from './full-text.tsx'
import { Head } from './head.tsx'
import { headsAbove, headsAt, type RowGroup, type Span, topOf } from './lines.ts'
import { placeOf, useStart } from './places.ts'
import { GroupRow, TableRow } from './row.tsx'
import { isEmpty, isSelected, NOTHING, type Selection } from './selection.ts'
import { useActive } from './use-active.ts'
import { useListKeys } from './use-list-keys.ts'
import { type RowDrop, useRowDrag } from './use-row-drag.ts'
import { noteRowLeft, useReturn } from './use-return.ts'
import { useRowMenu } from './use-row-menu.ts'
import { type Places, usePlaces, useWindow, type Window } from './use-window.ts'
import styles from './table.module.css'

export type { Column, Sort } from './columns.ts'
export type { RowGroup } from './lines.ts'
export { NOTHING, type Selection } from './selection.ts'

export interface DataTableProps<Row> {
  /** Its accessible name. */
  readonly label: string
  /** All columns in their order; memoised by the caller. */
  readonly columns: readonly Column<Row>[]
  /** Ids of the chosen ones; left out, all. */
  readonly shown?: readonly string[] | undefined
  /** null while it is not known yet: rows in their final shape, empty. */
  readonly total: number | null
  /** The row at an index; undefined while it is not loaded. Cheap: it is asked for every row in sight at every drawing. */
  readonly rowAt: (index: number) => Row | undefined
  readonly keyOf: (row: Row) => string
  /** The indices that are wanted now, both ends included, some rows beyond what is in sight. */
  readonly onWindow?: ((first: number, last: number) => void) | undefined
  /** Heads between rows, in order of `at`. */
  readonly groups?: readonly RowGroup[] | undefined
  /** A head is folded, or unfolded again: the caller takes its rows out of the table and puts them back. */
  readonly onFold?: ((id: string, folded: boolean) => void) | undefined
  /** Rows with a thumbnail are higher. */
  readonly media?: boolean | undefined
  readonly sort?: Sort | undefined
  readonly onSort?: ((sort: Sort) => void) | undefined
  /** Left out, rows cannot be selected. */
  readonly selection?: Selection | undefined
  readonly onSelection?: ((selection: Selection) => void) | undefined
  /** Ctrl A or the box in the head: the caller asks *these* or *all*. */
  readonly onSelectAll?: (() => void) | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
  /** After a copy: how many rows went, and how many selected ones are not loaded and stayed behind. */
  readonly onCopied?: ((rows: number, missing: number) => void) | undefined
  /** Shown in place of rows when there are none. */
  readonly empty?: ReactNode
  /** Room below the last row for the selection bar. */
  readonly room?: boolean | undefined
  readonly busy?: boolean | undefined
  /** The row to begin with, as kept in the address. */
  readonly startAt?: number | undefined
  readonly onActive?: ((index: number) => void) | undefined
  /** Asked for the menu of a row, by right click, key or long press. */
  readonly onMenu?: ((row: Row, place: MenuPlace) => void) | undefined
  /** A row is taken up: says what is dragged. Left out, rows stay where they are. */
  readonly onDrag?: ((row: Row, transfer: DataTransfer) => void) | undefined
  /** Something is over a row, or was let go there. */
  readonly onDrop?: RowDrop<Row> | undefined
}

const NO_GROUPS: readonly RowGroup[] = []
/** As many empty rows as fill a window. */
const UNKNOWN = 20

/**
 * A list of any length, drawn by window: the station gives rows as they come in sight. An ARIA grid with one row in the order of
 * Tab; arrows, J and K, Home, End and Page move, → goes into the cells, Enter opens, Space selects, Shift extends, Ctrl A asks for
 * all, Esc clears, Ctrl C copies what is selected as tab-separated text.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { groups = NO_GROUPS, selection = NOTHING, onSelection, rowAt } = props
  const total = props.total ?? UNKNOWN
  const places = usePlaces()
  const selectable = onSelection !== undefined
  const columns = useFitting(places.scroller, useChosen(props.columns, props.shown), selectable)
  const view = useWindow(places, total, groups)
  // Where everything is folded there is something to unfold.
  const empty = props.total === 0 && groups.length === 0
  const sizes = {
    '--tracks': tracksOf(columns, selectable),
    '--least': `${leastOf(columns, selectable)}rem`,
  } as CSSProperties
  // What is said of an empty list stands beside the grid: in a grid only rows may stand.
  return (
    <div className={styles['place']} data-empty={empty ? '' : undefined}>
      <div
        className={styles['table']}
        role="grid"
        aria-label={props.label}
        aria-rowcount={total + groups.length + 1}
        aria-colcount={columns.length + (selectable ? 1 : 0)}
        {...(selectable ? { 'aria-multiselectable': true } : {})}
        {...(props.busy === true || props.total === null ? { 'aria-busy': true } : {})}
        style={sizes}
        data-media={props.media === true ? '' : undefined}
      >
        <div className={styles['scroller']} ref={places.scroller}>
          <Head
            ref={places.cover}
            columns={columns}
            sort={props.sort}
            onSort={props.onSort}
            chosen={isEmpty(selection) ? 'none' : selection.all && selection.keys.size === 0 ? 'all' : 'some'}
            onChoose={selectable ? (on) => (on ? props.onSelectAll?.() : onSelection(NOTHING)) : undefined}
            canAll={props.onSelectAll !== undefined}
          />
          <Body {...{ props, total, places, view, columns, groups, selection }} />
        </div>
        <FullText root={places.body} columns={columns} rowAt={rowAt} boxed={selectable} />
      </div>
      {empty && props.empty !== undefined && <div className={styles['empty']}>{props.empty}</div>}
    </div>
  )
}

interface BodyProps<Row> {
  readonly props: DataTableProps<Row>
  readonly total: number
  readonly places: Places
  readonly view: Window
  readonly columns: readonly Column<Row>[]
  readonly groups: readonly RowGroup[]
  readonly selection: Selection
}

/** The rows, and everything that keys and clicks do among them. */
function Body<Row>({ props, total, places, view, columns, groups, selection }: BodyProps<Row>) {
  const { t } = useTranslation('ui')
  const { rowAt, keyOf, onSelection, onActive } = props
  const selectable = onSelection !== undefined
  const keyAt = useCallback(
    (index: number) => {
      const row = rowAt(index)
      return row === undefined ? undefined : keyOf(row)
    },
    [rowAt, keyOf],
  )
  const active = useActive(places.body, { total, keyAt, ...view.span })
  const keys = useListKeys({
    total,
    keyAt,
    active,
    selection,
    onSelection,
    across: 1,
    show: view.show,
    page: view.page,
    onSelectAll: selectable ? props.onSelectAll : undefined,
    onOpen: props.onOpen === undefined ? undefined : (index) => openAt(props, index),
  })
  useReturn({
    list: props.label,
    total: props.total,
    keyAt,
    show: view.show,
    move: (index) => active.move(index, true),
    active: active.index,
  })
  const menu = useRowMenu({ rowAt, onMenu: props.onMenu, move: (index) => active.move(index, true) })
  const drag = useRowDrag({ rowAt, onDrag: props.onDrag, onDrop: props.onDrop })
  useAsk(props.onWindow, view.span)
  useStart(props.startAt, view.show, active.move)
  useEffect(() => onActive?.(active.index), [active.index, onActive])
  return (
    <div
      ref={places.body}
      role="rowgroup"
      className={cx(styles['body'], props.room === true && styles['room'])}
      style={{ blockSize: view.height }}
      tabIndex={-1}
      {...menu}
      {...drag.handlers}
      onKeyDown={keys.onKeyDown}
      onMouseDown={keys.onMouseDown}
      onClick={(event) => {
        const place = placeOf(event.target)
        if (place !== null) keys.onClick(event, place.index, place.box)
      }}
      onFocus={(event) => {
        const place = placeOf(event.target)
        if (place !== null && place.index !== active.index) active.move(place.index, false)
      }}
      onCopy={(event) => copyRows(event, props, columns, { selection, active: active.index })}
    >
      <div ref={places.row} className={cx(styles['probe'], styles['row'])} aria-hidden="true" />
      <div ref={places.head} className={cx(styles['probe'], styles['group'])} aria-hidden="true" />
      <Rows
        {...{ props, total, columns, view, groups, selection, selectable }}
        active={active.index}
        onActive={(index) => {
          view.show(index)
          active.move(index, true)
        }}
        over={drag.over}
        loading={t('rowsLoading')}
      />
    </div>
  )
}

interface RowsProps<Row> {
  readonly props: DataTableProps<Row>
  readonly total: number
  readonly columns: readonly Column<Row>[]
  readonly view: Window
  readonly groups: readonly RowGroup[]
  readonly selection: Selection
  readonly selectable: boolean
  readonly active: number
  /** Makes a row the active one, in sight and with the focus. */
  readonly onActive: (index: number) => void
  /** The row that something is dragged over; -1: none. */
  readonly over: number
  readonly loading: string
}

/** What is in sight, and the active row wherever it is, so that the focus never goes with the scrolling. */
function Rows<Row>({
  props,
  total,
  columns,
  view,
  groups,
  selection,
  selectable,
  active,
  onActive,
  over,
  loading,
}: RowsProps<Row>) {
  const { span, heights } = view
  const name = useId()
  const indices: number[] = []
  for (let index = span.first; index <= span.last && index < total; index += 1) indices.push(index)
  if (active < total && (active < span.first || active > span.last)) indices.push(active)
  // In one array, so that a head is the same element when rows above or below it come and go.
  const headsOver = (index: number) => {
    const heads = headsAt(groups, index, total)
    const above = headsAbove(groups, index) - heads.length
    const bottom = topOf(groups, heights, index)
    return heads.map((group, at) => (
      <GroupRow
        key={`${name}-${group.id}`}
        group={group}
        top={bottom - (heads.length - at) * heights.head}
        line={index + above + at + 2}
        span={columns.length + (selectable ? 1 : 0)}
        onFold={props.onFold}
        onLeave={(to) => {
          const next = to === 'above' ? index - 1 : index
          if (next >= 0 && next < total) onActive(next)
        }}
      />
    ))
  }
  return [
    ...indices.flatMap((index) => {
      const row = props.rowAt(index)
      const key = row === undefined ? undefined : props.keyOf(row)
      return [
        ...headsOver(index),
        <TableRow
          key={index}
          {...{ row, columns, index, selectable, loading }}
          top={topOf(groups, heights, index)}
          line={index + headsAbove(groups, index) + 2}
          selected={key !== undefined && isSelected(selection, key)}
          reached={index === active}
          draggable={props.onDrag !== undefined && row !== undefined}
          over={index === over}
        />,
      ]
    }),
    ...(span.last >= total - 1 ? headsOver(total) : []),
  ]
}

function openAt<Row>({ label, rowAt, keyOf, onOpen }: DataTableProps<Row>, index: number): void {
  const row = rowAt(index)
  if (row === undefined) return
  noteRowLeft({ list: label, key: keyOf(row), index })
  onOpen?.(row)
}

/** The selected rows that are loaded, else the active one. Text that somebody marked by hand is left to the browser. */
function copyRows<Row>(
  event: React.ClipboardEvent,
  { total, rowAt, keyOf, onCopied }: DataTableProps<Row>,
  columns: readonly Column<Row>[],
  { selection, active }: { readonly selection: Selection; readonly active: number },
): void {
  if (window.getSelection()?.isCollapsed === false || event.target instanceof HTMLInputElement) return
  const rows: Row[] = []
  let missing = 0
  if (isEmpty(selection)) {
    const row = rowAt(active)
    if (row !== undefined) rows.push(row)
  } else {
    for (let index = 0; index < (total ?? 0); index += 1) {
      const row = rowAt(index)
      if (row !== undefined && isSelected(selection, keyOf(row))) rows.push(row)
      else if (row === undefined && selection.all) missing += 1
    }
    if (!selection.all) missing = selection.keys.size - rows.length
  }
  if (rows.length === 0) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', asText(columns, rows))
  onCopied?.(rows.length, missing)
}

/** The chosen ones; the first column is always there. */
function useChosen<Row>(columns: readonly Column<Row>[], shown: readonly string[] | undefined): readonly Column<Row>[] {
  const ids = shown?.join(' ')
  return useMemo(
    () =>
      ids === undefined
        ? columns
        : columns.filter(({ id, fixed }, at) => at === 0 || fixed === true || ids.split(' ').includes(id)),
    [columns, ids],
  )
}

/** The columns that have room now, followed as the place grows and shrinks. */
function useFitting<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
  boxed: boolean,
): readonly Column<Row>[] {
  const [rem, setRem] = useState(Number.POSITIVE_INFINITY)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const watch = new ResizeObserver(() => {
      const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setRem(Math.floor((element.clientWidth / unit) * 4) / 4)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [scroller])
  return useMemo(() => fittingColumns(columns, rem - (boxed ? 3 : 0) - 1), [columns, rem, boxed])
}

function useAsk(onWindow: ((first: number, last: number) => void) | undefined, span: Span): void {
  useEffect(() => {
    if (span.last >= span.first) onWindow?.(span.first, span.last)
  }, [onWindow, span])
}
