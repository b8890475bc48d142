/** The player is exact: what it shows, what it says and what it takes are one frame. */
// @module-tag screen
// @module-tag merge
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given, Json } from '../support/given.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'
import { look, signIn } from './support/window.ts'
import { numberedVideo, numberOfPicture, shownNumber } from './support/numbered.ts'

const START = '2026-11-20T02:39:55.000Z'
const OFFSET_MS = 72_000
const FRAMES = 300

let given: Given
beforeAll(async () => {
  given = await stationForPages()
}, 120_000)
afterAll(() => given?.close())

const frame = (page: Page) => page.locator('[data-frame]')
const saidNumber = async (page: Page): Promise<number> => Number(await frame(page).getAttribute('data-frame'))
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
/** Until the picture and its number have come to the same. */
const at = (page: Page, number: number) =>
  soon(async () => [await saidNumber(page), await shownNumber(page)]).toEqual([number, number])
const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ')
const clock = async (page: Page): Promise<string> => plain(await page.locator('[data-clock]').innerText())

async function player(rate = '30000/1001', query = '') {
  const file = await numberedVideo('Numbered.mp4', { frames: FRAMES, rate, sound: true })
  const made = await added(given, file, { resource: { StartTimeUtc: START, TimeOffset: 'PT1M12S' } })
  const looking = await onPage(given, made.evidenceId, { at: query })
  await frame(looking.page).waitFor()
  return { ...looking, ...made }
}

/** Numbers of the pictures, at 25 a second, that the page is told of from now on. */
async function picturesFromNow(page: Page): Promise<() => Promise<number[]>> {
  const kept = await page.evaluateHandle(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    const times: number[] = []
    const each = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
      times.push(mediaTime)
      video.requestVideoFrameCallback(each)
    }
    video.requestVideoFrameCallback(each)
    return times
  })
  return async () => (await kept.jsonValue()).map((time) => Math.round(time * 25))
}

/** Of each time that it went back: how many pictures after the first one at or beyond 110 came before that. */
function wayBacks(pictures: readonly number[]): number[] {
  const found: number[] = []
  let beyond = -1
  for (const [index, number] of pictures.entries()) {
    if (index > 0 && number < (pictures[index - 1] as number)) {
      found.push(beyond)
      beyond = -1
    }
    if (number >= 110) beyond += 1
  }
  return found
}

