/** How the tiles fill their place: as large as they can be, and about as high as they are wide. */
export interface Places {
  readonly columns: number
  readonly rows: number
  /** Smaller than this nobody reads a tile: then the wall scrolls, with rows of this height in pixels. */
  readonly rowHeight: number | null
}

/** Of a tile, in pixels. */
const LEAST_WIDE = 112
const LEAST_HIGH = 106
/** Its words need this much height for its width. */
const SHAPE = 0.94

export function placesFor(tiles: number, width: number, height: number, gap: number): Places {
  let best: Places = { columns: 1, rows: 1, rowHeight: null }
  let size = 0
  for (let columns = 1; columns <= Math.max(1, tiles); columns++) {
    const rows = Math.max(1, Math.ceil(tiles / columns))
    const wide = (width - gap * (columns - 1)) / columns
    const high = (height - gap * (rows - 1)) / rows
    const own = Math.min(wide, high / SHAPE)
    // Of two that are as large, the one with fewer columns has the wider tiles.
    if (own <= size + 0.5) continue
    size = own
    best = { columns, rows, rowHeight: null }
  }
  if (size >= LEAST_WIDE) return best
  const columns = Math.max(1, Math.floor((width + gap) / (LEAST_WIDE + gap)))
  return { columns, rows: Math.ceil(tiles / columns), rowHeight: LEAST_HIGH }
}
