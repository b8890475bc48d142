/** The network goes, the station goes, the build changes: the frame stays, says so without being asked, and everything goes on by itself. */
// @module-tag screen
// @module-tag merge
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation()
  await station.made({ Title: 'Burglary' })
  await station.evidence('Statement')
}, 120_000)
afterAll(() => station?.given.close())

const BAND = 'The station does not answer'

it('offline: the band shows at once, another page waits inside the frame, the lock works again when it is back, all by itself', {
  tags: ['journey'],
}, async () => {
  const { page, context } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await context.setOffline(true)
  // Nobody tried anything.
  await page.getByText(BAND).waitFor()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Cases/ })
    .first()
    .click()
  // What is named in the header is not shown over the page that was left.
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' }).waitFor()
  expect(await page.getByRole('grid').count()).toBe(0)
  expect(await page.getByText('This page hit a problem').count()).toBe(0)
  expect(await page.getByRole('navigation').first().isVisible()).toBe(true)
  await page.keyboard.press('Control+j')
  await context.setOffline(false)
  await soon(() => page.getByText(BAND).count()).toBe(0)
  await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
  await page.getByRole('grid').getByText('Burglary').waitFor()
  await page.keyboard.press('Control+Shift+L')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
})

it('in every area of the rail: offline the frame and its keys work, and the page comes by itself', {
  timeout: 240_000,
}, async () => {
  const { given } = station
  const { page, context } = await looking(given, station.sergeant, '/today')
  // The frame fetches what its keys open once the page is there.
  await page.waitForResponse((response) => response.url().includes('/assets/undo-panel'))
  const rail = page.getByRole('navigation').first()
  const addresses = await rail
    .getByRole('link')
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))])
  expect(addresses.length).toBeGreaterThan(10)
  const problem = page.getByText(/This page hit a problem|Something went wrong/)
  for (const address of addresses) {
    const at = `at ${address}`
    await context.setOffline(true)
    await page.getByText(BAND).waitFor()
    await rail.locator(`a[href="${address}"]`).first().click()
    const { pathname } = new URL(address, given.url)
    await soon(() => new URL(page.url()).pathname.startsWith(pathname)).toBe(true)
    expect(await problem.count(), at).toBe(0)
    expect(await rail.isVisible(), at).toBe(true)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    await context.setOffline(false)
    await soon(() => page.getByText(BAND).count()).toBe(0)
    await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    // Nothing is left over from having asked in vain.
    await soon(() => page.getByRole('main').getByText('The station does not answer').count()).toBe(0)
    expect(await problem.count(), at).toBe(0)
  }
})

it('C18: a station that stopped is noticed without anybody trying anything', async () => {
  const { page, context } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  // As when it is stopped: nothing is answered, and the streams of events break. The browser thinks that it has a network.
  await context.route('**/*', (route) => route.abort('connectionrefused'))
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText(BAND).waitFor({ timeout: 20_000 })
  await context.unroute('**/*')
  await soon(() => page.getByText(BAND).count()).toBe(0)
})

it('a request that is lost ends no page: the part is fetched again', async () => {
  const { page } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  let lost = 0
  await page.route(/\/assets\/.*\.(js|css)$/, (route) => (lost++ < 2 ? route.abort('failed') : route.continue()))
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Cases/ })
    .first()
    .click()
  await page.getByRole('grid').getByText('Burglary').waitFor()
  expect(lost).toBeGreaterThan(0)
  expect(await page.getByText('This page hit a problem').count()).toBe(0)
})

it('a new build: a part that is gone loads the page again, at the address where one wanted to go', {
  tags: ['journey'],
}, async () => {
  const { page } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await page.evaluate(() => Object.assign(window, { here: true }))
  let gone = true
  await page.route(/\/assets\/devices-page.*\.js$/, (route) =>
    gone ? route.fulfill({ status: 404, body: 'gone' }) : route.continue(),
  )
  page.on('load', () => {
    gone = false
  })
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Devices/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor({ timeout: 20_000 })
  expect(await page.evaluate(() => 'here' in window)).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/devices')
})

it('A8: another build is noticed when the station is back, and the next page comes from it; the same build is not taken for one', async () => {
  const { page, context } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await page.evaluate(() => Object.assign(window, { here: true }))
  const isHere = () => page.evaluate(() => 'here' in window)
  const away = async (): Promise<void> => {
    await context.setOffline(true)
    await page.getByText(BAND).waitFor()
    const looked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/')
    await context.setOffline(false)
    await (await looked).finished()
    await soon(() => page.getByText(BAND).count()).toBe(0)
  }
  const go = (area: string) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${area}`) })
      .first()
      .click()
  await away()
  await go('Cases')
  await page.getByRole('grid').getByText('Burglary').waitFor()
  expect(await isHere()).toBe(true)
  // The page of another build: the same one, whose scripts have other names.
  await page.route('**/', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/(src="\/assets\/[^"]*)\.js"/g, '$1-other.js"'),
    })
  })
  await away()
  await page.unroute('**/')
  await go('Evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await soon(isHere).toBe(false)
})

it('a page that fails says so in the sheet: rail, header and keys stay', async () => {
  const { page } = await looking(station.given, station.sergeant, '/evidence')
  await page.getByRole('grid').getByText('Statement').waitFor()
  await page.evaluate(() => sessionStorage.setItem('sallyport.reloaded', String(Date.now())))
  await page.route(/\/assets\/devices-page.*\.js$/, (route) => route.fulfill({ status: 404, body: 'gone' }))
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Devices/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'This page hit a problem' }).waitFor({ timeout: 20_000 })
  await page.unroute(/\/assets\/devices-page.*\.js$/)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Evidence/ })
    .first()
    .click()
  await page.getByRole('grid').getByText('Statement').waitFor()
  await page.keyboard.press('Control+Shift+L')
  await page.getByRole('heading', { name: 'Locked' }).waitFor()
})
