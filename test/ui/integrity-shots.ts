/** `node test/ui/integrity-shots.ts`: the page Fixity as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { dayStart } from '../../shared/station/warnings.ts'
import { givenStation, type Json } from '../support/given.ts'
import { signIn } from './support/window.ts'
import { KEEPING, integrityStation, presentingStation } from './support/integrity.ts'
import { pictureFile } from './support/pictures.ts'

const folder = process.argv[2] ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const

await ensureRenderer()
const station = await integrityStation()
const quayside = await givenStation()
/** Named as people name drives. */
const drive = path.join(tmpdir(), 'evidence-copies')
const { given, sergeant } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  await draw('empty', ['light', 'dark'])
  await waive()
  await draw('waived', ['light', 'dark'])
  await furnish()
  await draw('fixity', ['light', 'dark'])
  await present()
  await draw('stations', ['light', 'dark'], async (page) => {
    await page.getByRole('heading', { name: 'Known stations' }).scrollIntoViewIfNeeded()
  })
  await draw('stations-accept', ['light', 'dark'], async (page) => {
    await page.getByRole('button', { name: 'Accept as restored' }).click()
    await page.getByRole('dialog').waitFor()
  })
  await alarm()
  await draw('alarms', ['light', 'dark'])
} finally {
  await browser.close()
  await given.close()
  await quayside.close()
  rmSync(drive, { recursive: true, force: true })
  if (process.argv[2] === undefined) rmSync(folder, { recursive: true })
}

async function draw(
  name: string,
  themes: readonly ('light' | 'dark')[],
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  for (const theme of themes)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      await signIn(page, given.url, '/fixity', sergeant)
      await page.getByRole('heading', { name: 'Snapshots' }).waitFor()
      await prepare(page)
      await save(page, `keeping-${name}-${theme}${suffix}`)
      await context.close()
    }
}

async function waive(): Promise<void> {
  const reasons: Readonly<Record<string, string>> = {
    backup:
      'The drive for snapshots is ordered and arrives on Thursday. Until then the disk is copied by hand each evening.',
    checkpoints: 'The station at Tanner’s Row keeps our checkpoints from next week on.',
    clock: 'The machine stands in a closed network; its clock is set by hand each Monday.',
  }
  const until = dayStart(Date.now(), 'Europe/Berlin', 30)
  for (const { Warning } of (await station.read()).Warnings)
    await sergeant.send('PUT', `/api/v1/tenant/station/station/warning/${Warning}/waiver`, {
      Reason: reasons[Warning],
      UntilUtc: new Date(until).toISOString(),
    })
}

async function furnish(): Promise<void> {
  for (const name of ['Front desk', 'Interview room 2', 'Tanner’s Row, statement', 'Harbour gate', 'Call 1482'])
    await station.evidence(name)
  await station.run()
  const address = `${KEEPING}/checkpoint-target`
  for (const name of ['checkpoints', 'snapshots']) mkdirSync(path.join(drive, name), { recursive: true })
  const beside = await sergeant.send('POST', address, { Folder: path.join(drive, 'checkpoints') })
  const neighbour = await quayside.integration('Harrow Quay')
  const other = await sergeant.send('POST', address, { Connection: neighbour })
  await sergeant.send('POST', `${KEEPING}/backup-target`, { Folder: path.join(drive, 'snapshots') })
  await station.rest()
  for (const { TargetId } of [beside, other]) await sergeant.send('POST', `${address}/${TargetId}/copy`)
  const [target] = (await station.read()).Backups.Targets
  await sergeant.send('POST', `${KEEPING}/backup-target/${target.TargetId}/drill`)
  await station.rest()
}

/** One station that goes on, one that was restored and accepted, one that waits for a decision, and a stranger. */
async function present(): Promise<void> {
  await presentingStation(given, 'harrow-quay.example/ledger')(48_210)
  const restored = presentingStation(given, 'sallyport.local/9f3c41d8e07a5b12')
  await restored(9_130)
  await restored(8_377)
  const [one] = (await station.read()).Checkpoints.Received.filter((row: Json) => row.Presented !== null)
  const headOf = ({ Size, Root }: Json): Json => ({ Size, Root })
  await sergeant.send('POST', `${KEEPING}/station/accept`, {
    Origin: one.Origin,
    Known: headOf(one),
    Presented: headOf(one.Presented),
    Reason: 'The disk failed; restored from the snapshot of Monday. Confirmed by phone with D. Okafor.',
  })
  const waiting = presentingStation(given)
  await waiting(12_004)
  await waiting(11_880)
  await presentingStation(given, 'old-mill.example/ledger')(700)
  await presentingStation(given, 'old-mill.example/ledger')(720)
}

async function alarm(): Promise<void> {
  await station.damage(await station.evidence('Corridor camera'))
  writeFileSync(path.join(given.data, 'blobs', 'holiday.jpg'), 'sun')
  await station.run()
}

async function save(page: Page, name: string): Promise<void> {
  // Where it pressed Sign in something else lies now, and its words would stand over the page.
  await page.mouse.move(2, 2)
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
