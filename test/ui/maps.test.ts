/** Positions at street level: the grid in metres, and a region that an administrator imports. */
// @module-tag screen
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type Given } from '../support/given.ts'
import { makePmtiles, vectorTile } from '../support/pmtiles.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'
import { look, signIn } from './support/window.ts'

let given: Given
let evidenceId: string
beforeAll(async () => {
  given = await stationForPages()
  const made = await added(
    given,
    { name: 'Walk.txt', bytes: Buffer.from('x') },
    {
      evidence: {
        LocationText: '14 Tanner’s Row',
        LocationWKT: 'LINESTRING (13.4 52.52, 13.404 52.521, 13.406 52.523)',
        StartTimeUtc: '2026-11-20T01:41:07Z',
        EndTimeUtc: '2026-11-20T01:59:47Z',
      },
    },
  )
  evidenceId = made.evidenceId
}, 120_000)
afterAll(() => given?.close())

const ZOOM = 14
/** The tile in which the track begins, in the numbering of web maps. */
const [X, Y] = [8801, 5373]
function region(): Buffer {
  const road = (name: string, at: number) => ({
    kind: 'line' as const,
    points: [
      [0, at],
      [4096, at],
    ] as const,
    tags: { kind: 'minor_road', name },
  })
  const bytes = vectorTile({ roads: [road('Quay Road', 700), road('Mill Lane', 2100), road('Ferry Street', 3500)] })
  const tiles = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => ({ z: ZOOM, x: X + dx, y: Y + dy, bytes })))
  return makePmtiles({ tiles, bounds: [13.36, 52.5, 13.44, 52.54], metadata: { attribution: '© Test streets' } })
}

describe('without a map of the region', () => {
  it('a track lies on a grid in metres with its length, ring and times, moved by keys, and is copied', {
    timeout: 90_000,
  }, async () => {
    const { page, problems } = await onPage(given, evidenceId)
    const map = page.getByRole('application', { name: 'Map of the position' })
    await map.getByText(/^Grid \d+\sm$/).waitFor()
    await page.getByText(/length 5\d\d\sm/).waitFor()
    for (const time of ['02:41:07', '02:59:47'])
      await map.locator('text', { hasText: time }).waitFor({ state: 'attached' })
    await map.getByRole('img', { name: 'North is up' }).waitFor()
    const grid = await map.getByText(/^Grid/).innerText()
    await map.focus()
    for (const _ of [1, 2, 3]) await page.keyboard.press('+')
    await soon(() => map.getByText(/^Grid/).innerText()).not.toBe(grid)
    await page.keyboard.press('ArrowLeft')
    expect(await findings(page)).toEqual([])
    // So far away that countries are drawn.
    for (let press = 0; press < 14; press++) await page.keyboard.press('-')
    await soon(() => map.getAttribute('data-shows')).toBe('outline')
    await map.locator('.leaflet-outline-pane path').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Copy coordinates' }).click()
    await page.getByRole('menuitem', { name: 'Degrees, minutes, seconds · 52° 31′ 12.0″ N, 13° 24′ 00.0″ E' }).waitFor()
    await page.getByRole('menuitem', { name: 'Decimal degrees · 52.52000, 13.40000' }).click()
    await page.getByText(/^(Copied 52\.52000, 13\.40000|Could not be copied)/).waitFor()
    expect(problems).toEqual([])
  })

  it('in French', { timeout: 60_000 }, async () => {
    const { page } = await onPage(given, evidenceId, { language: 'fr' })
    await page.getByText(/^Grille \d+\sm$/).waitFor()
    await page.getByText(/longueur 5\d\d\sm/).waitFor()
    await page.getByRole('button', { name: 'Copier les coordonnées' }).waitFor()
  })
})

describe('a map of the region', () => {
  it('is imported from a file, which is refused when it is none, lies under the track, and is removed', {
    timeout: 180_000,
  }, async () => {
    const { page, problems } = await look(given.url)
    await signIn(page, given.url, '/administration/maps', ADMINISTRATOR)
    await page.getByText('No street map yet').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Import a map' }).click()
    const file = page.locator('[data-map-file]')
    await file.setInputFiles({ name: 'letter.pmtiles', mimeType: 'text/plain', buffer: Buffer.from('A letter') })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('It is not a PMTiles file. Nothing of it was kept.').waitFor()
    expect(await findings(page)).toEqual([])
    await file.setInputFiles({ name: 'county.pmtiles', mimeType: 'application/octet-stream', buffer: region() })
    await soon(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('county')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('row').filter({ hasText: '© Test streets' }).waitFor()
    expect(await findings(page)).toEqual([])

    await page.goto(`${given.url}/evidence/${evidenceId}`)
    const map = page.locator('[data-map]')
    await map.getByText('© Test streets').waitFor()
    // Ground, roads, their edges and names: a canvas whose colours cannot be read is one black square.
    await soon(() =>
      map.evaluate((element) => {
        const colours = new Set<string>()
        for (const canvas of element.querySelectorAll('canvas')) {
          const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
          for (let at = 0; at < data.length; at += 4 * 97) colours.add(`${data[at]},${data[at + 1]},${data[at + 2]}`)
        }
        return colours.size
      }),
    ).toBeGreaterThan(3)
    expect(await findingsInThemes(page)).toEqual([])

    await page.goto(`${given.url}/administration/maps`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No street map yet').waitFor()
    // The letter was refused, as it should be.
    expect(problems.filter((line) => !line.includes('409'))).toEqual([])
  })
})
