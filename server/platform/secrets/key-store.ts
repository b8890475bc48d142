/** Where the keys of a station or headquarters lie, as texts by name: in a folder, or wrapped in the database. */
import { type KeyFiles, openKeyFiles } from './key-files.ts'

/** Every key with its purpose. Keys in the database are bound to both, so that rows cannot be exchanged. */
export const KEY_PURPOSES = {
  signing: 'signs checkpoints',
  token: 'signs access tokens',
  upload: 'signs upload addresses',
  secrets: 'seals secrets in the database',
  tenant: 'opens encrypted uploads',
  package: 'signs packages',
} as const

export type KeyName = keyof typeof KEY_PURPOSES
export const KEY_NAMES = Object.keys(KEY_PURPOSES) as KeyName[]
/** Keys that exist from the first start on. */
export const REQUIRED_KEYS = ['signing', 'token', 'upload', 'secrets'] as const satisfies KeyName[]

export interface KeyStore {
  /** Where the keys lie, for messages to people. */
  readonly place: string
  /** What to do when keys are missing there, for messages to people. */
  readonly whenMissing: string
  /** Keys that other accounts could read until now. */
  readonly tightened: readonly string[]
  /** How a key is called there, for messages to people. */
  label(name: KeyName): string
  /** The text of a key as it was read or written here last; null when there is none. */
  text(name: KeyName): string | null
  /** Makes those keys that are missing. Several processes that do so at once agree on one set. @returns what this one made */
  make(makers: ReadonlyMap<KeyName, () => Promise<string>>): Promise<KeyName[]>
  /**
   * Replaces a key by the text that `to` makes of the current one; null leaves it as it is. Changes come one after the other, those of
   * other processes too. @returns the text after it
   */
  change(name: KeyName, to: (text: string | null) => Promise<string | null>): Promise<string | null>
  /** Reads what other processes changed. Calls that come while one runs share the next one. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** The files of one folder. One process uses the folder (`station.lock`), so nothing in it changes behind its back. */
export async function openFolderKeyStore(dir: string): Promise<KeyStore & { readonly files: KeyFiles }> {
  const files = await openKeyFiles(dir)
  const fileOf = (name: KeyName): string => `${name}.json`
  const texts = new Map<KeyName, string>()
  for (const name of KEY_NAMES) {
    const text = await files.read(fileOf(name))
    if (text !== null) texts.set(name, text)
  }
  /** A file that appeared meanwhile is never replaced, since its volume may just have been mounted (guarantee D2). */
  const put = async (name: KeyName, text: string): Promise<void> => {
    await (texts.has(name) ? files.write : files.create)(fileOf(name), text)
    texts.set(name, text)
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    files,
    place: dir,
    whenMissing:
      'Put the keys folder back as it was, from a copy of it; new keys would not continue the signatures of this ledger. ' +
      'If it is lost for good, keep this data folder as it is and begin a new station in another one.',
    tightened: files.tightened,
    label: fileOf,
    text: (name) => texts.get(name) ?? null,
    make: async (makers) => {
      const made: KeyName[] = []
      for (const [name, make] of makers) {
        if (texts.has(name)) continue
        await put(name, await make())
        made.push(name)
      }
      return made
    },
    change: (name, to) => {
      const change = async (): Promise<string | null> => {
        const found = texts.get(name) ?? null
        const text = await to(found)
        if (text === null) return found
        await put(name, text)
        return text
      }
      const result = last.then(change, change)
      last = result.catch(() => {})
      return result
    },
    refresh: async () => {},
    close: async () => {},
  }
}

/** One key of a store, parsed. */
export interface KeptKey<T> {
  now(): T
  /** Replaces the key by what `to` makes of the current one. The same object leaves it as it is. @returns the new key */
  change(to: (current: T) => T | Promise<T>): Promise<T>
}

/** @param check throws for a key that cannot be used @throws Error, from here and from `now`, that names the key and does not quote it */
export function keepKey<T>(store: KeyStore, name: KeyName, check: (value: T) => T): KeptKey<T> {
  const parsed = (text: string | null): T => {
    try {
      return check(JSON.parse(text ?? 'null') as T)
    } catch {
      // Without message and cause of the parser: they quote the text, which is a secret.
      throw new Error(`${store.place}: ${store.label(name)} is damaged. Put it back from a copy.`)
    }
  }
  let known = { text: store.text(name), value: parsed(store.text(name)) }
  const valueOf = (text: string | null): T => {
    if (known.text !== text) known = { text, value: parsed(text) }
    return known.value
  }
  return {
    now: () => valueOf(store.text(name)),
    change: async (to) => {
      const text = await store.change(name, async (found) => {
        const before = valueOf(found)
        const after = await to(before)
        return after === before ? null : JSON.stringify(after)
      })
      return valueOf(text)
    },
  }
}
