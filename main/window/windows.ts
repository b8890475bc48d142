/** The windows of the program: the main one, which remembers its place, and others that a page or the menu opens. */
import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import type { Notebook } from '../system/notebook.ts'
import type { Words } from '../system/messages.ts'
import { placeFor, SMALLEST } from './place.ts'
import { loadPage, handleCrashes } from './survive.ts'

export interface WindowsDeps {
  /** The station's origin. */
  readonly station: string
  readonly preload: string
  readonly icon: string
  readonly notebook: Notebook
  readonly words: Words
  /** Called when the main window is closed. @returns whether it may be hidden instead */
  readonly mayHide: () => Promise<boolean>
}

export interface Windows {
  /** Shows the main window: from the tray, from behind other windows, or a new one. */
  show(): void
  /** Opens the main window. @param url an address of the station @param quietly stays in the tray until it is shown */
  open(url: string, quietly?: boolean): Promise<void>
  openBeside(url: string): void
  /** The focused window, or the main one. */
  current(): BrowserWindow | null
  isOurs(contents: Electron.WebContents): boolean
  /** Destroys all windows; from then on closing a window no longer hides it. */
  destroyAll(): void
}

/** Background colours, as `--app` of the tokens, which avoid a white flash in dark mode. */
const GROUND = { light: '#eceef1', dark: '#0b0e11' } as const
const PLACE_SETTLES = 500

export function createWindows(deps: WindowsDeps): Windows {
  const { station, words } = deps
  const main: MainWindow = { window: null, ending: false, writePlace: () => {} }

  const show = (): void => {
    const { window } = main
    if (window === null) return void windows.open(station)
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  const windows: Windows = {
    show,
    open: async (url, quietly = false) => {
      const existing = main.window
      const window = existing ?? openMain(main, deps)
      if (existing !== null) show()
      else if (!quietly) window.once('ready-to-show', () => window.show())
      await loadPage(window, url, words)
    },
    openBeside: (url) => {
      const from = BrowserWindow.getFocusedWindow() ?? main.window
      const { x, y, width, height } = from?.getBounds() ?? placeFor(null, [screen.getPrimaryDisplay().workArea])
      const area = screen.getDisplayMatching({ x, y, width, height }).workArea
      const window = makeWindow(placeFor({ x: x + 24, y: y + 24, width, height }, [area]), deps)
      window.once('ready-to-show', () => window.show())
      void loadPage(window, url, words)
    },
    current: () => BrowserWindow.getFocusedWindow() ?? main.window,
    isOurs: (contents) => BrowserWindow.getAllWindows().some((window) => window.webContents === contents),
    destroyAll: () => {
      main.ending = true
      main.writePlace()
      for (const window of BrowserWindow.getAllWindows()) window.destroy()
    },
  }
  app.on('activate', show)
  return windows
}

function makeWindow(place: Electron.Rectangle, { preload, icon, words, station }: WindowsDeps): BrowserWindow {
  const window = new BrowserWindow({
    ...place,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: 'Sallyport',
    icon,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      spellcheck: false,
      // Uploads must continue in a hidden window.
      backgroundThrottling: false,
    },
  })
  handleCrashes(window, words, station)
  return window
}

interface MainWindow {
  window: BrowserWindow | null
  /** Closing the window no longer hides it. */
  ending: boolean
  writePlace: () => void
}

function openMain(main: MainWindow, deps: WindowsDeps): BrowserWindow {
  const { place } = deps.notebook.read()
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()]
  const areas = screens.map(({ workArea }) => workArea)
  const window = makeWindow(placeFor(place, areas), deps)
  if (place?.maximized) window.maximize()
  main.window = window
  main.writePlace = remember(window, deps.notebook)
  window.on('close', (event) => {
    if (main.ending) return
    event.preventDefault()
    void deps.mayHide().then((yes) => {
      if (yes && !window.isDestroyed()) window.hide()
    })
  })
  window.on('closed', () => {
    main.window = null
  })
  return window
}

/** Stores the window's place after changes. @returns a function that stores it now, since a destroyed window emits no events */
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