describe('frame by frame', () => {
  it.each(['30000/1001', '25', '60'])(
    'steps on and back one frame each at %s',
    { tags: ['journey'], timeout: 120_000 },
    async (rate) => {
      const { page, problems } = await player(rate)
      await at(page, 0)
      for (const number of [1, 2, 3]) {
        await press(page, '.')
        await at(page, number)
      }
      // Held down, each press counts.
      await press(page, ...Array.from({ length: 40 }, () => '.'))
      await at(page, 43)
      await press(page, ',', ',', ',')
      await at(page, 40)
      await press(page, 'Home')
      await at(page, 0)
      await press(page, ',')
      await at(page, 0)
      await press(page, 'End')
      await at(page, FRAMES - 1)
      await press(page, '.')
      await at(page, FRAMES - 1)
      await press(page, ',')
      await at(page, FRAMES - 2)
      expect(problems).toEqual([])
    },
  )

  it('the clock says when the shown frame was, by both clocks', { timeout: 120_000 }, async () => {
    const { page } = await player()
    await press(page, ...Array.from({ length: 31 }, () => '.'))
    await at(page, 31)
    const millis = Math.floor((31 * 1001) / 30)
    const told = (by: number): string =>
      new Date(Date.parse(START) + millis + by).toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Berlin',
        hour12: false,
      }) + `.${String((millis + by) % 1000).padStart(3, '0')}`
    expect(await clock(page)).toContain(`20 Nov 2026 ${told(OFFSET_MS)} CET`)
    expect(await clock(page)).toContain(`recorded ${told(0)} · corrected +1 min 12 s`)
    expect(await page.locator('[data-position]').innerText()).toBe(`00:01.${String(millis - 1000).padStart(3, '0')}`)
  })

  it('a still is the frame that is shown, and stands in the tree', {
    timeout: 120_000,
  }, async () => {
    const { page, problems, evidenceId } = await player()
    await press(page, ...Array.from({ length: 77 }, () => '.'))
    await at(page, 77)
    await press(page, 's')
    await page.getByRole('button', { name: 'Open it' }).waitFor({ timeout: 20_000 })
    const millis = 72_000 + Math.floor((77 * 1001) / 30)
    const time = new Date(Date.parse(START) + millis).toISOString().slice(14, 23)
    // Told once: below the player, and in no message over the page.
    expect(
      await page
        .getByRole('region', { name: /^Player/ })
        .getByText(/^Still taken at/)
        .count(),
    ).toBe(1)
    expect(
      await page
        .getByRole('region', { name: 'Messages' })
        .getByText(/^Still taken/)
        .count(),
    ).toBe(0)
    const row = page.getByRole('row', { name: new RegExp(`Still at 03:${time}`) })
    await row.waitFor()
    const list = await given.settled(evidenceId)
    const still = list.find(({ MimeType }) => MimeType === 'image/png')
    const address = `${given.documents}/evidence/${evidenceId}/resource/${still.ResourceId}/content?purpose=play`
    expect(await numberOfPicture(page, address)).toBe(77)
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.getByRole('region', { name: /Picture/ }).waitFor()
    // Back where one was.
    await page.getByRole('row', { name: /Numbered\.mp4/ }).click()
    await at(page, 77)
    expect(problems).toEqual([])
  })

  it('frames that last differently long are stepped through one by one, without a number', {
    timeout: 120_000,
  }, async () => {
    const file = await numberedVideo('Uneven.mp4', {
      frames: 60,
      rate: '30',
      times: 'N*40+mod(N,3)*11+floor(N/10)*300',
    })
    const { evidenceId } = await added(given, file)
    const { page } = await onPage(given, evidenceId)
    // Pressed as the player comes, before its file is known: the step is taken then.
    await page.locator('[data-position]').waitFor()
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
      await press(page, '.')
      await soon(() => shownNumber(page)).toBe(number)
      await page.waitForTimeout(900)
      expect(await shownNumber(page), 'it stays there').toBe(number)
    }
    for (const number of [10, 9, 8]) {
      await press(page, ',')
      await soon(() => shownNumber(page)).toBe(number)
    }
    expect(await frame(page).count()).toBe(0)
    // No time is known, and nothing says so.
    expect(await page.locator('[data-clock]').count()).toBe(0)
  })
})

describe('keys that come before the file', () => {
  /** The page whose file comes only when it is let through; so many steps on are pressed the moment that the file is known. */
  /** @param then keys pressed at the moment that the file is known, or with its first picture */
  async function beforeItsFile(query: string, then: readonly string[], when: 'known' | 'first picture' = 'known') {
    const file = await numberedVideo('Late.mp4', { frames: FRAMES, rate: '25' })
    const { evidenceId } = await added(given, file)
    await given.settled(evidenceId)
    const { page, problems } = await look(given.url)
    const opened = Promise.withResolvers<void>()
    await page.route(/purpose=play/, async (route) => {
      await opened.promise
      await route.continue()
    })
    await page.addInitScript(
      ({ keys, when }) => {
        const press = (): void => {
          for (const key of keys)
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        }
        const known = ({ target }: Event): void => {
          // Behind the listeners of the player: before the first picture is there, or right after the player was told of it.
          if (when === 'known') queueMicrotask(press)
          else (target as HTMLVideoElement).requestVideoFrameCallback(press)
        }
        document.addEventListener('loadedmetadata', known, { capture: true, once: true })
      },
      { keys: then, when },
    )
    await signIn(page, given.url, `/evidence/${evidenceId}${query}`)
    await frame(page).waitFor()
    return { page, problems, come: () => opened.resolve() }
  }

  it('steps from before and from the moment that it is known all count', { timeout: 120_000 }, async () => {
    const { page, problems, come } = await beforeItsFile('', ['.', '.', '.', '.', '.'])
    await press(page, ...Array.from({ length: 12 }, () => '.'), ',')
    come()
    await at(page, 16)
    expect(problems).toEqual([])
  })

  it('steps go on from the place in the address', { timeout: 120_000 }, async () => {
    const { page, come } = await beforeItsFile('?t=4', ['.', '.', '.'])
    await press(page, '.', '.')
    come()
    await at(page, 105)
    await soon(() => page.url()).toMatch(/[?&]t=4\.2(&|$)/)
  })

  it('an in point pressed while the first picture is shown stands at the place in the address', {
    timeout: 120_000,
  }, async () => {
    const { page, come } = await beforeItsFile('?t=4', ['i'], 'first picture')
    come()
    await at(page, 100)
    await soon(() => page.url()).toMatch(/[?&]in=/)
    expect(page.url()).toMatch(/[?&]in=4(&|$)/)
  })

  it('an out point pressed right after steps stands where they lead', { timeout: 120_000 }, async () => {
    const { page } = await player('25', '?t=4')
    await at(page, 100)
    await press(page, '.', '.', '.', 'o')
    await soon(() => page.url()).toMatch(/[?&]out=4\.12(&|$)/)
  })

  it('L plays from the place in the address', { timeout: 120_000 }, async () => {
    const { page, come } = await beforeItsFile('?t=4', [])
    await press(page, 'l')
    come()
    await soon(() => saidNumber(page)).toBeGreaterThan(105)
    const played = await page.evaluate(() => {
      const { played } = document.querySelector('video') as HTMLVideoElement
      return Array.from({ length: played.length }, (_, index) => [played.start(index), played.end(index)])
    })
    // Nothing but the place in the address is played, apart from the first pictures.
    for (const [from = 0, to = 0] of played) expect(from >= 3.9 || to < 2, JSON.stringify(played)).toBe(true)
  })
})

