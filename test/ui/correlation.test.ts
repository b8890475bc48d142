/** Why a recording is in a case or not, and what the station asks, as people work with it. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type Json } from '../support/given.ts'
import { type Camera, CASES, type CadWorld, cadWorld, fresh } from '../api/cad/world.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon as until } from './support/cases.ts'

let world: CadWorld
let officer: { id: string; badge: string }
let camera: Camera
let home: string
beforeAll(async () => {
  world = await cadWorld()
  officer = await world.officer()
  camera = await world.camera(officer.id, minutes(0))
  // Of no officer: through it administrators manage what dispatch’s calls alone would only let them view.
  home = (await world.pushed({ eventId: fresh('E'), name: 'Home', eventStartTimeUtc: minutes(-9000) })).caseId
}, 120_000)
afterAll(() => world?.given.close())

const BASE = Date.now()
const minutes = (count: number): string => new Date(BASE + count * 60_000).toISOString()
/** Each call has an hour of its own. */
let hour = 0
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const done = (method: string, place: string, body?: Json, status = 200): Promise<Json> =>
  world.given.expecting(status, world.as(world.chief, method, place, body))

interface Linked {
  readonly caseId: string
  readonly evidenceId: string
  readonly start: number
  readonly title: string
  /** Of the recording. */
  readonly name: string
}

async function linked(): Promise<Linked> {
  const start = ++hour * 60
  const evidenceId = await world.recording(camera, minutes(start), minutes(start + 10), 'PT1M')
  const title = fresh('Alarm')
  const { caseId } = await world.pushed({
    eventId: fresh('E'),
    name: title,
    eventStartTimeUtc: minutes(start + 2),
    eventEndTimeUtc: minutes(start + 8),
    involvedResources: [{ id: officer.badge }],
  })
  await done('POST', `${CASES}/${home}/link-evidences`, { Evidences: [{ EvidenceId: evidenceId }] }, 204)
  const { EvidenceName } = await world.eventually(
    () => done('GET', `${CASES}/${caseId}/evidence/${evidenceId}/correlation`),
    ({ State }) => State === 'Linked',
  )
  return { caseId, evidenceId, start, title, name: EvidenceName }
}
const stateOf = async ({ caseId, evidenceId }: Linked): Promise<string> =>
  (await done('GET', `${CASES}/${caseId}/evidence/${evidenceId}/correlation`)).State

