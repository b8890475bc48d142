import { type CSSProperties, memo, type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Box } from '../field/choice.tsx'
import { cx } from '../given.ts'
import type { MenuPlace } from '../popover/context-menu.tsx'
import type { RowGroup } from './lines.ts'
import { isSelected, NOTHING, type Selection } from './selection.ts'
import { useActive } from './use-active.ts'
import { useListKeys } from './use-list-keys.ts'
import { type RowDrop, useRowDrag } from './use-row-drag.ts'
import { noteRowLeft, useReturn } from './use-return.ts'
import { useRowMenu } from './use-row-menu.ts'
import { placeOf, useStart } from './places.ts'
import { type Places, usePlaces, useWindow, type Window } from './use-window.ts'
import styles from './grid.module.css'

export interface DataGridProps<Row> {
  readonly label: string
  /** null while it is not known yet. */
  readonly total: number | null
  readonly rowAt: (index: number) => Row | undefined
  readonly keyOf: (row: Row) => string
  readonly onWindow?: ((first: number, last: number) => void) | undefined
  /** A tile's picture and words; fixed height, memoised by the caller. */
  readonly tile: (row: Row) => ReactNode
  /** Its name, for readers and for the box. */
  readonly nameOf: (row: Row) => string
  readonly selection?: Selection | undefined
  readonly onSelection?: ((selection: Selection) => void) | undefined
  readonly onSelectAll?: (() => void) | undefined
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly empty?: ReactNode
  readonly room?: boolean | undefined
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
const UNKNOWN = 24

/** The same list as tiles, as many side by side as there is room for; arrows go four ways, the rest as in the table. */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const places = usePlaces()
  const total = props.total ?? UNKNOWN
  const across = useAcross(places.scroller)
  const lines = Math.ceil(total / across)
  const view = useWindow(places, lines, NO_GROUPS)
  // As in the table: in a grid only rows may stand.
  return (
    <div className={styles['place']} data-empty={props.total === 0 ? '' : undefined}>
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={lines}
        aria-colcount={across}
        {...(props.onSelection === undefined ? {} : { 'aria-multiselectable': true })}
        {...(props.total === null ? { 'aria-busy': true } : {})}
        className={styles['grid']}
        style={{ '--across': across } as CSSProperties}
      >
        <div ref={places.scroller} className={styles['scroller']}>
          <Tiles {...{ props, places, total, across, view }} />
        </div>
      </div>
      {props.total === 0 && <div className={styles['empty']}>{props.empty}</div>}
    </div>
  )
}

interface TilesProps<Row> {
  readonly props: DataGridProps<Row>
  readonly places: Places
  readonly total: number
  readonly across: number
  readonly view: Window
}

