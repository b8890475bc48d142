/** What the station tells people by itself: the bell and its panel, what is urgent, what the system shows, and the choice of it. */
// @module-tag screen
// @module-tag merge
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { NOTICE_KINDS, ruleOf } from '../../shared/notifications/rules.ts'
import { ADMINISTRATOR, type Json } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { CASES, looking, soon } from './support/cases.ts'
import { wallStation, withTooMuch, worn } from './support/dock.ts'
import { integrityStation, type IntegrityStation } from './support/integrity.ts'
import { bell, open, panel, shareWith, somebody, toldTo, unwatched } from './support/notices.ts'
import { look, signIn } from './support/window.ts'

let station: IntegrityStation
beforeAll(async () => {
  station = await integrityStation()
}, 120_000)
afterAll(() => station?.given.close())

const rename = (caseId: string, title: string) => station.sergeant.send('PATCH', `${CASES}/${caseId}`, { Title: title })
const newest = (page: Page) => panel(page).getByRole('listitem').first()
const count = (page: Page) => soon(() => bell(page).getAttribute('aria-label'))

describe('a case that one follows', () => {
  it('by keyboard: followed, told of by day with who and how often, led to, all seen', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station)
    const title = `Quay ${randomUUID().slice(0, 6)}`
    const caseId = await open(station, who, title)
    const { page, problems } = await looking(station.given, who, `/cases/${caseId}`)
    await count(page).toBe('Notices, 1 new')
    await page.getByRole('button', { name: 'Follow', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
    // What one does oneself is no news.
    await page.goto(`${station.given.url}/cases`)
    await bell(page).focus()
    await page.keyboard.press('Enter')
    await panel(page).getByRole('heading', { name: 'Today' }).waitFor()
    await panel(page).getByRole('button', { name: 'Mark all as seen' }).focus()
    await page.keyboard.press('Enter')
    await count(page).toBe('Notices, none new')
    await page.keyboard.press('Escape')
    await soon(() => bell(page).evaluate((one) => one === document.activeElement)).toBe(true)

    await rename(caseId, `${title} B`)
    await count(page).toBe('Notices, 1 new')
    await soon(() => page.getByRole('status').filter({ hasText: 'Notices, 1 new' }).count()).toBe(1)
    await station.sergeant.send('POST', `${CASES}/${caseId}/close`, {})
    await page.keyboard.press('Enter')
    await newest(page).getByText('sergeant closed a case you follow:').waitFor()
    await newest(page)
      .getByText(/2 times since/)
      .waitFor()
    expect(await panel(page).getByRole('listitem').count()).toBe(2)
    expect(await findingsInThemes(page)).toEqual([])
    await newest(page)
      .getByRole('link', { name: `${title} B` })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `${title} B` }).waitFor()
    await count(page).toBe('Notices, none new')
    expect(problems).toEqual([])
  })

  it('S4 closed to one it is named no more, and says nothing more', {
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station)
    const title = `Raid ${randomUUID().slice(0, 6)}`
    const caseId = await open(station, who, title)
    const { page } = await looking(station.given, who, `/cases/${caseId}`)
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: 'Following', exact: true }).waitFor()
    await rename(caseId, `${title} on Friday`)
    await count(page).toBe('Notices, 2 new')
    const record = await station.sergeant.send('GET', `${CASES}/${caseId}`)
    const AccessPolicies = record.AccessPolicies.filter(({ PrincipalId }: Json) => PrincipalId !== who.id).map(
      ({ Permissions, PrincipalId, KId, PrincipalType }: Json) => ({ Permissions, PrincipalId, KId, PrincipalType }),
    )
    await station.sergeant.send('PATCH', `${CASES}/${caseId}`, { AccessPolicies })
    await page.goto(`${station.given.url}/cases`)
    await bell(page).click()
    await panel(page).getByText('no longer open to you').first().waitFor()
    expect(
      await panel(page)
        .getByText(/Raid|Friday|sergeant/)
        .count(),
    ).toBe(0)
    await panel(page).getByText('A case you follow was changed:').waitFor()
    expect(await panel(page).getByRole('link', { name: /Raid/ }).count()).toBe(0)
  })
})

