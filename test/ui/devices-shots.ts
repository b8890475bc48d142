/** `node test/ui/devices-shots.ts`: the pages of devices as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import type { Json } from '../support/given.ts'
import { signIn } from './support/window.ts'
import { DEVICES, devicesStation } from './support/devices.ts'
import { pictureFile } from './support/pictures.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
const HOUR = 3_600_000

await ensureRenderer()
const station = await devicesStation()
const { given, okafor, sergeant, lindqvist } = station
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const main = await furnish()
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) {
      const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB', colorScheme: theme })
      const page = await context.newPage()
      const shot = (name: string): Promise<void> => save(page, `devices-${name}-${theme}${suffix}`)
      const to = (place: string) => page.goto(`${given.url}${place}`)
      await signIn(page, given.url, '/devices', okafor)
      await page.getByRole('row', { name: /BW-0417/ }).waitFor()
      await shot('list')
      await to(`/devices/${main.Id}`)
      await page.getByRole('heading', { name: 'Credentials' }).waitFor()
      await shot('overview')
      await to(`/devices/${main.Id}?tab=officers`)
      await page.getByText('Waits for a second person').waitFor()
      await shot('officers')
      await to(`/devices/${main.Id}?tab=configuration`)
      await page.getByText('members differ').waitFor()
      await shot('configuration')
      await to(`/devices/${main.Id}?tab=negotiations`)
      await page.getByText('Superseded').waitFor()
      await shot('negotiations')
      await to('/devices/types?open=BodyWornCamera')
      await page.getByText('Saved by').waitFor()
      await shot('types')
      await context.close()
    }
} finally {
  await browser.close()
  await given.close()
  rmSync(folder, { recursive: true })
}

/** A station of twelve cameras, one of them with a past. @returns that one */
async function furnish(): Promise<Json> {
  const usual = {
    Video: { Height: 1080, FramesPerSecond: 30, Codec: 'h264' },
    PreRecordSeconds: 30,
    Watermark: 'Harrow Quay',
    Stealth: false,
  }
  const type = 'BodyWornCamera'
  await sergeant.send('PUT', `${DEVICES}/configuration/${type}`, { Configuration: usual })
  await sergeant.send('PUT', `${DEVICES}/configuration/Dashcam`, { Configuration: { Parking: true } })
  const settle = async (device: Json, has: Json): Promise<void> => {
    const offered = await station.negotiate(device, has, {
      Capabilities: { Firmware: '4.2.1', FreeBytes: 51200000000 },
    })
    await station.commit(device, offered.TransactionId)
  }
  const has = (device: Json, officer: { id: string }, more: Json = {}) =>
    sergeant.send('POST', `${DEVICES}/device/${device.Id}/association`, { PrincipalId: officer.id, ...more })
  const made: Json[] = []
  for (const number of ['0388', '0392', '0401', '0405', '0409', '0412', '0417', '0420', '0431', '0436']) {
    const device = await station.device({ name: `BW-${number}`, serial: `HA3-20-${number}88` })
    await settle(device, usual)
    await station.docked(device, made.length % 4)
    made.push(device)
  }
  const [first, second, third, fourth, fifth, , main] = made as [Json, Json, Json, Json, Json, Json, Json]
  await has(first, lindqvist)
  await has(third, okafor)
  await station.docked(second, 0, 'pulled')
  await station.longActive(fourth, 40)
  const refused = await station.negotiate(fifth, { ...usual, Stealth: true })
  await station.reject(fifth, refused.TransactionId, 'E31', 'Pre-record of 30 s needs firmware 4.3')
  await station.device({ name: 'Patrol car 7', serial: 'DC-7741', type: 'Dashcam', model: 'Rook', active: false })
  await station.device({ name: 'Spare', serial: 'HA3-20-050199', active: false })

  await station.longActive(main, 9)
  const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString()
  for (const [who, from, to] of [
    [okafor, 190, 150],
    [lindqvist, 145, 100],
    [okafor, 96, 60],
  ] as const) {
    const one = await has(main, who, { FromUtc: ago(from), ToUtc: ago(to) })
    await okafor.send('POST', `${DEVICES}/device/${main.Id}/association/${one.AssociationId}/confirm`)
  }
  await has(main, lindqvist, { FromUtc: ago(52), ToUtc: ago(40) })
  await has(main, lindqvist)
  await station.negotiate(main, usual, { Credential: { DeviceCredential: 'kestrel-41' } })
  await sergeant.send('PUT', `${DEVICES}/device/${main.Id}/configuration`, {
    Configuration: { ...usual, Video: { ...usual.Video, Height: 1440 }, NightMode: true, Stealth: undefined },
  })
  await station.negotiate(main, usual)
  const last = await station.negotiate(main, usual)
  await station.reject(main, last.TransactionId, 'E12', '1440 lines are not possible at 30 frames a second')
  return main
}

async function save(page: Page, name: string): Promise<void> {
  // Where it pressed Sign in something else lies now, and its words would stand over the page.
  await page.mouse.move(2, 2)
  await page.waitForTimeout(900)
  const png = path.join(folder, `${name}.png`)
  await page.screenshot({ path: png })
  const webp = pictureFile(name, process.argv[2])
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
