/** The case screens for everybody: axe-core in every theme, narrow and zoomed, French, the focus always in sight; and nothing hostile runs on them. */
// @module-tag screen
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { CASES, type CasesStation, casesStation, looking, soon } from './support/cases.ts'
import { type LookOptions, look } from './support/window.ts'

let station: CasesStation
let caseId = ''
let closedId = ''
beforeAll(async () => {
  station = await casesStation()
  const { sergeant, okafor, lindqvist, made, share, evidence } = station
  const { CategoryId } = await sergeant.send('POST', '/api/v1/category/station', {
    Name: 'Dwelling',
    RetentionDays: 2190,
  })
  await sergeant.send('PUT', '/api/v1/prefilledfields/station/titles', {
    Target: 'Title',
    Values: ['Burglary', 'Fire'],
  })
  await sergeant.send('PUT', '/customfieldservice/api/v1/template/station', {
    type: 'Case',
    customFields: [
      { name: 'Weather', type: 'Choice', choices: ['Dry', 'Rain'] },
      { name: 'Armed', type: 'Boolean' },
      { name: 'Reported on', type: 'Date' },
    ],
  })
  ;({ CaseId: caseId } = await made({
    Description: 'Rear window forced.',
    CategoryId,
    OccurredOn: '2026-11-20T01:38:00Z',
    EndedOn: '2026-11-20T01:58:00Z',
    LocationText: '14 Tanner’s Row',
    LocationWKT: 'POINT (13.405 52.52)',
    Tags: ['entry', 'night'],
    CustomFields: { Weather: 'Rain', Surface: 'wet' },
  }))
  await share(caseId, okafor, 'Edit')
  await share(caseId, lindqvist, 'View')
  const times = { StartTimeUtc: '2026-11-20T01:41:07Z', EndTimeUtc: '2026-11-20T01:59:47Z' }
  await evidence('Camera 0417', { ...times, LocationWKT: 'POINT (13.4149 52.53)' }, caseId)
  await evidence('Photograph', { StartTimeUtc: '2026-11-20T02:06:19Z' }, caseId)
  await evidence('Statement', {}, caseId)
  await okafor.send('PATCH', `${CASES}/${caseId}`, { Description: 'Window forced.', Tags: ['entry'] })
  ;({ CaseId: closedId } = await made({ Title: 'Theft from a car' }))
  await sergeant.send('POST', `${CASES}/${closedId}/close`)
}, 180_000)
afterAll(() => station?.given.close())

interface Screen {
  readonly name: string
  readonly at: () => string
  readonly open: (page: Page) => Promise<unknown>
}

const shown = (page: Page) =>
  page
    .getByRole('grid', { name: /^(Evidence|Preuves)$/ })
    .getByText('Camera 0417')
    .waitFor()
const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await shown(page)
  await page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
}
const menu = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('dialog').waitFor()
}

