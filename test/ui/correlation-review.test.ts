/** What the correlation engine asks of people, and their word (decisions 8), as they see it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

let station: CasesStation
beforeAll(async () => {
  station = await casesStation({})
}, 120_000)
afterAll(() => station?.given.close())

const fresh = (): string => randomUUID().slice(0, 6)

/** A question as the engine leaves it: of a case and a recording that the sergeant has made. */
async function asked(
  act: 'Link' | 'Withdraw',
  because: string,
): Promise<{ title: string; name: string; caseId: string }> {
  const [title, name] = [`Burglary ${fresh()}`, `Recording ${fresh()}`]
  const { CaseId: caseId }: Json = await station.sergeant.send('POST', '/api/v1/case/station', { Title: title })
  const { EvidenceId } = await station.given.evidence({ Name: name })
  await station.given.meddle((db) => {
    const who = db.prepare('SELECT principal_id FROM principals WHERE name = ?').pluck().get(station.sergeant.username)
    db.prepare(
      `INSERT OR REPLACE INTO evidence_policies (evidence_id, principal_id, level, expires_utc, expires_ticks) VALUES (?, ?, 'Manage', NULL, NULL)`,
    ).run(Number(EvidenceId), who)
    db.prepare(
      `INSERT INTO correlation_reviews (tenant_id, case_id, evidence_id, act, because, facts, created_utc)
      SELECT tenant_id, case_id, ?, ?, ?, '{}', '2026-11-20T21:14:00.0000000Z' FROM cases WHERE case_id = ?`,
    ).run(Number(EvidenceId), act, because, Number(caseId))
  })
  return { title, name, caseId }
}

it('shows what it would do and why it asks, and takes a person’s word with a reason', { timeout: 90_000 }, async () => {
  const one = await asked('Link', 'CaseProtected')
  const { page, problems } = await looking(station.given, station.sergeant, '/cases/review')
  await page
    .getByRole('row', { name: new RegExp(one.name) })
    .getByText(one.title)
    .dblclick()
  const panel = page.getByRole('complementary', { name: `Add ${one.name}` })
  await panel.getByText('In a protected case the station changes nothing by itself').waitFor()
  await panel.getByText('What the station looked at').waitFor()
  await panel.getByRole('button', { name: 'Leave it out' }).click()
  await panel.getByText('Say why, so that others understand it later.').waitFor()
  expect(await findingsInThemes(page)).toEqual([])
  await panel.getByRole('textbox', { name: 'Why' }).fill('It was another street')
  await panel.getByRole('button', { name: 'Leave it out' }).click()
  await page.getByText('Noted. The station does not ask this again.').waitFor()
  await soon(() => page.getByRole('row', { name: new RegExp(one.name) }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('does what was asked when somebody says so, and not in a closed case', { timeout: 90_000 }, async () => {
  const [one, closed] = [await asked('Link', 'AssociationWaits'), await asked('Link', 'CaseClosed')]
  const { page, problems } = await looking(station.given, station.sergeant, '/cases/review')
  await page
    .getByRole('row', { name: new RegExp(closed.name) })
    .getByText(closed.title)
    .dblclick()
  const shut = page
    .getByRole('complementary', { name: `Add ${closed.name}` })
    .getByRole('button', { name: /Add it to the case/ })
  await soon(() => shut.getAttribute('aria-disabled')).toBe('true')
  await page
    .getByRole('row', { name: new RegExp(one.name) })
    .getByText(one.title)
    .dblclick()
  const panel = page.getByRole('complementary', { name: `Add ${one.name}` })
  await panel.getByRole('textbox', { name: 'Why' }).fill('I was there')
  await panel.getByRole('button', { name: 'Add it to the case' }).click()
  await page.getByText('Done, and noted with your reason.').waitFor()
  const links: Json = await station.sergeant.send('GET', `/api/v1/case/station/${one.caseId}`)
  expect(JSON.stringify(links)).toContain(one.title)
  await soon(() => page.getByRole('row', { name: new RegExp(one.name) }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('is found from the cases while there are questions, and teaches when there are none', {
  timeout: 90_000,
}, async () => {
  await station.given.meddle((db) => db.prepare('UPDATE correlation_reviews SET ended_utc = created_utc').run())
  const { page, problems } = await looking(station.given, station.sergeant, '/cases/review')
  await page.getByText('No questions').waitFor()
  await asked('Withdraw', 'Confirmed')
  const other = await looking(station.given, station.sergeant, '/cases')
  await other.page.getByRole('link', { name: '1 question' }).click()
  await other.page.getByRole('heading', { level: 1, name: 'Questions about recordings' }).waitFor()
  expect([...problems, ...other.problems]).toEqual([])
})
