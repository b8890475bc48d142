import type { KeyName, KeyStore } from './key-store.ts'

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
