/** Suggestions that a person does not want to see again, kept in this browser. */
import { useSyncExternalStore } from 'react'
import { keep, kept } from '../../../client/preferences.ts'
import type { Suggestion } from './suggestion-words.ts'

/** The oldest are forgotten: then a line comes back, and nothing else. */
const MOST = 500
const listeners = new Set<() => void>()
let current: readonly string[] | null = null

function read(): readonly string[] {
  try {
    current ??= (JSON.parse(kept('dismissed') ?? '[]') as unknown[]).filter((one) => typeof one === 'string')
  } catch {
    current ??= []
  }
  return current
}

function write(next: readonly string[]): void {
  current = next.slice(-MOST)
  keep('dismissed', current.length === 0 ? null : JSON.stringify(current))
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Of one person and one evidence. No value stands in it: what is kept in a browser names nobody. */
export function dismissalKey(owner: string, evidenceId: string, suggestion: Suggestion): string {
  let hash = 0x811c9dc5
  for (const character of [suggestion.Field, suggestion.CustomField, suggestion.Source, suggestion.Value].join('\n'))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return `${owner}.${evidenceId}.${(hash >>> 0).toString(36)}`
}

export const dismiss = (key: string): void => write([...read().filter((one) => one !== key), key])
export const bringBack = (key: string): void => write(read().filter((one) => one !== key))
export const useDismissed = (): readonly string[] => useSyncExternalStore(subscribe, read)
