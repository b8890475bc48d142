/** The desktop program in the stand-in, started as a person starts it, and what a person at the desk does with it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureApp } from '../../build/scripts/app.ts'
import type { Ended } from '../support/station.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const STAND_IN = fileURLToPath(new URL('./stand-in/', import.meta.url))

export interface MenuLine {
  readonly label?: string
  readonly enabled?: boolean
  readonly submenu?: readonly MenuLine[]
}
interface Question {
  readonly kind: 'message' | 'open' | 'save'
  readonly options: { message?: string; detail?: string; buttons?: readonly string[]; [more: string]: unknown }
}
export interface DeskState {
  readonly asked: readonly Question[]
  readonly notes: readonly { readonly title: string; readonly body: string; readonly closed: boolean }[]
  readonly menu: readonly MenuLine[]
  readonly tray: { readonly tip: string; readonly picture: string; readonly menu: readonly MenuLine[] } | null
  readonly badge: number
  readonly about: number
  readonly external: readonly string[]
  readonly revealed: readonly string[]
  readonly printed: readonly object[]
  readonly windows: readonly { bounds: Electron.Rectangle; visible: boolean; maximized: boolean }[]
  readonly debug: string | null
}

export interface Shell {
  readonly pid: number
  readonly ended: Promise<Ended>
  output(): string
  act(name: string, ...args: unknown[]): Promise<unknown>
  state(): Promise<DeskState>
  /** Waits until the state fits. @throws with the last state after 15 s. */
  until<T>(what: (state: DeskState) => T | undefined | false | null): Promise<T>
  /** The station's address, once it was said. */
  url(): Promise<string>
  /** The page of the newest window that shows the station. */
  page(part?: string): Promise<Page>
  signal(name: NodeJS.Signals): void
  /** SIGTERM, and waits until it is gone. */
  end(): Promise<Ended>
}

export interface ShellOptions {
  readonly userData: string
  /** Folder of the program; the checkout's own when not given. */
  readonly app?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Settings for a station that is small and quick, as the other suites use it. */
const SMALL = {
  SALLYPORT_PORT: '0',
  SALLYPORT_LOG_LEVEL: 'error',
  SALLYPORT_RESERVE_BYTES: '65536',
  SALLYPORT_MIN_FREE_BYTES: '0',
}

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
/**
 * The engine of the pages without a desktop of its own, where it is installed: it starts in half the time. It answers for permissions by
 * itself, so that tests of those take the whole browser.
 */
export const QUICK_CHROMIUM: Readonly<Record<string, string>> = existsSync(HEADLESS_SHELL)
  ? { CHROMIUM: HEADLESS_SHELL }
  : {}

/** Electron's own shim says which program is started; `ELECTRON_OVERRIDE_DIST_PATH` decides it. */
export function electronPath(): string {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = STAND_IN
  return createRequire(import.meta.url)('electron') as string
}

export const cleanEnvironment = (added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SALLYPORT_') && !name.startsWith('VITEST')),
  ),
  NODE_ENV: 'production',
  ...SMALL,
  ...added,
})

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export async function startShell({ userData, app = '.', args = [], env = {} }: ShellOptions): Promise<Shell> {
  await ensureApp()
  const child = spawn(electronPath(), [app, `--user-data-dir=${userData}`, ...args], {
    cwd: ROOT,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  void ended.then(() => children.delete(child))

  let asked = 0
  const act = (name: string, ...given: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = (asked += 1)
      const gone = (): void => reject(new Error(`The program ended before it answered ${name}:\n${said}`))
      const hear = (reply: { id: number; value?: unknown; error?: string }): void => {
        if (reply.id !== id) return
        child.off('message', hear as () => void)
        child.off('exit', gone)
        if (reply.error === undefined) resolve(reply.value)
        else reject(new Error(reply.error))
      }
      child.on('message', hear as () => void)
      child.once('exit', gone)
      child.send({ id, act: name, args: given })
    })
  const state = async (): Promise<DeskState> => (await act('state')) as DeskState
  const until: Shell['until'] = async (what) => {
    let last: DeskState | null = null
    for (let tries = 0; tries < 300; tries++) {
      last = await state()
      const found = what(last)
      if (found !== undefined && found !== false && found !== null) return found as never
      await new Promise((later) => setTimeout(later, 50))
    }
    throw new Error(`It did not come to that: ${JSON.stringify(last, null, 1)}\n${said}`)
  }
  const url = async (): Promise<string> => {
    for (let tries = 0; tries < 600; tries++) {
      const found = /^listening (\S+)$/m.exec(said)?.[1]
      if (found !== undefined) return found
      if (child.exitCode !== null) break
      await new Promise((later) => setTimeout(later, 50))
    }
    throw new Error(`The station was not ready:\n${said}`)
  }
  let browser: Browser | null = null
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => said,
    act,
    state,
    until,
    url,
    page: async (part = '') => {
      const at = await url()
      const debug = await until((now) => now.debug)
      browser ??= await connected(debug, path.join(userData, 'downloads'))
      for (let tries = 0; tries < 200; tries++) {
        const pages = browser.contexts().flatMap((context) => context.pages())
        const found = pages.findLast((page) => page.url().startsWith(at) && page.url().includes(part))
        // One that crashed answers nothing any more. A page behind another draws no frames, and by default it is asked at each frame.
        const loaded = 'document.readyState === "complete"'
        if (found && (await found.waitForFunction(loaded, null, { polling: 50, timeout: 2_000 }).catch(() => null)))
          return found
        await new Promise((later) => setTimeout(later, 50))
      }
      throw new Error(`No window shows ${part || at}.`)
    },
    signal: (name) => void child.kill(name),
    end: async () => {
      await browser?.close().catch(() => {})
      if (child.exitCode === null) child.kill('SIGTERM')
      return ended
    },
  }
}

/** Each client of a browser takes its downloads for itself; they are to stay the program's. */
async function connected(address: string, downloadPath: string): Promise<Browser> {
  const browser = await chromium.connectOverCDP(address)
  const session = await browser.newBrowserCDPSession()
  await session.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath, eventsEnabled: true })
  return browser
}
