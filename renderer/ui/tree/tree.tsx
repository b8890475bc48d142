import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import styles from './tree.module.css'

export interface TreeNode {
  readonly id: string
  /** Plain text, for typing ahead and for readers. */
  readonly label: string
  /** What is drawn; the label when left out. May hold buttons, reached with →. */
  readonly content?: ReactNode
  readonly children?: readonly TreeNode[] | undefined
}

export interface TreeProps {
  readonly label: string
  readonly nodes: readonly TreeNode[]
  readonly selected?: string | null | undefined
  readonly onSelect?: ((id: string) => void) | undefined
}

interface Row {
  readonly node: TreeNode
  readonly level: number
  readonly at: number
  readonly of: number
}

const rowsOf = (nodes: readonly TreeNode[], level = 1): readonly Row[] =>
  nodes.flatMap((node, index) => [
    { node, level, at: index + 1, of: nodes.length },
    ...rowsOf(node.children ?? [], level + 1),
  ])

const STOPS = 'button, a[href]'
const within = (root: Element, selector: string): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
]

/** What comes from what, all of it unfolded. One stop of Tab: arrows move and choose, → reaches the buttons of a line. */
export function Tree({ label, nodes, selected = null, onSelect }: TreeProps) {
  const root = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const rows = rowsOf(nodes)
  const has = (id: string | null): boolean => rows.some(({ node }) => node.id === id)
  const stop = has(active) ? active : has(selected) ? selected : rows[0]?.node.id
  return (
    <div
      ref={root}
      role="treegrid"
      aria-label={label}
      tabIndex={-1}
      className={styles['tree']}
      onKeyDown={(event) => root.current !== null && walk(event, root.current, rows, onSelect)}
    >
      {rows.map(({ node, level, at, of }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of every row are those of the tree
        <div
          key={node.id}
          role="row"
          aria-label={node.label}
          aria-level={level}
          aria-posinset={at}
          aria-setsize={of}
          {...(node.children === undefined ? {} : { 'aria-expanded': true })}
          {...(onSelect === undefined ? {} : { 'aria-selected': node.id === selected })}
          tabIndex={node.id === stop ? 0 : -1}
          className={styles['item']}
          onFocus={() => setActive(node.id)}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest(STOPS) === null) onSelect?.(node.id)
          }}
        >
          <div
            role="gridcell"
            className={styles['line']}
            style={{ paddingInlineStart: `calc(var(--s-6) * ${level - 1})` }}
          >
            {level > 1 && <span className={styles['branch']} aria-hidden="true" />}
            <div className={styles['content']}>{node.content ?? node.label}</div>
          </div>
        </div>
      ))}
    </div>
  )
}

/** No key of the page beside. */
const taken = (event: KeyboardEvent): void => {
  event.preventDefault()
  event.stopPropagation()
}

/** Between the rows, into a row and out of it, and past the tree with Tab. */
function walk(
  event: KeyboardEvent,
  root: HTMLElement,
  rows: readonly Row[],
  onSelect: ((id: string) => void) | undefined,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
  const elements = within(root, '[role=row]')
  const here = elements.findIndex((element) => element.contains(event.target as Element))
  const row = elements[here]
  if (event.key === 'Tab') {
    // From its edge the browser goes on to what stands before or behind it.
    const edge = event.shiftKey ? root : (within(root, STOPS).at(-1) ?? elements.at(-1))
    edge?.focus({ preventScroll: true })
    return
  }
  if (row === undefined) return
  const goTo = (index: number, choose: boolean): void => {
    taken(event)
    const next = rows[index]
    elements[index]?.focus()
    if (choose && next !== undefined) onSelect?.(next.node.id)
  }
  const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(here + 1, rows.length - 1),
    ArrowUp: Math.max(here - 1, 0),
    Home: 0,
    End: rows.length - 1,
  }
  const step = steps[event.key]
  if (across !== undefined) {
    taken(event)
    const stops = [row, ...within(row, STOPS)]
    stops.at((stops.indexOf(event.target) + across) % stops.length)?.focus()
  } else if (step !== undefined) goTo(step, true)
  else if (event.target === row && (event.key === 'Enter' || event.key === ' ')) goTo(here, true)
  else if (event.target === row && event.key.length === 1) {
    const typed = event.key.toLowerCase()
    const order = [...rows.keys()].map((index) => (here + 1 + index) % rows.length)
    const found = order.find((index) => rows[index]?.node.label.toLowerCase().startsWith(typed) === true)
    if (found !== undefined) elements[found]?.focus()
  }
}
