/** Menu, tray, bridge and updates around a running station. */
import { app, dialog, Menu, Notification, powerMonitor, shell } from 'electron'
import type { Settings } from '../../server/index.ts'
import { createAnswers } from '../ipc/answers.ts'
import { serveBridge } from '../ipc/serve.ts'
import type { HostedStation } from '../server-host.ts'
import type { Downloads } from '../window/downloads.ts'
import type { Windows } from '../window/windows.ts'
import { menuTemplate } from './menu.ts'
import type { Notebook } from './notebook.ts'
import type { Quitting } from './quitting.ts'
import type { StationTray } from './tray.ts'
import { checksSignatures, createUpdates } from './updates.ts'
import type { Words } from './messages.ts'

export interface Desk {
  readonly station: HostedStation
  readonly settings: Settings
  readonly windows: Windows
  readonly downloads: Downloads
  readonly quitting: Quitting
  readonly tray: StationTray | null
  readonly words: Words
}

/** Milliseconds between two checks of the station's state. */
const POLL_EVERY = 5_000
const UPDATES_EVERY = 6 * 60 * 60 * 1000

export const report = (text: string, error: unknown): void => {
  process.stderr.write(`${text}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
}

const notify = (title: string, body: string, onClick: () => void = () => {}): void => {
  const note = new Notification({ title, body })
  note.on('click', onClick)
  note.show()
}

export function lendBridge({ station, settings, windows, downloads, quitting, words }: Desk): void {
  const about = {
    name: app.getName(),
    version: app.getVersion(),
    electron: process.versions['electron'] ?? '',
    chromium: process.versions['chrome'] ?? '',
    node: process.versions.node,
    platform: process.platform,
    updateFeed: settings.updateFeed ?? null,
  }
  const answers = createAnswers({
    words,
    downloads,
    about,
    show: windows.show,
    // Later, so that the call is answered before its page is closed.
    quit: () => setImmediate(() => void quitting.ask()),
  })
  serveBridge({ station: station.url, isOurs: windows.isOurs, answers, words, report })
}

export function setMenu({ station, settings, windows, quitting, words }: Desk): void {
  const history = () => windows.current()?.webContents.navigationHistory
  app.setAboutPanelOptions({
    applicationName: app.getName(),
    applicationVersion: app.getVersion(),
    copyright: words('licence'),
    website: 'https://www.apache.org/licenses/LICENSE-2.0',
  })
  const acts = {
    newWindow: () => windows.openBeside(station.url),
    back: () => history()?.goBack(),
    forward: () => history()?.goForward(),
    home: () => void windows.open(station.url),
    interfaces: () => windows.openBeside(`${station.url}/docs`),
    dataFolder: () => void shell.openPath(settings.data),
    about: () => app.showAboutPanel(),
    quit: () => void quitting.ask(),
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, words, acts, !app.isPackaged)))
}

/** Polls the station's state for the tray. @returns a function that ends it */
export function watchStation({ station, tray }: Pick<Desk, 'station' | 'tray'>): () => void {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const readState = async (): Promise<void> => {
    try {
      const state = await station.state()
      if (!ended) tray?.show(state)
    } catch (error) {
      if (!ended) report('the state of the station could not be read', error)
    }
    if (!ended) timer = setTimeout(() => void readState(), POLL_EVERY)
  }
  void readState()
  // Reads the state at once after the machine slept.
  powerMonitor.on('resume', () => {
    clearTimeout(timer)
    void readState()
  })
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

/** Handles closing the window: hides it to the tray, with a notification the first time and a question while work runs. */
export function closeToTray(
  desk: Pick<Desk, 'station' | 'tray' | 'words'>,
  notebook: Notebook,
  quit: () => void,
): () => Promise<boolean> {
  const { station, tray, words } = desk
  return async () => {
    if (tray === null) {
      quit()
      return false
    }
    const count = await station.work().catch(() => 0)
    if (count > 0) {
      const { response } = await dialog.showMessageBox({
        type: 'info',
        message: words('closeWork', { count }),
        detail: words('closeWorkBody'),
        buttons: [words('closeAnyway'), words('cancel')],
        defaultId: 0,
        cancelId: 1,
        noLink: true,
      })
      return response === 0
    }
    if (!notebook.read().toldOfTray) {
      notify(words('stillHereTitle'), words('stillHereBody'))
      notebook.write({ toldOfTray: true })
    }
    return true
  }
}

/** Checks for updates, if a feed is configured and the program is packaged. */
export async function watchUpdates({ station, settings, quitting, tray, words }: Desk): Promise<void> {
  if (settings.updateFeed === undefined || !app.isPackaged) return
  const { default: updater } = await import('electron-updater')
  const updates = createUpdates({
    feed: settings.updateFeed,
    updater: updater.autoUpdater,
    signatureChecked: checksSignatures(process.platform),
    work: station.work,
    words,
    setExtra: (line) => tray?.setExtra(line),
    notify,
    leave: quitting.now,
    report,
  })
  void updates.check()
  setInterval(() => void updates.check(), UPDATES_EVERY)
}
