/** The parts in a real browser, under the product's policy: nothing refused, nothing for axe, everything by keyboard alone. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PartsServer, servePartsPage } from '../../build/gallery/serve.ts'
import { findings, wear } from './support/axe.ts'
import { look } from './support/window.ts'

/** Rows above and below those in sight that a table may hold ready. */
const ROWS_BESIDE = 24
const AREAS = ['controls', 'fields', 'list', 'proof', 'surfaces', 'tokens'] as const

let server: PartsServer
let page: Page
let complaints: string[]

beforeAll(async () => {
  server = await servePartsPage()
}, 120_000)
afterAll(() => server?.close())
beforeEach(async () => {
  complaints = []
  const looking = await look(new URL(server.url).origin, { reducedMotion: true })
  page = looking.page
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return looking.close
})

async function open(area: (typeof AREAS)[number], query = ''): Promise<void> {
  await page.goto(`${server.url}?${query}#${area}`)
  await page.getByRole('tab', { selected: true }).waitFor()
  // A width that is measured before the font is there is another one.
  await page.evaluate(async () => void (await document.fonts.ready))
  if (area === 'fields') await page.getByRole('group', { name: 'Recorded between' }).waitFor()
}

/** The library's hidden buttons that dismiss a popover stand beside its dialog, in no landmark. */
const withoutRegion = async (found: Promise<string[]>): Promise<string[]> =>
  (await found).filter((one) => !/^(\w+: )?region /.test(one))

const focused = (): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null
    const row = element?.closest<HTMLElement>('[data-row]')
    const place = row?.dataset['row']
    return place === undefined
      ? (element?.getAttribute('aria-label') ?? element?.textContent?.slice(0, 40) ?? '')
      : element === row
        ? `row ${place}`
        : `row ${place} cell ${element?.closest('[role=gridcell]')?.getAttribute('aria-colindex')}`
  })
