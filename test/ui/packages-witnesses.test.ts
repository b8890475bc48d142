/** Who vouches for a package from outside, in the window: told, missing with the reason, asked again, and handed out. */
// @module-tag screen
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IssuedCertificate, testCertificateAuthority } from '../support/certificate-authority.ts'
import { temporaryFolder } from '../support/station.ts'
import { type TestAuthority, testAuthority } from '../support/timestamp-authority.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking } from './support/cases.ts'
import { packagesStation, type PackagesStation } from './support/packages.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let authority: TestAuthority
let issued: IssuedCertificate
let station: PackagesStation
beforeAll(async () => {
  folder = await temporaryFolder('witnesses')
  authority = await testAuthority(path.join(folder.dir, 'time'))
  issued = testCertificateAuthority(path.join(folder.dir, 'state'), 'State').issue('Harrow-Quay-Station')
  station = await packagesStation({
    timestampUrl: authority.url,
    timestampRoots: authority.rootFile,
    signingCertificate: issued.certificateFile,
    signingKey: issued.keyFile,
  })
}, 120_000)
afterAll(async () => {
  await station?.given.close()
  await authority?.close()
  await folder?.dispose()
})

const rowOf = (page: Page) => page.getByRole('main').getByRole('listitem').first()
const witnesses = (page: Page) => page.getByRole('list', { name: 'Who vouches for it from outside' })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })

it('a package says who stamped and signed it', async () => {
  authority.behave('honest')
  await station.ended((await station.ordered()).PackageId)
  const { page, problems } = await looking(station.given, station.okafor, '/packages', { reducedMotion: true })
  await witnesses(page)
    .getByText(/^Timestamp of .*, by Time Authority/)
    .waitFor()
  await witnesses(page).getByText('Signed with the certificate of Harrow-Quay-Station').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await findingsInThemes(page)).toEqual([])
  expect(problems).toEqual([])
}, 60_000)

it('what is missing has its reason, is asked for again, and is given along', async () => {
  authority.behave('an error')
  const key = readFileSync(issued.keyFile)
  writeFileSync(issued.keyFile, 'not a key')
  await station.ended((await station.ordered({ Variant: 'court' })).PackageId)
  const { page } = await looking(station.given, station.okafor, '/packages', { reducedMotion: true })
  const row = rowOf(page)
  const ofTimestamp = row.getByRole('listitem').filter({ hasText: 'No timestamp of an authority yet.' })
  await ofTimestamp.getByText('The authority answered with the status 503.').waitFor()
  const { page: inFrench } = await looking(station.given, station.okafor, '/packages', { language: 'fr' })
  await inFrench.getByText('L’autorité a répondu avec le statut 503.').first().waitFor()
  await inFrench.close()
  await row.getByText('Not signed with the certificate of the agency yet.').waitFor()
  expect(await findingsInThemes(page)).toEqual([])
  const again = ofTimestamp.getByRole('button', { name: 'Try again' })
  await again.press('Enter')
  await ofTimestamp.getByText('Nothing was added').waitFor()
  authority.behave('honest')
  writeFileSync(issued.keyFile, key)
  await again.press('Enter')
  await messages(page).getByText('The timestamp was added.').waitFor()
  await row.getByText(/^Timestamp of .*, by Time Authority/).waitFor()
  await row.getByRole('button', { name: 'Try again' }).press('Enter')
  await messages(page).getByText('The signature was added.').waitFor()
  const button = row.getByRole('button', { name: 'Download tagmanifest.tsr' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
  expect(download.suggestedFilename()).toBe('tagmanifest.tsr')
  expect(await row.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await findingsInThemes(page)).toEqual([])
}, 60_000)
