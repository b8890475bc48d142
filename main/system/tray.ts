/** The tray icon: shows the station's state and opens the window. */
import { Menu, nativeImage, Tray } from 'electron'
import { join } from 'node:path'
import { type ExtraLine, type Shown, stateLines, type TrayActs, trayTemplate } from './tray-template.ts'
import type { Words } from './messages.ts'

export interface StationTray {
  show(state: Shown): void
  setExtra(line: ExtraLine | null): void
  remove(): void
}

/** @param icons folder of the tray's icons @returns null when the desktop has no tray */
export function createTray(icons: string, words: Words, acts: TrayActs): StationTray | null {
  const picture = (state: Shown) => {
    const well = typeof state === 'string' || state.mode === 'ready'
    // macOS colours template icons itself; elsewhere the icon has its own background.
    const name =
      process.platform === 'darwin'
        ? well
          ? 'trayTemplate'
          : 'trayAttentionTemplate'
        : well
          ? 'tray'
          : 'tray-attention'
    return nativeImage.createFromPath(join(icons, `${name}.png`))
  }
  let state: Shown = 'starting'
  let extra: ExtraLine | null = null
  let last = ''
  let tray: Tray
  try {
    tray = new Tray(picture(state))
  } catch {
    return null
  }
  const draw = (): void => {
    // Replaces the menu only after a change, since this closes an open one.
    const now = JSON.stringify([state, extra?.label])
    if (now === last) return
    last = now
    tray.setImage(picture(state))
    tray.setToolTip(`Sallyport\n${stateLines(state, words).join('\n')}`)
    tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(state, extra, words, acts)))
  }
  tray.on('click', acts.open)
  draw()
  return {
    show: (next) => {
      state = next
      draw()
    },
    setExtra: (line) => {
      extra = line
      draw()
    },
    remove: () => tray.destroy(),
  }
}
