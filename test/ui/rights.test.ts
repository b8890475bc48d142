/** The rights of a large station: groups, then its people as one column that opens, in any size of window (review of the window, C12). */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

const PEOPLE = '/userservice/api/v1/tenant/station'
const AT = '/administration/policies'
const GROUPS = 12
const MEMBERS = 60

let station: CasesStation
/** Of the people of the station, one with a right of her own among sixty. */
let voss: string
beforeAll(async () => {
  station = await casesStation()
  const { sergeant } = station
  const held: { PrincipalId: string }[] = []
  for (let at = 1; at <= GROUPS; at++) {
    const name = `Watch ${String(at).padStart(2, '0')}, Harbour and Quay`
    held.push({ PrincipalId: (await sergeant.send('POST', `${PEOPLE}/groups`, { Name: name })).PrincipalId })
  }
  for (let at = 1; at <= MEMBERS; at++) {
    const { PrincipalId } = await sergeant.send('POST', `${PEOPLE}/users`, {
      Username: `officer${at}`,
      FirstName: at === MEMBERS ? 'Zita' : 'Officer',
      LastName: at === MEMBERS ? 'Voss' : `Number ${String(at).padStart(2, '0')}`,
      Password: 'a paper boat, 1911',
    })
    held.push({ PrincipalId })
    voss = PrincipalId
  }
  await sergeant.send('PUT', `${PEOPLE}/policies/ShareCases`, { Members: held })
}, 240_000)
afterAll(() => station?.given.close())

const fold = (page: Page, name: string | RegExp) => page.getByRole('columnheader').getByRole('button', { name })
const SHOW = /^\+ 61 people with rights of their own$/
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
const membersOf = async (policy: string): Promise<readonly string[]> => {
  const all = await station.sergeant.send('GET', `${PEOPLE}/policies`)
  const found = all.find((one: { Policy: string }) => one.Policy === policy)
  return found.Members.map(({ PrincipalId }: { PrincipalId: string }) => PrincipalId)
}

/** Whether the middle of it can be pressed: in the window, and under nothing that stays in place. */
const isInSight = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      return there !== null && (element.contains(there) || there.contains(element))
    })

