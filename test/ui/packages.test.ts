/** Packages in the window: asked for by keyboard, followed without a reload, handed out and checked by a stranger's programs, removed. */
// @module-tag screen
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings, findingsInThemes } from './support/axe.ts'
import { looking, type Person, soon } from './support/cases.ts'
import { PACKAGES, packagesStation, type PackagesStation } from './support/packages.ts'
import type { Credentials, LookOptions } from './support/window.ts'

/** So much takes some seconds to copy, read back and hash: it can be stopped in between. */
const LARGE = 300 * 1024 * 1024

let station: PackagesStation
beforeAll(async () => {
  station = await packagesStation()
}, 120_000)
afterAll(() => station?.given.close())

const open = (who: Person | Credentials, at: string, options?: LookOptions) =>
  looking(station.given, who, at, { reducedMotion: true, ...options })
const panel = (page: Page) => page.getByRole('region', { name: 'Packages' })
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

/** What is downloaded, as somebody who has only coreutils and unzip looks at it. */
async function checkedBy(file: string): Promise<string> {
  const folder = path.join(station.given.dir, path.basename(file, '.zip'))
  mkdirSync(folder, { recursive: true })
  execFileSync('unzip', ['-tq', file])
  execFileSync('unzip', ['-qo', file], { cwd: folder })
  return execFileSync('sh', ['-c', 'cd * && sha256sum -c --strict manifest-sha256.txt tagmanifest-sha256.txt'], {
    cwd: folder,
    encoding: 'utf8',
  })
}

async function downloaded(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  const file = path.join(station.given.dir, download.suggestedFilename())
  await download.saveAs(file)
  return file
}