describe('playing', () => {
  it('J K L, speed, in and out, loop by keys, all in the address; a mark is kept', {
    timeout: 120_000,
  }, async () => {
    const { page, problems, evidenceId } = await player('25', '?t=4')
    await at(page, 100)
    await press(page, 'i')
    await press(page, '.', '.', '.', '.', '.', '.', '.', '.', '.', '.')
    await at(page, 110)
    await press(page, 'o', 'm', 'p')
    for (const part of ['in=4&', 'out=4.4', 'loop=true']) await soon(() => page.url()).toContain(part)
    await page.getByRole('button', { name: /Go to mark 1/ }).waitFor()
    const { json } = await given.call('GET', `${given.documents}/evidence/${evidenceId}/bookmark`)
    expect(json.Items.map(({ StartSeconds }: Json) => StartSeconds)).toEqual([4.4])
    // Looping: it stays between in and out, and goes back with the first picture at out that the page is told of. How late that is told
    // is the machine's matter: pictures are counted, not time.
    const told = await picturesFromNow(page)
    await press(page, 'l')
    await soon(async () => wayBacks(await told()).length).toBeGreaterThan(3)
    const pictures = await told()
    expect(Math.min(...pictures)).toBeGreaterThanOrEqual(100)
    for (const beyond of wayBacks(pictures)) expect(beyond, JSON.stringify(pictures)).toBeLessThanOrEqual(2)
    await press(page, 'k', 'p')
    await soon(() => page.evaluate(() => document.querySelector('video')?.paused)).toBe(true)
    // Turned off it keeps nobody from going back beyond in.
    await page.getByRole('button', { name: 'Loop the range', pressed: false }).waitFor()
    // Backwards, by steps.
    const before = await saidNumber(page)
    await press(page, 'j')
    await page.getByText('backwards 1×').waitFor()
    await soon(() => saidNumber(page)).toBeLessThan(before - 10)
    await press(page, 'k')
    // The picture that was being sought as K was pressed still comes.
    await soon(async () => (await saidNumber(page)) === (await shownNumber(page))).toBe(true)
    await press(page, ']')
    await page.getByRole('button', { name: 'Speed 1.25×' }).waitFor()
    await press(page, '[', '[')
    await page.getByRole('button', { name: 'Speed 0.75×' }).click()
    await page.getByRole('menuitemradio', { name: '8×' }).click()
    expect(await page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(8)
    // The address opens at the same place.
    await page.getByRole('button', { name: /Go to mark 1/ }).click()
    await at(page, 110)
    await soon(() => page.url()).toMatch(/[?&]t=4\.4(&|$)/)
    await page.reload()
    await at(page, 110)
    expect(problems).toEqual([])
  })

  it('goes to a typed time, skips by buttons, says the length of the selection, and hides the times', {
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await player('25', '?t=1')
    await at(page, 25)
    await page.getByRole('button', { name: '5 seconds on' }).click()
    await at(page, 150)
    await page.getByRole('button', { name: '5 seconds back' }).click()
    await at(page, 25)
    const go = async (text: string): Promise<void> => {
      await press(page, 'Shift+G')
      await page.getByRole('textbox', { name: 'Go to time' }).fill(text)
      await press(page, 'Enter')
    }
    for (const [text, number] of [
      ['0:03', 75],
      ['7', 175],
      ['00:00:02.44', 61],
    ] as const) {
      await go(text)
      await at(page, number)
    }
    // What cannot be gone to is said, and stays to be put right.
    await go('1:75')
    await page.getByText('Write a time such as 1:23, 83 or 00:01:23.5.').waitFor()
    await page.getByRole('textbox', { name: 'Go to time' }).fill('1:23')
    await press(page, 'Enter')
    await page.getByText('The recording is 00:12 long.').waitFor()
    await press(page, 'Escape')
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Go to time')
    await at(page, 61)
    const selection = page.locator('[data-selection]')
    await press(page, 'i')
    await soon(() => selection.innerText()).toMatch(/^Selected 00:09\.56\d, to the end$/)
    await go('4.44')
    await at(page, 111)
    await press(page, 'o')
    await soon(() => selection.innerText()).toBe('Selected 00:02.000')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await soon(() => selection.count()).toBe(0)
    await soon(() => page.url()).not.toMatch(/[?&](in|out)=/)
    // Nothing lies over the picture: the times stand below it.
    const [video, clockBox] = await Promise.all([
      page.locator('video').boundingBox(),
      page.locator('[data-clock]').boundingBox(),
    ])
    expect(clockBox?.y ?? 0).toBeGreaterThanOrEqual((video?.y ?? 0) + (video?.height ?? 0))
    await press(page, 'Shift+T')
    await soon(() => page.locator('[data-clock]').count()).toBe(0)
    // The address takes the position once it rests.
    await soon(() => page.url()).toMatch(/[?&]t=4\.4/)
    await page.reload()
    await at(page, 111)
    expect(await page.locator('[data-clock]').count()).toBe(0)
    await page.getByRole('button', { name: 'Show the times' }).click()
    await page.locator('[data-clock]').waitFor()
    expect(problems).toEqual([])
  })

  it('shows the thumbnail at once, until the first picture is there', { timeout: 120_000 }, async () => {
    const { page, evidenceId } = await player('25')
    const held = Promise.withResolvers<void>()
    await page.route(/purpose=play/, async (route) => {
      await held.promise
      await route.continue().catch(() => {})
    })
    await page.goto(`${given.url}/evidence/${evidenceId}?t=1`)
    const poster = page.locator('[data-poster]')
    await soon(() => poster.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    held.resolve()
    await at(page, 25)
    await soon(() => poster.count()).toBe(0)
  })

  it('arrows move by 5 and 30 seconds; the timeline says where in words', { timeout: 120_000 }, async () => {
    const { page } = await player('25', '?t=1')
    await at(page, 25)
    await press(page, 'ArrowRight')
    await at(page, 150)
    await press(page, 'ArrowLeft')
    await at(page, 25)
    await press(page, 'Shift+ArrowRight')
    await at(page, FRAMES - 1)
    await press(page, 'Home')
    const slider = page.getByRole('slider', { name: 'Position in the recording' })
    await soon(async () => plain(await slider.getAttribute('aria-valuetext'))).toBe(
      '0 s of 12 s, 20 Nov 2026 03:41:07.000 CET',
    )
    await slider.focus()
    await press(page, 'ArrowRight')
    await at(page, 125)
    await slider.hover({ position: { x: 300, y: 20 } })
    await page.locator('[data-preview]').waitFor()
  })

  it('stops when the screen is locked, and is there again when it is unlocked', { timeout: 120_000 }, async () => {
    const { page } = await player('25', '?t=2')
    await at(page, 50)
    await press(page, 'l')
    await soon(() => saidNumber(page)).toBeGreaterThan(55)
    await page.keyboard.press('Control+Shift+L')
    await page.getByRole('heading', { name: 'Locked' }).waitFor()
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true)
  })
})