describe('the same sentence many times', () => {
  it('is one line with how many, and leads to what settles them; each is there on demand', {
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station, { administers: true })
    const caseIds: string[] = []
    for (const number of [1, 2, 3]) caseIds.push((await station.made({ Title: `Call ${number}` })).CaseId)
    await station.given.meddle((db) => {
      for (const caseId of caseIds)
        db.prepare(
          `INSERT INTO notices (tenant_id, principal_id, kind, message, object_type, object_id, created_utc, created_by)
           SELECT 'station', principal_id, 'cad.withoutDepartment', '', 'case', ?, ?,
             '{"PrincipalId":"0","KId":"","Name":"internal","Username":"internal","PrincipalType":"internal"}'
           FROM principals WHERE name = ?`,
        ).run(caseId, new Date().toISOString(), who.username)
    })
    const { page, problems } = await looking(station.given, who, '/cases')
    await count(page).toBe('Notices, 3 new')
    await bell(page).press('Enter')
    await panel(page).getByText('3 calls have no department').waitFor()
    expect(await panel(page).getByRole('link', { name: /^Call/ }).count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await panel(page).getByRole('button', { name: 'Show 3 calls' }).press('Enter')
    await soon(() => panel(page).getByRole('listitem').count()).toBe(4)
    await panel(page).getByRole('button', { name: 'Mark as seen: 3 calls have no department' }).press('Enter')
    await count(page).toBe('Notices, none new')
    await panel(page).getByRole('link', { name: 'Choose the default department' }).press('Enter')
    await page.waitForURL('**/administration/departments')
    expect(problems).toEqual([])
  })
})

describe('what needs somebody now', () => {
  it('I5 bytes that changed are one line over the page, which leads to the alarms', {
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station, { administers: true })
    const { page, problems } = await looking(station.given, who, '/cases')
    await count(page).toBe('Notices, none new')
    for (const name of ['one', 'other']) await station.damage(await station.evidence(`${name} ${randomUUID()}`))
    await station.run()
    const toasts = page.getByRole('region', { name: 'Messages' }).getByRole('listitem')
    await soon(() => toasts.count()).toBe(1)
    await toasts.getByText('The station raised an alarm about what it keeps').waitFor()
    await count(page).toBe('Notices, 1 new')
    await toasts.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('heading', { name: 'Fixity' }).waitFor()
    await soon(() => toasts.count()).toBe(0)
    await bell(page).click()
    await newest(page)
      .getByText(/2 times since/)
      .waitFor()
    await newest(page).getByRole('link', { name: 'Go to the alarms' }).waitFor()
    expect(problems).toEqual([])
  })

  it('a camera that the dock cannot go on with: to its officer without more, to who looks after cameras its session', {
    timeout: 120_000,
  }, async () => {
    const world = await wallStation()
    onTestFinished(() => world.close())
    await worn(world, { 'W-9': 'Holt' })
    const holt = { username: 'holt.W-9', password: 'three blind mice, 1805' }
    const [officer, chief] = [
      await looking(world.given, holt, '/cases'),
      await looking(world.given, ADMINISTRATOR, '/cases'),
    ]
    for (const { page } of [officer, chief]) await count(page).toBe('Notices, none new')
    withTooMuch(world, 'bay 9', 'W-9').plugIn()
    for (const { page } of [officer, chief]) await count(page).toBe('Notices, 1 new')
    const toast = chief.page.getByText('A camera needs somebody at the dock')
    await toast.waitFor()
    await bell(officer.page).click()
    await newest(officer.page).getByText('Leave it in its bay and tell the person').waitFor()
    expect(
      await panel(officer.page)
        .getByText(/W-9|floor/)
        .count(),
    ).toBe(0)
    await newest(officer.page).getByRole('link', { name: 'Go to the dock' }).click()
    await officer.page.getByText('Stopped').first().waitFor()
    await bell(chief.page).click()
    await newest(chief.page).getByText('free-space floor').waitFor()
    await newest(chief.page).getByRole('link', { name: 'W-9' }).click()
    await chief.page.waitForURL(/\/dock\/sessions\/\d+$/)
    expect([...officer.problems, ...chief.problems]).toEqual([])
  })
})

