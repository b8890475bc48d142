import { type KeyboardEvent, memo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Box } from '../field/choice.tsx'
import { cx } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import { SkeletonLine } from '../skeleton/skeleton.tsx'
import type { Column } from './columns.ts'
import type { RowGroup } from './lines.ts'
import styles from './table.module.css'

interface TableRowProps<Row> {
  readonly row: Row | undefined
  readonly columns: readonly Column<Row>[]
  readonly index: number
  /** aria-rowindex: heads count too. */
  readonly line: number
  readonly top: number
  readonly selected: boolean
  readonly selectable: boolean
  /** The one row in the order of Tab. */
  readonly reached: boolean
  readonly draggable: boolean
  /** Something is dragged over it. */
  readonly over: boolean
  readonly loading: string
}

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, index, line, top, selected, selectable, reached, draggable, over, loading } = props
  const shift = selectable ? 2 : 1
  return (
    <div
      role="row"
      aria-rowindex={line}
      {...(selectable ? { 'aria-selected': selected } : {})}
      {...(row === undefined ? { 'aria-busy': true, 'aria-label': loading } : {})}
      data-row={index}
      {...(draggable ? { draggable } : {})}
      {...(over ? { 'data-over': '' } : {})}
      tabIndex={reached ? 0 : -1}
      className={cx(styles['row'], selected && styles['selected'])}
      style={{ transform: `translateY(${top}px)` }}
    >
      {selectable && <SelectCell name={row === undefined ? '' : (columns[0]?.text(row) ?? '')} selected={selected} />}
      {columns.map((column, at) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={at + shift}
          tabIndex={-1}
          className={cx(styles['cell'], column.align === 'end' && styles['end'])}
        >
          {row === undefined ? <SkeletonLine width={40 + ((index * 7 + at * 23) % 45)} /> : column.cell(row)}
        </div>
      ))}
    </div>
  )
}

/** Drawn again only when something of its own changes: scrolling past a thousand rows draws each once. */
export const TableRow = memo(PlainRow) as typeof PlainRow

/** A real box under the drawn one; the whole cell is its target. */
function SelectCell({ name, selected }: { readonly name: string; readonly selected: boolean }) {
  const { t } = useTranslation('ui')
  return (
    <div role="gridcell" aria-colindex={1} tabIndex={-1} className={styles['select']} data-box="">
      <input
        type="checkbox"
        tabIndex={-1}
        checked={selected}
        readOnly
        aria-label={t('selectRow', { name })}
        className={styles['input']}
      />
      <Box checked={selected} />
    </div>
  )
}

interface GroupRowProps {
  readonly group: RowGroup
  readonly top: number
  readonly line: number
  readonly span: number
  /** Left out, its rows are always there. */
  readonly onFold: ((id: string, folded: boolean) => void) | undefined
  /** To the row above or below. */
  readonly onLeave: (to: 'above' | 'below') => void
}

export function GroupRow({ group, top, line, span, onFold, onLeave }: GroupRowProps) {
  const { id, label, note, folded } = group
  const words = (
    <>
      <span className="truncated">{label}</span>
      {note !== undefined && <span className={styles['note']}>{note}</span>}
    </>
  )
  return (
    <div role="row" aria-rowindex={line} className={styles['group']} style={{ transform: `translateY(${top}px)` }}>
      <div role="gridcell" aria-colindex={1} aria-colspan={span} className={styles['groupWords']}>
        {folded === undefined || onFold === undefined ? (
          words
        ) : (
          <button
            type="button"
            aria-expanded={!folded}
            className={styles['fold']}
            onClick={() => onFold(id, !folded)}
            onKeyDown={(event) => onHeadKey(event, { fold: (to) => onFold(id, to), leave: onLeave })}
          >
            <Icon name={folded ? 'chevron-right' : 'chevron-down'} size="small" />
            {words}
          </button>
        )}
      </div>
    </div>
  )
}

interface HeadActs {
  readonly fold: (folded: boolean) => void
  readonly leave: GroupRowProps['onLeave']
}

/** As in a tree: ← folds, → unfolds, ↑ and ↓ go on to the rows. */
function onHeadKey(event: KeyboardEvent, { fold, leave }: HeadActs): void {
  const acts: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: () => fold(true),
    ArrowRight: () => fold(false),
    ArrowUp: () => leave('above'),
    ArrowDown: () => leave('below'),
  }
  const act = acts[event.key]
  if (act === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  event.stopPropagation()
  act()
}
