import { expect, test } from 'vitest'
import { type MenuActs, menuTemplate } from '../../main/system/menu.ts'
import { type TrayActs, trayTemplate } from '../../main/system/tray-template.ts'
import { wordsFor } from '../../main/system/messages.ts'
import { desktop as english } from '../../shared/desktop/messages.en.ts'
import { desktop as french } from '../../shared/desktop/messages.fr.ts'

const en = wordsFor(['en-GB'])
const fr = wordsFor(['fr-CH', 'en'])
const clicked: string[] = []
const acts = new Proxy({} as MenuActs & TrayActs, { get: (_target, name: string) => () => clicked.push(name) })

type Item = Electron.MenuItemConstructorOptions
const labels = (template: readonly Item[]): unknown[] =>
  template.flatMap(({ type, label, submenu }) =>
    type === 'separator' ? [] : submenu === undefined ? [label] : [[label, ...labels(submenu as Item[])]],
  )
const find = (template: readonly Item[], label: string): Item | undefined =>
  template.flatMap((one) => [one, ...((one.submenu as Item[] | undefined) ?? [])]).find((one) => one.label === label)

test('Windows and Linux: quit under File, about under Help, in English and in French', () => {
  const template = menuTemplate('linux', en, acts, false)
  expect(labels(template)).toEqual([
    ['File', 'New window', 'Close window', 'Quit Sallyport'],
    ['Edit', 'Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select all'],
    ['View', 'Reload', 'Larger', 'Smaller', 'Actual size', 'Full screen'],
    ['Go', 'Back', 'Forward', 'Home'],
    ['Help', 'Interfaces of this station', 'Show the station’s folder', 'About Sallyport'],
  ])
  expect(labels(menuTemplate('win32', fr, acts, false))).toEqual([
    ['Fichier', 'Nouvelle fenêtre', 'Fermer la fenêtre', 'Quitter Sallyport'],
    ['Édition', 'Annuler', 'Rétablir', 'Couper', 'Copier', 'Coller', 'Tout sélectionner'],
    ['Affichage', 'Recharger', 'Plus grand', 'Plus petit', 'Taille réelle', 'Plein écran'],
    ['Aller', 'Précédent', 'Suivant', 'Accueil'],
    ['Aide', 'Interfaces de cette station', 'Afficher le dossier de la station', 'À propos de Sallyport'],
  ])
  expect(find(template, 'Back')?.accelerator).toBe('Alt+Left')
})

test('macOS: the program has its own menu, windows too; about and quit are in it and nowhere else', () => {
  const template = menuTemplate('darwin', en, acts, false)
  expect(template.map(({ label }) => label)).toEqual(['Sallyport', 'File', 'Edit', 'View', 'Go', 'Window', 'Help'])
  expect(labels(template)[0]).toEqual([
    'Sallyport',
    'About Sallyport',
    'Services',
    'Hide Sallyport',
    'Hide others',
    'Show all',
    'Quit Sallyport',
  ])
  expect(labels(template)[1]).toEqual(['File', 'New window', 'Close window'])
  expect(find(template, 'Back')?.accelerator).toBe('Cmd+[')
  expect(find(template, 'Help')?.role).toBe('help')
})

test('quit is an act of ours on every platform: a role would end the program past the question about work', () => {
  for (const platform of ['linux', 'win32', 'darwin']) {
    const item = find(menuTemplate(platform, en, acts, false), 'Quit Sallyport')
    expect(item?.role).toBeUndefined()
    clicked.length = 0
    item?.click?.({} as never, undefined, {} as never)
    expect(clicked).toEqual(['quit'])
  }
})

test('the developer tools are offered in a checkout only', () => {
  expect(find(menuTemplate('linux', en, acts, true), 'Developer tools')?.role).toBe('toggleDevTools')
  expect(find(menuTemplate('linux', en, acts, false), 'Developer tools')).toBeUndefined()
})

test('the tray says the state, what is wrong, and what is at work, in the plural forms of each language', () => {
  const ready = { mode: 'ready', problems: [], work: 1 } as const
  const lines = (template: readonly Item[]) =>
    template.filter(({ type }) => type !== 'separator').map(({ label, enabled = true }) => [label, enabled])
  expect(lines(trayTemplate(ready, null, en, acts))).toEqual([
    ['Open Sallyport', true],
    ['The station is ready', false],
    ['1 job running', false],
    ['Quit Sallyport', true],
  ])
  const full = { mode: 'read-only', problems: ['The disk is full.'], work: 1200 } as const
  const extra = { label: 'Install', click: () => {} }
  expect(lines(trayTemplate(full, extra, fr, acts))).toEqual([
    ['Ouvrir Sallyport', true],
    ['La station n’accepte rien de nouveau', false],
    ['The disk is full.', false],
    ['1\u202f200 traitements en cours', false],
    ['Install', true],
    ['Quitter Sallyport', true],
  ])
  // French counts nothing as singular and a million as `many`.
  expect(fr('work', { count: 1_000_000 })).toBe('1\u202f000\u202f000 de traitements en cours')
  expect(lines(trayTemplate('stopping', null, en, acts)).at(-1)).toEqual(['Quit Sallyport', false])
})

test('both catalogues have every word, with the same values in it, and none is left as English', () => {
  const values = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()
  const same = Object.entries(english).filter(([key, text]) => french[key as keyof typeof english] === text)
  // Words that are the same in both languages.
  expect(same.map(([key]) => key)).toEqual(['services'])
  for (const [key, text] of Object.entries(english)) {
    expect([key, values(french[key as keyof typeof english])]).toEqual([key, values(text)])
    expect([key, text]).toEqual([key, expect.not.stringMatching(/!|oops|simply|secure/i)])
  }
})

test('an unknown language is answered in English', () => {
  expect([wordsFor(['de-CH', 'rm']).language, wordsFor([]).language, wordsFor(['de', 'fr-FR']).language]).toEqual([
    'en',
    'en',
    'fr',
  ])
})
