/** What `import … from 'electron'` gives main/ in the stand-in. Every part satisfies Electron's own types and refuses what it lacks. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type * as E from 'electron'
import { startChromium, stopChromium } from './chromium.ts'
import { ask, listening, preventable, record, refuse, refusing, switchOf, type Template } from './parts.ts'
import { defaultSession } from './services.ts'
import { made, type Window, windows } from './windows.ts'

export { ipcMain } from './services.ts'
export { Window as BrowserWindow } from './windows.ts'
export const session = { defaultSession }

const APP_EVENTS =
  'ready before-quit window-all-closed second-instance activate web-contents-created browser-window-created'
const events = listening('app', APP_EVENTS)
made.on('made', (window: Window) => {
  events.send('web-contents-created', {}, window.webContents)
  events.send('browser-window-created', {}, window)
  window.once('closed', () => windows.size === 0 && events.send('window-all-closed'))
})

const userData = switchOf('user-data-dir') ?? join(homedir(), '.config/sallyport-stand-in')
const lockFile = join(userData, 'instance.lock')
/** A process that ended without taking its lock along holds nothing. */
function lockedBy(): number | null {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

/** Once main/ has run to its end, as with a module in the true runtime: who awaits `ready` at its top level waits for ever. */
export async function becomeReady(): Promise<void> {
  await startChromium(userData)
  events.send('ready')
}
const ready = new Promise<void>((resolve) => events.once('ready', resolve))

export const app = refusing('app', {
  on: events.on,
  isPackaged: false,
  getName: () => 'Sallyport',
  setName: () => {},
  getVersion: () => (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  getPath: (which) => (which === 'userData' ? userData : join(userData, which)),
  getPreferredSystemLanguages: () => [switchOf('lang') ?? 'en-GB'],
  setAppUserModelId: () => {},
  enableSandbox: () => {},
  requestSingleInstanceLock: () => {
    mkdirSync(userData, { recursive: true })
    const other = lockedBy()
    if (other !== null) return !process.kill(other, 'SIGUSR2')
    writeFileSync(lockFile, String(process.pid))
    process.on('SIGUSR2', () => events.send('second-instance', {}, [], '', null))
    return true
  },
  whenReady: () => ready,
  quit: () => {
    const event = preventable({})
    events.send('before-quit', event)
    if (!event.prevented) app.exit(0)
  },
  exit: (code = 0) => {
    if (lockedBy() === process.pid) rmSync(lockFile, { force: true })
    void stopChromium().finally(() => process.exit(code))
  },
  setBadgeCount: (count = 0) => ((record.badge = count), true),
  setAboutPanelOptions: () => {},
  showAboutPanel: () => void (record.about += 1),
} satisfies Partial<E.App>)
export const dialog = refusing('dialog', {
  showMessageBox: (...args: unknown[]) => ask<E.MessageBoxReturnValue>('message', args.at(-1) as object),
  showOpenDialog: (...args: unknown[]) => ask<E.OpenDialogReturnValue>('open', args.at(-1) as object),
} satisfies Partial<E.Dialog>)
export const shell = refusing('shell', {
  openExternal: async (url) => void record.external.push(url),
  showItemInFolder: (path) => void record.revealed.push(path),
  openPath: async (path) => (record.opened.push(path), ''),
} satisfies Partial<E.Shell>)
export const nativeImage = refusing('nativeImage', {
  createFromPath: (path): never => (existsSync(path) ? ({ path } as never) : refuse(`has no picture at ${path}`)),
} satisfies Partial<typeof E.nativeImage>)
export const Menu = refusing('Menu', {
  buildFromTemplate: (template): never => ({ template }) as never,
  setApplicationMenu: (menu) => void (record.menu = (menu as unknown as { template: Template }).template),
} satisfies Partial<typeof E.Menu>)

export class Tray implements Partial<E.Tray> {
  readonly #events = listening('Tray', 'click')
  readonly on = this.#events.on
  readonly #shown = { tip: '', picture: '', menu: [] as Template, click: () => void this.#events.send('click') }
  constructor(picture: E.NativeImage) {
    if (switchOf('no-tray') !== null) refuse('was started without a tray')
    this.setImage(picture)
    record.tray = this.#shown
  }
  setImage = (picture: unknown): void => void (this.#shown.picture = (picture as { path: string }).path)
  setToolTip = (tip: string): void => void (this.#shown.tip = tip)
  setContextMenu = (menu: unknown): void => void (this.#shown.menu = (menu as { template: Template }).template)
  destroy = (): void => void (record.tray = null)
}

export class Notification implements Partial<E.Notification> {
  readonly #events = listening('Notification', 'click')
  readonly on = this.#events.on
  readonly #note: (typeof record.notes)[number]
  readonly show = (): void => void record.notes.push(this.#note)
  readonly close = (): void => void (this.#note.closed = true)
  constructor({ title = '', body = '' }: E.NotificationConstructorOptions) {
    this.#note = { title, body, closed: false, click: () => void this.#events.send('click', {}) }
  }
}

export const nativeTheme = refusing('nativeTheme', { shouldUseDarkColors: false } satisfies Partial<E.NativeTheme>)
export const powerEvents = listening('powerMonitor', 'shutdown resume')
export const powerMonitor = refusing('powerMonitor', { on: powerEvents.on } satisfies Partial<E.PowerMonitor>)

/** `--screens=1920x1040+0+0,1280x800+1920+0`: work areas, the main one first. */
const screens = (switchOf('screens') ?? '1920x1040+0+0').split(',').map((text) => {
  const [width = 0, height = 0, x = 0, y = 0] = text.split(/[x+]/).map(Number)
  return { workArea: { x, y, width, height } } as E.Display
})
export const screen = refusing('screen', {
  getPrimaryDisplay: () => screens[0] as E.Display,
  getAllDisplays: () => screens,
  getDisplayMatching: () => screens[0] as E.Display,
} satisfies Partial<E.Screen>)
