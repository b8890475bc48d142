/** What every double is made of, and what happened in it: the record that a test reads. */
import { EventEmitter } from 'node:events'
import type { MenuItemConstructorOptions } from 'electron'

export function refuse(what: string): never {
  throw new Error(`The stand-in for Electron ${what}.`)
}

/** A double that throws for whatever it does not have, instead of letting it be undefined. */
export function refusing<T extends object>(name: string, double: T): T {
  return new Proxy(double, {
    get: (target, key) =>
      key in target || typeof key === 'symbol' || key === 'then'
        ? Reflect.get(target, key)
        : refuse(`has no ${name}.${key}`),
    set: (_target, key) => refuse(`cannot set ${name}.${String(key)}`),
  })
}

/** `on` and `once` for the events a double really sends; any other is refused. `never` fits every overload of Electron's types. */
export function listening(name: string, known: string) {
  const events = new EventEmitter()
  const checked = (event: string): string =>
    known.split(' ').includes(event) ? event : refuse(`never sends ${name} "${event}"`)
  type Listener = (...args: never[]) => void
  return {
    on: (event: string, listener: Listener): never => events.on(checked(event), listener as () => void) as never,
    once: (event: string, listener: Listener): never => events.once(checked(event), listener as () => void) as never,
    send: (event: string, ...args: unknown[]): boolean => events.emit(checked(event), ...args),
  }
}

/** An event that can be prevented. */
export const preventable = <T extends object>(details: T) => {
  const event = { ...details, prevented: false, preventDefault: () => void (event.prevented = true) }
  return event
}

type Asked = { readonly kind: 'message' | 'open' | 'save'; readonly options: object; answer(answer: object): void }
type Note = { readonly title: string; readonly body: string; closed: boolean; click(): void }
export type Template = readonly MenuItemConstructorOptions[]

/** What a person would see, and what left for the system. */
export const record = {
  asked: [] as Asked[],
  notes: [] as Note[],
  menu: [] as Template,
  tray: null as null | { tip: string; picture: string; menu: Template; click(): void },
  badge: 0,
  about: 0,
  external: [] as string[],
  revealed: [] as string[],
  opened: [] as string[],
  printed: [] as object[],
}

export const ask = <T extends object>(kind: Asked['kind'], options: object): Promise<T> =>
  new Promise((resolve) => {
    const answer = (given: object): void => {
      record.asked.splice(record.asked.indexOf(asked), 1)
      resolve(given as T)
    }
    const asked: Asked = { kind, options, answer }
    record.asked.push(asked)
  })

/** Chromium's and Electron's own switches, `--name=value`; null when it was not given. */
export const switchOf = (name: string): string | null =>
  process.argv.find((one) => one === `--${name}` || one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null
