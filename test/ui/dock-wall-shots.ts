/**
 * `node test/ui/dock-wall-shots.ts [FOLDER]`: the dock wall with 26 bays as WebP into screens/, in the manner of shots.ts; one of them
 * made a quarter as large, as it looks from across the room.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { type DockWorld, stick, tile, wallStation, withBadFile, withTooMuch, worn } from './support/dock.ts'
import { pictureFile } from './support/pictures.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
mkdirSync(folder, { recursive: true })
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

/** How many files each of the moving ones has: enough for as long as the pictures take. */
const FILES = Number(process.env['SALLYPORT_SHOT_FILES'] ?? 240)
const SAFE = [1, 2, 13, 24]
const EMPTY = [5, 10, 11, 18, 20, 21, 25]
const PULLED = 16
const STOPPED = 8
const FAULTY = 23
const STICK = 19
const NAMES = [
  'Okafor',
  'Lindqvist',
  'Sørensen',
  'Nakamura',
  'Haugen',
  'Ferreira',
  'Achterberg',
  'Duval',
  'Mbeki',
  'Petrov',
].concat(['Castellano', 'Rahimi', 'Vance', 'Ito', 'Kowalczyk', 'Brandt', 'Moreau', 'Whitcombe-Smith'])

const bay = (number: number): string => `bay-${String(number).padStart(2, '0')}`
const serial = (number: number): string => `BW-${String(390 + number).padStart(4, '0')}`

await ensureRenderer()
const empty = await wallStation()
const world = await wallStation({ dockWallNames: true, dockLanes: 3 })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await draw(empty, 'dock-wall-empty', (page) => page.getByText('No camera is docked').waitFor())
  await empty.close()
  await furnish(world)
  await draw(world, 'dock-wall', async (page) => {
    await tile(page, PULLED).getByText('back').waitFor()
    await page.locator('[data-bay="26"]:not([data-kind="empty"])').waitFor()
  })
  await signedIn(world)
} finally {
  await browser.close()
  await empty.close().catch(() => {})
  await world.close()
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}

async function draw(of: DockWorld, name: string, ready: (page: Page) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await page.goto(`${of.given.url}/dock`)
      await ready(page)
      await save(page, `${name}-${theme}${suffix}`)
      await context.close()
    }
}

async function signedIn({ given }: DockWorld): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'fr-FR' })
  const page = await context.newPage()
  await page.goto(`${given.url}/dock`)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.locator('input[name=username]').fill(ADMINISTRATOR.username)
  await page.locator('input[name=password]').fill(ADMINISTRATOR.password)
  await page.getByRole('checkbox').check({ force: true })
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation').first().waitFor()
  await tile(page, PULLED).waitFor()
  await save(page, 'dock-wall-frame-light-fr')
  await context.close()
}

/** Every bay is used once, one after the other, so that it gets its number; then the cameras of this evening come. */
async function furnish(of: DockWorld): Promise<void> {
  for (let number = 1; number <= 26; number++) {
    const name = bay(number)
    const first = of.camera(name, { serial: `OLD-${number}`, recordings: [1], bytes: 100 })
    first.plugIn()
    await of.reached(name, 'released')
    first.pull()
    rmSync(first.at, { recursive: true })
  }
  await of.until(async () => (await of.wall()).length === 0, 'empty bays')
  const wearers = Array.from({ length: 26 }, (_, at) => at + 1).filter(
    (number) => ![...EMPTY, STICK, STOPPED, FAULTY].includes(number),
  )
  await worn(of, Object.fromEntries(wearers.map((number, at) => [serial(number), NAMES[at % NAMES.length] as string])))
  for (const number of SAFE)
    of.camera(bay(number), {
      serial: serial(number),
      recordings: [3, 2],
      bytes: 9000,
      ...(number === 13 ? { extra: { 'notes/readme.txt': 'mine' } } : {}),
    }).plugIn()
  withBadFile(of, bay(FAULTY), serial(FAULTY)).plugIn()
  withTooMuch(of, bay(STOPPED), serial(STOPPED)).plugIn()
  stick(of, bay(STICK))
  for (const number of SAFE) await of.reached(bay(number), 'released')
  await of.reached(bay(FAULTY), 'released')
  const moving = wearers.filter((number) => !SAFE.includes(number))
  const cameras = moving.map((number) => {
    // No two are as far.
    const recordings = Array.from({ length: 4 + (number % 5) * 2 }, () => Math.ceil(FILES / (6 + (number % 7))))
    return { number, camera: of.camera(bay(number), { serial: serial(number), recordings, bytes: 3000 }) }
  })
  for (const { camera } of cameras.filter(({ number }) => number !== 26)) camera.plugIn()
  await busy(async () =>
    (await of.wall()).some(({ Number: number, FilesDone: done }) => number === PULLED && (done as number) >= 4),
  )
  cameras.find(({ number }) => number === PULLED)?.camera.pull()
  await of.reached(bay(PULLED), 'pulled')
  cameras.find(({ number }) => number === 26)?.camera.plugIn()
}

/** As long as a busy machine needs. */
async function busy(came: () => Promise<boolean>): Promise<void> {
  while (!(await came())) await new Promise((resolve) => setTimeout(resolve, 200))
}

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(2500)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  keep(png, name)
  // A screen of 40 inches at three metres is seen about as large as this one in a quarter of its size at arm's length.
  if (name !== 'dock-wall-light') return
  const small = path.join(folder, 'dock-wall-across-the-room.png')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-vf', 'scale=iw/4:-1:flags=area', small])
  keep(small, 'dock-wall-across-the-room')
}

function keep(png: string, name: string): void {
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
