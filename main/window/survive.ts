/** Handles pages that do not load, crash or hang, with a message and another attempt. The station keeps running meanwhile. */
import { type BrowserWindow, dialog, Notification } from 'electron'
import type { Words } from '../system/messages.ts'

const CRASHES = { most: 3, within: 60_000 } as const

/** Loads a page. A failure is shown with the choice to try again, except when another page was requested meanwhile (aborted). */
export async function loadPage(window: BrowserWindow, url: string, words: Words): Promise<void> {
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

/** Reloads a page that crashed or hangs, with a message. After repeated crashes the person decides. */
export function handleCrashes(window: BrowserWindow, words: Words, station: string): void {
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
      // Ends the renderer process; the page is then loaded again from its address.
      if (response === 1 && !window.isDestroyed()) webContents.forcefullyCrashRenderer()
    })
  })
}