const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('for everybody', () => {
  it.each(['light', 'dark', 'contrast'])('axe finds nothing in any group of parts, %s', async (theme) => {
    for (const area of AREAS) {
      await open(area, `theme=${theme}`)
      expect(await withoutRegion(findings(page, [])), area).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  it.each([
    ['Edit the case', 'dialog'],
    ['Remove the link', 'alertdialog'],
    ['Delete the case', 'dialog'],
    ['Show uploads', 'complementary'],
    ['More', 'menu'],
    ['Rename', 'dialog'],
    ['Find or do', 'dialog'],
    ['Keys', 'dialog'],
  ] as const)('axe finds nothing in what “%s” opens', async (button, role) => {
    await open('surfaces', 'theme=light')
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole(role).first().waitFor()
    for (const theme of ['light', 'dark', 'contrast']) {
      await wear(page, theme)
      expect(await withoutRegion(findings(page, [])), theme).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  it('axe finds nothing in open lists, a calendar, tiles and a selection', async () => {
    await open('fields', 'theme=dark')
    await page.getByRole('button', { name: /Type/ }).click()
    await page.getByRole('listbox').waitFor()
    expect(await withoutRegion(findings(page, []))).toEqual([])
    await press('Escape')
    await page
      .getByRole('button', { name: /Open the calendar/ })
      .first()
      .click()
    await page.getByRole('grid').waitFor()
    expect(await withoutRegion(findings(page, []))).toEqual([])
    await open('list', 'theme=light')
    await page.getByRole('radio', { name: 'Grid' }).click()
    await page
      .getByRole('gridcell')
      .first()
      .click({ modifiers: ['Control'] })
    await page.getByRole('toolbar').waitFor()
    expect(await withoutRegion(findings(page, []))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('no text is cut off in a column of 720 pixels, as at 200 % zoom, and targets stay at least 24 high', async () => {
    await page.setViewportSize({ width: 720, height: 450 })
    for (const area of AREAS) {
      await open(area)
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(sideways, area).toBeLessThanOrEqual(0)
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, [role=tab], [role=radio], a[href]')]
          .filter((element) => getComputedStyle(element).display !== 'inline' && element.getClientRects().length > 0)
          .filter((element) => element.getBoundingClientRect().height < 24)
          .map((element) => element.outerHTML.slice(0, 120)),
      )
      expect(small, area).toEqual([])
    }
  })

  it('says its own words in French', async () => {
    await open('proof', 'lang=fr')
    await expect.poll(() => page.getByText('Contrôler').count()).toBeGreaterThan(0)
    expect(await page.getByText('Check now').count()).toBe(0)
  })
})

describe('button', () => {
  it('keeps its width, label and focus while busy, and does nothing then', async () => {
    await open('controls')
    const button = page.getByRole('button', { name: 'Link 3' })
    const busy = await button.boundingBox()
    expect(await button.getAttribute('data-pending')).toBe('true')
    await page.getByRole('button', { name: 'Stop' }).click()
    const rest = await button.boundingBox()
    expect(rest?.width).toBe(busy?.width)
    expect(await button.getAttribute('data-pending')).toBeNull()
  })

  it('that cannot be pressed stays reachable and says why', async () => {
    await open('controls')
    const button = page.locator('button[data-why]').first()
    await button.focus()
    await expect(button.getAttribute('aria-disabled')).resolves.toBe('true')
    await page.getByRole('tooltip').waitFor()
    expect(await page.getByRole('tooltip').textContent()).toContain('This case is closed')
  })
})

describe('table', () => {
  beforeEach(async () => {
    await open('list')
    await page.locator('[data-row="0"]').focus()
  })
  const selected = (): Promise<number> => page.locator('[data-row][aria-selected=true]').count()

  it('moves by arrows, J and K, Home, End and pages, and the row in focus is always in sight', async () => {
    await press('ArrowDown', 'ArrowDown', 'j', 'k')
    expect(await focused()).toBe('row 2')
    await press('End')
    expect(await focused()).toBe('row 99999')
    await expect(page.locator('[data-row="99999"]').isVisible()).resolves.toBe(true)
    await press('PageUp')
    expect(await focused()).toMatch(/^row 9998\d$/)
    await press('Home')
    expect(await focused()).toBe('row 0')
    const { row, scroller } = await page.evaluate(() => {
      const place = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON() as DOMRect
      return { row: place('[data-row="0"]'), scroller: place('[role=grid]') }
    })
    expect(row.top).toBeGreaterThanOrEqual(scroller.top)
  })

  it('goes into the cells with →, and back to the row with ←', async () => {
    await press('ArrowRight', 'ArrowRight')
    expect(await focused()).toBe('row 0 cell 2')
    await press('ArrowDown')
    expect(await focused()).toBe('row 1 cell 2')
    await press('ArrowLeft', 'ArrowLeft')
    expect(await focused()).toBe('row 1')
  })

  it('selects with Space, extends and shrinks with Shift, clears with Esc; Ctrl A asks for all', async () => {
    await press('Space', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
    expect(await selected()).toBe(4)
    await press('Shift+ArrowUp')
    expect(await selected()).toBe(3)
    await press('Escape')
    expect(await selected()).toBe(0)
    await press('Control+a')
    await page.getByText('100,000 selected').waitFor()
    await press('Space')
    await page.getByText('99,999 selected').waitFor()
  })

  it('has a menu by Shift F10 and right click, and the focus is on the row again', async () => {
    const row = (index: number) => page.locator(`[data-row="${index}"]`)
    await row(2).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    expect(
      await page
        .getByRole('menuitem')
        .first()
        .evaluate((item) => item === document.activeElement),
    ).toBe(true)
    expect((await findings(page)).filter((line) => !line.startsWith('region '))).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => row(2).evaluate((node) => node === document.activeElement)).toBe(true)
    await row(3).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Tag' }).waitFor()
    await page.keyboard.press('Escape')
    expect(complaints).toEqual([])
  })

  it('opens with Enter and with a click, selects with the box and with Ctrl', async () => {
    await press('ArrowDown', 'Enter')
    expect(await page.getByRole('region', { name: 'Facts' }).textContent()).toContain('EV-204881')
    await page.locator('[data-row="3"]').click()
    expect(await page.getByRole('region', { name: 'Facts' }).textContent()).toContain('EV-204879')
    await page.locator('[data-row="4"] [data-box]').click()
    await page.locator('[data-row="6"]').click({ modifiers: ['Control'] })
    expect(await selected()).toBe(2)
    await page.locator('[data-row="8"]').click({ modifiers: ['Shift'] })
    expect(await selected()).toBe(4)
    expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true)
    expect(await page.getByRole('region', { name: 'Facts' }).textContent()).toContain('EV-204879')
  })

  it('keeps the selection by key and the focus by row when rows go; with the last row the list has the focus', async () => {
    await press('ArrowDown', 'ArrowDown', 'Space')
    const id = await page.locator('[data-row="2"]').textContent()
    // The page's own button would take the focus with it.
    await page.evaluate(() =>
      [...document.querySelectorAll('button')].find((button) => button.textContent === 'Take the first away')?.click(),
    )
    await expect.poll(() => page.locator('[data-row="1"]').textContent()).toBe(id)
    expect(await page.locator('[data-row="1"]').getAttribute('aria-selected')).toBe('true')
    expect(await page.locator('[data-row="1"]').getAttribute('tabindex')).toBe('0')
    expect(await focused()).toBe('row 1')
    await page.evaluate(() =>
      [...document.querySelectorAll('button')].find((button) => button.textContent === 'Take all away')?.click(),
    )
    await page.getByText('Nothing matches').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('rowgroup')
  })

  it('copies the selected rows, with heads, as tab-separated text', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press('Space', 'Shift+ArrowDown', 'Control+c')
    const text = await page.evaluate(() => navigator.clipboard.readText())
    const lines = text.split('\n').map((line) => line.split('\t'))
    expect(lines[0]).toEqual(['Name', 'Recorded, corrected', 'Length', 'Officer, device', 'State'])
    expect(lines.length).toBe(3)
    expect(lines[1]?.[0]).toBe('BWC 0380, Tanner’s Row EV-204882')
  })

  it('sorts from the heads, one stop for Tab, and says how it is sorted', async () => {
    await page.locator('[data-head=box]').focus()
    await press('ArrowRight', 'ArrowRight', 'Enter')
    expect(await page.getByRole('columnheader', { name: 'Recorded' }).getAttribute('aria-sort')).toBe('ascending')
    expect(await page.locator('[data-row="0"]').textContent()).toContain('EV-104883')
    expect(await page.locator('[data-head][tabindex="0"]').count()).toBe(1)
    await press('Tab')
    expect(await focused()).toBe('row 0')
  })

  it('tells readers where a row is and how many there are', async () => {
    const grid = page.getByRole('grid')
    expect(await grid.getAttribute('aria-rowcount')).toBe('100004')
    // Heads of groups count: row 8 is the first of the second group.
    expect(await page.locator('[data-row="0"]').getAttribute('aria-rowindex')).toBe('3')
    expect(await page.locator('[data-row="8"]').getAttribute('aria-rowindex')).toBe('12')
    await press('End')
    expect(await page.locator('[data-row="99999"]').getAttribute('aria-rowindex')).toBe('100004')
  })

  it('lets columns go by priority, and shows the whole of a cut cell on hover', async () => {
    await page.setViewportSize({ width: 1024, height: 700 })
    await expect.poll(() => page.getByRole('columnheader').allTextContents()).not.toContain('Length')
    expect(await page.getByRole('columnheader').allTextContents()).toContain('State')
    await page.locator('[data-row="1"] [role=gridcell]').nth(1).hover()
    await page.locator('body > [aria-hidden=true]', { hasText: 'Mill Lane playing field EV-204881' }).waitFor()
    await page.mouse.move(5, 5)
    await expect.poll(() => page.locator('body > [aria-hidden=true]').count()).toBe(0)
  })

  it('takes columns off and puts them back', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'State' }).click()
    await press('Escape')
    expect(await page.getByRole('columnheader').allTextContents()).not.toContain('State')
  })

  it.each([
    ['a few rows', { frames: 40, pixels: 300 }],
    ['thousands', { frames: 20, pixels: 150_000 }],
  ])('scrolls 100,000 rows by %s at a time, and draws what is in sight and little more', async (_, by) => {
    const { inSight, most, moved } = await scroll(by)
    expect(inSight).toBeGreaterThan(10)
    // The first steps stay among the rows that are held ready.
    expect(moved).toBeGreaterThanOrEqual(by.frames - 4)
    expect(most).toBeLessThanOrEqual(inSight + ROWS_BESIDE)
  })

  /** @returns rows in sight and the most that were in the page after a step, heads of groups included; steps that showed other rows */
  const scroll = (by: {
    readonly frames: number
    readonly pixels: number
  }): Promise<{ inSight: number; most: number; moved: number }> =>
    page.evaluate(async ({ frames, pixels }) => {
      const scroller = document.querySelector('[role=grid] > div')
      if (scroller === null) throw new Error('no table')
      const rows = (): Element[] => [...scroller.querySelectorAll('[role=row]')]
      const { top, bottom } = scroller.getBoundingClientRect()
      const inSight = rows().filter((row) => {
        const box = row.getBoundingClientRect()
        return box.bottom > top && box.top < bottom
      }).length
      const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done))
      const first = (): string | null => scroller.querySelector('[data-row]')?.getAttribute('data-row') ?? null
      let most = 0
      let moved = 0
      for (let step = 0; step < frames; step += 1) {
        const before = first()
        scroller.scrollTop += pixels
        await frame()
        await frame()
        most = Math.max(most, rows().length)
        if (first() !== before) moved += 1
      }
      return { inSight, most, moved }
    }, by)
})

describe('tiles', () => {
  it('move four ways and share the selection of the table', async () => {
    await open('list')
    await page.getByRole('radio', { name: 'Grid' }).click()
    const tile = page.locator('[role=gridcell][data-row="0"]')
    await tile.focus()
    const across = Number(await page.getByRole('grid').getAttribute('aria-colcount'))
    await press('ArrowRight', 'Space', 'ArrowDown')
    expect(await focused()).toBe(`row ${across + 1}`)
    await press('ArrowUp', 'ArrowLeft')
    expect(await focused()).toBe('row 0')
    await page.getByRole('radio', { name: 'List' }).click()
    expect(await page.locator('[data-row="1"]').getAttribute('aria-selected')).toBe('true')
  })
})

describe('surfaces', () => {
  beforeEach(() => open('surfaces'))

  it('a dialog holds the focus, closes with Esc and gives it back; typed work needs its own button', {
    tags: ['journey'],
  }, async () => {
    const opener = page.getByRole('button', { name: 'Remove the link' })
    await opener.focus()
    await press('Enter')
    await page.getByRole('alertdialog').waitFor()
    expect(await focused()).toBe('Cancel')
    for (let step = 0; step < 5; step += 1) {
      await press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('[role=alertdialog]') !== null)).toBe(true)
    }
    await press('Escape')
    await expect.poll(focused).toBe('Remove the link')
    await page.getByRole('button', { name: 'Edit the case' }).click()
    await press('Escape')
    expect(await page.getByRole('dialog').isVisible()).toBe(true)
  })

  it('what the station refuses stays in its dialog, with the reason; the focus begins on the way back', async () => {
    await page.getByRole('button', { name: 'Delete the case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2026-001284?' })
    await dialog.waitFor()
    expect(await focused()).toBe('Cancel')
    await dialog.getByRole('button', { name: 'Delete the case' }).click()
    await dialog.getByText('A case that is protected cannot be deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('a drawer blocks nothing, closes with Esc and gives the focus back', async () => {
    await page.getByRole('button', { name: 'Show uploads' }).focus()
    await press('Enter')
    const drawer = page.getByRole('complementary', { name: 'Adding 8 files' })
    await drawer.waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await drawer.getByRole('button', { name: 'Close' }).focus()
    await press('Escape')
    await expect.poll(() => drawer.count()).toBe(0)
    expect(await focused()).toBe('Show uploads')
  })

  it('a toast is undone from its button and with Ctrl Z', async () => {
    await page.getByRole('button', { name: 'Remove a tag' }).click()
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /Undo/ }).click()
    await page.getByText('Tag “entry” is back').waitFor()
    await page.getByRole('button', { name: 'Remove a tag' }).click()
    await press('Control+z')
    await expect.poll(() => page.getByText('Tag “entry” is back').count()).toBe(2)
  })

  it('a menu is worked by arrows, closes with Esc, and says why an act is barred', async () => {
    await page.getByRole('button', { name: 'More' }).focus()
    await press('Enter')
    await page.getByRole('menu').waitFor()
    await press('ArrowDown')
    expect(await focused()).toContain('Tag')
    expect(await page.getByRole('menuitem', { name: /Check hash/ }).getAttribute('aria-disabled')).toBe('true')
    await press('Escape')
    await expect.poll(focused).toBe('More')
  })

  it('the palette finds commands and what the station has, and runs with Enter', async () => {
    await press('Control+k')
    const field = page.getByRole('combobox')
    await field.waitFor()
    await page.keyboard.type('tanner')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain('Tanner’s Row')
    await press('ArrowDown', 'Enter')
    await page.getByText('Tanner’s Row rear opened').waitFor()
    await press('Control+k')
    await page.keyboard.type('lock')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Lock the screenCtrl Shift L'])
    await press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('sequences act outside fields, and not once single keys are off', async () => {
    await page.locator('body').click({ position: { x: 700, y: 850 } })
    await press('g', 'd')
    await page.getByText('G then D was pressed.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Remove the link' }).click()
    await page.getByRole('alertdialog').waitFor()
    await press('g', 'd', 'Escape')
    expect(await page.getByText('G then D was pressed.').count()).toBe(0)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('switch', { name: 'Single-letter keys' }).press('Space')
    await press('Escape')
    await page.reload()
    await press('g', 'd')
    await page.waitForTimeout(100)
    expect(await page.getByText('G then D was pressed.').count()).toBe(0)
  })

  it('tabs move by arrows', async () => {
    await page.getByRole('tab', { name: 'Surfaces' }).focus()
    await press('ArrowLeft')
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Proof')
  })
})

