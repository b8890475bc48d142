/**
 * `node test/ui/cases-shots.ts`: the screens of cases in both themes at 1440×900 and 1024×700, from a real station with real media, as WebP
 * into screens/, as shots.ts draws the others. To be laid beside the pictures of the design.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import type { Json } from '../support/given.ts'
import { CASES, casesStation } from './support/cases.ts'
import { signIn } from './support/window.ts'
import { pictureFile } from './support/pictures.ts'

const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const COLOURS = 'c0=0x060b18:c1=0x27365c:c2=0x6b4a1f:c3=0x0a0f1d:n=4:speed=0.02'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
function night(seed: number, seconds: number): Uint8Array {
  const file = path.join(folder, `${seed}.mp4`)
  const source = `gradients=s=1280x720:r=10:d=${seconds}:seed=${seed}:${COLOURS}`
  const made = `-v error -y -f lavfi -i ${source} -c:v libx264 -preset veryfast -pix_fmt yuv420p`.split(' ')
  execFileSync('ffmpeg', [...made, file])
  return readFileSync(file)
}

await ensureRenderer()
const { given, sergeant, okafor, lindqvist, made, share } = await casesStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const caseId = await burglary()
  await others()
  for (const theme of ['light', 'dark'] as const) {
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        colorScheme: theme,
      })
      const page = await context.newPage()
      await draw(page, caseId, (name) => save(page, `${name}-${theme}${suffix}`))
      await context.close()
    }
  }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function draw(page: Page, caseId: string, shot: (name: string) => Promise<void>): Promise<void> {
  const saveButton = page.getByRole('button', { name: 'Save', exact: true })
  await signIn(page, given.url, '/cases', sergeant)
  await page.getByRole('grid').getByText('Burglary, 14').waitFor()
  await shot('case-list')
  await page.goto(`${given.url}/cases/${caseId}`)
  await page.getByRole('grid').getByText('BWC 0417').first().waitFor()
  await shot('case')
  await page.goto(`${given.url}/cases/${caseId}/edit`)
  await page.getByRole('textbox', { name: 'What happened' }).fill('Rear window forced. Two people seen leaving.')
  await shot('case-edit')
  const { Description } = await sergeant.send('GET', `${CASES}/${caseId}`)
  await lindqvist.send('PATCH', `${CASES}/${caseId}`, { Description: `${Description} A bag was found.` })
  await saveButton.click()
  await page.getByRole('radiogroup', { name: 'What happened' }).waitFor()
  await shot('case-conflict')
  await lindqvist.send('PATCH', `${CASES}/${caseId}`, { Description })
}

/** The case of the design's picture. */
async function burglary(): Promise<string> {
  const { CategoryId } = await sergeant.send('POST', '/api/v1/category/station', {
    Name: 'Burglary, dwelling',
    RetentionDays: 2190,
  })
  const { CaseId } = await made({
    Description: 'Rear window forced at a terraced house. Two people seen leaving towards Ferry Street.',
    CategoryId,
    OccurredOn: '2026-11-20T01:35:00Z',
    EndedOn: '2026-11-20T01:50:00Z',
    LocationText: '14 Tanner’s Row, Harrow Quay',
    LocationWKT: 'POINT (4.0891 54.3127)',
    ExternalReferenceId1: 'HQ/B/2026/0931',
    ExternalReferenceId2: '26-118402',
    Tags: ['forced entry', 'two suspects'],
  })
  const recorded = [
    ['BWC 0417, Tanner’s Row', 7, '2026-11-20T01:41:07Z', '2026-11-20T01:59:47Z'],
    ['BWC 0388, Tanner’s Row rear', 3, '2026-11-20T01:40:52Z', '2026-11-20T02:01:57Z'],
    ['Shop CCTV, channel 3', 5, '2026-11-20T01:36:20Z', '2026-11-20T01:52:00Z'],
    ['Vehicle 12 front', 9, '2026-11-20T01:39:05Z', '2026-11-20T01:47:10Z'],
  ] as const
  const body = (SerialNumber: string) => ({ DeviceType: 'BodyWornCamera', Manufacturer: 'Corvid', SerialNumber })
  for (const [Name, seed, StartTimeUtc, EndTimeUtc] of recorded) {
    const [serial] = /\b0\d{3}\b/.exec(Name) ?? []
    const members = serial === undefined ? {} : { Device: body(serial) }
    await film(CaseId, { Name, StartTimeUtc, EndTimeUtc, ...members }, night(seed, 6))
  }
  const again = { StartTimeUtc: '2026-11-20T02:02:30Z', EndTimeUtc: '2026-11-20T02:05:10Z', Device: body('0417') }
  await film(CaseId, { Name: 'BWC 0417, Ferry Street', ...again }, night(11, 6))
  for (const second of ['12', '31', '48'])
    await film(CaseId, { Name: `Window latch ${second}`, StartTimeUtc: `2026-11-20T02:00:${second}Z` }, night(4, 1))
  await share(CaseId, okafor, 'Manage')
  await share(CaseId, lindqvist, 'Edit')
  const assigned = [okafor, lindqvist].map(({ id, kId }) => ({ PrincipalId: id, KId: kId }))
  await sergeant.send('PATCH', `${CASES}/${CaseId}`, { PersonnelRelations: assigned })
  await lindqvist.send('PATCH', `${CASES}/${CaseId}`, {
    OccurredOn: '2026-11-20T01:38:00Z',
    EndedOn: '2026-11-20T01:58:00Z',
    Tags: ['forced entry', 'two suspects', 'one stopped'],
  })
  return CaseId
}

