/** How a package leaves the station, in the window: onto a drive, and encrypted with a passphrase that the station does not keep. */
// @module-tag screen
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { packagesStation, type PackagesStation } from './support/packages.ts'

const PASSPHRASE = 'correct horse battery staple'
const bays = mkdtempSync(path.join(tmpdir(), 'sallyport-bays-'))
const drive = path.join(bays, 'KINGSTON')

let station: PackagesStation
beforeAll(async () => {
  mkdirSync(drive)
  writeFileSync(path.join(drive, 'notes.txt'), 'mine')
  station = await packagesStation({ dockRoot: bays })
}, 120_000)
afterAll(async () => {
  await station?.given.close()
  rmSync(bays, { recursive: true, force: true })
})

const open = () =>
  looking(station.given, station.okafor, `/cases/${station.caseId}?side=packages`, { reducedMotion: true })
const panel = (page: Page) => page.getByRole('region', { name: 'Packages' })
const order = async (page: Page) => {
  await panel(page).getByRole('button', { name: 'Create a package…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create a package of this case' })
  await dialog.getByText('3 items').waitFor()
  return dialog
}

it('C1 a folder is written onto a drive by keyboard; it says when the drive can be taken out', async () => {
  const { page, problems, refusals, close } = await open()
  const dialog = await order(page)
  await dialog.getByRole('radio', { name: /^Drive KINGSTON/ }).waitFor()
  await dialog.getByRole('radio', { name: /^Keep it at the station/ }).press('ArrowDown')
  await dialog.getByRole('radio', { name: 'Folder' }).waitFor()
  expect(await findingsInThemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  const row = panel(page).getByRole('listitem').first()
  await row.getByText('On a drive').waitFor()
  await row.getByText(/On the drive KINGSTON.*can be taken out/).waitFor()
  await page.getByText(/is on the drive KINGSTON. You can take the drive out/).waitFor()
  expect(await row.getByRole('button', { name: 'Download' }).count()).toBe(0)
  // The tooltip of the button that had the focus is gone then.
  await row.getByText('SHA-256 of its signed list').focus()
  await soon(() => page.getByRole('tooltip').count()).toBe(0)
  expect(await findingsInThemes(page)).toEqual([])
  const [name = ''] = readdirSync(drive).filter((one) => !/\.(?:txt|pdf)$/.test(one))
  execFileSync('sha256sum', ['-c', '--strict', '--quiet', 'manifest-sha256.txt', 'tagmanifest-sha256.txt'], {
    cwd: path.join(drive, name),
  })
  expect([problems, refusals]).toEqual([[], []])
  await close()
})

it('the passphrase is typed twice, opens the file, and is asked for again where it was lost', async () => {
  const { page, problems, refusals, close } = await open()
  const dialog = await order(page)
  const make = dialog.getByRole('button', { name: 'Create package' })
  await dialog.getByRole('checkbox', { name: /^Encrypt/ }).press('Space')
  await soon(() => make.isDisabled()).toBe(true)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await dialog.getByLabel('Passphrase again').fill('correct horse')
  await dialog.getByText('The two passphrases differ.').first().waitFor()
  expect(await findingsInThemes(page)).toEqual([])
  await dialog.getByLabel('Passphrase again').fill(PASSPHRASE)
  await make.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const row = panel(page).getByRole('listitem').first()
  await row.getByText('Encrypted · Originals').waitFor()
  await row.getByText('Ready').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    row.getByRole('button', { name: 'Download' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toMatch(/\.zip\.7z$/)
  const file = path.join(station.given.dir, 'package.7z')
  await download.saveAs(file)
  expect(spawnSync('7z', ['t', `-p${PASSPHRASE}`, file]).status).toBe(0)

  // As after a start of the station: it was ordered, and nobody gave its passphrase.
  await station.ordered({ Encrypted: true })
  await page.reload()
  await row.getByText('begins, or resumes, when its passphrase is entered').waitFor()
  await row.getByRole('button', { name: 'Enter the passphrase…' }).press('Enter')
  const start = page.getByRole('dialog', { name: 'Create an encrypted package' })
  await start.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await start.getByLabel('Passphrase again').fill(PASSPHRASE)
  expect(await findingsInThemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await start.waitFor({ state: 'detached' })
  await row.getByText('Ready').waitFor()
  expect([problems, refusals]).toEqual([[], []])
  await close()
})

it('a drive that is taken out meanwhile is not written to: the form stays, and says so', async () => {
  const { page, close } = await open()
  const dialog = await order(page)
  await dialog.getByRole('radio', { name: /^Drive KINGSTON/ }).press('Space')
  const left = readdirSync(drive)
  rmSync(drive, { recursive: true })
  const make = dialog.getByRole('button', { name: 'Create package' })
  await soon(() => make.isDisabled()).toBe(true)
  expect(await dialog.getByRole('radio', { name: /^Drive/ }).count()).toBe(0)
  expect(left).toContain('notes.txt')
  await dialog.getByText('The drive is not connected any more.').first().waitFor()
  await dialog.getByRole('radio', { name: /^Keep it at the station/ }).press('Space')
  await soon(() => make.isDisabled()).toBe(false)
  await close()
})
