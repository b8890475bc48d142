/** BrowserWindow and WebContents over pages of Chromium. */
import type { BrowserWindow, BrowserWindowConstructorOptions, HandlerDetails, Rectangle, WebContents } from 'electron'
import { openPage, type StandInPage } from './chromium.ts'
import { listening, preventable, record, refuse, refusing } from './parts.ts'
import { answerInvoke, downloadOf, settlePermissions } from './services.ts'

/** Keeping a window safe is Electron's; that it was asked to is seen here. */
const SAFE = { contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false, webSecurity: true }
const WINDOW_EVENTS = 'close closed hide resize move ready-to-show session-end unresponsive'
const CONTENTS_EVENTS = 'will-frame-navigate will-redirect will-attach-webview render-process-gone'

const own = (opened: StandInPage): StandInPage => Object.assign(opened, { programmatic: true })
export const windows = new Set<Window>()
export const made = listening('windows', 'made')

export class Window implements Partial<BrowserWindow> {
  readonly events = listening('BrowserWindow', WINDOW_EVENTS)
  readonly on = this.events.on
  readonly once = this.events.once
  readonly state = { bounds: { x: 0, y: 0, width: 0, height: 0 }, visible: false, maximized: false, gone: false }
  readonly contents: Contents
  readonly webContents: WebContents

  constructor({ webPreferences, x = 0, y = 0, width = 800, height = 600 }: BrowserWindowConstructorOptions) {
    for (const [name, value] of Object.entries(SAFE)) {
      if (webPreferences?.[name as 'sandbox'] !== value) refuse(`opens no window without ${name} = ${value}`)
    }
    this.contents = new Contents(webPreferences?.preload ?? '', () => this.destroy())
    this.webContents = refusing('webContents', this.contents) as unknown as WebContents
    windows.add(this)
    made.send('made', this)
    this.place({ x, y, width, height })
    return refusing('BrowserWindow', this)
  }
  loadURL = async (url: string): Promise<void> => {
    await this.contents.load(url)
    this.events.send('ready-to-show')
  }
  show = (): void => void (this.state.visible = true)
  hide = (): void => {
    this.state.visible = false
    this.events.send('hide')
  }
  focus = (): void => {}
  maximize = (): void => void (this.state.maximized = true)
  isMaximized = (): boolean => this.state.maximized
  isMinimized = (): boolean => false
  isDestroyed = (): boolean => this.state.gone
  getBounds = (): Rectangle => this.state.bounds
  getNormalBounds = (): Rectangle => this.state.bounds
  /** What a click on the window's cross does. */
  close = (): void => {
    const event = preventable({})
    this.events.send('close', event)
    if (!event.prevented) this.destroy()
  }
  destroy = (): void => {
    if (this.state.gone) return
    this.state.gone = true
    windows.delete(this)
    void this.contents.ready.then(({ page }) => page.close().catch(() => {}))
    this.events.send('closed')
  }
  /** A person moves or resizes it. */
  place(bounds: Rectangle): void {
    this.state.bounds = bounds
    for (const event of ['move', 'resize']) this.events.send(event)
    void this.contents.ready.then(({ page }) => page.setViewportSize(bounds).catch(() => {}))
  }
  static getAllWindows = (): never[] => [...windows] as never[]
  static getFocusedWindow = (): never => ([...windows].findLast(({ state }) => state.visible) ?? null) as never
  static fromWebContents = (contents: WebContents): never =>
    ([...windows].find((one) => one.webContents === contents) ?? null) as never
}
Window satisfies Pick<typeof BrowserWindow, 'getAllWindows' | 'getFocusedWindow' | 'fromWebContents'>

class Contents implements Partial<Omit<WebContents, 'navigationHistory'>> {
  readonly events = listening('webContents', CONTENTS_EVENTS)
  readonly on = this.events.on
  readonly navigationHistory: Partial<Electron.NavigationHistory> = {
    goBack: () => void this.ready.then((made) => own(made).page.goBack()),
    goForward: () => void this.ready.then((made) => own(made).page.goForward()),
  }
  ready: Promise<StandInPage>
  #current: StandInPage['page'] | null = null
  #opens: Parameters<WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' })
  #address = ''
  readonly #preload: string
  readonly #closed: () => void

  constructor(preload: string, closed: () => void) {
    this.#preload = preload
    this.#closed = closed
    this.ready = this.#open()
  }
  async #open(): Promise<StandInPage> {
    const opened = await openPage(this.#preload, {
      mayNavigate: (url, redirected, isMainFrame) => {
        const event = preventable({ url, isMainFrame })
        this.events.send(redirected ? 'will-redirect' : 'will-frame-navigate', event)
        return !event.prevented
      },
      opensWindow: (url) =>
        void (this.#opens({ url } as HandlerDetails).action === 'deny' || refuse('only denies windows')),
      invoked: (frame, channel, argument) => {
        const sender = [...windows].find(({ contents }) => contents === this)?.webContents
        return answerInvoke(
          channel,
          { sender, senderFrame: { url: frame.url(), parent: frame.parentFrame() } },
          argument,
        )
      },
      crashed: () => this.events.send('render-process-gone', {}, { reason: 'crashed' }),
      downloads: (download) => void downloadOf(download),
    })
    this.#current = opened.page
    opened.page.on('framenavigated', (frame) => {
      if (frame.parentFrame() === null && frame.url().startsWith('http')) this.#address = frame.url()
    })
    opened.page.on('close', () => opened.page === this.#current && this.#closed())
    return opened
  }
  load = async (url: string): Promise<void> => {
    const opened = await this.ready
    await settlePermissions(opened.page, new URL(url).origin)
    await own(opened).page.goto(url)
  }
  setWindowOpenHandler = (handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void =>
    void (this.#opens = handler)
  /** A crashed page of Chromium cannot be steered any more: another takes its place. */
  reload = (): void => {
    const old = this.#current
    this.#current = null
    this.ready = this.#open()
    void this.load(this.#address).then(() => old?.close().catch(() => {}))
  }
  forcefullyCrashRenderer = (): void => void this.events.send('render-process-gone', {}, { reason: 'killed' })
  print: WebContents['print'] = (options, done) => {
    record.printed.push(options ?? {})
    const printed = async (): Promise<void> => done?.((await (await this.ready).page.pdf()).length > 0, '')
    void printed()
  }
}
