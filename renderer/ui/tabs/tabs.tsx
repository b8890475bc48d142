import { type KeyboardEvent, type ReactNode, Suspense, useId, useLayoutEffect, useRef } from 'react'
import { cx } from '../given.ts'
import { Skeleton } from '../skeleton/skeleton.tsx'
import styles from './tabs.module.css'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: string | number | undefined
  readonly content: ReactNode
}

export interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly TabItem<Id>[]
  readonly value: Id
  readonly onChange: (value: Id) => void
  /** Panels that fill their place and scroll inside. */
  readonly fill?: boolean | undefined
}

/**
 * Faces of one thing, one at a time; which one is open belongs in the address. One stop for Tab, arrows and Home and End move. Written
 * by hand: the library's panel watches every change inside it, which a long list in a panel pays for at each scroll.
 */
export function Tabs<Id extends string>({ label, tabs, value, onChange, fill = false }: TabsProps<Id>) {
  const name = useId()
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === value),
  )
  const open = tabs[at]
  const list = useRef<HTMLDivElement>(null)
  const openId = open?.id
  useLayoutEffect(() => {
    if (openId !== undefined && list.current !== null) showOpen(list.current)
  }, [openId])
  const onKeyDown = (event: KeyboardEvent): void => {
    const places: Readonly<Record<string, number | undefined>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = tabs[places[event.key] ?? -1]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.id)
    document.getElementById(`${name}-${next.id}`)?.focus()
  }
  return (
    <div className={cx(styles['tabs'], fill && styles['fill'])}>
      <div ref={list} role="tablist" aria-label={label} className={styles['list']} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${name}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab === open}
            aria-controls={tab === open ? `${name}-panel` : undefined}
            tabIndex={tab === open ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          </button>
        ))}
      </div>
      {open !== undefined && (
        <div
          key={open.id}
          id={`${name}-panel`}
          role="tabpanel"
          aria-labelledby={`${name}-${open.id}`}
          tabIndex={0}
          className={styles['panel']}
        >
          <Suspense fallback={<Skeleton lines={6} />}>{open.content}</Suspense>
        </div>
      )}
    </div>
  )
}

/** On a phone the tabs are one line that is wider than the screen: the open one is moved into view, and no page around it. */
function showOpen(list: HTMLElement): void {
  const tab = list.querySelector('[aria-selected=true]')
  if (tab === null) return
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (inner.left < outer.left || inner.right > outer.right)
    list.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2
}