describe('fields and proof', () => {
  it('a day and time is typed part by part in the zone of the station and given in UTC', async () => {
    await open('fields')
    const hour = page.getByRole('group', { name: 'Recorded', exact: true }).getByRole('spinbutton', { name: /^hour/i })
    await hour.focus()
    await page.keyboard.type('03')
    await page.getByText('2026-11-20T02:47:31.000Z').or(page.getByText('2026-11-20T02:47:31Z')).waitFor()
  })

  it('a combobox finds by typing and chooses with Enter', async () => {
    await open('fields')
    await page.getByRole('combobox', { name: 'Officer' }).focus()
    await page.keyboard.type('oka')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await press('ArrowDown', 'Enter')
    await expect.poll(() => page.getByRole('combobox', { name: 'Officer' }).inputValue()).toBe('Okafor, D.')
  })

  it('a field of tags adds by Enter and comma, completes, and takes a pasted table', async () => {
    await open('fields')
    const field = page.getByRole('combobox', { name: 'Further tags' })
    await field.fill('dog')
    await field.press('Enter')
    await page.getByText('Set: dog', { exact: true }).waitFor()
    await field.pressSequentially('cat,')
    await page.getByText('Set: dog, cat', { exact: true }).waitFor()
    await field.pressSequentially('nig')
    await page.getByRole('option', { name: /^night/ }).click()
    await page.getByText('Set: dog, cat, night', { exact: true }).waitFor()
    await field.fill('x'.repeat(65))
    await field.press('Enter')
    await page.getByText(/is longer than 64 characters/).waitFor()
    expect(complaints).toEqual([])
  })

  it('an error is part of its field', async () => {
    await open('fields')
    const field = page.getByRole('textbox', { name: 'Ended' })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
    const words = await page.evaluate(
      (ids) => ids.map((id) => document.getElementById(id)?.textContent).join(' '),
      described,
    )
    expect(words).toContain('Before the start, 02:38')
  })

  it('a hash is shown short and copied whole', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('proof')
    await page.getByText('9f3c 41d8 … e07a 5b12').first().waitFor()
    await page.getByRole('button', { name: 'Copy the hash, whole' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^9f3c[0-9a-f]{56}5b12$/)
  })

  it('a tree folds nothing that it must not, and its buttons are reached with →', async () => {
    await open('proof')
    await page.getByRole('row', { name: /BW0417_20261120_023955.mp4/ }).focus()
    await press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-level'))).toBe('2')
    await press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON')
  })

  it('the line between panels moves by keys and stays within its ends', async () => {
    await open('list')
    const line = page.getByRole('separator')
    await line.focus()
    await press('ArrowLeft')
    expect(await line.getAttribute('aria-valuenow')).toBe('272')
    await press('End')
    expect(await line.getAttribute('aria-valuenow')).toBe(await line.getAttribute('aria-valuemax'))
    await press('Enter')
    expect(await line.getAttribute('aria-valuenow')).toBe('256')
  })
})
