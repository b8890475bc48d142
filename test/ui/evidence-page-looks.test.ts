/** The evidence page for everybody: axe-core, both languages, narrow and zoomed, by keyboard alone; and nothing hostile runs on it. */
// @module-tag screen
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'
import { pdf, picture, scratch } from './support/files.ts'
import { media } from './support/media.ts'
import { numberedVideo } from './support/numbered.ts'
import type { LookOptions } from './support/window.ts'

const folder = scratch()
let given: Given
const made: Record<string, string> = {}

beforeAll(async () => {
  given = await stationForPages()
  const put = async (
    name: string,
    ...file: [Parameters<typeof added>[1], Parameters<typeof added>[2]?]
  ): Promise<void> => {
    made[name] = (await added(given, ...file)).evidenceId
  }
  await put('video', await numberedVideo('Street.mp4', { frames: 150, rate: '25', sound: true }), {
    evidence: { Tags: ['burglary', 'entry'], LocationWKT: 'POINT (4.8936 52.3728)', LocationText: '14 Tanner’s Row' },
    resource: { StartTimeUtc: '2026-11-20T02:39:55Z', TimeOffset: 'PT1M12S' },
  })
  await put('picture', await picture(folder, { name: 'Latch.jpg', size: '800x600', tags: ['Make=Corvid'] }))
  await put('sound', (await media()).sound)
  await put('pdf', { name: 'S.pdf', bytes: pdf({ pages: ['BT /F1 20 Tf 40 500 Td (Statement) Tj ET', ''] }) })
  await put('text', { name: 'Log.txt', bytes: Buffer.from('one\ntwo \u202E three\n') })
  await put('card', { name: 'Archive.bin', bytes: Buffer.alloc(99, 7) })
  for (const id of Object.values(made)) await given.settled(id)
}, 180_000)
afterAll(() => given?.close())

const READY: Readonly<Record<string, string>> = {
  video: '[data-frame]',
  picture: 'img[alt="Latch.jpg"]',
  sound: '[data-waveform]',
  pdf: 'canvas[data-drawn="1"]',
  text: 'text=U+202E',
  card: '[data-card]',
}

async function open(name: string, options: LookOptions & { at?: string } = {}) {
  const looking = await onPage(given, made[name] ?? '', options)
  await looking.page
    .locator(READY[name] ?? '')
    .first()
    .waitFor({ state: 'attached' })
  await looking.page.locator('[data-seal="ok"], [role=tabpanel] dl').first().waitFor()
  return looking
}

describe('axe-core finds nothing', () => {
  it('on any kind of evidence, in any theme', { timeout: 180_000 }, async () => {
    for (const name of Object.keys(READY)) {
      const { page, problems, close } = await open(name, { theme: 'light' })
      if (name === 'video') {
        await page.keyboard.press('i')
        await page.keyboard.press('m')
        await page.getByRole('button', { name: /Go to in/ }).waitFor()
        await page.getByRole('button', { name: 'Evidence created' }).click()
        await page.keyboard.press('Shift+G')
        await page.getByRole('textbox', { name: 'Go to time' }).fill('noon')
        await page.keyboard.press('Enter')
        await page.getByText('Write a time such as 1:23').waitFor()
      }
      if (name === 'picture') {
        for (const key of ['x', 'v', 'm']) await page.keyboard.press(key)
        await page.getByRole('button', { name: /^All \d+ entries/ }).click()
        await page.getByText('Corvid').first().waitFor()
      }
      expect(await findingsInThemes(page), `${name}, custody`).toEqual([])
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('tabpanel', { name: 'Details' }).getByText('SHA-256').waitFor()
      expect(await findingsInThemes(page), `${name}, details`).toEqual([])
      expect(problems, name).toEqual([])
      await close()
    }
  })
})

