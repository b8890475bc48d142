import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** In rem. Left out: it takes a share of what is left, at least `least`. */
  readonly width?: number | undefined
  /** In rem, for a column without a width; 11 by default. */
  readonly least?: number | undefined
  readonly align?: 'start' | 'end' | undefined
  /** 1 stays on every width (the default); higher numbers give way first. */
  readonly priority?: number | undefined
  readonly sortable?: boolean | undefined
  /** Cannot be taken off by choice. */
  readonly fixed?: boolean | undefined
  readonly cell: (row: Row) => ReactNode
  /** The whole cell as text: for the copy, the hover and the search of a reader. */
  readonly text: (row: Row) => string
}

export interface Sort {
  readonly column: string
  readonly direction: 'ascending' | 'descending'
}

const LEAST = 11

const needs = (column: Pick<Column<never>, 'width' | 'least'>): number => column.width ?? column.least ?? LEAST

/** The columns that have room in a width of `rem`, in their order: those of the highest priority number go first. */
export function fittingColumns<Row>(columns: readonly Column<Row>[], rem: number): readonly Column<Row>[] {
  let shown = columns
  while (shown.length > 1 && shown.reduce((sum, column) => sum + needs(column), 0) > rem) {
    const weakest = Math.max(...shown.map(({ priority = 1 }) => priority))
    if (weakest <= 1) break
    const last = shown.findLastIndex(({ priority = 1 }) => priority === weakest)
    shown = shown.filter((_, index) => index !== last)
  }
  return shown
}

/** The tracks of the grid: fixed columns in rem, the others share the rest. */
export function tracksOf<Row>(columns: readonly Column<Row>[], boxed: boolean): string {
  const tracks = columns.map((column) =>
    column.width === undefined ? `minmax(${column.least ?? LEAST}rem, 1fr)` : `${column.width}rem`,
  )
  return [...(boxed ? ['3rem'] : []), ...tracks].join(' ')
}

/** The least width of a row, in rem. */
export const leastOf = <Row>(columns: readonly Column<Row>[], boxed: boolean): number =>
  columns.reduce((sum, column) => sum + needs(column), (boxed ? 3 : 0) + 1)

/** A press on a head: the same column turns round, another begins ascending. */
export function sortedBy(sort: Sort | undefined, column: string): Sort {
  const turns = sort?.column === column && sort.direction === 'ascending'
  return { column, direction: turns ? 'descending' : 'ascending' }
}

/** Rows as tab-separated text, with a head; tabs and line breaks inside a cell become spaces. */
export function asText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const clean = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').trim()
  return [
    columns.map(({ label }) => clean(label)),
    ...rows.map((row) => columns.map((column) => clean(column.text(row)))),
  ]
    .map((line) => line.join('\t'))
    .join('\n')
}
