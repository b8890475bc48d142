/** `node test/ui/administration-shots.ts`: the screens of the administration as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { casesStation } from './support/cases.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const USERS = '/userservice/api/v1/tenant/station'

await ensureRenderer()
const { given, sergeant, okafor, lindqvist } = await casesStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await furnish()
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${given.url}/administration/users`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await page.locator('button[type=submit]').click()
      await page.getByRole('grid').getByText('Okafor').first().waitFor()
      const shot = (name: string): Promise<void> => save(page, `administration-${name}-${theme}${suffix}`)
      await page.goto(`${given.url}/administration/users?open=${okafor.id}`)
      await page.getByRole('heading', { name: 'Account' }).waitFor()
      await shot('users')
      await page.goto(`${given.url}/administration/policies`)
      await page.getByRole('checkbox', { name: /^Share cases, Investigators/ }).click()
      await page.getByRole('checkbox', { name: /^Create cases, Investigators/ }).click()
      await shot('policies')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await page.goto(`${given.url}/administration/departments`)
      await page.getByRole('grid').getByText('Harbour watch').click()
      await page.getByRole('heading', { name: 'Default department' }).waitFor()
      await shot('departments')
      await page.goto(`${given.url}/administration/templates`)
      await page.getByRole('heading', { name: 'Preview' }).waitFor()
      await shot('templates')
      await page.goto(`${given.url}/administration/services`)
      await page.getByRole('grid').getByText('uploader').click()
      await page.getByRole('heading', { name: 'Keys' }).waitFor()
      await shot('services')
      await page.goto(`${given.url}/administration/denials`)
      await page.getByRole('grid').getByText('Sign-in').first().waitFor()
      await shot('denials')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function furnish(): Promise<void> {
  for (const [Name, ids] of [
    ['Investigators', [okafor.id]],
    ['Evidence managers', [lindqvist.id, okafor.id]],
  ] as const)
    await sergeant.send('POST', `${USERS}/groups`, { Name, PrincipalIds: ids })
  const groups = (await sergeant.send('GET', `${USERS}/groups`)).Items as { PrincipalId: string; Name: string }[]
  const idOf = (name: string): string => groups.find(({ Name }) => Name === name)?.PrincipalId ?? ''
  for (const [policy, Members] of [
    ['CreateCases', [{ PrincipalId: idOf('Investigators') }, { PrincipalId: okafor.id }]],
    ['AccessUnassociatedFiles', [{ PrincipalId: idOf('Evidence managers'), Level: 'Edit' }]],
    ['ProtectFromDeletion', [{ PrincipalId: idOf('Evidence managers') }]],
    ['PushCadEvents', [{ PrincipalId: given.principalId }]],
  ] as const)
    await sergeant.send('PUT', `${USERS}/policies/${policy}`, { Members })
  await sergeant.send('POST', '/api/v1/department/station', {
    Name: 'Harbour watch',
    Description: 'Quay and river',
    AccessPolicies: [
      { Permissions: 'Manage', PrincipalId: okafor.id, KId: okafor.kId, PrincipalType: 'user', Username: 'okafor' },
    ],
  })
  await sergeant.send('PUT', '/customfieldservice/api/v1/template/station', {
    type: 'Case',
    renamedFields: [{ fieldId: 'RecordNumber', customName: 'Crime book no.' }],
    customFields: [
      { name: 'Weather', type: 'Choice', choices: ['Dry', 'Rain'] },
      { name: 'Suspects', type: 'Number' },
    ],
  })
  for (let times = 0; times < 2; times += 1)
    await given.call('POST', '/connect/session', {
      token: null,
      headers: { origin: given.url },
      body: { Username: 'lindqvist', Password: 'wrong one', NoticeId: 'default' },
    })
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