describe('notifications of the system', () => {
  const chosen = async (page: Page): Promise<void> => {
    const changes = page.getByRole('radiogroup', { name: 'A case you follow changes' })
    await changes.getByRole('radio', { name: 'App and system' }).click()
    await soon(() => changes.getByRole('radio', { name: 'App and system' }).getAttribute('aria-checked')).toBe('true')
  }

  it('in a browser come after the person asked for them, once for all windows, and name nobody and no case', {
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station)
    const title = `Harbour ${randomUUID().slice(0, 6)}`
    const { page, context, problems } = await look(station.given.url)
    await unwatched(page, 'browser', 'default')
    await signIn(page, station.given.url, '/account', who)
    const here = page.getByRole('region', { name: 'Notices' })
    await here.getByText('This browser has to be asked').waitFor()
    const asked = (): Promise<number> => page.evaluate(() => (window as unknown as { asked: number }).asked)
    expect(await asked()).toBe(0)
    await here.getByRole('button', { name: 'Show notifications of the station here' }).focus()
    await page.keyboard.press('Enter')
    await here.getByText('This browser shows notifications of the station.').waitFor()
    expect(await asked()).toBe(1)
    await chosen(page)
    expect(await findingsInThemes(page)).toEqual([])

    const caseId = await open(station, who, title)
    const other = await context.newPage()
    await unwatched(other, 'browser')
    await other.goto(`${station.given.url}/cases/${caseId}`)
    await other.getByRole('button', { name: 'Follow', exact: true }).click()
    await other.getByRole('button', { name: 'Following', exact: true }).waitFor()
    await count(page).toBe('Notices, 1 new')
    await rename(caseId, `${title} B`)
    for (const one of [page, other]) await count(one).toBe('Notices, 2 new')
    const all = async () => [...(await toldTo(page)), ...(await toldTo(other))]
    await soon(async () => (await all()).length).toBe(1)
    // What was only for the app said nothing, and neither does what is gathered.
    await rename(caseId, `${title} C`)
    await bell(page).click()
    await newest(page)
      .getByText(/2 times since/)
      .waitFor()
    expect(await all()).toEqual([{ title: 'Sallyport', body: 'A case you follow changed' }])
    const [shown] = (await toldTo(page)).length > 0 ? [page] : [other]
    await shown?.evaluate(() => (window as unknown as { newest: { onclick(): void } }).newest.onclick())
    await shown?.getByRole('heading', { name: `${title} C` }).waitFor()
    expect(problems).toEqual([])
  })

  it('in the program go over its bridge, with the number on its icon', { timeout: 120_000 }, async () => {
    const who = await somebody(station)
    const { page, problems } = await look(station.given.url)
    await unwatched(page, 'desktop', 'denied')
    await signIn(page, station.given.url, '/account', who)
    await page.getByText('Here they come from the program itself.').waitFor()
    const shared = page.getByRole('radiogroup', { name: 'A case is shared with you' })
    await shared.getByRole('radio', { name: 'App and system' }).click()
    await soon(() => shared.getByRole('radio', { name: 'App and system' }).getAttribute('aria-checked')).toBe('true')
    const { CaseId } = await station.made({ Title: 'Secret harbour' })
    await shareWith(station, CaseId, who, 'View', 'About Jane Doe')
    await soon(() => toldTo(page)).toEqual([{ title: 'Sallyport', body: 'A case was shared with you' }])
    const badges = (): Promise<number[]> => page.evaluate(() => (window as unknown as { badges: number[] }).badges)
    await soon(async () => (await badges()).at(-1)).toBe(1)
    await bell(page).click()
    await panel(page).getByRole('button', { name: 'Mark all as seen' }).click()
    await soon(async () => (await badges()).at(-1)).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('the choice', () => {
  it('by keyboard, kept for every place one signs in at; what one cannot be told of is not offered', {
    timeout: 120_000,
  }, async () => {
    const who = await somebody(station)
    const { page, problems } = await looking(station.given, who, '/cases')
    await bell(page).focus()
    await page.keyboard.press('Enter')
    await panel(page).getByText('No notices yet').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await panel(page).getByRole('link', { name: 'Choose your notices' }).focus()
    await page.keyboard.press('Enter')
    const here = page.getByRole('region', { name: 'Notices' })
    const changes = here.getByRole('radiogroup', { name: 'A case you follow changes' })
    await changes.getByRole('radio', { name: 'In the app' }).focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await soon(() => changes.getByRole('radio', { name: 'Not at all' }).getAttribute('aria-checked')).toBe('true')
    const forAnybody = NOTICE_KINDS.filter((kind) => ruleOf(kind).only === undefined)
    expect(await here.getByRole('radiogroup').count()).toBe(forAnybody.length)
    const other = await looking(station.given, who, '/account')
    const there = other.page.getByRole('radiogroup', { name: 'A case you follow changes' })
    await soon(() => there.getByRole('radio', { name: 'Not at all' }).getAttribute('aria-checked')).toBe('true')
    expect(problems).toEqual([])
  })

  it('in French, to who keeps the station, all of it', { timeout: 120_000 }, async () => {
    const who = await somebody(station, { administers: true })
    const { page, problems } = await looking(station.given, who, '/account', { language: 'fr' })
    const here = page.getByRole('region', { name: 'Avis' })
    await here.getByRole('radiogroup', { name: 'Une caméra en panne au dock' }).waitFor()
    for (const name of [
      'Un compte n’est plus contrôlé que par son titulaire',
      'Un dossier sans gestionnaire',
      'Un compte est de nouveau bloqué',
    ])
      expect(await here.getByRole('radiogroup', { name }).count(), name).toBe(1)
    expect(await here.getByRole('radiogroup').count()).toBe(NOTICE_KINDS.length)
    expect(await here.innerText()).not.toMatch(/\b(case|alarm|camera|system|browser|you)\b/)
    expect(problems).toEqual([])
  })
})
