// @module-tag merge
/** C4: the index of a package opens from its folder, plays what is in it, and asks nothing of anybody. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFirefox } from '../support/firefox.ts'
import { findings } from '../ui/support/axe.ts'
import { unslowedBrowser } from '../ui/support/window.ts'
import { OTHER_CASE, type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
let folder: string
beforeAll(async () => {
  world = await packagesStation()
  folder = (await world.make(world.folder('index'), { papers: ['certificate-902-14', 'certificate-902-13'] })).path
}, 120_000)
afterAll(() => world?.given.close())

/** Opened as somebody does who got a folder: no server, no network. */
async function opened(file: string, work: (page: Page, asked: string[]) => Promise<void>): Promise<void> {
  const browser = await unslowedBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1024, height: 700 }, colorScheme: 'dark' })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => asked.push(`error: ${error.message}`))
    page.on('console', (message) => asked.push(`console: ${message.text()}`))
    await page.goto(pathToFileURL(path.join(folder, file)).href)
    await work(page, asked)
  } finally {
    await browser.close()
  }
}

it.each([
  ['README.html', 'Evidence package', 'Verify this package'],
  ['README.fr.html', 'Paquet de preuves', 'Vérifier ce paquet'],
])('C4 %s shows and plays what is in the package, and fetches nothing from elsewhere', async (file, kind, verify) => {
  await opened(file, async (page, asked) => {
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Burglary, 14 Tanner’s Row')
    expect(await page.getByText(kind, { exact: true }).count()).toBe(1)
    await page.getByRole('heading', { name: verify }).waitFor()
    // They may be added when the page can no longer be changed.
    for (const witness of ['tagmanifest.tsr', 'tagmanifest.p7s', 'tagmanifest.cosignatures'])
      expect(await page.getByText(witness).count()).toBe(1)
    const videos = page.locator('video')
    // The film that plays as it is, and the copy of the one that does not.
    expect(await videos.count()).toBe(2)
    for (let at = 0; at < 2; at++) {
      const played = await videos.nth(at).evaluate(async (video: HTMLVideoElement) => {
        video.muted = true
        await video.play()
        await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }))
        return [video.error?.message ?? null, video.videoWidth, video.currentTime > 0]
      })
      expect(played).toEqual([null, 320, true])
    }
    const picture = page.locator('img')
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    const inside = pathToFileURL(`${folder}/`).href
    expect(asked.filter((one) => !one.startsWith(inside))).toEqual([])
    expect(await page.locator('body').innerText()).not.toContain(OTHER_CASE)
  })
})

/** Each film plays, in the browser. @returns for each the error, its width, and whether its time went on */
const PLAYED = `async () => {
  const all = []
  for (const video of document.querySelectorAll('video')) {
    video.muted = true
    await video.play()
    await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }))
    all.push([video.error?.message ?? null, video.videoWidth, video.currentTime > 0])
  }
  return all
}`

it.each([
  ['README.html', 'Evidence package'],
  ['README.fr.html', 'Paquet de preuves'],
])(
  'C4 %s shows and plays in Firefox what is in the package, and fetches nothing from elsewhere',
  async (file, kind) => {
    const elsewhere = `${world.given.url}/healthz`
    const page = await openFirefox({ width: 1024, height: 700 })
    try {
      await page.goto(pathToFileURL(path.join(folder, file)).href)
      expect(await page.evaluate('() => document.body.innerText')).toContain(kind)
      expect(await page.evaluate(PLAYED)).toEqual([
        [null, 320, true],
        [null, 320, true],
      ])
      const fits = `async () => {
      const [picture] = document.images
      picture.scrollIntoView()
      for (let tries = 0; tries < 200 && picture.naturalWidth === 0; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      return [document.documentElement.scrollWidth <= window.innerWidth, picture.naturalWidth > 0]
    }`
      expect(await page.evaluate(fits)).toEqual([true, true])
      expect(page.asked).toEqual([])
      if (process.env['SHOTS'] !== undefined)
        writeFileSync(path.join(process.env['SHOTS'], `firefox-${file}.png`), await page.screenshot())
      // It tells of no file, and of every address on a network.
      await page.goto(elsewhere)
      expect(page.asked).toContain(elsewhere)
    } finally {
      await page.close()
    }
  },
  120_000,
)

it('C4 leads to every file, and axe finds nothing', async () => {
  await opened('README.html', async (page) => {
    expect(await findings(page)).toEqual([])
    const links = await page.locator('a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))
    for (const link of links) expect(existsSync(fileURLToPath(link)), link).toBe(true)
    expect(links.map((link) => path.basename(link))).toEqual(
      expect.arrayContaining(['0001_bwc_0412.mp4', 'VERIFY.txt', 'README.fr.html', 'certificate-902-14.draft.pdf']),
    )
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    if (process.env['SHOTS'] !== undefined) {
      for (const [name, size, scheme] of [
        ['light', { width: 1440, height: 900 }, 'light'],
        ['dark', { width: 1024, height: 700 }, 'dark'],
        ['phone', { width: 390, height: 844 }, 'light'],
      ] as const) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme: scheme })
        await page.screenshot({ path: path.join(process.env['SHOTS'], `index-${name}.png`) })
      }
    }
  })
})
