/** The program's menu for each platform, as a plain template that can be tested without Electron. */
import type { MenuItemConstructorOptions as Item } from 'electron'
import type { Words } from './messages.ts'

export interface MenuActs {
  readonly newWindow: () => void
  readonly back: () => void
  readonly forward: () => void
  readonly home: () => void
  readonly interfaces: () => void
  readonly dataFolder: () => void
  readonly about: () => void
  /** Asks first while work runs. */
  readonly quit: () => void
}

const LINE: Item = { type: 'separator' }

/** @param platform `process.platform` @param developer shows Chromium's developer tools; false in a packaged program */
export function menuTemplate(platform: string, words: Words, acts: MenuActs, developer: boolean): Item[] {
  const mac = platform === 'darwin'
  const about: Item = { label: words('about'), click: acts.about }
  // Without a role, which would quit without the question about running work.
  const quit: Item = { label: words('quit'), accelerator: 'CmdOrCtrl+Q', click: acts.quit }
  return [
    ...(mac ? [programMenu(words, about, quit)] : []),
    {
      label: words('file'),
      submenu: [
        { label: words('newWindow'), accelerator: 'CmdOrCtrl+N', click: acts.newWindow },
        { role: 'close', label: words('closeWindow'), accelerator: 'CmdOrCtrl+W' },
        ...(mac ? [] : [LINE, quit]),
      ],
    },
    editMenu(words),
    {
      label: words('view'),
      submenu: [
        { role: 'reload', label: words('reload') },
        LINE,
        { role: 'zoomIn', label: words('zoomIn') },
        { role: 'zoomOut', label: words('zoomOut') },
        { role: 'resetZoom', label: words('zoomReset') },
        LINE,
        { role: 'togglefullscreen', label: words('fullScreen') },
        ...(developer ? [LINE, { role: 'toggleDevTools' as const, label: words('developer') }] : []),
      ],
    },
    {
      label: words('go'),
      submenu: [
        { label: words('back'), accelerator: mac ? 'Cmd+[' : 'Alt+Left', click: acts.back },
        { label: words('forward'), accelerator: mac ? 'Cmd+]' : 'Alt+Right', click: acts.forward },
        { label: words('home'), accelerator: mac ? 'Cmd+Shift+H' : 'Alt+Home', click: acts.home },
      ],
    },
    ...(mac ? [windowMenu(words)] : []),
    {
      label: words('help'),
      ...(mac ? { role: 'help' as const } : {}),
      submenu: [
        { label: words('interfaces'), click: acts.interfaces },
        { label: words('dataFolder'), click: acts.dataFolder },
        ...(mac ? [] : [LINE, about]),
      ],
    },
  ]
}

const programMenu = (words: Words, about: Item, quit: Item): Item => ({
  label: 'Sallyport',
  submenu: [
    about,
    LINE,
    { role: 'services', label: words('services') },
    LINE,
    { role: 'hide', label: words('hide') },
    { role: 'hideOthers', label: words('hideOthers') },
    { role: 'unhide', label: words('showAll') },
    LINE,
    quit,
  ],
})

const editMenu = (words: Words): Item => ({
  label: words('edit'),
  submenu: [
    { role: 'undo', label: words('undo') },
    { role: 'redo', label: words('redo') },
    LINE,
    { role: 'cut', label: words('cut') },
    { role: 'copy', label: words('copy') },
    { role: 'paste', label: words('paste') },
    { role: 'selectAll', label: words('selectAll') },
  ],
})

const windowMenu = (words: Words): Item => ({
  label: words('window'),
  role: 'window',
  submenu: [
    { role: 'minimize', label: words('minimize') },
    { role: 'zoom', label: words('zoom') },
    LINE,
    { role: 'front', label: words('allToFront') },
  ],
})