describe('a case', () => {
  it('says why a recording is in it, and the link is confirmed there', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const one = await linked()
    const { page, problems } = await looking(world.given, ADMINISTRATOR, `/cases/${one.caseId}`)
    const part = page.getByRole('region', { name: 'Automatic links' })
    await part.getByText('wore the camera and is assigned to the case').waitFor()
    await part.getByRole('button', { name: `Why ${one.name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Camera’s clock').waitFor()
    await dialog.getByText('Steps and figures').click()
    await dialog.getByText('Same officer, times overlap').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Confirm the link' }).click()
    await part.getByText('Linked by the station, confirmed').waitFor()
    expect(await stateOf(one)).toBe('Confirmed')
    expect(problems).toEqual([])
  })

  it('offers to confirm in the list where it would be taken, and only names the link where not', {
    timeout: 120_000,
  }, async () => {
    const one = await linked()
    const username = fresh('manager').replace(' ', '-')
    const password = 'seven lamps by the harbour'
    const person = { username, password, policies: [], group: null, guest: false }
    const { principalId } = await world.given.command('user.create', person)
    const { KId } = await done('GET', `/userservice/api/v1/tenant/station/users/${principalId}`)
    // Of the case all there is; of the recording what a link that waits gives, which is View.
    const policy = { Permissions: 'Manage', PrincipalId: principalId, KId, PrincipalType: 'user' }
    await done('POST', `${CASES}/${one.caseId}/share`, { AccessPolicies: [policy] })
    const theirs = await looking(world.given, person, `/cases/${one.caseId}`)
    const row = (page: Page) =>
      page.getByRole('grid', { name: 'Evidence' }).getByRole('row').filter({ hasText: one.name })
    await row(theirs.page).getByText('Link to confirm').waitFor()
    expect(await theirs.page.getByRole('button', { name: /^Confirm/ }).count()).toBe(0)
    const ours = await looking(world.given, ADMINISTRATOR, `/cases/${one.caseId}`)
    await row(ours.page)
      .getByRole('button', { name: `Confirm ${one.name}` })
      .click()
    await row(ours.page)
      .getByRole('button', { name: `Confirm ${one.name}` })
      .waitFor({ state: 'detached' })
    expect(await stateOf(one)).toBe('Confirmed')
    expect([...theirs.problems, ...ours.problems]).toEqual([])
  })

  it('a link is refused with a reason, and stays to be seen', { timeout: 120_000 }, async () => {
    const one = await linked()
    const { page } = await looking(world.given, ADMINISTRATOR, `/cases/${one.caseId}`)
    await page.getByRole('button', { name: `Why ${one.name}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Refuse…' }).click()
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('He was at another call')
    await dialog.getByRole('button', { name: 'Refuse the link' }).click()
    await page.getByText('Refused by a person').waitFor()
    expect(await stateOf(one)).toBe('Refused')
  })

  it('a link that was taken away stays visible, with what hangs on it', { timeout: 120_000 }, async () => {
    const one = await linked()
    const { page } = await looking(world.given, ADMINISTRATOR, `/cases/${one.caseId}`)
    await page.getByText('wore the camera').waitFor()
    await done('PATCH', `${CASES}/${one.caseId}`, {
      OccurredOn: minutes(one.start + 32),
      EndedOn: minutes(one.start + 38),
    })
    await page.getByText('The station removed the link').waitFor()
    await page.getByText('Until somebody reviews it, the recording is not destroyed.').waitFor()
  })
})

describe('a recording', () => {
  it('says why it is not in a case, step by step and by how much', { timeout: 120_000 }, async () => {
    const one = await linked()
    const other = await linked()
    const { page, problems } = await looking(world.given, ADMINISTRATOR, `/evidence/${one.evidenceId}`)
    const part = page.getByRole('region', { name: 'Cases', exact: true })
    await part.getByRole('link', { name: one.title }).waitFor()
    await part.getByRole('button', { name: 'Why isn’t it linked?' }).click()
    await page.getByRole('combobox', { name: 'Case' }).fill(other.title)
    await page.getByRole('option', { name: new RegExp(other.title) }).click()
    const dialog = page.getByRole('dialog', { name: `Why: ${other.title}` })
    await dialog
      .getByText(/The recording ends .* before the call, widened by two minutes, begins\./)
      .first()
      .waitFor()
    await dialog.getByText('Does not').first().waitFor()
    expect(problems).toEqual([])
  })
})

describe('the review', () => {
  it('shows what the station may not do; a confirmed link is taken away by a person', {
    timeout: 120_000,
  }, async () => {
    const one = await linked()
    await done('POST', `${CASES}/${one.caseId}/evidence/${one.evidenceId}/confirm`)
    const { page, problems } = await looking(world.given, ADMINISTRATOR, '/review')
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    await done('PATCH', `${CASES}/${one.caseId}`, {
      OccurredOn: minutes(one.start + 32),
      EndedOn: minutes(one.start + 38),
    })
    // It comes by itself.
    await page.getByRole('grid').getByRole('row').filter({ hasText: one.title }).click()
    await page.getByText('The station would remove').waitFor()
    await page.getByText('Somebody confirmed this link').waitFor()
    await page.getByText('Step by step').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await button(page, 'Remove the link').click()
    await page.getByText('Say why.').waitFor()
    await page.getByRole('textbox', { name: /Reason/ }).fill('He was elsewhere')
    await button(page, 'Remove the link').click()
    await until(() => page.getByRole('row').filter({ hasText: one.title }).count()).toBe(0)
    expect(await stateOf(one)).toBe('Refused')
    expect(problems).toEqual([])
  })

  it('in a closed case nothing can be done but to look, and to leave it', { timeout: 120_000 }, async () => {
    const one = await linked()
    await done('POST', `${CASES}/${one.caseId}/close`)
    await world.recording(camera, minutes(one.start + 3), minutes(one.start + 5))
    const { page } = await looking(world.given, ADMINISTRATOR, '/review', { language: 'fr' })
    await page.getByRole('grid').getByRole('row').filter({ hasText: one.title }).click()
    await page.getByText('Rouvrez le dossier').waitFor()
    expect(await button(page, 'Le lier à la main').count()).toBe(0)
    await page.getByRole('textbox', { name: /Motif/ }).fill('Trop tard')
    await button(page, 'Laisser en l’état').click()
    await until(() => page.getByRole('row').filter({ hasText: one.title }).count()).toBe(0)
  })
})