describe('the columns', () => {
  it('groups come first and people are one column, which a click and the keyboard open and close', {
    timeout: 120_000,
    tags: ['journey'],
  }, async () => {
    const { page, problems, refusals } = await looking(station.given, station.sergeant, AT, { size: 'wide' })
    await fold(page, SHOW).waitFor()
    const heads = await page.getByRole('columnheader').allInnerTexts()
    expect(heads).toHaveLength(1 + 1 + GROUPS + 1)
    expect(heads.at(1)).toContain('Account Administrators')
    expect(heads.at(-1)).toContain('people with rights of their own')
    // A folded column hides nobody's right: it says how many.
    await page.getByRole('button', { name: 'Share cases, 60 people with a right of their own', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create cases, 1 person with a right of their own', exact: true }).waitFor()
    // With twelve groups the column of people is in sight at once.
    expect(await isInSight(page, 'thead button[aria-expanded]')).toBe(true)

    await fold(page, SHOW).click()
    await soon(() => page.getByRole('columnheader').count()).toBe(1 + 1 + GROUPS + 1 + 61)
    expect(page.url()).toContain('people=true')
    await soon(() => isInSight(page, 'th[data-person="true"]')).toBe(true)
    await fold(page, 'Hide 61 people').focus()
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('columnheader').count()).toBe(heads.length)
    expect(await focused(page)).toMatch(SHOW)
    await page.keyboard.press('Space')
    await soon(() => page.getByRole('columnheader').count()).toBe(heads.length + 61)
    await page.reload()
    await fold(page, 'Hide 61 people').waitFor()
    expect([problems, refusals]).toEqual([[], []])
  })

  it.each(['wide', 'small', 'phone'] as const)(
    '%s: names of rights and the head stay in place whichever way one scrolls, and the focus is never under them',
    { timeout: 120_000 },
    async (size) => {
      const { page, problems } = await looking(station.given, station.sergeant, `${AT}?people=true`, { size })
      await fold(page, 'Hide 61 people').waitFor()
      const places = () =>
        page.evaluate(() =>
          ['tbody th', 'thead th', 'th[data-person="true"]'].map((one) => {
            const { left, top } = document.querySelector(one)?.getBoundingClientRect() ?? { left: 0, top: 0 }
            return [Math.round(left), Math.round(top)] as const
          }),
        )
      const [name, corner, person] = await places()
      await page.getByRole('grid').evaluate((table) => table.parentElement?.scrollTo(1200, 80))
      const [name2, corner2, person2] = await places()
      expect([name2?.[0], corner2, person2?.[1]]).toEqual([name?.[0], corner, person?.[1]])
      expect(person2?.[0]).toBeLessThan(person?.[0] ?? 0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)

      // There and back by keyboard: each cell that has the focus can be seen.
      await page.locator('[data-place="0 1"] :is(button, [tabindex])').focus()
      await page.keyboard.press('End')
      await soon(() => focused(page)).toMatch(/Zita Voss/)
      for (const key of [...Array<string>(12).fill('ArrowLeft'), 'ArrowDown', 'ArrowUp', 'ArrowRight']) {
        await page.keyboard.press(key)
        const seen = await page.evaluate(() => {
          const element = document.activeElement
          const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
          const there = document.elementFromPoint(left + width / 2, top + height / 2)
          return element?.contains(there) === true || there?.contains(element) === true
        })
        expect(seen, key).toBe(true)
      }
      expect(problems).toEqual([])
    },
  )

  it('somebody who has a column is led to it, and somebody new gets one', { timeout: 120_000 }, async () => {
    const { page, problems } = await looking(station.given, station.sergeant, AT, { size: 'wide' })
    for (const [text, name] of [
      ['voss', 'Zita Voss'],
      ['lindq', 'Mia Lindqvist'],
    ] as const) {
      await page.getByRole('button', { name: 'Add a column' }).click()
      await page.getByRole('dialog').getByRole('combobox').fill(text)
      await page.getByRole('option', { name: new RegExp(name) }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await soon(() => focused(page)).toBe(`Manage devices, ${name}`)
    }
    await fold(page, 'Hide 62 people').waitFor()
    expect(problems).toEqual([])
  })
})

describe('the panel', () => {
  it('comes with a right that is chosen, says who holds it, and goes with Esc or its cross', {
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await looking(station.given, station.sergeant, AT, { size: 'wide' })
    const right = page.getByRole('button', { name: 'Share cases', exact: true })
    await right.waitFor()
    const panel = page.getByRole('region', { name: 'Share cases' })
    expect(await panel.count()).toBe(0)
    await right.focus()
    await page.keyboard.press('Enter')
    await panel.getByText('Watch 12, Harbour and Quay').waitFor()
    await panel.getByText('Zita Voss').waitFor()
    await panel.getByText('No unsaved changes').waitFor()
    expect(await right.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await soon(() => focused(page)).toBe('Share cases')
    await right.click()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('changes are saved from the foot without it, by keyboard, and the focus is never lost', {
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await looking(station.given, station.sergeant, `${AT}?people=true`, { size: 'wide' })
    const unsaved = page.getByRole('region', { name: 'Changes' })
    const cell = page.getByRole('checkbox', { name: /^Delete cases and files, Zita Voss/ })
    await cell.focus()
    expect(await unsaved.count()).toBe(0)
    await page.keyboard.press('Space')
    await unsaved.getByText('1 unsaved change').waitFor()
    // Folded, the change is still marked in words.
    await fold(page, 'Hide 61 people').click()
    await page
      .getByRole('button', { name: 'Delete cases and files, 1 person with a right of their own, changed' })
      .waitFor()
    await unsaved.getByRole('button', { name: 'Show changes' }).click()
    await page.getByRole('heading', { name: '1 unsaved change' }).waitFor()
    await page.getByText(/^Zita Voss:/).waitFor()
    await page.keyboard.press('Escape')
    await unsaved.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await unsaved.waitFor({ state: 'detached' })
    expect(await membersOf('DeleteCasesAndFiles')).toContain(voss)
    await soon(() => page.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null)).toBe(true)
    expect(problems).toEqual([])
  })
})

describe('axe-core', () => {
  it('finds nothing, folded and open, with the panel and with a change', { timeout: 180_000 }, async () => {
    const { page } = await looking(station.given, station.sergeant, AT, { theme: 'light', size: 'wide' })
    await fold(page, SHOW).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.goto(`${station.given.url}${AT}?people=true&open=ShareCases`)
    await fold(page, 'Hide 61 people').waitFor()
    await page.getByRole('checkbox', { name: /^Create cases, Watch 01/ }).click()
    await page.getByRole('region', { name: 'Changes' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
  })

  it.each(['small', 'phone'] as const)(
    'in French, %s: nothing is cut off and axe finds nothing',
    {
      timeout: 120_000,
    },
    async (size) => {
      const { page, problems } = await looking(station.given, station.sergeant, AT, { size, language: 'fr' })
      const button = fold(page, /^\+ 61 personnes avec des droits propres$/)
      await button.waitFor()
      expect(await isInSight(page, 'thead button[aria-expanded]')).toBe(true)
      const cut = await page
        .locator('th')
        .evaluateAll((all) =>
          all
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
            .map(({ textContent }) => textContent),
        )
      expect(cut).toEqual([])
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: 'Partager des dossiers', exact: true }).click()
      await page.getByRole('region', { name: 'Partager des dossiers' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
      expect(await findings(page)).toEqual([])
      expect(problems).toEqual([])
    },
  )
})
