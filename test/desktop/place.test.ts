import fc from 'fast-check'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openNotebook } from '../../main/system/notebook.ts'
import { placeFor, SMALLEST } from '../../main/window/place.ts'

const MAIN = { x: 0, y: 25, width: 1920, height: 1055 }
const LEFT = { x: -1280, y: 0, width: 1280, height: 1024 }

const rectangle = (least: number, most: number) =>
  fc.record({
    x: fc.integer({ min: -8000, max: 8000 }),
    y: fc.integer({ min: -8000, max: 8000 }),
    width: fc.integer({ min: least, max: most }),
    height: fc.integer({ min: least, max: most }),
  })

test('wherever it was and whatever screens there are, all of it lies on one of them', () => {
  fc.assert(
    fc.property(
      fc.option(rectangle(1, 9000)),
      fc.array(rectangle(320, 5000), { minLength: 1, maxLength: 4 }),
      (remembered, areas) => {
        const { x, y, width, height } = placeFor(remembered, areas)
        const on = areas.find(
          (area) =>
            x >= area.x && y >= area.y && x + width <= area.x + area.width && y + height <= area.y + area.height,
        )
        expect(on).toBeDefined()
        expect(width).toBeGreaterThanOrEqual(Math.min(SMALLEST.width, ...areas.map((area) => area.width)))
        expect(height).toBeGreaterThanOrEqual(Math.min(SMALLEST.height, ...areas.map((area) => area.height)))
      },
    ),
    { numRuns: 2000 },
  )
})

test('a place that is on a screen is kept as it is', () => {
  const place = { x: -1200, y: 100, width: 1000, height: 700 }
  expect(placeFor(place, [MAIN, LEFT])).toEqual(place)
})

test('the screen is gone: the same size in the middle of the main one', () => {
  expect(placeFor({ x: -1200, y: 100, width: 1000, height: 700 }, [MAIN])).toEqual({
    x: 460,
    y: 203,
    width: 1000,
    height: 700,
  })
})

test('the title bar above the screen, or below it, cannot be taken hold of', () => {
  for (const y of [-60, 1075]) {
    const { y: corrected } = placeFor({ x: 100, y, width: 1000, height: 700 }, [MAIN])
    expect(corrected).toBe(203)
  }
})

test('what is remembered survives a start; a damaged file does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-notebook-'))
  try {
    const file = join(folder, 'deep/window.json')
    const place = { x: 1, y: 2, width: 900, height: 700, maximized: true }
    expect(openNotebook(file).read()).toEqual({ place: null, toldOfTray: false })
    openNotebook(file).write({ place })
    openNotebook(file).write({ toldOfTray: true })
    expect(openNotebook(file).read()).toEqual({ place, toldOfTray: true })
    writeFileSync(file, JSON.stringify({ place: { ...place, width: -4 }, toldOfTray: true }))
    expect(openNotebook(file).read()).toEqual({ place: null, toldOfTray: true })
    writeFileSync(file, readFileSync(file).subarray(0, 9))
    expect(openNotebook(file).read()).toEqual({ place: null, toldOfTray: false })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