describe('narrow and zoomed', () => {
  it('at 1024 the place gives way to a tab', { timeout: 60_000 }, async () => {
    const { page } = await open('video', { size: 'small' })
    expect(await page.getByRole('heading', { name: 'Where' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Where' }).click()
    await page.getByText('52.37280° N, 4.89360° E').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
    // Custody begins with a few lines and says how many there are.
    await page.getByRole('tab', { name: 'Custody' }).click()
    const lines = page.getByRole('list', { name: 'Custody' }).getByRole('listitem')
    await soon(() => lines.count()).toBe(4)
    await page.getByRole('button', { name: /^Show all \d+ lines/ }).click()
    await soon(() => lines.count()).toBeGreaterThan(4)
    expect(await findings(page)).toEqual([])
  })

  it('at 200 % one column holds everything', { timeout: 60_000 }, async () => {
    const { page } = await open('video')
    await page.setViewportSize({ width: 640, height: 450 })
    await page.waitForTimeout(300)
    expect(await overflowing(page)).toEqual([])
    for (const name of ['Play', 'Still', 'Download', 'Verify again'])
      await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().scrollIntoViewIfNeeded()
    // There the files are a tab of their own.
    await page.getByRole('tab', { name: 'Files' }).click()
    await page.getByRole('treegrid').getByText('Street.mp4').scrollIntoViewIfNeeded()
    expect(await findings(page)).toEqual([])
  })
})

/** Elements that are wider than the page. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    const found = document.documentElement.scrollWidth > wide + 1 ? ['the page'] : []
    for (const element of document.querySelectorAll('main button, main a, main h1, main h2')) {
      const { right, width } = element.getBoundingClientRect()
      if (width > 0 && right > wide + 1) found.push(element.textContent ?? '')
    }
    return found
  })

describe('French', () => {
  it('has a word for everything on the page', { timeout: 60_000 }, async () => {
    const { page } = await open('video', { language: 'fr' })
    await page.getByRole('heading', { name: /^Fichiers/ }).waitFor()
    await page.getByText('Chaîne vérifiée devant vous').waitFor()
    await page.getByRole('button', { name: 'Image fixe' }).waitFor()
    await page.getByRole('tab', { name: 'Détails' }).click()
    await page.getByText('Cadence').waitFor()
    const said = await page.locator('main').innerText()
    expect(said).not.toMatch(/\b[a-z]+[A-Z][a-zA-Z]+\b(?=\s|$)/)
    expect(await overflowing(page)).toEqual([])
  })
})

describe('by keyboard alone', () => {
  it('from the skip link through player, tree and custody, the focus always in sight', {
    timeout: 90_000,
  }, async () => {
    const { page, problems } = await open('video')
    const focus = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { width, height } = element.getBoundingClientRect()
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
        const ring = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        const around = element.closest('[data-map]') !== null || element.matches('.leaflet-control-zoom a')
        const outside = element === document.body
        return { name: name.trim(), size: Math.min(width, height), ring: ring || around, outside }
      })
    // Behind the page's last stop the focus is the browser's own.
    const last = await page.locator('main').getByRole('button').last().innerText()
    const seen: string[] = []
    await page.evaluate(() => document.getElementById('work')?.focus())
    for (let tab = 0; tab < 70; tab++) {
      await page.keyboard.press('Tab')
      const { name, size, ring, outside } = await focus()
      if (outside) break
      seen.push(name)
      expect(ring, `a ring around “${name}”`).toBe(true)
      expect(name, 'a name').not.toBe('')
      expect(size, name).toBeGreaterThan(0)
    }
    expect(last).toContain(seen.at(-1))
    for (const name of ['Download', 'More', 'Position in the recording', 'Play', 'Map of the position', 'Verify again'])
      expect(seen.join('|')).toContain(name)
    // The tree is one stop; its arrows reach the buttons of a line.
    await page.getByRole('treegrid').getByRole('row').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await soon(async () => (await focus()).name).toMatch(/Copy/)
    expect(problems).toEqual([])
  })

  it('the slider is moved by keys and says where it is', { timeout: 60_000 }, async () => {
    const { page } = await open('video')
    const slider = page.getByRole('slider', { name: 'Position in the recording' })
    await slider.focus()
    await page.keyboard.press('End')
    await soon(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(5.9)
    await page.keyboard.press('Home')
    await soon(async () => Number(await slider.getAttribute('aria-valuenow'))).toBe(0)
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  })
})

describe('S7: hostile files run nowhere', () => {
  const SCRIPT = '<script>window.ran = true</script><img src=x onerror="window.ran = true">'

  it('names, tags, Exif, SVG, HTML and text are text', { timeout: 120_000 }, async () => {
    const jpeg = await picture(folder, {
      name: 'Hostile.jpg',
      size: '64x48',
      tags: [`ImageDescription=${SCRIPT}`, 'Artist=a\u202Eb', `UserComment=${SCRIPT}`],
    })
    const said = {
      Name: `${SCRIPT}\u202Egpj.exe`,
      Tags: [SCRIPT.slice(0, 60)],
      LocationText: SCRIPT,
      CustomFields: { [SCRIPT]: SCRIPT },
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = true"><script>window.ran = true</script></svg>`
    const files = [
      { name: `${SCRIPT.slice(0, 40)}\u202Egpj.exe`, bytes: readFileSync(jpeg), mimeType: 'image/jpeg' },
      { name: 'drawing.svg', bytes: Buffer.from(svg), mimeType: 'image/svg+xml' },
      { name: 'page.html', bytes: Buffer.from(`<!doctype html>${SCRIPT}`), mimeType: 'text/html' },
      { name: 'words.txt', bytes: Buffer.from(SCRIPT), mimeType: 'text/plain' },
    ]
    for (const { name, bytes, mimeType } of files) {
      const { evidenceId } = await added(given, { name, bytes }, { evidence: said, resource: { MimeType: mimeType } })
      const { page, problems, close } = await onPage(given, evidenceId, {})
      await page.locator('[data-seal="ok"]').waitFor()
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('tabpanel', { name: 'Details' }).getByText('SHA-256').waitFor()
      await page.waitForTimeout(400)
      expect(await page.evaluate(() => 'ran' in window), name).toBe(false)
      expect(await page.locator('h1').innerText(), name).toContain('‹U+202E›gpj.exe')
      // Each address opened by itself runs nothing either.
      const [resource] = (await given.settled(evidenceId)) as { ResourceId: string }[]
      const address = `${given.documents}/evidence/${evidenceId}/resource/${resource?.ResourceId}/content`
      const download = page.waitForEvent('download')
      await page.evaluate((to) => location.assign(to), address)
      await download
      expect(problems, name).toEqual([])
      await close()
    }
  })
})
