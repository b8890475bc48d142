/** A person at the window: every key and every click goes through here and is counted. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type RunningStation, startServer } from '../../../server/index.ts'
import { loadSettings } from '../../../server/config/settings.ts'
import { temporaryFolder } from '../../support/station.ts'
import { soon } from './cases.ts'

/** Seconds, by the keystroke-level model of Card, Moran and Newell: a key of an average typist, a click with its way, and a thought before each. */
const KEY = 0.28
const CLICK = 1.3
const THOUGHT = 1.35

export interface Hands {
  /** Keys one after the other; a chord such as `Control+a` is one. */
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  click(what: Locator): Promise<void>
  /** Types into a field: by Tab where it is one of the next few, else by a click. */
  fill(field: Locator, text: string): Promise<void>
  /** A box, by Tab and Space. */
  tick(box: Locator): Promise<void>
  readonly keys: number
  readonly clicks: number
  /** How long a person would need, without what the station takes. */
  readonly seconds: number
}

/** As many as somebody tabs rather than reaching for the mouse. */
const MOST_TABS = 3
const MOST_TABS_TO_A_BOX = 8

export function handsOn(page: Page): Hands {
  let [keys, clicks, thoughts] = [0, 0, 0]
  const isFocused = (field: Locator): Promise<boolean> => field.evaluate((node) => node === document.activeElement)
  const strike = async (key: string): Promise<void> => {
    keys += 1
    await page.keyboard.press(key)
  }
  const hands: Hands = {
    press: async (...all) => {
      thoughts += 1
      for (const key of all) await strike(key)
    },
    type: async (text) => {
      thoughts += 1
      keys += [...text].length
      await page.keyboard.type(text)
    },
    click: async (what) => {
      thoughts += 1
      clicks += 1
      await what.click()
    },
    fill: async (field, text) => {
      await field.waitFor()
      for (let tabs = 0; tabs < MOST_TABS && !(await isFocused(field)); tabs++) await strike('Tab')
      if (!(await isFocused(field))) {
        clicks += 1
        await field.click()
      }
      await hands.type(text)
    },
    tick: async (box) => {
      for (let tabs = 0; tabs < MOST_TABS_TO_A_BOX && !(await isFocused(box)); tabs++) await strike('Tab')
      if (!(await isFocused(box))) throw new Error('the box is out of reach')
      await hands.press('Space')
    },
    get keys() {
      return keys
    },
    get clicks() {
      return clicks
    },
    get seconds() {
      return keys * KEY + clicks * CLICK + thoughts * THOUGHT
    },
  }
  return hands
}

/** What has the focus now, as people wait for it before they type. */
export const focusIn = (what: Locator): Promise<void> =>
  soon(() => what.evaluate((node) => node === document.activeElement).catch(() => false)).toBe(true)

export interface NewStation {
  readonly station: RunningStation
  /** An empty folder, as a second disk would be. */
  readonly disk: string
  close(): Promise<void>
}

/** A station that starts for the first time: nobody has an account, and it prints the one-time link. */
export async function newStation(): Promise<NewStation> {
  const { dir, dispose } = await temporaryFolder('first')
  const [data, disk] = [path.join(dir, 'data'), path.join(dir, 'disk')]
  for (const folder of [data, disk]) mkdirSync(folder)
  const station = await startServer(
    loadSettings(
      {},
      {
        data,
        port: 0,
        reserveBytes: 65_536,
        minFreeBytes: 0,
        logLevel: 'silent' as const,
        stationName: 'Harrow Quay',
        timeZone: 'Europe/Berlin',
        lanHost: '127.0.0.1',
        lanPort: 0,
      },
    ),
  )
  return {
    station,
    disk,
    close: async () => {
      await station.close()
      await dispose()
    },
  }
}
