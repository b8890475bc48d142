import { describe, expect, it } from 'vitest'
import { copyRows, differencesOf, type RowSource, type RowTarget, type RowValue, sumsOf } from './row-copy.ts'

const sourceOf = (tables: Record<string, RowValue[][]>): RowSource => ({
  version: 1,
  tables: Object.keys(tables),
  entries: async () => 0,
  columns: async () => ['b', 'a'],
  rows: async function* (table, columns) {
    expect(columns).toEqual(['a', 'b'])
    for (const row of tables[table] ?? []) yield [row]
  },
  counters: async () => new Map([['one', 7n]]),
  close: async () => {},
})
const sums = (rows: RowValue[][]) => sumsOf(sourceOf({ one: rows }), () => {})
const differ = async (left: RowValue[][], right: RowValue[][]): Promise<string[]> =>
  differencesOf(await sums(left), await sums(right))

describe('B6 rows of two databases are compared', () => {
  it('whatever order they come in, however often the same one comes', async () => {
    const rows: RowValue[][] = [
      [1n, 'x'],
      [2n, 'y'],
    ]
    expect(await differ(rows, rows.toReversed())).toEqual([])
    expect(await differ([...rows, ...rows], rows)).toEqual(['The table one has 4 rows here and 2 there.'])
    // Two equal rows that took the place of two other equal ones.
    expect(await differ([rows[0], rows[0]] as RowValue[][], [rows[1], rows[1]] as RowValue[][])).toHaveLength(1)
  })

  it('by value, kind and column', async () => {
    for (const [left, right] of [
      [
        [1n, 'x'],
        [1n, 'y'],
      ],
      [
        [1n, 'x'],
        ['1', 'x'],
      ],
      [
        [1n, 'x'],
        [1, 'x'],
      ],
      [
        [null, 'x'],
        ['', 'x'],
      ],
      [
        ['ab', 'c'],
        ['a', 'bc'],
      ],
      [
        ['a', new Uint8Array([97])],
        ['a', 'a'],
      ],
      [
        [9_007_199_254_740_993n, 'x'],
        [9_007_199_254_740_992n, 'x'],
      ],
    ] as [RowValue[], RowValue[]][])
      expect(await differ([left], [right])).toEqual([
        'The table one has other rows there: the hashes of its rows differ.',
      ])
  })

  it('and a table that is on one side only is told', async () => {
    const both = await sumsOf(sourceOf({ one: [], two: [] }), () => {})
    expect(differencesOf(both, await sums([]))).toEqual(['The table two is on one side only.'])
  })
})

describe('B6 rows are copied', () => {
  const target = (tables: string[]) => {
    const written: unknown[] = []
    const into: RowTarget = {
      tables,
      columns: async () => [],
      insert: async (table, columns, rows) => void written.push([table, columns, rows]),
      finish: async (last) => void written.push([...last]),
      close: async () => {},
    }
    return { into, written }
  }

  it('with the numbers that were given', async () => {
    const { into, written } = target(['one'])
    await copyRows(sourceOf({ one: [[1n, 'x']] }), into, () => {})
    expect(written).toEqual([['one', ['a', 'b'], [[1n, 'x']]], [['one', 7n]]])
  })

  it('and none where a table has no place', async () => {
    const { into, written } = target(['one'])
    await expect(copyRows(sourceOf({ one: [[1n, 'x']], keys: [] }), into, () => {})).rejects.toThrow(
      'The table keys has no place in the other database.',
    )
    expect(written).toEqual([])
  })
})
