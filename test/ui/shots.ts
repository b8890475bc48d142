/**
 * `npm run shots`: every screen of the window in both themes at 1440×900 and 1024×700, from a real station with real media, as WebP into
 * screens/. To be laid beside the pictures of the design, and for the README.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR, givenStation } from '../support/given.ts'
import { pictureFile } from './support/pictures.ts'

const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const made = (name: string, ...args: readonly string[]): string => {
  const file = path.join(folder, name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, file])
  return file
}
const COLOURS = 'c0=0x060b18:c1=0x27365c:c2=0x6b4a1f:c3=0x0a0f1d:n=4:speed=0.02'
const moving = (seed: number, seconds: number): string[] =>
  `-f lavfi -i gradients=s=1280x720:r=25:d=${seconds}:seed=${seed}:${COLOURS}`.split(' ')
const night = (seed: number, seconds: number): string[] => [
  ...moving(seed, seconds),
  ...`-f lavfi -i anoisesrc=d=${seconds}:a=0.2:c=brown:seed=${seed}`.split(' '),
  ...'-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac'.split(' '),
]

await ensureRenderer()
const given = await givenStation({
  settings: { stationName: 'Harrow Quay', timeZone: 'Europe/Berlin', deriveLanes: 2 },
})
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const video = await evidence('BWC 0417, Tanner’s Row', made('BW0417_20261120_023955.mp4', ...night(7, 40)), {
    StartTimeUtc: '2026-11-20T01:39:55.240Z',
    TimeOffset: 'PT1M12S',
    LocationWKT: 'POINT (13.4049 52.5200)',
    Tags: ['burglary', 'entry'],
  })
  await evidence('Vehicle 12 front', made('VC12.avi', ...moving(3, 12), '-c:v', 'mpeg4'), {
    StartTimeUtc: '2026-11-20T00:58:20Z',
  })
  const sound = await evidence(
    'Call recording, caller 1',
    made('line-3.wav', '-f', 'lavfi', '-i', 'anoisesrc=d=31:a=0.5:c=pink,tremolo=f=0.4:d=0.9'),
    {
      StartTimeUtc: '2026-11-20T01:35:02Z',
    },
  )
  const picture = await evidence(
    'Window latch, scale 10 cm',
    made('IMG_2291.jpg', '-f', 'lavfi', '-i', 'mandelbrot=s=2400x1600:start_scale=0.6', '-frames:v', '1'),
    {
      StartTimeUtc: '2026-11-20T02:06:19Z',
    },
  )
  const statement = path.join(folder, 'neighbour-16-statement.txt')
  writeFileSync(
    statement,
    'Statement of the neighbour at no. 16.\n\nI heard glass at about a quarter to three and looked out.\n',
  )
  const text = await evidence('Statement, neighbour at no. 16', statement, {})
  for (const id of [video, sound, picture, text]) await given.settled(id)

  for (const theme of ['light', 'dark'] as const) {
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      const shot = (name: string): Promise<void> => save(page, `${name}-${theme}${suffix}`)
      await page.goto(`${given.url}/evidence`)
      await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
      await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
      await page.getByText('I have read the notice').click()
      await shot('sign-in')
      await page.locator('button[type=submit]').click()
      await page.getByRole('grid').getByText('BWC 0417').waitFor()
      await shot('evidence-list')
      await page.getByText('Grid', { exact: true }).click()
      await shot('evidence-grid')
      for (const [name, id] of [
        ['evidence-page', video],
        ['picture', picture],
        ['sound', sound],
        ['text', text],
      ] as const) {
        await page.goto(`${given.url}/evidence/${id}${name === 'evidence-page' ? '?t=12' : ''}`)
        await page.getByText('Chain verified in front of you').waitFor()
        await shot(name)
      }
      await page.keyboard.press('Control+j')
      await page.getByRole('heading', { name: 'Jobs' }).waitFor()
      await shot('jobs')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('bwc')
      await page
        .getByText(/result/)
        .first()
        .waitFor()
      await shot('palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Shift+L')
      await page.getByRole('heading', { name: 'Locked' }).waitFor()
      await shot('locked')
      await context.close()
    }
  }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

async function evidence(
  Name: string,
  file: string,
  { TimeOffset, StartTimeUtc, ...members }: Record<string, unknown>,
): Promise<string> {
  const made = await given.evidence({ Name, ...members, ...(StartTimeUtc === undefined ? {} : { StartTimeUtc }) })
  const id = made.EvidenceId as string
  const resource = await given.resource(id, {
    Name: path.basename(file),
    ...(StartTimeUtc === undefined ? {} : { StartTimeUtc }),
    ...(TimeOffset === undefined ? {} : { TimeOffset }),
  })
  await given.put(resource.UploadUri, readFileSync(file))
  await given.call('POST', `${given.documents}/evidence/${id}/resource/${resource.ResourceId}/complete`, { body: {} })
  await given.call('POST', `${given.documents}/evidence/${id}/complete`, { body: {} })
  return id
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', pictureFile(name)])
  process.stdout.write(`${name}\n`)
}
