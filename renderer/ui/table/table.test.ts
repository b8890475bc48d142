import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asText, type Column, fittingColumns, sortedBy } from './columns.ts'
import { headsAt, heightOf, type RowGroup, rowAtOffset, scrolledTo, spanInSight, topOf } from './lines.ts'
import { countOf, EVERYTHING, extended, isSelected, NOTHING, type Selection, toggled, withKeys } from './selection.ts'

const HEIGHTS = { row: 48, head: 30 }
const groupsIn = (total: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: Math.max(0, total - 1) }), { maxLength: 20 })
    .map((places): RowGroup[] => places.sort((a, b) => a - b).map((at) => ({ id: String(at), at, label: '' })))
const lists = fc.integer({ min: 1, max: 200_000 }).chain((total) => fc.tuple(fc.constant(total), groupsIn(total)))

describe('where rows lie', () => {
  it('the row at any place inside a row is that row; a head belongs to the row under it', () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.integer({ min: 0, max: 47 }), ([total, groups], pick, inside) => {
        const row = pick % total
        const top = topOf(groups, HEIGHTS, row)
        expect(rowAtOffset(groups, HEIGHTS, total, top + inside)).toBe(row)
        if (groups.some(({ at }) => at === row)) expect(rowAtOffset(groups, HEIGHTS, total, top - 1)).toBe(row)
        expect(top + HEIGHTS.row).toBeLessThanOrEqual(heightOf(groups, HEIGHTS, total))
      }),
    )
  })

  it('everything in sight is drawn, and never more than a place can hold', () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.integer({ min: 100, max: 2_000 }), ([total, groups], place, height) => {
        const top = place % Math.max(1, heightOf(groups, HEIGHTS, total))
        const { first, last } = spanInSight(groups, HEIGHTS, total, { top, height, spare: 8 })
        expect(first).toBeLessThanOrEqual(rowAtOffset(groups, HEIGHTS, total, top))
        expect(last).toBeGreaterThanOrEqual(Math.min(total - 1, rowAtOffset(groups, HEIGHTS, total, top + height)))
        expect(last - first).toBeLessThanOrEqual(240)
      }),
    )
  })

  it('scrolling to a row shows it whole, with its head, and does not move when it is in sight', () => {
    fc.assert(
      fc.property(lists, fc.nat(), fc.nat({ max: 9_000_000 }), ([total, groups], pick, top) => {
        const row = pick % total
        const sight = { top, height: 600 }
        const to = scrolledTo(groups, HEIGHTS, row, sight)
        expect(topOf(groups, HEIGHTS, row)).toBeGreaterThanOrEqual(to)
        expect(topOf(groups, HEIGHTS, row) + HEIGHTS.row).toBeLessThanOrEqual(to + sight.height)
        expect(scrolledTo(groups, HEIGHTS, row, { ...sight, top: to })).toBe(to)
      }),
    )
  })

  it('heads of folded groups stand above the row that follows them, and behind the last', () => {
    const groups = [
      { id: 'night', at: 0, label: '', folded: true },
      { id: 'day', at: 0, label: '', folded: false },
      { id: 'early', at: 3, label: '', folded: true },
    ]
    const ids = (row: number) => headsAt(groups, row, 3).map(({ id }) => id)
    expect([0, 1, 2, 3].map(ids)).toEqual([['night', 'day'], [], [], ['early']])
    expect(heightOf(groups, { row: 48, head: 30 }, 3)).toBe(3 * 48 + 3 * 30)
    expect(headsAt(groups.slice(0, 1), 0, 0).map(({ id }) => id)).toEqual(['night'])
    expect(headsAt([{ id: 'gone', at: 3, label: '' }], 3, 3)).toEqual([])
  })
})

describe('selection', () => {
  const selections = fc
    .tuple(fc.boolean(), fc.uniqueArray(fc.integer({ min: 0, max: 30 })))
    .map(([all, keys]): Selection => ({ all, keys: new Set(keys.map(String)) }))
  const chosen = (selection: Selection): string[] =>
    Array.from({ length: 31 }, (_, key) => String(key)).filter((key) => isSelected(selection, key))

  it('a toggle changes one key and no other, also among all', () => {
    fc.assert(
      fc.property(selections, fc.integer({ min: 0, max: 30 }), (selection, key) => {
        const next = toggled(selection, String(key))
        for (let other = 0; other <= 30; other += 1)
          expect(isSelected(next, String(other))).toBe(isSelected(selection, String(other)) !== (other === key))
        expect(countOf(next, 31)).toBe(chosen(next).length)
      }),
    )
  })

  it('Shift from an anchor gives the range to the row, however it wandered before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }),
        (anchor, way) => {
          let selection = NOTHING
          let from = anchor
          for (const to of way) {
            selection = extended(selection, String, { anchor, from, to })
            from = to
          }
          const [low, high] = [Math.min(anchor, from), Math.max(anchor, from)]
          expect(chosen(selection)).toEqual(Array.from({ length: high - low + 1 }, (_, step) => String(low + step)))
        },
      ),
    )
  })

  it('all but a few', () => {
    const most = withKeys(EVERYTHING, ['3', '4'], false)
    expect(countOf(most, 12_418)).toBe(12_416)
    expect(isSelected(most, '3')).toBe(false)
    expect(withKeys(most, ['3', '4'], true)).toEqual(EVERYTHING)
  })
})

describe('columns', () => {
  const column = (id: string, width: number | undefined, priority?: number): Column<string> => ({
    id,
    label: id,
    width,
    priority,
    cell: (row) => row,
    text: (row) => `${row}\t${id}\n`,
  })
  const all = [
    column('name', undefined),
    column('when', 9),
    column('length', 6, 3),
    column('who', 8, 2),
    column('state', 10),
  ]

  it.each([
    [60, ['name', 'when', 'length', 'who', 'state']],
    [40, ['name', 'when', 'who', 'state']],
    [32, ['name', 'when', 'state']],
    [5, ['name', 'when', 'state']],
  ])('in %d rem', (rem, ids) => expect(fittingColumns(all, rem).map(({ id }) => id)).toEqual(ids))

  it('turn round when pressed again', () => {
    expect(sortedBy(undefined, 'name')).toEqual({ column: 'name', direction: 'ascending' })
    expect(sortedBy({ column: 'name', direction: 'ascending' }, 'name').direction).toBe('descending')
    expect(sortedBy({ column: 'name', direction: 'descending' }, 'name').direction).toBe('ascending')
    expect(sortedBy({ column: 'when', direction: 'ascending' }, 'name').direction).toBe('ascending')
  })

  it('as text keep one line to a row and one cell to a column', () => {
    expect(asText([column('a', 1), column('b', 1)], ['x', 'y'])).toBe('a\tb\nx a\tx b\ny a\ty b')
  })
})
