/** Quits the program: asks first while work runs, stops the station, then exits. Repeated calls quit once. */
import { app, dialog, powerMonitor } from 'electron'
import type { Words } from './messages.ts'

export interface QuittingDeps {
  readonly words: Words
  readonly work: () => Promise<number>
  /** Closes windows, shows the stop in the tray, and stops the station. */
  readonly drain: () => Promise<void>
  readonly report: (text: string, error: unknown) => void
}

export interface Quitting {
  /** For a person's wish to quit; asks first while work runs. */
  ask(): Promise<void>
  /** For a request of the system or a process manager; does not ask. @param act ends the program; default: exit */
  now(act?: () => void): Promise<void>
}

export function createQuitting({ words, work, drain, report }: QuittingDeps): Quitting {
  let asking: Promise<boolean> | null = null
  let leaving: Promise<void> | null = null

  const confirmed = async (): Promise<boolean> => {
    const count = await work().catch(() => 0)
    if (count === 0) return true
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: words('quitWork', { count }),
      detail: words('quitWorkBody'),
      buttons: [words('keepRunning'), words('quitNow')],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    })
    return response === 1
  }
  const leave = async (act: () => void): Promise<void> => {
    try {
      await drain()
    } catch (error) {
      // The next start cleans up. Without an exit the folder would stay locked.
      report('the station did not stop as it should', error)
    }
    act()
  }
  const quitting: Quitting = {
    ask: async () => {
      if (leaving !== null) return leaving
      asking ??= confirmed()
      const yes = await asking
      asking = null
      if (yes) await quitting.now()
    },
    now: (act = () => app.exit(0)) => {
      leaving ??= leave(act)
      return leaving
    },
  }

  app.on('before-quit', (event) => {
    event.preventDefault()
    void quitting.ask()
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void quitting.now())
  // At a shutdown the system waits while the event is prevented. Nobody can answer a question any more.
  powerMonitor.on('shutdown', ((event: { preventDefault(): void }) => {
    event.preventDefault()
    void quitting.now()
  }) as () => void)
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', () => void quitting.now())
  })
  return quitting
}
