/** Where rows of one height and the heads of groups between them lie; every question in a few steps, however many rows. */
export interface RowGroup {
  readonly id: string
  /** Index of the first row under its head; a folded one has none, and the row is the first after it. */
  readonly at: number
  readonly label: string
  readonly note?: string | undefined
  /** Its rows are not among those of the table. Left out, it cannot be folded. */
  readonly folded?: boolean | undefined
}

export interface Heights {
  /** In pixels. */
  readonly row: number
  readonly head: number
}

/** A span of rows, both ends included; empty while `last` is before `first`. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** How many heads stand above a row, its own included. `groups` is in order. */
export function headsAbove(groups: readonly RowGroup[], row: number): number {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((groups[middle]?.at ?? 0) <= row) low = middle + 1
    else high = middle
  }
  return low
}

/** Distance of a row's upper edge from the top. */
export const topOf = (groups: readonly RowGroup[], heights: Heights, row: number): number =>
  row * heights.row + headsAbove(groups, row) * heights.head

export const heightOf = (groups: readonly RowGroup[], heights: Heights, total: number): number =>
  total * heights.row + groups.filter((group) => isDrawn(group, total)).length * heights.head

/** A head stands above a row; a folded one also behind the last. */
const isDrawn = ({ at, folded }: RowGroup, total: number): boolean => at < total || (at === total && folded === true)

/** The heads right above a row; for the index behind the last one those that stand at the end. */
export function headsAt(groups: readonly RowGroup[], row: number, total: number): readonly RowGroup[] {
  const before = row === 0 ? 0 : headsAbove(groups, row - 1)
  return groups.slice(before, headsAbove(groups, row)).filter((group) => isDrawn(group, total))
}

/** The row at a distance from the top; a head belongs to the row under it. */
export function rowAtOffset(groups: readonly RowGroup[], heights: Heights, total: number, offset: number): number {
  let low = 0
  let high = Math.max(0, total - 1)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const head = headsAbove(groups, middle) - headsAbove(groups, middle - 1)
    if (topOf(groups, heights, middle) - head * heights.head <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** A place without a height of its own grows with its rows; drawing stops here instead of drawing them all. */
const MOST = 240

/** Rows to draw for what is in sight, with `spare` rows around it, in steps, so that scrolling does not draw at every pixel. */
export function spanInSight(
  groups: readonly RowGroup[],
  heights: Heights,
  total: number,
  sight: { readonly top: number; readonly height: number; readonly spare: number },
): Span {
  if (total === 0) return { first: 0, last: -1 }
  const step = Math.max(1, sight.spare >> 1)
  const first = rowAtOffset(groups, heights, total, Math.max(0, sight.top)) - sight.spare
  const last = rowAtOffset(groups, heights, total, Math.max(0, sight.top + sight.height)) + sight.spare
  const begin = Math.max(0, Math.floor(first / step) * step)
  return { first: begin, last: Math.min(total - 1, Math.ceil(last / step) * step, begin + MOST) }
}

/** Where to scroll so that a row is wholly in sight; unchanged when it is. */
export function scrolledTo(
  groups: readonly RowGroup[],
  heights: Heights,
  row: number,
  sight: { readonly top: number; readonly height: number },
): number {
  const group = groups[headsAbove(groups, row) - 1]
  const head = group?.at === row ? heights.head : 0
  const top = topOf(groups, heights, row)
  if (top - head < sight.top) return top - head
  if (top + heights.row > sight.top + sight.height) return top + heights.row - sight.height
  return sight.top
}
