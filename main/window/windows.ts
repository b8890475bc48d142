/** The windows of the program: the one that remembers its place, and others that a page or the menu opens beside it. */
import { app, BrowserWindow, dialog, nativeTheme, Notification, screen } from 'electron'
import type { Notebook } from '../system/notebook.ts'
import type { Words } from '../system/words.ts'
import { placeFor, SMALLEST } from './place.ts'

export interface WindowsDeps {
  /** The station's origin. */
  readonly station: string
  readonly preload: string
  readonly icon: string
  readonly notebook: Notebook
  readonly words: Words
  /** Asked when the main window is to be closed: true when it may be hidden. */
  readonly mayHide: () => Promise<boolean>
}

export interface Windows {
  /** Brings the main window up, from the tray, from behind others or anew. */
  show(): void
  /** @param url of the station. @param quietly stays in the tray until it is shown. */
  open(url: string, quietly?: boolean): Promise<void>
  openBeside(url: string): void
  /** The one a person looks at. */
  current(): BrowserWindow | null
  isOurs(contents: Electron.WebContents): boolean
  /** From now on closing is closing. */
  destroyAll(): void
}

/** As `--app` of the tokens: no white flash in the dark. */
const GROUND = { light: '#eceef1', dark: '#0b0e11' } as const
const CRASHES = { most: 3, within: 60_000 } as const
const PLACE_SETTLES = 500

export function createWindows(deps: WindowsDeps): Windows {
  const { station, notebook, words } = deps
  let main: BrowserWindow | null = null
  let ending = false
  let writePlace = (): void => {}

  const make = (place: Electron.Rectangle): BrowserWindow => {
    const window = new BrowserWindow({
      ...place,
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      show: false,
      title: 'Sallyport',
      icon: deps.icon,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: {
        preload: deps.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        spellcheck: false,
        // Uploads go on in a window that was put into the tray.
        backgroundThrottling: false,
      },
    })
    survive(window, words, station)
    return window
  }

  const openMain = (): BrowserWindow => {
    const { place } = notebook.read()
    const [primary, ...others] = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()]
    const window = make(
      placeFor(
        place,
        [primary, ...others].map(({ workArea }) => workArea),
      ),
    )
    if (place?.maximized) window.maximize()
    writePlace = remember(window, notebook)
    window.on('close', (event) => {
      if (ending) return
      event.preventDefault()
      void deps.mayHide().then((yes) => {
        if (yes && !window.isDestroyed()) window.hide()
      })
    })
    window.on('closed', () => {
      main = null
    })
    return window
  }

  const show = (): void => {
    if (main === null) return void windows.open(station)
    if (main.isMinimized()) main.restore()
    main.show()
    main.focus()
  }
  const windows: Windows = {
    show,
    open: async (url, quietly = false) => {
      main ??= openMain()
      const window = main
      if (!quietly) window.once('ready-to-show', () => window.show())
      await load(window, url, words)
    },
    openBeside: (url) => {
      const from = BrowserWindow.getFocusedWindow() ?? main
      const { x, y, width, height } = from?.getBounds() ?? placeFor(null, [screen.getPrimaryDisplay().workArea])
      const area = screen.getDisplayMatching({ x, y, width, height }).workArea
      const window = make(placeFor({ x: x + 24, y: y + 24, width, height }, [area]))
      window.once('ready-to-show', () => window.show())
      void load(window, url, words)
    },
    current: () => BrowserWindow.getFocusedWindow() ?? main,
    isOurs: (contents) => BrowserWindow.getAllWindows().some((window) => window.webContents === contents),
    destroyAll: () => {
      ending = true
      writePlace()
      for (const window of BrowserWindow.getAllWindows()) window.destroy()
    },
  }
  app.on('activate', show)
  return windows
}

/** A page that cannot be had is said in words, with another try. Aborted: another page was asked for meanwhile. */
async function load(window: BrowserWindow, url: string, words: Words): Promise<void> {
  for (;;) {
    try {
      return await window.loadURL(url)
    } catch (error) {
      if (window.isDestroyed() || (error as { code?: string }).code === 'ERR_ABORTED') return
      const { response } = await dialog.showMessageBox({
        type: 'error',
        message: words('failPage'),
        detail: words('failPageBody', { detail: (error as Error).message }),
        buttons: [words('tryAgain'), words('cancel')],
        defaultId: 0,
        cancelId: 1,
        noLink: true,
      })
      if (response !== 0) return
    }
  }
}

/** @returns writes it down now: a window that is destroyed says nothing more. */
function remember(window: BrowserWindow, notebook: Notebook): () => void {
  let timer: NodeJS.Timeout | undefined
  const write = (): void => {
    clearTimeout(timer)
    if (!window.isDestroyed())
      notebook.write({ place: { ...window.getNormalBounds(), maximized: window.isMaximized() } })
  }
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(write, PLACE_SETTLES)
  }
  for (const event of ['resize', 'move'] as const) window.on(event as 'resize', later)
  for (const event of ['close', 'hide'] as const) window.on(event as 'hide', write)
  window.on('closed', () => clearTimeout(timer))
  return write
}

/** A page that crashed or hangs comes back, with a word; one that does so again and again is left to the person. */
function survive(window: BrowserWindow, words: Words, station: string): void {
  const crashes: number[] = []
  const { webContents } = window
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = performance.now()
    while ((crashes[0] ?? now) < now - CRASHES.within) crashes.shift()
    crashes.push(now)
    if (crashes.length < CRASHES.most) {
      webContents.reload()
      new Notification({ title: words('crashedTitle'), body: words('crashedBody') }).show()
      return
    }
    const question = {
      type: 'error' as const,
      message: words('crashedAgain'),
      detail: words('crashedAgainBody', { url: station }),
      buttons: [words('openAgain'), words('cancel')],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    }
    void dialog.showMessageBox(question).then(({ response }) => {
      if (response !== 0 || window.isDestroyed()) return
      crashes.length = 0
      webContents.reload()
    })
  })
  window.on('unresponsive', () => {
    const question = {
      type: 'warning' as const,
      message: words('hangs'),
      detail: words('hangsBody'),
      buttons: [words('wait'), words('openAgain')],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    }
    void dialog.showMessageBox(question).then(({ response }) => {
      // The process is ended; what comes back is the page as its address has it.
      if (response === 1 && !window.isDestroyed()) webContents.forcefullyCrashRenderer()
    })
  })
}
