/** Shortcuts as text: `Control+k`, `?`, `g e` (one after the other), `F6`, `Shift+d`. */

/** Whether keys typed there make text. */
export function typesInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  if (target.closest('[role="spinbutton"], [role="textbox"], [role="combobox"], [role="searchbox"]') !== null)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type)
}

interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The text of what was pressed. Shift is written only where it does not show in the character itself; Command counts as Control. */
export function keyText({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const letter = key.length === 1 ? key.toLowerCase() : key
  const cased = key.length === 1 && key.toLowerCase() === key.toUpperCase()
  return [
    ...(ctrlKey || metaKey ? ['Control'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey && !cased ? ['Shift'] : []),
    letter === ' ' ? 'Space' : letter,
  ].join('+')
}

/** A key or a sequence that makes text by itself: only outside fields, and off where single keys are off. */
export const isSingle = (shortcut: string): boolean => /^(Shift\+)?[^+\s]$/.test(shortcut.split(' ').at(-1) ?? '')

export const SEQUENCE_WITHIN = 1_000

export type Step = { readonly run: string } | { readonly wait: string } | { readonly nothing: true }

/** What a key does after the one pending before it. Pure; the map's keys are all shortcuts there are. */
export function step(shortcuts: readonly string[], pending: string, pressed: string): Step {
  const sequence = pending === '' ? pressed : `${pending} ${pressed}`
  if (shortcuts.includes(sequence)) return { run: sequence }
  if (shortcuts.some((shortcut) => shortcut.startsWith(`${sequence} `))) return { wait: sequence }
  return pending === '' ? { nothing: true } : step(shortcuts, '', pressed)
}
