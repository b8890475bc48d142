/** The window on a phone (review of the window, B13 and M20): areas at the foot, nothing cut off, a photograph into a case, a scanned label. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { CASES, looking, soon } from './support/cases.ts'
import { media } from './support/media.ts'
import { misfits } from './support/misfits.ts'
import { phoneStation, type PhoneStation } from './support/phone.ts'

let station: PhoneStation
beforeAll(async () => {
  station = await phoneStation()
}, 120_000)
afterAll(() => station.given.close())

const PHONE = { size: 'phone', reducedMotion: true } as const
const bar = (page: Page) => page.getByRole('navigation', { name: /^(Areas|Espaces)$/ })

describe('the frame', () => {
  it('has four areas and More at its foot, marks where one is, and shows no keys', { tags: ['journey'] }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, '/today', PHONE)
    const areas = bar(page).locator('a, button')
    await soon(() => areas.allInnerTexts()).toEqual(['Today', 'Evidence', 'Cases', 'Search', 'More'])
    const current = () => bar(page).locator('[aria-current]').allInnerTexts()
    await soon(current).toEqual(['Today'])
    await page.touchscreen.tap(...(await middleOf(page, bar(page).getByRole('link', { name: 'Cases' }))))
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor()
    await soon(current).toEqual(['Cases'])
    expect(await page.getByText('Ctrl K').count()).toBe(0)
    expect(await page.locator('kbd:visible').count()).toBe(0)
    // The bar is at the foot whatever is on the page.
    const box = await bar(page).boundingBox()
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844)
    // Header, work, bar: the order in which they stand is that of Tab and of F6.
    const order = await page.locator('[data-region]').evaluateAll((all) => all.map(({ tagName }) => tagName))
    expect(order.filter((name) => ['HEADER', 'MAIN', 'NAV'].includes(name))).toEqual(['HEADER', 'MAIN', 'NAV'])
    expect([problems, refusals]).toEqual([[], []])
  })

  it('More opens the other areas, the person, the lock and the station in one line, and gives the focus back', async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, '/today', PHONE)
    const more = bar(page).getByRole('button', { name: 'More' })
    await more.focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'More' })
    await sheet.getByRole('link', { name: 'Devices' }).waitFor()
    for (const name of ['Scan a label', 'Jobs', 'Lock']) await sheet.getByRole('button', { name }).waitFor()
    expect(await sheet.getByRole('link', { name: 'Today' }).count()).toBe(0)
    const line = sheet.getByRole('region', { name: 'Station' })
    expect(await line.innerText()).toContain('Harrow Quay')
    expect((await line.boundingBox())?.height).toBeLessThan(40)
    expect(await findings(page)).toEqual([])
    expect(await misfits(page)).toEqual([])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await soon(() => more.evaluate((one) => one === document.activeElement)).toBe(true)
    await more.click()
    await sheet.getByRole('link', { name: 'Devices' }).click()
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
    await sheet.waitFor({ state: 'detached' })
    await soon(() => bar(page).locator('[aria-current]').allInnerTexts()).toEqual(['More'])
    expect([problems, refusals]).toEqual([[], []])
  })

  it('offers what the person may, and has no keys among their own choices', async () => {
    const { page } = await looking(station.given, station.lindqvist, '/today', PHONE)
    await bar(page).getByRole('button', { name: 'More' }).click()
    const sheet = page.getByRole('dialog', { name: 'More' })
    await sheet.getByRole('button', { name: 'Lock' }).waitFor()
    expect(await sheet.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await sheet.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'My account' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Keys' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'My account' }).click()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await soon(() => new URL(page.url()).pathname).toBe('/account')
    await sheet.waitFor({ state: 'detached' })
  })
})

describe('pages at 390 px', () => {
  const pages: readonly (readonly [string, (of: PhoneStation) => string, string])[] = [
    ['today', () => '/today', 'My cases'],
    ['the list of evidence', () => '/evidence', 'Latch of the yard gate'],
    ['a picture', ({ pictureId }) => `/evidence/${pictureId}`, 'Verified'],
    ['the files of a picture', ({ pictureId }) => `/evidence/${pictureId}?tab=files`, 'Window latch.jpg'],
    ['a recording', ({ videoId }) => `/evidence/${videoId}?tab=notes`, 'Verified'],
    ['the list of cases', () => '/cases', 'Shop theft, Market Street'],
    ['a case', ({ caseId }) => `/cases/${caseId}`, 'Photograph'],
    ['the notes of a case', ({ caseId }) => `/cases/${caseId}?side=notes`, 'Write a note'],
    ['the facts of a case', ({ caseId }) => `/cases/${caseId}?side=facts`, '14 Tanner’s Row'],
    ['the search', () => '/search?q=latch', 'Latch'],
    ['a new case', () => '/cases/new', 'Create case'],
    ['fixity', () => '/fixity', 'No alarm is open'],
    ['the network', () => '/administration/network', 'Allowed networks'],
    ['categories', () => '/administration/categories', 'Categories'],
    ['devices', () => '/devices', 'Add device'],
    ['disposition', () => '/disposition', 'Nothing is due'],
    ['headquarters', () => '/headquarters', 'No headquarters yet'],
    ['packages', () => '/packages', 'No packages yet'],
    ['the packages of a case', ({ caseId }) => `/cases/${caseId}?side=packages`, 'None yet'],
    ['disclosure', () => '/disclosure', 'Nothing is due'],
    ['the disclosures of a case', ({ caseId }) => `/cases/${caseId}?side=disclosure`, 'Nothing disclosed yet'],
    ['reports', () => '/reports', 'Coverage by officer'],
    ['help', () => '/help', 'Search the help'],
    ['the account', () => '/account', 'Passkeys'],
  ]
  it.each(pages)('%s: nothing is cut off, all can be touched, axe finds nothing', async (_name, address, words) => {
    for (const language of ['en', 'fr'] as const) {
      const { page, problems, refusals, close } = await looking(station.given, station.sergeant, address(station), {
        ...PHONE,
        language,
      })
      if (language === 'en') await page.getByText(words).first().waitFor()
      else await bar(page).waitFor()
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
      await soon(() => misfits(page)).toEqual([])
      if (language === 'en') expect(await findings(page)).toEqual([])
      expect([problems, refusals]).toEqual([[], []])
      await close()
    }
  })

  it('every field of a form is reached, and none is below its foot', async () => {
    const { page } = await looking(station.given, station.sergeant, '/cases/new', PHONE)
    const last = page.getByRole('textbox', { name: 'Record number' })
    await last.scrollIntoViewIfNeeded()
    const box = await last.boundingBox()
    const foot = await page.getByRole('button', { name: 'Create case' }).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
    expect(box?.y).toBeGreaterThan(0)
  })

  it('what stands beside each other at a desk stands below each other', async () => {
    const { page } = await looking(station.given, station.sergeant, '/fixity', PHONE)
    const left = async (name: string) => (await page.getByRole('heading', { level: 2, name }).boundingBox())?.x
    await page.getByRole('heading', { level: 2, name: 'Checkpoints elsewhere' }).waitFor()
    expect(await left('Checkpoints elsewhere')).toBe(await left('Alarms'))
  })

  it.each(['/devices', '/administration/categories', '/administration/users', '/administration/denials'])(
    'the table of %s has the columns that fit, and is not moved sideways',
    async (address) => {
      const { page } = await looking(station.given, station.sergeant, address, PHONE)
      const heads = page.getByRole('columnheader')
      await heads.first().waitFor()
      await soon(() =>
        heads.evaluateAll((all) => all.every((one) => one.getBoundingClientRect().right <= innerWidth + 1)),
      ).toBe(true)
    },
  )

  it('notices fit, too', async () => {
    const { page } = await looking(station.given, station.sergeant, '/today', PHONE)
    await page.getByRole('button', { name: /^Notices/ }).click()
    await page.getByRole('dialog', { name: 'Notices' }).waitFor()
    await soon(() => misfits(page)).toEqual([])
    expect(await findings(page)).toEqual([])
  })

  it('evidence is tiles even where a table was chosen, two beside each other; cases are lines', async () => {
    const { page } = await looking(station.given, station.sergeant, '/evidence?view=list', PHONE)
    const grid = page.getByRole('grid', { name: 'Evidence' })
    await grid.getByText('Latch of the yard gate').waitFor()
    expect(await grid.getAttribute('aria-colcount')).toBe('2')
    expect(await page.getByRole('radiogroup', { name: 'View' }).count()).toBe(0)
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitemcheckbox', { name: 'Recycle bin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Recycle bin' }).waitFor()
    await page.goto(`${station.given.url}/cases`)
    await page.getByRole('grid').getByText('Shop theft, Market Street').waitFor()
    expect(await page.getByRole('grid').getAttribute('aria-colcount')).toBe('2')
  })

  it('the open tab of a case is in view, whether the page begins with it or it was chosen by keyboard', async () => {
    const { page } = await looking(station.given, station.sergeant, `/cases/${station.caseId}?side=packages`, PHONE)
    const openTab = page.getByRole('tab', { selected: true })
    const isInView = async (): Promise<boolean> => {
      const box = await openTab.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0)
    }
    await soon(async () => [await openTab.innerText(), await isInView()]).toEqual(['Packages', true])
    await openTab.press('Home')
    await soon(async () => [await openTab.innerText(), await isInView()]).toEqual(['Evidence', true])
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  it('a note is written into a case', { tags: ['journey'] }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.okafor, `/cases/${station.caseId}`, PHONE)
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByRole('textbox', { name: 'Write a note' }).fill('Glass lies inside the yard.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByText('Glass lies inside the yard.').first().waitFor()
    // The station has it: it is there for whoever looks next.
    await page.reload()
    await page.getByText('Glass lies inside the yard.').first().waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('a photograph', () => {
  it('goes into the case, with what is on its way and a word when it is stored', { tags: ['journey'] }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.okafor, `/cases/${station.caseId}`, PHONE)
    const before = await inCase()
    const input = page.locator('input[capture=environment]')
    expect(await input.getAttribute('accept')).toBe('image/*')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Photograph' }).click()
    const { picture } = await media()
    await (await chooser).setFiles(picture)
    await page.getByText(/is being sent into/).waitFor()
    await page.getByText('“Window latch.jpg” is stored and read back', { exact: false }).first().waitFor()
    await soon(inCase).toHaveLength(before.length + 1)
    await page.getByRole('grid', { name: 'Evidence' }).getByText('Window latch').first().waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })

  it('is offered where one may edit an open case, and nowhere else', async () => {
    const closed = await looking(station.given, station.sergeant, `/cases/${station.closedId}`, PHONE)
    await closed.page.getByRole('heading', { level: 1, name: 'Criminal damage' }).waitFor()
    expect(await closed.page.getByRole('button', { name: 'Photograph' }).count()).toBe(0)
    await closed.close()
    await station.share(station.caseId, station.lindqvist, 'View')
    const viewer = await looking(station.given, station.lindqvist, `/cases/${station.caseId}`, PHONE)
    await viewer.page.getByRole('heading', { level: 1, name: 'Burglary' }).waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Photograph' }).count()).toBe(0)
    await viewer.close()
    const desk = await looking(station.given, station.sergeant, `/cases/${station.caseId}`)
    await desk.page.getByRole('button', { name: 'Share', exact: true }).waitFor()
    expect(await desk.page.getByRole('button', { name: 'Photograph' }).count()).toBe(0)
  })

  const inCase = async (): Promise<readonly unknown[]> =>
    (await station.sergeant.send('GET', `${CASES}/${station.caseId}`)).EvidenceIds
})

describe('a label', () => {
  const opened = async (page: Page) => {
    await bar(page).getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Scan a label' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scan a label' })
    await dialog.getByRole('textbox').waitFor()
    return dialog
  }

  it('that this browser cannot read is opened by its number', async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, '/today', PHONE)
    const dialog = await opened(page)
    await dialog.getByText('This browser cannot read codes').waitFor()
    expect(await dialog.getByRole('button', { name: 'Photograph the code' }).count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('textbox').fill('no such number')
    await page.keyboard.press('Enter')
    await dialog.getByText('Nothing that you can view has this number').waitFor()
    await dialog.getByRole('textbox').fill(station.ordinal)
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await soon(() => new URL(page.url()).pathname).toBe(`/cases/${station.caseId}`)
    await dialog.waitFor({ state: 'detached' })
    expect([problems, refusals]).toEqual([[], []])
  })

  it('is opened where it is of this station; of another it opens nothing', async () => {
    const { page, problems } = await looking(station.given, station.sergeant, '/today', PHONE)
    // What Chromium on Android brings is missing here: what it would say of a photograph is put in its place.
    await page.evaluate(() => {
      Object.assign(window, {
        code: '',
        BarcodeDetector: class {
          async detect(): Promise<readonly { rawValue: string }[]> {
            const { code } = window as unknown as { code: string }
            return code === '' ? [] : [{ rawValue: code }]
          }
        },
      })
    })
    const dialog = await opened(page)
    const scan = async (code: string): Promise<void> => {
      await page.evaluate((said) => void Object.assign(window, { code: said }), code)
      await dialog.locator('input[capture=environment]').setInputFiles((await media()).picture)
    }
    await scan('')
    await dialog.getByText('No code was found in the photograph').waitFor()
    await scan('WIFI:S:guest;T:WPA;P:secret;;')
    await dialog.getByText('This code is not a label of a station').waitFor()
    await scan(`https://elsewhere.example/evidence/${station.pictureId}`)
    await dialog.getByText('This label names another address: elsewhere.example').waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe(station.pictureId)
    expect(new URL(page.url()).pathname).toBe('/today')
    await scan(`${station.given.url}/evidence/${station.pictureId}`)
    await soon(() => new URL(page.url()).pathname).toBe(`/evidence/${station.pictureId}`)
    expect(problems).toEqual([])
  })
})

async function middleOf(page: Page, target: ReturnType<Page['locator']>): Promise<[number, number]> {
  await target.waitFor()
  const box = await target.boundingBox()
  if (box === null) throw new Error(`nothing to touch at ${page.url()}`)
  return [box.x + box.width / 2, box.y + box.height / 2]
}
