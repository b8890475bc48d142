/** How the program ends: asked about first while work runs, the station drained, then out. However often it is asked, once. */
import { app, dialog, powerMonitor } from 'electron'
import type { Words } from './messages.ts'

export interface QuittingDeps {
  readonly words: Words
  readonly work: () => Promise<number>
  /** Takes windows away, says so in the tray, drains the station. */
  readonly drain: () => Promise<void>
  readonly report: (text: string, error: unknown) => void
}

export interface Quitting {
  /** A person wants to: asked while work runs. */
  ask(): Promise<void>
  /** The system or whoever manages processes wants to. @param act ends the program; by itself it just ends. */
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
      // It settles at the next start what was under way; staying here would keep the folder locked.
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
  // The system shuts down: it waits for us while the event is held back, and no question can be answered any more.
  powerMonitor.on('shutdown', ((event: { preventDefault(): void }) => {
    event.preventDefault()
    void quitting.now()
  }) as () => void)
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', () => void quitting.now())
  })
  return quitting
}
