/** The built program in the true runtime: what the stand-in can only claim. */
import path from 'node:path'
import { type ElectronApplication, _electron as electron, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureApp } from '../../../build/scripts/app.ts'
import { installedRuntime } from '../../../build/scripts/runtime.ts'
import { temporaryFolder } from '../../support/station.ts'
import { cleanEnvironment, ROOT } from '../shell.ts'
import { aClip, command, ingest, readyz } from '../station.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let program: ElectronApplication
let page: Page
let url: string

const executablePath = installedRuntime(process.env) ?? ''
const start = async (): Promise<ElectronApplication> =>
  electron.launch({
    executablePath,
    cwd: ROOT,
    args: ['.', `--user-data-dir=${folder.dir}`],
    env: cleanEnvironment() as Record<string, string>,
  })

beforeAll(async () => {
  await ensureApp()
  folder = await temporaryFolder('runtime')
  program = await start()
  page = await program.firstWindow()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:/)
  url = new URL(page.url()).origin
})
afterAll(async () => {
  await program?.close()
  await folder?.dispose()
})

describe('the station under Electron’s own Node and BoringSSL', () => {
  test('signs, hashes, writes and reads in its worker threads, and verifies', async () => {
    expect(await readyz(url)).toBe('ready')
    const data = path.join(folder.dir, 'station')
    ingest(data, aClip(folder.dir))
    command(data, 'verify')
  })
})

describe('isolation as Chromium has it', () => {
  test('the window was made with the preferences that keep it apart', async () => {
    const preferences = await program.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Electron.WebPreferences
      }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
    })
  })

  test('the renderer runs in the system’s sandbox', async () => {
    const sandboxed = await program.evaluate(({ app }) =>
      app
        .getAppMetrics()
        .filter(({ type }) => type === 'Tab')
        .map((one) => one.sandboxed),
    )
    if (process.platform !== 'linux') expect(sandboxed).not.toContain(false)
    expect(await program.evaluate(({ app }) => app.commandLine.hasSwitch('no-sandbox'))).toBe(false)
  })

  test('the preload’s world is its own: neither require nor the channel are in the page’s', async () => {
    expect(
      await page.evaluate('[typeof require, typeof process, typeof ipcRenderer, typeof window.sallyport]'),
    ).toEqual(['undefined', 'undefined', 'undefined', 'object'])
    await expect(page.evaluate('window.sallyport.badge("x")')).rejects.toThrow(/understood|compris/)
  })

  test('a webview element stays an element without a page', async () => {
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('webview'), { src: 'about:blank' }))",
    )
    expect(await program.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
  })
})

describe('Electron asks the guards, and holds to their answers', () => {
  test('other origins, windows and redirects', async () => {
    const before = page.url()
    await page.evaluate("location.href = 'http://127.0.0.1:9/'").catch(() => {})
    await page.evaluate("window.open('http://127.0.0.1:9/')")
    await page.waitForTimeout(500)
    expect(page.url()).toBe(before)
    expect(program.windows()).toHaveLength(1)
  })

  test.each(['geolocation', 'notifications', 'camera', 'midi', 'clipboard-read'])(
    'permission: %s is denied',
    async (name) => {
      const state = (asked: string) =>
        navigator.permissions.query({ name: asked as PermissionName }).then((one) => one.state)
      expect(await page.evaluate(state, name)).toBe('denied')
    },
  )

  test('devices are denied as well', async () => {
    const devices =
      "Promise.all(['usb', 'serial', 'hid'].map((kind) => navigator[kind]?.[kind === 'serial' ? 'getPorts' : 'getDevices']?.() ?? []))"
    expect(await page.evaluate(devices)).toEqual([[], [], []])
  })
})

describe('what only a desk has', () => {
  test('menu and tray come up, and the window goes into the tray when it is closed', async () => {
    const labels = await program.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label))
    expect(labels?.length).toBeGreaterThanOrEqual(5)
    await program.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
    const visible = () => program.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())
    await expect.poll(visible).toBe(false)
    expect(await readyz(url)).toBe('ready')
  })

  test('a second start shows the first window and ends', async () => {
    const { spawn } = await import('node:child_process')
    const second = spawn(executablePath, ['.', `--user-data-dir=${folder.dir}`], { cwd: ROOT, env: cleanEnvironment() })
    expect(await new Promise((done) => second.once('exit', done))).toBe(0)
    await expect
      .poll(() => program.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
      .toBe(true)
  })

  test('SIGTERM reaches us and not Electron’s own handler: drained, 0', async () => {
    if (process.platform === 'win32') return
    const child = program.process()
    const ended = new Promise((done) => child.once('exit', (code) => done(code)))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await expect(readyz(url)).rejects.toThrow()
    program = await start()
    await program.firstWindow()
  })
})
