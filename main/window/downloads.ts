/** Saves downloads only where the person chose, and remembers them so that they can be shown. */
import { app, Notification, type Session, shell } from 'electron'
import { basename, join } from 'node:path'
import type { SavedFile } from '../../shared/desktop/bridge.ts'
import type { Words } from '../system/messages.ts'
import { judgeAddress } from './addresses.ts'

export interface Downloads {
  /** Newest first. */
  saved(): readonly SavedFile[]
  /** Shows a saved file in its folder. @returns false for a file that was not saved by this program */
  reveal(path: string): boolean
}

const REMEMBERED = 100

export function serveDownloads(session: Session, station: string, words: Words): Downloads {
  const saved: SavedFile[] = []
  const reveal = (path: string): boolean => {
    if (!saved.some((file) => file.path === path)) return false
    shell.showItemInFolder(path)
    return true
  }
  const tell = (title: string, body: string, onClick: () => void): void => {
    const note = new Notification({ title, body })
    note.on('click', onClick)
    note.show()
  }
  session.on('will-download', (event, item) => {
    if (judgeAddress(item.getURL(), station) !== 'stay') return event.preventDefault()
    // Without a path Electron shows its save dialog, and cancels the download when the dialog is cancelled.
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), basename(item.getFilename())) })
    item.once('done', (_event, state) => {
      const path = item.getSavePath()
      if (state === 'completed') {
        const file = { path, name: basename(path), size: item.getReceivedBytes() }
        saved.unshift(file)
        saved.splice(REMEMBERED)
        tell(words('savedTitle', { name: file.name }), words('savedBody'), () => reveal(path))
      } else if (state === 'interrupted') {
        tell(words('saveFailedTitle', { name: item.getFilename() }), words('saveFailedBody'), () => {})
      }
    })
  })
  return { saved: () => saved, reveal }
}
