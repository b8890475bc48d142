/** `node test/ui/correlation-shots.ts [folder]`: why a recording is in a case, and the review, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { CASES, cadWorld, fresh } from '../api/cad/world.ts'
import { ADMINISTRATOR, type Json } from '../support/given.ts'
import { signIn } from './support/window.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
/** What is recorded before a camera is active belongs to no call. */
const BASE = Date.now() + 3_600_000
const minutes = (count: number): string => new Date(BASE + count * 60_000).toISOString()

await ensureRenderer()
const world = await cadWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' })
const { given } = world
const done = (method: string, place: string, body?: Json, status = 200): Promise<Json> =>
  given.expecting(status, world.as(world.chief, method, place, body))
const officer = await world.officer('4711')
await done('PATCH', `/userservice/api/v1/tenant/station/users/${officer.id}`, { FirstName: 'Dayo', LastName: 'Okafor' })
const camera = await world.camera(officer.id, minutes(-60))
const call = async (name: string, from: number, to: number, resources: Json[]): Promise<string> =>
  (
    await world.pushed({
      eventId: fresh('26'),
      name,
      eventStartTimeUtc: minutes(from),
      eventEndTimeUtc: minutes(to),
      involvedResources: resources,
    })
  ).caseId
const named = async (name: string, from: number, to: number): Promise<string> => {
  const id = await world.recording(camera, minutes(from), minutes(to), 'PT1M12S')
  const place = `${given.documents}/evidence/${id}`
  // The engine may link it in between: then it is read again.
  await world.eventually(
    async () => {
      const { ConcurrencyId } = await done('GET', place)
      return (await world.as(world.chief, 'PATCH', place, { Name: name, ConcurrencyId })).status
    },
    (status) => status === 200,
  )
  await done('POST', `${CASES}/${home}/link-evidences`, { Evidences: [{ EvidenceId: id }] }, 204)
  return id
}
const stateIs = (caseId: string, id: string, state: string) =>
  world.eventually(
    () => done('GET', `${CASES}/${caseId}/evidence/${id}/correlation`),
    ({ State }) => State === state,
  )
const home = await call('Training day', -90_000, -89_900, [])
const caseId = await call('Burglary, 14 Tanner’s Row', 0, 20, [{ id: '4711' }])
const inside = await named('BWC 0417, Tanner’s Row', 1, 19)
const later = await named('BWC 0417, Quay Road', 95, 104)
await stateIs(caseId, inside, 'Linked')
const moved = await call('Affray, Corn Market', 94, 110, [{ id: '4711' }])
await stateIs(moved, later, 'Linked')
await done('POST', `${CASES}/${moved}/evidence/${later}/confirm`)
await done('PATCH', `${CASES}/${moved}`, { OccurredOn: minutes(140), EndedOn: minutes(150) })
await stateIs(moved, later, 'Confirmed')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const [theme, language] of [
    ['light', 'en-GB'],
    ['dark', 'en-GB'],
    ['light', 'fr'],
  ] as const)
    for (const [suffix, width, height] of SIZES) {
      if (language === 'fr' && suffix !== '') continue
      const context = await browser.newContext({ viewport: { width, height }, locale: language, colorScheme: theme })
      const page = await context.newPage()
      const mark = language === 'fr' ? 'fr-' : ''
      const shot = (name: string): Promise<void> => save(page, `correlation-${name}-${mark}${theme}${suffix}`)
      await signIn(page, given.url, `/cases/${caseId}`, ADMINISTRATOR)
      const part = page.locator('section[aria-labelledby=case-links]')
      await part.getByText('Okafor').first().waitFor()
      await part.scrollIntoViewIfNeeded()
      await shot('case')
      await part.locator('li button').first().click()
      await page.getByRole('dialog').locator('summary').click()
      await shot('why')
      await page.goto(`${given.url}/evidence/${later}`)
      await page
        .locator('section[aria-labelledby=evidence-links]')
        .getByRole('link', { name: /Corn Market/ })
        .waitFor()
      await shot('evidence')
      await page.goto(`${given.url}/review`)
      await page.getByRole('row').filter({ hasText: 'Corn Market' }).click()
      await page.locator('summary').waitFor()
      await shot('review')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name, process.argv[2])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
