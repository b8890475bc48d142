import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { type Translate, useTranslation } from '../../../client/translate.ts'
import { kindOf } from '../labels.ts'
import { MatrixCell } from './matrix-cell.tsx'
import { type GroupMembers, type Holder, heldNow, type Policy } from './matrix.ts'
import { policyHow, policyWords } from './policy-labels.ts'
import styles from './policies.module.css'
import type { PolicyMatrix } from './use-policies.ts'

interface MatrixTableProps {
  readonly matrix: PolicyMatrix
  readonly policies: readonly Policy[]
  /** Which row is looked at. */
  readonly onRow: (row: number) => void
}

/** One stop for Tab; arrows, Home and End move, Space and Enter change. */
export function MatrixTable({ matrix, policies, onRow }: MatrixTableProps) {
  const { t } = useTranslation('administration')
  const table = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const { holders, groups, changes } = matrix
  const look = (row: number, column: number): void => {
    setActive({ row, column })
    onRow(row)
  }
  return (
    <div className={styles['scroll']}>
      <table
        ref={table}
        role="grid"
        aria-label={t('policies')}
        className={styles['matrix']}
        onKeyDownCapture={(event) => moveByKey(event, table, { rows: policies.length, columns: holders.length })}
      >
        <thead>
          <tr>
            <th scope="col" className={styles['corner']}>
              {t('right')}
            </th>
            {holders.map((holder) => (
              <th key={holder.id} scope="col" className={styles['holder']}>
                <bdi>{holder.name}</bdi>
                <span className={styles['kind']}>{kindWords(holder, groups, t)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {policies.map((policy, row) => (
            <tr key={policy.Policy} {...(row === active.row ? { 'data-here': '' } : {})}>
              <th scope="row" className={styles['right']}>
                {policyWords(policy.Policy, t)}
                <span className={styles['kind']}>{policyHow(policy.Policy, t)}</span>
              </th>
              {holders.map((holder, column) => (
                <MatrixCell
                  key={holder.id}
                  policy={policy}
                  holder={holder}
                  groups={groups}
                  changes={changes}
                  place={`${row} ${column}`}
                  reached={row === active.row && column === Math.min(active.column, holders.length - 1)}
                  onFocus={() => look(row, column)}
                  onChange={(held) => matrix.put(policy, holder.id, held)}
                  held={heldNow(policy, holder.id, changes)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function kindWords(holder: Holder, groups: readonly GroupMembers[], t: Translate<'administration'>): string {
  const group = groups.find(({ id }) => id === holder.id)
  if (group !== undefined) return t('memberCount', { count: group.members.length })
  return holder.guest ? t('guest') : kindOf(holder.type, t)
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
  table.current?.querySelector<HTMLElement>(`[data-place="${nextRow} ${nextColumn}"] :is(button, [tabindex])`)?.focus()
}