describe('a package of a case', () => {
  it('is asked for by keyboard, becomes ready by itself, holds by its own lists, and is removed', {
    tags: ['journey'],
    timeout: 60_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, `/cases/${station.caseId}`)
    await panel(page).getByText('None yet.').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('court package')
    await page.getByRole('option', { name: 'Create a package…' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page, 'Create a package of this case')
    await dialog.getByText('3 items, 98 B of originals.').waitFor()
    // There is no package yet that could be supplemented.
    expect(await dialog.getByRole('checkbox', { name: /^Only what was added/ }).count()).toBe(0)
    expect(await findingsInThemes(page)).toEqual([])
    await dialog.getByRole('radio', { name: /^Prosecution/ }).press('ArrowDown')
    await dialog.getByRole('checkbox', { name: /902\(14\)/ }).press('Space')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const row = panel(page).getByRole('listitem').first()
    await row.getByText('For the defence').waitFor()
    await row.getByText('Originals · Copies to play · Certificate, FRE 902(14)').waitFor()
    await row.getByText('Ready').waitFor()
    await row.getByText('SHA-256 of its signed list').click()
    expect(await findingsInThemes(page)).toEqual([])
    const file = await downloaded(page, () => row.getByRole('button', { name: 'Download' }).press('Enter'))
    expect(await checkedBy(file)).toContain('data/0001_')
    const receipt = await downloaded(page, () => row.getByRole('button', { name: 'Receipt (PDF)' }).press('Enter'))
    expect(execFileSync('head', ['-c', '5', receipt], { encoding: 'utf8' })).toBe('%PDF-')
    const shown = (await row.locator('code').innerText()).replaceAll(/\s/g, '')
    const [found] = (await station.okafor.send('GET', PACKAGES)).Items
    expect(shown).toBe(found.SignedSha256)
    await row.getByRole('button', { name: /^More about/ }).press('Enter')
    await page.getByRole('menuitem', { name: 'Remove from the station…' }).press('Enter')
    const removal = dialogOf(page, 'Remove the file of this package?')
    await removal.getByText('The record stays').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await removal.getByRole('button', { name: 'Remove the file' }).press('Enter')
    await row.getByText('Created, no file here').waitFor()
    expect(await row.getByRole('button', { name: 'Download' }).count()).toBe(0)
    // What was chosen is chosen again.
    await panel(page).getByRole('button', { name: 'Create a package…' }).press('Enter')
    await dialog.getByText('3 items').waitFor()
    expect(await dialog.getByRole('radio', { name: /^Defence/ }).isChecked()).toBe(true)
    expect(await dialog.getByRole('checkbox', { name: /902\(14\)/ }).isChecked()).toBe(true)
    expect([problems, refusals]).toEqual([[], []])
  })

  it('C5: without what is restricted says what it leaves out', { timeout: 60_000 }, async () => {
    const { sergeant, caseId } = station
    const { EvidenceIds } = await sergeant.send('GET', `/api/v1/case/station/${caseId}`)
    const restriction = `/api/v1/tenant/station/disclosures/evidence/${EvidenceIds[0]}/restriction`
    const Kind = 'do-not-disclose'
    await sergeant.send('POST', restriction, { Kind, Reason: 'Names a source' })
    try {
      const { page, problems, refusals } = await open(station.okafor, `/cases/${caseId}`)
      await panel(page).getByRole('button', { name: 'Create a package…' }).press('Enter')
      const dialog = dialogOf(page, 'Create a package of this case')
      await dialog.getByText('3 items').waitFor()
      await page.keyboard.press('Control+Enter')
      await messages(page).getByText(`1 restricted item is left out: ${station.titles[0]}.`).waitFor()
      await panel(page).getByRole('listitem').first().getByText('Ready').waitFor()
      expect([problems, refusals]).toEqual([[], []])
    } finally {
      await sergeant.send('POST', `${restriction}/lift`, { Kind, Reason: 'Agreed' })
    }
  })

  it('shows how far it is, is stopped and gone on with; elsewhere a message says when it is ready', {
    timeout: 150_000,
  }, async () => {
    const caseId = await station.large(LARGE)
    const { page, problems, refusals } = await open(station.sergeant, `/cases/${caseId}`)
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === PACKAGES) asked.push(request.method())
    })
    await panel(page).getByRole('button', { name: 'Create a package…' }).press('Enter')
    const dialog = dialogOf(page, 'Create a package of this case')
    await dialog.getByText('315 MB of originals').waitFor()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const row = panel(page).getByRole('listitem').first()
    const bar = row.getByRole('progressbar')
    await bar.waitFor()
    await soon(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    // The tooltip of the button that had the focus before is gone then.
    await row.getByRole('button', { name: 'Stop' }).focus()
    await soon(() => page.getByRole('tooltip').count()).toBe(0)
    expect(await findings(page)).toEqual([])
    await row.getByRole('button', { name: 'Stop' }).press('Enter')
    await row.getByText('Somebody stopped it.').waitFor()
    await row.getByRole('button', { name: 'Resume' }).press('Enter')
    await bar.waitFor()
    await page.keyboard.press('Control+j')
    const drawer = page.getByRole('complementary', { name: 'Jobs' })
    await drawer.getByText('Create a package').waitFor()
    await drawer.getByRole('link', { name: 'Open packages' }).waitFor()
    await page.keyboard.press('Control+j')
    await drawer.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    const ready = messages(page).getByText(/^The package “Theft-Market-Street.*” is ready/)
    await ready.waitFor({ timeout: 60_000 })
    const file = await downloaded(page, () => messages(page).getByRole('button', { name: 'Download' }).press('Enter'))
    expect(statSync(file).size).toBeGreaterThan(LARGE)
    // The list is read when it is opened and when something began or ended, and not again and again.
    expect(asked.length).toBeLessThan(12)
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('who may', () => {
  it('a guest and somebody with View are offered nothing, and nothing is asked for them', async () => {
    for (const who of [station.guest, station.lindqvist]) {
      const { page, problems, refusals, close } = await open(who, `/cases/${station.caseId}`)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page
        .getByRole('grid', { name: 'Evidence' })
        .getByText(station.titles[0] as string)
        .waitFor()
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined)
      expect(await panel(page).count()).toBe(0)
      await page.locator('header').getByRole('button', { name: 'More' }).last().press('Enter')
      await page.getByRole('menuitem', { name: 'Print…' }).waitFor()
      expect(await page.getByRole('menuitem', { name: /package/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(asked.filter((one) => one.startsWith(PACKAGES))).toEqual([])
      if (who === station.guest) expect(await page.getByRole('link', { name: 'Packages' }).count()).toBe(0)
      expect([problems, refusals]).toEqual([[], []])
      await close()
    }
  })

  it('a package of selected evidence says what is left out, how it differs from a download, and who sees it', {
    timeout: 60_000,
  }, async () => {
    const { page, problems, refusals } = await open(station.okafor, '/evidence')
    const grid = page.getByRole('grid')
    await grid.getByText(station.titles[0] as string).waitFor()
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByRole('button', { name: 'Create a package…' }).press('Enter')
    const dialog = dialogOf(page, 'Create a package of 3 items')
    await dialog.getByText('To take only the files along, use Download').waitFor()
    await dialog.getByText('You alone see a package of chosen items.').waitFor()
    await dialog.getByText('3 items, 98 B of originals.').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await messages(page).getByRole('button', { name: 'Show packages' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Packages' }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'Chosen items' })
    await row.getByText('Ready').waitFor()
    expect(
      (await station.sergeant.send('GET', PACKAGES)).Items.some(({ CaseId }: { CaseId: null }) => CaseId === null),
    ).toBe(false)
    expect([problems, refusals]).toEqual([[], []])
  })
})

describe('in every state', () => {
  beforeAll(() => station.inEveryState(), 60_000)

  it('says how it is and what can be done, in every theme; a refusal says why', { timeout: 60_000 }, async () => {
    const { page, problems } = await open(station.okafor, '/packages')
    const list = page.getByRole('main').getByRole('list').first()
    const row = (words: string) => list.locator('> li').filter({ hasText: words }).first()
    await row('Creating').getByText('62 % written and read back').waitFor()
    await row('Waiting').getByRole('button', { name: 'Stop' }).waitFor()
    await row('Stopped').getByRole('button', { name: 'Resume' }).waitFor()
    await row('The volume of /media/usb is full').getByRole('button', { name: 'Resume' }).waitFor()
    const over = row('this one cannot resume')
    expect(await over.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    await over.getByRole('button', { name: 'Create a package…' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    // Removed by somebody else meanwhile.
    const ready = row('Ready')
    const [made] = (await station.okafor.send('GET', PACKAGES)).Items.filter(
      (one: { CanDownload: boolean; CaseId: string | null }) => one.CanDownload && one.CaseId !== null,
    )
    const named = list.locator('> li').filter({ hasText: made.Name })
    await station.sergeant.send('DELETE', `${PACKAGES}/${made.PackageId}/file`)
    await ready.waitFor()
    await named.getByRole('button', { name: 'Download' }).press('Enter')
    await named.getByText('Created, no file here').waitFor()
    await row('Stopped').getByRole('button', { name: 'Resume' }).press('Enter')
    await soon(() => row('Stopped').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('fits 390 px and a small screen, in French too', { timeout: 60_000 }, async () => {
    for (const at of ['/packages', `/cases/${station.caseId}?side=packages`])
      for (const size of ['phone', 'small'] as const) {
        const { page, problems, refusals, close } = await open(station.okafor, at, { size, language: 'fr' })
        await page.getByText('Non établi').first().waitFor()
        await page.getByText('Le volume de /media/usb est plein.').first().waitFor()
        const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
        await soon(fits).toBe(true)
        await page.getByRole('button', { name: 'Établir un paquet…' }).first().press('Enter')
        await page.getByRole('dialog').getByText('3 éléments').waitFor()
        await soon(fits).toBe(true)
        expect(await findings(page)).toEqual([])
        expect([problems, refusals]).toEqual([[], []])
        await close()
      }
  })
})

describe('a supplementary package', () => {
  it('supplements an earlier one: only what was added, and it says so', { timeout: 60_000 }, async () => {
    const { okafor, caseId } = station
    await station.ended((await station.ordered({ Variant: 'court' })).PackageId)
    const { page, problems, refusals } = await open(okafor, `/cases/${caseId}`)
    const make = panel(page).getByRole('button', { name: 'Create a package…' }).first()
    await make.press('Enter')
    const dialog = dialogOf(page, 'Create a package of this case')
    await dialog.getByText('3 items').waitFor()
    const only = dialog.getByRole('checkbox', { name: /^Only what was added since the package of/ })
    await dialog.getByRole('radio', { name: /^Court/ }).press('Space')
    await only.press('Space')
    await dialog.getByText('Files that were in that package').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Nothing was added since that package').waitFor()
    await station.evidence('Photograph of the lock', {}, caseId)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    const row = panel(page).getByRole('listitem').first()
    await row.getByText(/^Supplement to package P\d{6}$/).waitFor()
    await row.getByText('Ready').waitFor()
    await row.getByText('1 file').waitFor()
    expect(problems).toEqual([])
    // The refusal was asked for.
    expect(refusals.filter((line) => !line.includes('/packages/case/'))).toEqual([])
  })
})