async function film(caseId: string, members: Record<string, unknown>, bytes: Uint8Array): Promise<void> {
  const { EvidenceId } = await sergeant.send('POST', `${given.documents}/evidence`, members)
  const place = `${given.documents}/evidence/${EvidenceId}`
  const file = await sergeant.send('POST', `${place}/resource`, { Name: 'film.mp4' })
  await given.put(file.UploadUri, bytes)
  await sergeant.send('POST', `${place}/resource/${file.ResourceId}/complete`, {})
  await sergeant.send('POST', `${place}/complete`, {})
  await sergeant.send('POST', `${CASES}/${caseId}/link-evidences`, { Evidences: [{ EvidenceId }] })
  for (let tries = 0; tries < 600; tries++) {
    const [original]: Json[] = await sergeant.send('GET', `${place}/resource`)
    if (original?.Thumbnail !== null) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`evidence ${EvidenceId} got no thumbnail`)
}

async function others(): Promise<void> {
  const rows = [
    ['Road traffic collision, A12', '2026-11-19T17:20:00Z', 'Ferry Street', ['night shift']],
    ['Theft from a car', '2026-11-19T14:05:00Z', 'Mill Lane', []],
    ['Missing person', '2026-11-18T21:40:00Z', 'Linden House', ['vulnerable']],
    ['Fight outside The Anchor', '2026-11-18T00:15:00Z', 'Quay Road', ['night shift', 'two injured']],
    ['Shed fire', '2026-11-17T04:30:00Z', 'Orchard Close', []],
    ['Vandalism at the school', '2026-11-16T09:00:00Z', 'School Lane', []],
  ] as const
  for (const [Title, OccurredOn, LocationText, Tags] of rows) {
    const { CaseId } = await made({ Title, OccurredOn, LocationText, Tags }, okafor)
    await okafor.send('POST', `${CASES}/${CaseId}/share`, {
      AccessPolicies: [{ Permissions: 'Manage', PrincipalId: sergeant.id, KId: sergeant.kId, PrincipalType: 'user' }],
    })
    if (Title.startsWith('Shed') || Title.startsWith('Theft')) await sergeant.send('POST', `${CASES}/${CaseId}/close`)
    if (Title.startsWith('Fight')) await sergeant.send('POST', `${CASES}/${CaseId}/protect`, { Reason: 'Court date' })
    if (Title.startsWith('Missing')) await sergeant.send('POST', `${CASES}/${CaseId}/follow`)
  }
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