const SCREENS: readonly Screen[] = [
  { name: 'list', at: () => '/cases', open: (page) => page.getByRole('grid').getByText('Theft from a car').waitFor() },
  {
    name: 'recycle bin',
    at: () => '/cases?bin=true',
    open: (page) => page.getByText('The recycle bin is empty').waitFor(),
  },
  { name: 'new', at: () => '/cases/new', open: (page) => page.getByRole('heading', { name: 'New case' }).waitFor() },
  {
    name: 'new, with what is wrong',
    at: () => '/cases/new',
    open: async (page) => {
      await page.getByRole('button', { name: 'Create case' }).click()
      await page.getByText('One field needs attention.').waitFor()
      // The field that is wrong gets the focus, and its list may open a moment later.
      await soon(async () => {
        await page.keyboard.press('Escape')
        await page.waitForTimeout(200)
        return page.getByRole('listbox').count()
      }).toBe(0)
    },
  },
  { name: 'case', at: () => `/cases/${caseId}`, open: shown },
  { name: 'closed case', at: () => `/cases/${closedId}`, open: (page) => page.getByText(/^Closed on/).waitFor() },
  {
    name: 'map',
    at: () => `/cases/${caseId}?view=map`,
    open: (page) => page.locator('[data-map] path').first().waitFor(),
  },
  {
    name: 'as it was',
    at: () => `/cases/${caseId}`,
    open: async (page) => {
      await page
        .getByRole('button', { name: /See as it was/ })
        .first()
        .click()
      // Its tooltip goes.
      await page.mouse.move(0, 0)
      await page.getByText(/^As it was on/).waitFor()
    },
  },
  {
    name: 'edit',
    at: () => `/cases/${caseId}/edit`,
    open: (page) => page.getByText('This field is not part').waitFor(),
  },
  { name: 'share', at: () => `/cases/${caseId}`, open: (page) => press(page, 'Share') },
  { name: 'a person', at: () => `/cases/${caseId}`, open: (page) => press(page, /D\. Okafor/) },
  { name: 'link evidence', at: () => `/cases/${caseId}`, open: (page) => press(page, 'Add') },
  { name: 'protect', at: () => `/cases/${caseId}`, open: (page) => menu(page, /^Protect/) },
  { name: 'delete', at: () => `/cases/${closedId}`, open: (page) => menu(page, /^Delete/) },
  {
    name: 'a conflict',
    at: () => `/cases/${caseId}/edit`,
    open: async (page) => {
      await page.getByRole('textbox', { name: 'What happened' }).fill('Window forced from outside.')
      await station.okafor.send('PATCH', `${CASES}/${caseId}`, { Description: `Window forced ${Math.random()}` })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('radiogroup', { name: 'What happened' }).waitFor()
    },
  },
]

/** One person looks at each screen after the other. */
async function each(options: LookOptions, look: (page: Page, name: string) => Promise<void>): Promise<void> {
  const { page, problems } = await looking(station.given, station.sergeant, '/cases', {
    reducedMotion: true,
    ...options,
  })
  for (const { name, at, open } of SCREENS) {
    await page.goto(station.given.url + at())
    await open(page)
    await look(page, name)
    expect(problems, name).toEqual([])
  }
}

