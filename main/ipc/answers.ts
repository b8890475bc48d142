import { app, BrowserWindow, dialog, Notification, type WebContents } from 'electron'
import type { About } from '../../shared/desktop/bridge.ts'
import { describeChosen } from '../system/notebook.ts'
import type { Words } from '../system/messages.ts'
import type { Downloads } from '../window/downloads.ts'
import { type Answers, Refusal } from './serve.ts'

export interface AnswersDeps {
  readonly words: Words
  readonly downloads: Downloads
  readonly about: About
  readonly show: () => void
  readonly quit: () => void
}

/** Handlers of the bridge's calls. Their arguments are validated already. */
export function createAnswers({ words, downloads, about, show, quit }: AnswersDeps): Answers {
  let note: Notification | null = null
  const choose = async (from: WebContents, options: Electron.OpenDialogOptions) => {
    const window = BrowserWindow.fromWebContents(from)
    const dialogOptions = { buttonLabel: words('choose'), ...options }
    const { canceled, filePaths } = await (window === null
      ? dialog.showOpenDialog(dialogOptions)
      : dialog.showOpenDialog(window, dialogOptions))
    return canceled ? [] : describeChosen(filePaths)
  }
  return {
    chooseFiles: (options, from) =>
      choose(from, {
        title: options?.title ?? words('chooseFiles'),
        properties: options?.multiple === false ? ['openFile'] : ['openFile', 'multiSelections'],
      }),
    chooseFolders: (_nothing, from) =>
      choose(from, { title: words('chooseFolders'), properties: ['openDirectory', 'multiSelections'] }),
    saved: async () => downloads.saved(),
    reveal: async (path) => {
      if (!downloads.reveal(path)) throw new Refusal(words('refusedReveal'))
    },
    print: (options, from) =>
      new Promise((resolve) => {
        const { landscape = false, backgrounds = true, paper = 'A4' } = options ?? {}
        from.print({ silent: false, landscape, printBackground: backgrounds, pageSize: paper }, (printed) =>
          resolve({ printed }),
        )
      }),
    notify: async ({ title, body }) => {
      // The page has one notification at a time. The reference is kept so that it stays clickable.
      note?.close()
      note = new Notification({ title, body })
      note.on('click', show)
      note.show()
    },
    badge: async (count) => {
      // For docks and launchers. Windows has no badge count; the tray shows the work there.
      app.setBadgeCount(count)
    },
    about: async () => about,
    quit: async () => quit(),
  }
}
