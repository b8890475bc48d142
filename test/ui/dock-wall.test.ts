/** The dock wall as people meet it: with nobody signed in, across the room, by keyboard, by ear. */
// @module-tag screen
// @module-tag merge
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Page } from 'playwright-core'
import { patience } from '../support/scale.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { soon } from './support/cases.ts'
import { type DockWorld, spare, stick, tile, wallStation, withBadFile, withTooMuch, worn } from './support/dock.ts'
import { drawPieces, FELT_MS, watchTasks } from './support/long-tasks.ts'
import { look, signIn, unslowedBrowser } from './support/window.ts'

const worlds: DockWorld[] = []
const station = async (settings: Record<string, unknown> = {}): Promise<DockWorld> => {
  const world = await wallStation(settings)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})
afterAll(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

const WAIT = { timeout: patience(20_000) }
const kind = (page: Page, bay: number, is: string) =>
  page.locator(`[data-bay="${bay}"][data-kind="${is}"]`).waitFor(WAIT)
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

describe('with nobody signed in', () => {
  it('is reached from the way in, teaches while it is empty, and leads back to where it was', {
    timeout: 120_000,
  }, async () => {
    const { given } = await station()
    const { page, problems } = await look(given.url)
    await page.goto(given.url)
    await page.getByRole('link', { name: 'Dock wall' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No camera is docked').waitFor(WAIT)
    await page.getByText('filled green with a check mark').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dock')
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('input[name=username]').waitFor()
    await signIn(page, given.url, '/evidence')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByText('No camera is docked').waitFor(WAIT)
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Dock' }).waitFor()
    // Somebody is signed in: the wall asks nobody in.
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0)
    // Locked it hangs as before, with nothing of the person on it.
    await page.keyboard.press('Control+Shift+L')
    await page.getByText('The screen is locked.').waitFor()
    expect(await page.getByText('sergeant').filter({ visible: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    expect(problems).toEqual([])
  })

  it('says of every bay how it stands, in words, and what to do', { tags: ['journey'], timeout: 180_000 }, async () => {
    const world = await station()
    const { page, problems } = await look(world.given.url)
    await page.goto(`${world.given.url}/dock`)
    const first = world.camera('bay 1', {
      serial: 'W-1',
      recordings: [1],
      extra: { 'notes/a.txt': 'a', 'notes/b.txt': 'b' },
    })
    first.plugIn()
    await kind(page, 1, 'safe')
    withBadFile(world, 'bay 2', 'W-2').plugIn()
    await kind(page, 2, 'faulty')
    withTooMuch(world, 'bay 3', 'W-3').plugIn()
    await kind(page, 3, 'stopped')
    stick(world, 'bay 4')
    await kind(page, 4, 'stranger')
    const words = async (bay: number): Promise<string> =>
      ((await tile(page, bay).innerText()) as string).replaceAll(/\s+/g, ' ').trim()
    expect(await words(1)).toMatch(
      /^Bay 1 W-1 Safe to take Yours\? Touch here 2 foreign files left on it 1 file in 1 min This is mine W-1$/,
    )
    expect(await words(2)).toBe('Bay 2 W-2 1 file not read Tell the desk The rest is safe here This is mine W-2')
    expect(await words(3)).toMatch(/^Bay 3 W-3 Stopped Tell the desk The disk is at its free-space floor/)
    expect(await words(4)).toBe('Bay 4 bay 4 No camera Nothing was copied Nothing on it was changed')
    const tallies = page.getByRole('list', { name: 'In all' })
    expect((await tallies.innerText()).replaceAll(/\s+/g, ' ')).toBe('1 safe to take 0 in work 2 need someone')
    expect(await findingsInThemes(page)).toEqual([])
    // Whoever wears it is known: then it says what else was on it.
    first.pull()
    await kind(page, 1, 'empty')
    expect(problems).toEqual([])
  })

  it('a camera that nobody wears is taken by touching its bay, by keyboard too', { timeout: 180_000 }, async () => {
    const world = await station({ dockWallNames: true })
    const lastName = await spare(world, 'T-1', 'Lindqvist')
    world.camera('bay 1', { serial: 'T-1', recordings: [1] }).plugIn()
    const { page, problems } = await look(world.given.url)
    await page.goto(`${world.given.url}/dock`)
    await kind(page, 1, 'safe')
    await tile(page, 1).getByText('Yours? Touch here').waitFor()
    // Wherever on it one touches.
    await tile(page, 1).click({ position: { x: 12, y: 12 } })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tile(page, 1).getByRole('button', { name: 'This is mine T-1' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'User name' }).fill(lastName.username)
    await dialog.locator('input[name=password]').fill(lastName.password)
    await dialog.getByRole('checkbox', { name: 'I have read the notice' }).check({ force: true })
    await dialog.locator('input[name=password]').press('Enter')
    await dialog.getByText(/^Camera T-1 is yours until/).waitFor()
    await page.keyboard.press('Enter')
    await tile(page, 1).getByText('Lindqvist').waitFor(WAIT)
    expect(await tile(page, 1).getByRole('button').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('a camera that is pulled early is called back, and put back it goes on', {
    tags: ['journey'],
    timeout: 180_000,
  }, async () => {
    const world = await station({ dockLanes: 1 })
    const { page, problems } = await look(world.given.url)
    await page.goto(`${world.given.url}/dock`)
    const camera = world.camera('bay 1', { serial: 'P-1', recordings: [150, 150], bytes: 2000 })
    camera.plugIn()
    await kind(page, 1, 'copying')
    await page.getByText(/of 300 files/).waitFor()
    await soon(async () => (await world.wall())[0]?.FilesDone as number).toBeGreaterThan(0)
    camera.pull()
    await kind(page, 1, 'pulled')
    await tile(page, 1).getByText('Put it').waitFor()
    await tile(page, 1)
      .getByText(/files left on it/)
      .waitFor()
    await page.getByRole('status').getByText('Bay 1 pulled early, put it back.').waitFor()
    expect(await findings(page)).toEqual([])
    camera.plugIn()
    await page.locator('[data-bay="1"]:not([data-kind="pulled"])').waitFor(WAIT)
    await page.locator('[data-bay="1"][data-kind="safe"]').waitFor({ timeout: patience(60_000) })
    await page.getByRole('status').getByText('Bay 1 safe to take.').waitFor()
    expect(problems).toEqual([])
  })

  it('names nobody, and the surname alone where the station wants it', { timeout: 180_000 }, async () => {
    for (const dockWallNames of [false, true]) {
      const world = await station({ dockWallNames })
      await worn(world, { 'N-1': 'Sørensen' })
      world.camera('bay 1', { serial: 'N-1', recordings: [2] }).plugIn()
      const { page } = await look(world.given.url)
      await page.goto(`${world.given.url}/dock`)
      await kind(page, 1, 'safe')
      const text = await page.locator('body').innerText()
      expect(text.includes('Sørensen')).toBe(dockWallNames)
      expect(text).not.toContain('Robin')
      expect(text).not.toContain('Yours?')
      expect(text).toContain('files in 1 min')
    }
  })

  it('when the station does not answer it shows nothing as safe', { tags: ['journey'], timeout: 120_000 }, async () => {
    const world = await station()
    world.camera('bay 1', { serial: 'S-1', recordings: [1] }).plugIn()
    const { page } = await look(world.given.url)
    await page.goto(`${world.given.url}/dock`)
    await kind(page, 1, 'safe')
    await world.given.stop()
    await page.getByText('Leave every camera in.').waitFor(WAIT)
    expect(await page.getByText('Safe', { exact: false }).count()).toBe(0)
  })
})

describe('by ear and by keyboard', () => {
  it('says once what became safe, sounds once, and stays silent where it was muted', { timeout: 180_000 }, async () => {
    const world = await station()
    const { page, context, problems } = await look(world.given.url, { alone: true })
    // What a loudspeaker would get.
    await context.addInitScript(() => {
      const tones: number[] = []
      // As a browser that nobody has touched yet.
      class Quiet extends AudioContext {
        constructor() {
          super()
          Object.assign(window, { suspended: this.suspend() })
        }
      }
      Object.assign(window, { tones, AudioContext: Quiet })
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function begin(this: OscillatorNode, at?: number) {
        tones.push(Math.round(this.frequency.value))
        start.call(this, at)
      }
    })
    const tones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones)
    await page.goto(`${world.given.url}/dock`)
    await page.getByText('No camera is docked').waitFor(WAIT)
    // A touch before the suspension has happened would wake nothing: it would come after.
    await page.evaluate(() => (window as unknown as { suspended: Promise<void> }).suspended)
    // The finger rests on the button while the sound comes on, and lifting it does not turn it off again.
    await page.getByRole('button', { name: 'Touch for sound' }).hover()
    await page.mouse.down()
    await page.getByRole('button', { name: 'Sound on' }).waitFor()
    await page.mouse.up()
    await page.getByRole('button', { name: 'Sound on' }).waitFor()
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      const region = document.querySelector('[role=status]')
      if (region !== null)
        new MutationObserver(() => heard.push(region.textContent ?? '')).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        })
    })
    // What was said is looked up afterwards: it stands on the page for a short time.
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
    world.camera('bay 1', { serial: 'E-1', recordings: [1] }).plugIn()
    await expect.poll(heard, WAIT).toContain('Bay 1 safe to take.')
    await soon(tones).toEqual([659])
    world.camera('bay 2', { serial: 'E-2', recordings: [1] }).plugIn()
    await expect.poll(heard, WAIT).toContain('Bay 2 safe to take.')
    withBadFile(world, 'bay 3', 'E-3').plugIn()
    await expect.poll(heard, WAIT).toContain('Bay 3 needs someone.')
    await soon(tones).toEqual([659, 659, 440, 349])
    expect(await heard()).toEqual(['Bay 1 safe to take.', 'Bay 2 safe to take.', 'Bay 3 needs someone.'])
    await page.getByRole('button', { name: 'Sound on' }).click()
    await page.getByRole('button', { name: 'Sound off' }).waitFor()
    world.camera('bay 4', { serial: 'E-4', recordings: [1] }).plugIn()
    await expect.poll(heard, WAIT).toContain('Bay 4 safe to take.')
    expect(await tones()).toHaveLength(4)
    await page.reload()
    await page.getByRole('button', { name: 'Sound off' }).waitFor()

    // One tile is reached, the arrows go on from it.
    await page.getByRole('list', { name: 'Bays' }).locator('li[tabindex="0"]').focus()
    const here = () => page.evaluate(() => document.activeElement?.getAttribute('data-bay'))
    // Four are two by two.
    for (const [key, bay] of [
      ['ArrowRight', '2'],
      ['ArrowRight', '3'],
      ['ArrowDown', '3'],
      ['End', '4'],
      ['ArrowUp', '2'],
      ['ArrowLeft', '1'],
    ] as const) {
      await page.keyboard.press(key)
      expect([key, await here()]).toEqual([key, bay])
    }
    expect(problems).toEqual([])
  })
})

/** Where the machine gives its time to others too, its own work is held against the browser's own in the same seconds. */
const PIECES_A_TASK = 4

async function longTaskSeen(page: Page): Promise<boolean> {
  const ended = await watchTasks(page)
  await page.evaluate(() => {
    let sum = 0
    for (let at = 0; at < 4e8; at++) sum += at % 7
    return sum
  })
  return (await ended()).work.length > 0
}

describe('L1 26 moving bays', () => {
  it('without a task that a person feels', { timeout: 300_000 }, async () => {
    const world = await station({ dockLanes: 4 })
    const names = Array.from({ length: 26 }, (_, at) => `bay ${String(at + 1).padStart(2, '0')}`)
    const cameras = names.map((name, at) =>
      world.camera(name, { serial: `M-${at + 1}`, recordings: [20, 20], bytes: 2000 }),
    )
    const within = await unslowedBrowser()
    onTestFinished(() => within.close())
    const { page, problems } = await look(world.given.url, { within })
    await page.goto(`${world.given.url}/dock`)
    await page.getByText('No camera is docked').waitFor(WAIT)
    // What it is measured with sees a task that is too long; on a busy machine its first trace may begin too late for that.
    await expect.poll(() => longTaskSeen(page), { timeout: patience(60_000) }).toBe(true)
    await page.evaluate(() => {
      let changes = 0
      Object.assign(window, { changes: () => changes })
      new MutationObserver((records) => {
        changes += records.length
      }).observe(document.querySelector('#root') as Element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      })
    })
    const ended = await watchTasks(page)
    await drawPieces(page)
    for (const camera of cameras) camera.plugIn()
    await page.locator('[data-bay="26"]').waitFor(WAIT)
    await drawPieces(page)
    await page.locator(':nth-match([data-kind="safe"], 26)').waitFor({ timeout: patience(200_000) })
    await drawPieces(page)
    const { longest, piece } = await ended()
    // It did move.
    expect(await page.evaluate(() => (window as unknown as { changes: () => number }).changes())).toBeGreaterThan(200)
    expect(piece).toBeGreaterThan(0)
    expect(longest).toBeLessThan(Math.max(FELT_MS, PIECES_A_TASK * piece))
    expect(problems).toEqual([])
  })
})

describe('the wall', () => {
  let world: DockWorld
  beforeAll(async () => {
    world = await wallStation()
    for (let bay = 1; bay <= 9; bay++)
      world.camera(`bay ${bay}`, { serial: `T-${bay}-with-a-name-that-is-long`, recordings: [1] }).plugIn()
    withBadFile(world, 'bay bad', 'T-10').plugIn()
    stick(world, 'bay stick')
  }, 120_000)
  afterAll(() => world?.close())

  it.each([
    ['dark', 'small', 'en'],
    ['contrast', 'wide', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', { timeout: 180_000 }, async (theme, size, language) => {
    const { page, problems } = await look(world.given.url, { theme, size, language })
    await page.goto(`${world.given.url}/dock`)
    await page.locator(':nth-match([data-kind="safe"], 9)').waitFor(WAIT)
    await page.locator('[data-kind="faulty"]').waitFor(WAIT)
    expect(await findings(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    // The large word of every tile is in sight whole.
    const cut = await page.locator('[data-kind]').evaluateAll((tiles) =>
      tiles.flatMap((one) => {
        const inside = one.getBoundingClientRect()
        return [...one.querySelectorAll('p:not(p p)')]
          .filter((words) => {
            const { bottom, right } = words.getBoundingClientRect()
            return bottom > inside.bottom + 1 || right > inside.right + 1 || words.scrollWidth > words.clientWidth + 1
          })
          .filter((words) => getComputedStyle(words).textOverflow !== 'ellipsis')
          .map((words) => words.textContent)
      }),
    )
    expect(cut).toEqual([])
    expect(problems).toEqual([])
  })
})