/** What lies beyond the right edge of the window. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth
    const found = document.documentElement.scrollWidth > wide + 1 ? ['the page'] : []
    for (const element of document.querySelectorAll(
      'main :is(button, a, h1, h2, input, textarea), [role=dialog] button',
    )) {
      const { right, width } = element.getBoundingClientRect()
      if (width > 0 && right > wide + 1) found.push(element.textContent ?? '')
    }
    return found
  })

describe('for everybody, narrow and zoomed too', () => {
  it('axe-core finds nothing on any screen in any theme, and at 200 % one column holds it', { timeout: 300_000 }, () =>
    each({ theme: 'light' }, async (page, name) => {
      expect(await findingsInThemes(page), name).toEqual([])
      await page.setViewportSize({ width: 640, height: 512 })
      await page.waitForTimeout(250)
      expect(await overflowing(page), name).toEqual([])
      await page.setViewportSize({ width: 1440, height: 900 })
    }),
  )

  it('at 1024 the facts are a tab, and nothing is cut off', async () => {
    const { page } = await looking(station.given, station.sergeant, `/cases/${caseId}`, { size: 'small' })
    await shown(page)
    expect(await page.getByRole('region', { name: 'Facts' }).count()).toBe(0)
    await page.getByRole('tab', { name: 'Facts' }).click()
    await page.getByRole('region', { name: 'Facts' }).getByText('14 Tanner’s Row').waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page
      .getByRole('button', { name: /See as it was/ })
      .first()
      .waitFor()
    expect(await findings(page)).toEqual([])
    expect(await overflowing(page)).toEqual([])
  })
})

it('in French: every screen is', { timeout: 120_000 }, async () => {
  const { page } = await look(station.given.url, { language: 'fr' })
  await page.goto(`${station.given.url}/cases/${caseId}`)
  await page.locator('input[name=username]').fill(station.sergeant.username)
  await page.locator('input[name=password]').fill(station.sergeant.password)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
  await shown(page)
  await page.getByText('Comme c’est maintenant').waitFor()
  const english =
    /\b(Facts|People|History|Timeline|Evidence|Stored|Linked|Made|Changed|Share|Edit|Follow|When|Where|made|changed)\b/
  expect(await page.locator('main').innerText()).not.toMatch(english)
  expect(await overflowing(page)).toEqual([])
  await page.goto(`${station.given.url}/cases/${caseId}/edit`)
  await page.getByText('Ce champ ne fait pas partie').waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(english)
  await page.goto(`${station.given.url}/cases`)
  await page.getByRole('heading', { name: 'Dossiers' }).waitFor()
  await page.getByRole('grid').getByText('Theft from a car').waitFor()
  expect((await page.locator('main').innerText()).replaceAll('Theft from a car', '')).not.toMatch(english)
})

describe('by keyboard alone', () => {
  it.each(['/cases', '/cases/new', 'case', 'edit'])(
    '%s: every stop has a name and a ring, and what acts is among them',
    { timeout: 120_000 },
    async (place) => {
      const at = place === 'case' ? `/cases/${caseId}` : place === 'edit' ? `/cases/${caseId}/edit` : place
      const { page, problems } = await looking(station.given, station.sergeant, at)
      await page.locator('main h1').waitFor()
      if (place === 'case') await page.getByText('As it is now').waitFor()
      // What the form is made of comes after its title.
      if (place === '/cases/new') await page.getByRole('button', { name: 'Create case' }).waitFor()
      if (place === 'edit') await page.getByRole('button', { name: 'Save' }).waitFor()
      // Fields that choose from a list or a calendar come after the form.
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
      const focus = () =>
        page.evaluate(() => {
          const element = document.activeElement as HTMLElement
          const ringed = (one: Element | null): boolean => {
            if (one === null) return false
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
            return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
          }
          const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ')
          const name = [
            element.getAttribute('aria-label') ?? '',
            ...labels.map((id) => document.getElementById(id)?.textContent ?? ''),
            ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent ?? ''),
            element.textContent ?? '',
          ].join(' ')
          const box = element.closest('label, [role="group"], [role="radio"]')
          return {
            name: name.trim(),
            ring: [element, box, element.parentElement].some(ringed),
            outside: element === document.body,
          }
        })
      await page.evaluate(() => document.getElementById('work')?.focus())
      const seen: string[] = []
      for (let tab = 0; tab < 90; tab++) {
        await page.keyboard.press('Tab')
        const { name, ring, outside } = await focus()
        if (outside) break
        seen.push(name)
        expect(ring, `a ring around “${name}”`).toBe(true)
        expect(name, 'a name').not.toBe('')
      }
      const acts: Readonly<Record<string, readonly string[]>> = {
        '/cases': ['New case', 'Recycle bin', 'State'],
        '/cases/new': ['Title', 'What happened', 'Cancel', 'Create case'],
        case: ['Follow', 'Share', 'Edit', 'More', 'Timeline', 'Open Camera 0417', 'See as it was', 'D. Okafor'],
        edit: ['Weather', 'Not set', 'Open the calendar', 'Save'],
      }
      for (const act of acts[place] ?? []) expect(seen.join('|'), act).toContain(act)
      expect(problems).toEqual([])
    },
  )
})

it('names, texts and tags that would be code are text', { timeout: 120_000 }, async () => {
  const { given, sergeant, made, evidence, okafor, share } = station
  const code = '<img src=x onerror="window.ran = true">'
  const { CaseId } = await made({
    Title: `${code}\u202Egpj`,
    Description: `${code}\n<script>window.ran = true</script>`,
    LocationText: code,
    Tags: [code],
    CustomFields: { [code]: code },
    ExternalReferenceId1: code,
  })
  await evidence(`${code}\u202E`, { StartTimeUtc: '2026-11-20T01:41:07Z' }, CaseId)
  await share(CaseId, okafor, 'Edit')
  await okafor.send('PATCH', `${CASES}/${CaseId}`, { Description: `${code} again`, Tags: [`${code} 2`] })
  const { page, problems } = await looking(given, sergeant, `/cases/${CaseId}`)
  await page.getByText(/okafor changed 2 fields/i).waitFor()
  expect(await page.locator('h1').innerText()).toContain('‹U+202E›gpj')
  await page.goto(`${given.url}/cases/${CaseId}/edit`)
  await page.getByText('This field is not part').waitFor()
  await page.goto(`${given.url}/cases`)
  await page.getByText('‹U+202E›gpj').first().waitFor()
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(problems).toEqual([])
})
