/** Theme and density: attributes of the page, set before the first paint by public/appearance.js with the same keys. */
import { useSyncExternalStore } from 'react'
import { keep } from './preferences.ts'

export type Theme = 'system' | 'light' | 'dark' | 'contrast'
export type Density = 'compact' | 'roomy'

const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  keep('theme', theme === 'system' ? null : theme)
  changed()
}

export function setDensity(density: Density): void {
  if (density === 'compact') delete document.documentElement.dataset['density']
  else document.documentElement.dataset['density'] = density
  keep('density', density === 'compact' ? null : density)
  changed()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(subscribe, () => (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system')
export const useDensity = (): Density =>
  useSyncExternalStore(
    subscribe,
    () => (document.documentElement.dataset['density'] as Density | undefined) ?? 'compact',
  )
