/** The desktop program in order: lock, paths, server, window. Electron emits `ready` only after this module has run, so nothing is awaited here. */
import { app, session } from 'electron'
import { join } from 'node:path'
import { createServerHost } from './server-host.ts'
import { readArguments } from './system/arguments.ts'
import { closeToTray, type Desk, lendBridge, report, setMenu, watchStation, watchUpdates } from './system/desk.ts'
import { openNotebook } from './system/notebook.ts'
import { createQuitting } from './system/quitting.ts'
import { leaveFailedDisk, runInTerminal, startStation, EXIT_EXPLAINED } from './system/starting.ts'
import { createTray } from './system/tray.ts'
import { wordsFor } from './system/messages.ts'
import { serveDownloads } from './window/downloads.ts'
import { guardContents, guardSession } from './window/guard.ts'
import { createWindows } from './window/windows.ts'

const HERE = import.meta.dirname
const icons = join(HERE, '../icons')

// The number of server/config/file-threads.ts, which is loaded too late here. test/desktop/runtime checks it.
process.env['UV_THREADPOOL_SIZE'] ??= '40'

app.setName('Sallyport')
app.setAppUserModelId('sallyport.station')
app.enableSandbox()

const given = readArguments(process.argv.slice(1), app.isPackaged)
// So that the command line of an installed program finds the same station as its window.
const data = given.settings['data'] ?? process.env['SALLYPORT_DATA'] ?? join(app.getPath('userData'), 'station')
process.env['SALLYPORT_DATA'] ??= data
if (app.isPackaged) process.env['SALLYPORT_MEDIA_FOLDER'] ??= join(process.resourcesPath, 'media')

if (given.command !== null) {
  app.commandLine.appendSwitch('ozone-platform', 'headless')
  runInTerminal(createServerHost(report.bind(null, 'the disk failed')), given.command).catch(fail)
} else if (app.requestSingleInstanceLock()) boot().catch(fail)
else app.exit(0)

async function boot(): Promise<void> {
  await app.whenReady()
  const words = wordsFor(app.getPreferredSystemLanguages())
  const notebook = openNotebook(join(app.getPath('userData'), 'window.json'))
  const running: Partial<Desk> & { unwatch?: () => void } = {}
  const show = (): void => running.windows?.show()
  app.on('second-instance', show)
  // The tray keeps the program running. Without this listener Electron would quit.
  app.on('window-all-closed', () => {})

  // The stop. It may interrupt a start at any time, since nothing was acknowledged yet.
  const drain = async (): Promise<void> => {
    running.unwatch?.()
    tray?.show('stopping')
    running.windows?.destroyAll()
    await running.station?.close()
    tray?.remove()
  }
  const work = async (): Promise<number> => (await running.station?.work()) ?? 0
  const quitting = createQuitting({ words, work, drain, report })
  const quit = (): void => void quitting.ask()

  // The station
  const tray = createTray(icons, words, { open: show, quit })
  const host = createServerHost((reason) => leaveFailedDisk(reason, words))
  const started = await startStation(host, { ...given.settings, data }, words)
  if (started === null) return app.exit(EXIT_EXPLAINED)
  const { station, settings } = Object.assign(running, started)

  // Permissions of pages, before the first one is opened
  const tiles = settings.tileUrl === undefined ? null : new URL(settings.tileUrl).origin
  await session.defaultSession.setProxy({ mode: 'direct' })
  guardSession(session.defaultSession, { station: station.url, tiles })
  guardContents({ station: station.url, openWindow: (url) => running.windows?.openBeside(url) })
  const downloads = serveDownloads(session.defaultSession, station.url, words)

  // The window, menu and tray
  const windows = createWindows({
    station: station.url,
    preload: join(HERE, 'preload/index.cjs'),
    icon: join(icons, 'icon.png'),
    notebook,
    words,
    mayHide: closeToTray({ station, tray, words }, notebook, quit),
  })
  const desk: Desk = { station, settings, windows, downloads, quitting, tray, words }
  Object.assign(running, desk, { unwatch: watchStation(desk) })
  lendBridge(desk)
  setMenu(desk)
  process.stdout.write(`listening ${station.url}\n`)
  await Promise.all([windows.open(station.setupUrl ?? station.url, given.hidden), watchUpdates(desk)])
}

function fail(error: unknown): void {
  report('Sallyport could not start', error)
  app.exit(1)
}
