/** The drawer of jobs: which file, what is done with it, how it stands, and what one can do. */
// @module-tag screen
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findings } from './support/axe.ts'
import { type CasesStation, casesStation, looking, soon } from './support/cases.ts'

const NAME = 'a very long name of a recording that somebody gave on the fourth floor of the station.mp4'
let station: CasesStation
let evidenceId: string
beforeAll(async () => {
  station = await casesStation()
  const { given, sergeant } = station
  evidenceId = (await sergeant.send('POST', `${given.documents}/evidence`, { Name: 'Front desk' })).EvidenceId
  // Begins as an MP4 does and is none: it is looked at, and that fails.
  const bytes = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(20_000, 7)])
  await given.completed(bytes, { name: NAME, evidenceId, mimeType: 'video/mp4' }).catch(async () => {
    const place = `${given.documents}/evidence/${evidenceId}`
    const file = await sergeant.send('POST', `${place}/resource`, { Name: NAME })
    await given.put(file.UploadUri, bytes)
    await sergeant.send('POST', `${place}/resource/${file.ResourceId}/complete`, {})
  })
}, 120_000)
afterAll(() => station?.given.close())

it.each([
  ['wide', 'light'],
  ['small', 'dark'],
] as const)(
  'a failed job names its file, its message is whole, Retry and the way to it are in sight: %s, %s',
  async (size, theme) => {
    const { page, problems } = await looking(station.given, station.sergeant, '/evidence', { size, theme })
    await page.getByRole('grid').getByText('Front desk').waitFor()
    await page.keyboard.press('Control+j')
    const failed = page.getByRole('region', { name: 'Failed' }).getByRole('listitem').first()
    await failed.waitFor()
    const lines = (await failed.innerText()).split('\n').filter((line) => line.trim() !== '')
    expect(lines[0]).toBe(NAME)
    expect(lines[1]).toBe('Identify file')
    expect(lines[2]).toBe('Failed')
    await failed.getByRole('button', { name: 'Retry' }).waitFor()
    // Nothing of it lies outside of the drawer.
    const beyond = await failed.evaluate((item) => {
      const edge = (item.closest('aside') ?? item).getBoundingClientRect().right
      return [...item.querySelectorAll('*')]
        .filter((part) => !['BDI'].includes(part.tagName) && part.getBoundingClientRect().right > edge + 1)
        .map((part) => part.outerHTML.slice(0, 80))
    })
    expect(beyond).toEqual([])
    expect(await findings(page)).toEqual([])
    await failed.getByRole('link', { name: 'Open evidence' }).click()
    await soon(() => new URL(page.url()).pathname).toBe(`/evidence/${evidenceId}`)
    expect(problems).toEqual([])
  },
)

it('in French the reason of the station is French too, in the drawer and on the page of the evidence', async () => {
  const { page, problems } = await looking(station.given, station.sergeant, `/evidence/${evidenceId}`, {
    language: 'fr',
    size: 'small',
    theme: 'dark',
  })
  const reason = 'Aucun programme de cette station n’a pu lire ce fichier'
  await page.getByText(reason).first().waitFor()
  const body = await page.locator('main').innerText()
  expect(body).not.toMatch(/original is kept/)
  if (process.env['SHOTS'] !== undefined) await page.screenshot({ path: `${process.env['SHOTS']}/job-fr.png` })
  await page.keyboard.press('Control+j')
  await page.getByRole('complementary').getByText(reason).waitFor()
  if (process.env['SHOTS'] !== undefined) await page.screenshot({ path: `${process.env['SHOTS']}/jobs-fr.png` })
  expect(await findings(page)).toEqual([])
  expect(problems).toEqual([])
})
