/** `node test/ui/calls-shots.ts`: the board of calls and footage as WebP into screens/, in the manner of shots.ts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { callsStation, type Worn } from './support/calls.ts'
import { signIn } from './support/window.ts'
import { pictureFile } from './support/pictures.ts'

const given = process.argv[2]
const folder = given ?? mkdtempSync(path.join(tmpdir(), 'sallyport-shots-'))
const SIZES = [
  ['', 1440, 900],
  ['-1024', 1024, 700],
] as const
/** A night from 22:00 in Berlin. */
const NIGHT = Date.UTC(2026, 10, 19, 21)
const at = (minutes: number, night = NIGHT): string => new Date(night + minutes * 60_000).toISOString()

await ensureRenderer()
const station = await callsStation()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const shown = await furnish()
  for (const theme of ['light', 'dark'] as const)
    for (const [suffix, width, height] of SIZES) await draw(theme, { suffix, width, height }, shown)
} finally {
  await browser.close()
  await station.given.close()
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

async function furnish(): Promise<{ call: string; who: string }> {
  const people: Record<string, Worn> = {}
  for (const [last, first, camera] of [
    ['Okafor', 'Dayo', 'BW-0417'],
    ['Lindqvist', 'Mia', 'BW-0388'],
    ['Sørensen', 'Karl', 'BW-0402'],
    ['Nakamura', 'Rei', 'BW-0411'],
    ['Ferreira', 'Ana', 'BW-0396'],
    ['Achterberg', 'Joost', 'BW-0395'],
    ['Duval', 'Claire', 'BW-0406'],
    ['Haugen', 'Per', 'BW-0391'],
    ['Moreau', 'Théo', 'BW-0380'],
  ] as const)
    people[last] = await station.officer(first, last, camera)
  const of = (last: string): Worn => people[last] as Worn
  const UNITS: Record<string, string> = {
    Okafor: 'Response B1',
    Lindqvist: 'Response B1',
    Sørensen: 'Response B2',
    Nakamura: 'Response B2',
    Ferreira: 'Traffic T1',
    Achterberg: 'Traffic T1',
    Duval: 'Foot patrol F3',
    Haugen: 'Foot patrol F3',
    Moreau: 'Duty sergeant',
  }
  const call = (number: string, name: string, from: number, to: number, ...who: string[]) =>
    station.call(
      number,
      name,
      at(from),
      at(to),
      who.map((one) => [of(one), UNITS[one] as string] as const),
    )
  const films = new Map<string, number>()
  const filmed = (who: string, from: number, to: number, number?: number, offset?: string) => {
    const next = number ?? (films.get(who) ?? 20) + 1
    films.set(who, next)
    return station.recording(of(who), `CAM_${String(next).padStart(4, '0')}`, at(from), at(to), offset)
  }

  await call('118366', 'Collision, Canal Bridge', 20, 55, 'Ferreira', 'Achterberg')
  await filmed('Ferreira', 18, 56)
  await filmed('Achterberg', 31, 56)
  await call('118371', 'Burglary alarm, Mill Lane', 40, 80, 'Okafor', 'Lindqvist')
  await filmed('Okafor', 38, 82)
  await filmed('Lindqvist', 40.5, 81)
  await call('118374', 'Fight outside the Anchor', 65, 118, 'Sørensen', 'Moreau')
  await filmed('Sørensen', 64, 119)
  await filmed('Moreau', 64, 119)
  await call('118379', 'Missing child, Quay Park', 90, 125, 'Duval', 'Haugen')
  await filmed('Duval', 89, 126, 30)
  await filmed('Haugen', 90, 125)
  await call('118385', 'Welfare check, 16 Tanner’s Row', 135, 170, 'Okafor')
  await filmed('Okafor', 134, 172)
  await call('118388', 'Noise', 165, 180, 'Nakamura')
  await filmed('Nakamura', 164, 182)
  await call('118390', 'Shoplifter held', 185, 222, 'Lindqvist')
  await filmed('Lindqvist', 183, 224)
  await call('118391', 'Stolen vehicle', 190, 230, 'Sørensen')
  await filmed('Sørensen', 192, 199)
  await call('118399', 'Drink-drive stop, Ring Road', 235, 285, 'Ferreira', 'Achterberg')
  await filmed('Ferreira', 234, 287)
  await filmed('Achterberg', 234, 288)
  await call('118400', 'Disturbance, station forecourt', 245, 270, 'Duval')
  await filmed('Duval', 284, 290, 32)
  const chosen = await call(
    '118402',
    'Burglary in progress, Harrow Street',
    278.16,
    298.75,
    'Okafor',
    'Lindqvist',
    'Moreau',
  )
  await filmed('Okafor', 279.92, 298.58, undefined, 'PT1M12S')
  await filmed('Lindqvist', 278, 302)
  await filmed('Moreau', 277, 300)
  await call('118409', 'Suspicious person', 330, 365, 'Sørensen', 'Nakamura')
  await filmed('Nakamura', 329, 367)
  await call('118412', 'Lost property', 370, 395, 'Haugen')
  await filmed('Haugen', 368, 398)
  await call('118415', 'Debris on carriageway', 400, 440, 'Ferreira', 'Achterberg')
  for (const who of ['Okafor', 'Lindqvist', 'Nakamura', 'Duval', 'Haugen', 'Moreau'])
    await station.docked(of(who), at(490))
  await station.docked(of('Sørensen'), at(492), 'released', at(210))

  // Eleven weeks before, each a little better covered than the one before.
  for (let back = 11; back >= 1; back--) {
    const night = NIGHT - back * 7 * 86_400_000
    for (const [index, who] of ['Okafor', 'Nakamura', 'Haugen'].entries()) {
      await station.call(`11${80 - back}0${index}`, 'Earlier call', at(60, night), at(100, night), [
        [of(who), UNITS[who] as string],
      ])
      const whole = 40 * Math.min(1, 0.52 + (11 - back) * 0.036 + index * 0.02)
      await station.recording(of(who), `OLD_${back}${index}`, at(60, night), at(60 + whole, night))
    }
  }
  await station.settled()
  return { call: chosen, who: of('Okafor').id }
}

interface Size {
  readonly suffix: string
  readonly width: number
  readonly height: number
}

async function draw(
  theme: 'light' | 'dark',
  { suffix, width, height }: Size,
  { call, who }: { call: string; who: string },
): Promise<void> {
  const open = async (locale: string): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height },
      locale,
      timezoneId: 'Europe/Berlin',
      colorScheme: theme,
    })
    return context.newPage()
  }
  const page = await open('en-GB')
  const name = (what: string): string => `calls-${what}-${theme}${suffix}`
  const shift = '/calls?date=2026-11-19&shift=2'
  await signIn(page, station.given.url, shift, station.sergeant)
  await page.getByRole('button', { name: /^Call 118402, D. Okafor/ }).waitFor()
  await page.goto(`${station.given.url}${shift}&call=${call}&who=${who}`)
  await page.getByRole('heading', { name: 'Call 118402, D. Okafor' }).waitFor()
  await page.getByText('Covered, by week').waitFor()
  await save(page, name('footage'))
  await page.goto(`${station.given.url}${shift}&view=calls`)
  await page.getByText('Debris on carriageway').waitFor()
  await save(page, name('by-call'))
  await page.goto(`${station.given.url}${shift}&view=weeks`)
  await page.getByRole('rowheader', { name: '47' }).waitFor()
  await save(page, name('weeks'))
  await page.context().close()
  if (theme === 'dark' || suffix !== '') return
  const french = await open('fr-FR')
  await signIn(french, station.given.url, shift, station.sergeant)
  await french.goto(`${station.given.url}${shift}&call=${call}&who=${who}`)
  await french.getByRole('heading', { name: 'Appel 118402, D. Okafor' }).waitFor()
  await save(french, 'calls-footage-fr')
  await french.context().close()
}

async function save(page: Page, name: string): Promise<void> {
  // Where it pressed Sign in something else lies now, and its words would stand over the page.
  await page.mouse.move(2, 2)
  await page.waitForTimeout(900)
  const file = path.join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  const webp = pictureFile(name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', file, '-c:v', 'libwebp', '-quality', '82', webp])
  process.stdout.write(`${name}\n`)
}
