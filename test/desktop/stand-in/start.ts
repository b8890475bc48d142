/** Takes the runtime's place: gives main/ the doubles as `electron`, runs it, then says `ready`. A test steers it over Node's channel. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { debugAddress } from './chromium.ts'
import { becomeReady, powerEvents } from './electron.ts'
import { preventable, record, refuse, type Template } from './parts.ts'
import { type Window, windows } from './windows.ts'

const electron = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electron, format: 'module', shortCircuit: true } : next(specifier, context),
})
process.chdir(resolve(process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? '.'))
Object.assign(process.versions, { electron: 'stand-in', chrome: 'stand-in' })

function click(template: Template, [label, ...rest]: readonly string[]): void {
  const item = template.find((one) => one.label === label)
  if (item === undefined || item.enabled === false) throw new Error(`"${label}" cannot be clicked in this menu.`)
  if (rest.length > 0) click(item.submenu as Template, rest)
  else if (item.role === 'close') first().close()
  else item.click?.({} as never, undefined, {} as never)
}

const first = (): Window => [...windows][0] ?? refuse('has no window open')

/** What a person at the desk, or the system, does. */
const ACTS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  // The channel is JSON: what a click does stays here.
  state: () => ({ ...record, windows: [...windows].map(({ state }) => state), debug: debugAddress() }),
  answer: (answer: object) => record.asked[0]?.answer(answer),
  clickMenu: (...path: string[]) => click(record.menu, path),
  clickTray: (...path: string[]) => (path.length === 0 ? record.tray?.click() : click(record.tray?.menu ?? [], path)),
  clickNote: (index: number) => record.notes[index]?.click(),
  closeWindow: () => first().close(),
  placeWindow: (bounds: Electron.Rectangle) => first().place(bounds),
  hang: () => first().events.send('unresponsive'),
  shutDown: () => powerEvents.send('shutdown', preventable({})),
}

process.on('message', async ({ id, act, args }: { id: number; act: string; args: never[] }) => {
  try {
    process.send?.({ id, value: (await ACTS[act]?.(...args)) ?? null })
  } catch (error) {
    process.send?.({ id, error: (error as Error).message })
  }
})
// Whoever steered it is gone, and nobody else would end it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const { main } = JSON.parse(readFileSync('package.json', 'utf8')) as { main: string }
await import(pathToFileURL(resolve(main)).href)
await becomeReady()