function Tiles<Row>({ props, places, total, across, view }: TilesProps<Row>) {
  const { rowAt, keyOf, selection = NOTHING, onSelection } = props
  const lines = Math.ceil(total / across)
  const keyAt = useCallback(
    (index: number) => {
      const row = rowAt(index)
      return row === undefined ? undefined : keyOf(row)
    },
    [rowAt, keyOf],
  )
  const first = view.span.first * across
  const last = Math.min(total - 1, (view.span.last + 1) * across - 1)
  const active = useActive(places.body, { total, keyAt, first, last })
  const show = useCallback((index: number) => view.show(Math.floor(index / across)), [view, across])
  const keys = useListKeys({
    total,
    keyAt,
    active,
    selection,
    onSelection,
    across,
    show,
    page: view.page,
    onSelectAll: onSelection === undefined ? undefined : props.onSelectAll,
    onOpen: (index) => {
      const row = rowAt(index)
      if (row === undefined) return
      noteRowLeft({ list: props.label, key: keyOf(row), index })
      props.onOpen?.(row)
    },
  })
  useReturn({
    list: props.label,
    total: props.total,
    keyAt,
    show,
    move: (index) => active.move(index, true),
    active: active.index,
  })
  const menu = useRowMenu({ rowAt, onMenu: props.onMenu, move: (index) => active.move(index, true) })
  const drag = useRowDrag({ rowAt, onDrag: props.onDrag, onDrop: props.onDrop })
  useAnnouncement(props, { first, last, active: active.index })
  useStart(props.startAt, show, active.move)
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
    >
      <div ref={places.row} className={cx(styles['line'], styles['probe'])} aria-hidden="true" />
      {linesToDraw(view.span, Math.floor(active.index / across), lines).map((line) => (
        <div
          key={line}
          role="row"
          aria-rowindex={line + 1}
          className={styles['line']}
          style={{ transform: `translateY(${line * view.heights.row}px)` }}
        >
          {Array.from({ length: Math.min(across, total - line * across) }, (_, at) => {
            const index = line * across + at
            const row = rowAt(index)
            return (
              <Tile
                key={index}
                {...{ row, index, tile: props.tile, nameOf: props.nameOf }}
                column={at + 1}
                selected={row !== undefined && isSelected(selection, keyOf(row))}
                selectable={onSelection !== undefined}
                reached={index === active.index}
                draggable={props.onDrag !== undefined && row !== undefined}
                over={index === drag.over}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** Tells the caller what is in sight and which tile is the active one. */
function useAnnouncement<Row>(
  { onWindow, onActive }: DataGridProps<Row>,
  { first, last, active }: { readonly first: number; readonly last: number; readonly active: number },
): void {
  useEffect(() => {
    if (last >= first) onWindow?.(first, last)
  }, [onWindow, first, last])
  useEffect(() => onActive?.(active), [active, onActive])
}

function linesToDraw(
  { first, last }: { readonly first: number; readonly last: number },
  active: number,
  lines: number,
): number[] {
  const drawn: number[] = []
  for (let line = first; line <= last && line < lines; line += 1) drawn.push(line)
  return active < lines && (active < first || active > last) ? [...drawn, active] : drawn
}

interface TileProps<Row> {
  readonly row: Row | undefined
  readonly index: number
  readonly column: number
  readonly tile: (row: Row) => ReactNode
  readonly nameOf: (row: Row) => string
  readonly selected: boolean
  readonly selectable: boolean
  readonly reached: boolean
  readonly draggable: boolean
  /** Something is dragged over it. */
  readonly over: boolean
}

function PlainTile<Row>(props: TileProps<Row>) {
  const { row, index, column, tile, nameOf, selected, selectable, reached, draggable, over } = props
  const { t } = useTranslation('ui')
  const name = row === undefined ? t('rowsLoading') : nameOf(row)
  return (
    <div
      role="gridcell"
      aria-colindex={column}
      {...(selectable ? { 'aria-selected': selected } : {})}
      {...(row === undefined ? { 'aria-busy': true, 'aria-label': name } : {})}
      data-row={index}
      {...(draggable ? { draggable } : {})}
      {...(over ? { 'data-over': '' } : {})}
      tabIndex={reached ? 0 : -1}
      className={cx(styles['tile'], selected && styles['selected'])}
    >
      {row === undefined ? <span className={styles['blank']} /> : tile(row)}
      {selectable && row !== undefined && (
        <span className={styles['box']} data-box="">
          <input
            type="checkbox"
            tabIndex={-1}
            checked={selected}
            readOnly
            aria-label={t('selectRow', { name })}
            className={styles['input']}
          />
          <Box checked={selected} />
        </span>
      )}
    </div>
  )
}

const Tile = memo(PlainTile) as typeof PlainTile

/** How many tiles fit: from the width of the place and the least width of a tile (13 rem); two on a phone, where one would be a page of its own. */
function useAcross(scroller: RefObject<HTMLElement | null>): number {
  const [across, setAcross] = useState(4)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const watch = new ResizeObserver(() => {
      const unit = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const rem = element.clientWidth / unit
      setAcross(Math.max(rem < 20 ? 1 : 2, Math.floor((rem - 1.25) / 13.75)))
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [scroller])
  return across
}
