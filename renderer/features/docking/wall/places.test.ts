import { describe, expect, it } from 'vitest'
import { placesFor } from './places.ts'

describe('the places of tiles', () => {
  it.each([
    // As in shots/dock-wall: seven by four.
    [26, 1400, 750, { columns: 7, rows: 4, rowHeight: null }],
    [26, 1000, 580, { columns: 7, rows: 4, rowHeight: null }],
    // A few fill the screen too.
    [1, 1400, 750, { columns: 1, rows: 1, rowHeight: null }],
    [3, 1400, 750, { columns: 3, rows: 1, rowHeight: null }],
    [4, 1400, 750, { columns: 2, rows: 2, rowHeight: null }],
    [0, 1400, 750, { columns: 1, rows: 1, rowHeight: null }],
    [64, 1880, 900, { columns: 11, rows: 6, rowHeight: null }],
    // Upright.
    [26, 1000, 1700, { columns: 4, rows: 7, rowHeight: null }],
    // Too many for so little: it scrolls.
    [64, 600, 400, { columns: 5, rows: 13, rowHeight: 106 }],
    [3, 100, 300, { columns: 1, rows: 3, rowHeight: 106 }],
  ])('%i tiles in %i × %i', (tiles, width, height, expected) => {
    expect(placesFor(tiles, width, height, 10)).toEqual(expected)
  })

  it('has room for all of them, whatever their number', () => {
    for (let tiles = 1; tiles <= 300; tiles++) {
      const { columns, rows } = placesFor(tiles, 1440, 800, 10)
      expect(columns * rows).toBeGreaterThanOrEqual(tiles)
    }
  })
})
