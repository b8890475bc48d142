import { type KeyboardEvent, type Ref, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Box } from '../field/choice.tsx'
import { cx } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import { type Column, type Sort, sortedBy } from './columns.ts'
import styles from './table.module.css'

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
  readonly chosen: 'none' | 'some' | 'all'
  /** Left out where rows cannot be selected. */
  readonly onChoose: ((on: boolean) => void) | undefined
  readonly canAll: boolean
  readonly ref: Ref<HTMLDivElement>
}

/** One stop for Tab; ← and → go along the heads that do something. */
export function Head<Row>({ columns, sort, onSort, chosen, onChoose, canAll, ref }: HeadProps<Row>) {
  const { t } = useTranslation('ui')
  const [reached, setReached] = useState<string | null>(null)
  const acting = [
    ...(onChoose !== undefined && canAll ? ['box'] : []),
    ...columns.filter(({ sortable }) => sortable === true && onSort !== undefined).map(({ id }) => id),
  ]
  const stop = reached !== null && acting.includes(reached) ? reached : acting[0]
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = acting[acting.indexOf(stop ?? '') + by]
    if (by === 0 || next === undefined) return
    event.preventDefault()
    setReached(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-head="${CSS.escape(next)}"]`)?.focus()
  }
  const shift = onChoose === undefined ? 1 : 2
  return (
    <div role="rowgroup" className={styles['head']} ref={ref}>
      <div role="row" aria-rowindex={1} className={styles['headRow']} onKeyDown={onKeyDown}>
        {onChoose !== undefined && (
          <div role="columnheader" aria-colindex={1} className={styles['select']}>
            {canAll && (
              <>
                <input
                  type="checkbox"
                  data-head="box"
                  className={styles['input']}
                  aria-label={chosen === 'none' ? t('selectAll') : t('clearSelection')}
                  tabIndex={stop === 'box' ? 0 : -1}
                  checked={chosen === 'all'}
                  ref={(input) => {
                    if (input !== null) input.indeterminate = chosen === 'some'
                  }}
                  onFocus={() => setReached('box')}
                  onChange={() => onChoose(chosen === 'none')}
                />
                <Box checked={chosen === 'all'} some={chosen === 'some'} />
              </>
            )}
            {!canAll && <span className={styles['unseen']}>{t('select')}</span>}
          </div>
        )}
        {columns.map((column, at) => (
          <ColumnHead
            key={column.id}
            column={column}
            index={at + shift}
            sort={sort}
            onSort={onSort}
            reached={stop === column.id}
            onReach={() => setReached(column.id)}
          />
        ))}
      </div>
    </div>
  )
}

interface ColumnHeadProps<Row> {
  readonly column: Column<Row>
  readonly index: number
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
  readonly reached: boolean
  readonly onReach: () => void
}

function ColumnHead<Row>({ column, index, sort, onSort, reached, onReach }: ColumnHeadProps<Row>) {
  const sortable = column.sortable === true && onSort !== undefined
  const direction = sort?.column === column.id ? sort.direction : undefined
  return (
    <div
      role="columnheader"
      aria-colindex={index}
      className={cx(styles['headCell'], column.align === 'end' && styles['end'])}
      {...(sortable ? { 'aria-sort': direction ?? 'none' } : {})}
    >
      {sortable ? (
        <button
          type="button"
          data-head={column.id}
          className={styles['sort']}
          tabIndex={reached ? 0 : -1}
          onFocus={onReach}
          onClick={() => onSort(sortedBy(sort, column.id))}
        >
          <span className={styles['headWords']}>{column.label}</span>
          {direction !== undefined && (
            <Icon
              name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'}
              size="small"
              className={styles['arrow']}
            />
          )}
        </button>
      ) : (
        <span className={styles['headWords']}>{column.label}</span>
      )}
    </div>
  )
}
