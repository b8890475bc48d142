import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Translate, useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Icon } from '../../../ui/icon/icon.tsx'
import { kindOf } from '../labels.ts'
import { MatrixCell } from './matrix-cell.tsx'
import {
  columnsOf,
  type GroupMembers,
  type Holder,
  heldNow,
  type MatrixColumn,
  PEOPLE,
  peopleOf,
  type Policy,
} from './matrix.ts'
import { PeopleCell } from './people-cell.tsx'
import { policyHow, policyWords } from './policy-labels.ts'
import styles from './policies.module.css'
import type { PolicyMatrix } from './use-policies.ts'

interface MatrixTableProps {
  readonly matrix: PolicyMatrix
  readonly policies: readonly Policy[]
  /** Whether each person has a column, or all of them one. */
  readonly people: boolean
  readonly onPeople: (open: boolean) => void
  /** Of which right the panel tells. */
  readonly chosen: string | undefined
  readonly onChoose: (policy: string) => void
  /** Whose column is looked for: it gets the focus once. */
  readonly wanted: string | null
  readonly onFound: () => void
}

/** One stop for Tab; arrows, Home and End move, Space and Enter change. Column 0 is the name of the right. */
export function MatrixTable(props: MatrixTableProps) {
  const { matrix, policies, people, onPeople, chosen, onChoose, wanted, onFound } = props
  const { t } = useTranslation('administration')
  const table = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState({ row: 0, column: 1 })
  const { holders, groups, changes, put } = matrix
  const columns = useMemo(() => columnsOf(holders, people), [holders, people])
  const look = useCallback((row: number, column: number): void => setActive({ row, column }), [])
  useHeadHeight(table)
  useFirstPersonInSight(table, people)
  useLayoutEffect(() => {
    if (wanted === null) return
    const column = columns.findIndex((one) => one !== PEOPLE && one.id === wanted)
    if (column === -1) return
    focusPlace(table.current, 0, column + 1)
    onFound()
  }, [wanted, columns, onFound])
  return (
    <div className={styles['scroll']}>
      <table
        ref={table}
        role="grid"
        aria-label={t('policies')}
        className={styles['matrix']}
        onKeyDownCapture={(event) => moveByKey(event, table, { rows: policies.length, columns: columns.length + 1 })}
      >
        <thead>
          <tr>
            <th scope="col" className={styles['corner']}>
              {t('right')}
            </th>
            {columns.map((one) =>
              one === PEOPLE ? (
                <PeopleHead key={PEOPLE} count={peopleOf(holders).length} open={people} onOpen={onPeople} />
              ) : (
                <th key={one.id} scope="col" className={styles['holder']} data-person={one.type === 'user'}>
                  <bdi>{one.name}</bdi>
                  <span className={styles['kind']}>{kindWords(one, groups, t)}</span>
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {policies.map((policy, row) => (
            <Row
              key={policy.Policy}
              {...{ policy, row, columns, holders, groups, changes, put, people, onPeople, onChoose }}
              active={row === active.row ? Math.min(active.column, columns.length) : null}
              chosen={policy.Policy === chosen}
              onLook={look}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps
  extends Pick<PolicyMatrix, 'holders' | 'groups' | 'changes' | 'put'>,
    Pick<MatrixTableProps, 'people' | 'onPeople' | 'onChoose'> {
  readonly policy: Policy
  readonly row: number
  readonly columns: readonly MatrixColumn[]
  /** The column that Tab stops at; null in the other rows. */
  readonly active: number | null
  readonly chosen: boolean
  readonly onLook: (row: number, column: number) => void
}

/** With many people a row is long: a move of the focus draws two of them. */
const Row = memo(function Row(props: RowProps) {
  const { policy, row, columns, holders, groups, changes, put, people, onPeople, onChoose, active, chosen } = props
  const { t } = useTranslation('administration')
  const look = (column: number) => (): void => props.onLook(row, column)
  return (
    <tr {...(active === null ? {} : { 'data-here': '' })} {...(chosen ? { 'data-chosen': '' } : {})}>
      <th scope="row" className={styles['right']} data-place={`${row} 0`} data-stays="" onFocus={look(0)}>
        <button
          type="button"
          className={styles['name']}
          aria-expanded={chosen}
          tabIndex={active === 0 ? 0 : -1}
          onClick={() => onChoose(policy.Policy)}
        >
          {policyWords(policy.Policy, t)}
        </button>
        <span className={styles['how']}>{policyHow(policy.Policy, t)}</span>
      </th>
      {columns.map((holder, at) => {
        const column = at + 1
        const shared = { policy, changes, place: `${row} ${column}`, reached: active === column, onFocus: look(column) }
        if (holder === PEOPLE)
          return <PeopleCell key={PEOPLE} {...shared} people={peopleOf(holders)} open={people} onOpen={onPeople} />
        return (
          <MatrixCell
            key={holder.id}
            {...shared}
            holder={holder}
            groups={groups}
            onChange={(held) => put(policy, holder.id, held)}
            held={heldNow(policy, holder.id, changes)}
          />
        )
      })}
    </tr>
  )
})

interface PeopleHeadProps {
  readonly count: number
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

function PeopleHead({ count, open, onOpen }: PeopleHeadProps) {
  const { t } = useTranslation('administration')
  const format = useFormat()
  return (
    <th scope="col" className={styles['people']}>
      <button type="button" className={styles['fold']} aria-expanded={open} onClick={() => onOpen(!open)}>
        <span>{t(open ? 'peopleHide' : 'peopleShow', { count, shown: format.count(count) })}</span>
        <Icon name={open ? 'chevron-left' : 'chevron-right'} size="small" />
      </button>
    </th>
  )
}

/** How high the head is depends on the names in it; what is scrolled to stops below it. */
function useHeadHeight(table: RefObject<HTMLTableElement | null>): void {
  useEffect(() => {
    const head = table.current?.tHead
    const scroller = table.current?.parentElement
    if (!head || !scroller) return
    const watch = new ResizeObserver(() => scroller.style.setProperty('--head', `${head.offsetHeight}px`))
    watch.observe(head)
    return () => watch.disconnect()
  }, [table])
}

/** Columns that open behind the edge would not be seen to have opened. */
function useFirstPersonInSight(table: RefObject<HTMLTableElement | null>, open: boolean): void {
  const before = useRef(open)
  useLayoutEffect(() => {
    const opened = open && !before.current
    before.current = open
    const person = table.current?.querySelector<HTMLElement>('th[data-person="true"]')
    const scroller = table.current?.parentElement
    const corner = table.current?.querySelector<HTMLElement>('th')
    const fold = person?.previousElementSibling
    if (!opened || !person || !scroller || !corner || !(fold instanceof HTMLElement)) return
    const { left, width } = person.getBoundingClientRect()
    if (left + 2 * width <= scroller.getBoundingClientRect().right) return
    scroller.scrollLeft += left - corner.getBoundingClientRect().right - fold.offsetWidth
  }, [table, open])
}

function kindWords(holder: Holder, groups: readonly GroupMembers[], t: Translate<'administration'>): string {
  const group = groups.find(({ id }) => id === holder.id)
  if (group !== undefined) return t('memberCount', { count: group.members.length })
  return holder.guest ? t('guest') : kindOf(holder.type, t)
}

/** Not left to the browser: it brings a cell into the scroller, and be it below the columns that stay in place. */
function focusPlace(table: HTMLTableElement | null, row: number, column: number): void {
  const cell = table?.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`)
  const nearest = { block: 'nearest', inline: 'nearest' } as const
  cell?.querySelector<HTMLElement>(':is(button, [tabindex])')?.focus({ preventScroll: true })
  // As wide as it is, the row moves up and down alone; a cell that stays in place needs no more.
  cell?.closest('tr')?.scrollIntoView(nearest)
  if (cell?.dataset['stays'] === undefined) cell?.scrollIntoView(nearest)
}

/** Caught on the way in: the button of a level would open its menu with an arrow. */
function moveByKey(
  event: KeyboardEvent<HTMLTableElement>,
  table: RefObject<HTMLTableElement | null>,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): void {
  // Open menus send their keys through here too, from outside the table.
  if (!(event.target instanceof HTMLElement) || table.current?.contains(event.target) !== true) return
  const place = event.target.closest<HTMLElement>('[data-place]')?.dataset['place']
  if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const [row = 0, column = 0] = place.split(' ').map(Number)
  const to = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1],
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  const [nextRow = 0, nextColumn = 0] = to
  if (nextRow < 0 || nextColumn < 0 || nextRow >= rows || nextColumn >= columns) return
  focusPlace(table.current, nextRow, nextColumn)
}
