/**
 * What somebody types and has not saved yet, so that a reload or a crash of the page loses nothing (guide, principle 6). In this tab
 * alone, for the person who typed it alone, and gone when that person signs out.
 */
const PREFIX = 'sallyport.draft.'

interface Kept {
  readonly owner: string
  readonly value: unknown
}

/** @returns undefined where there is none of this person */
export function draftKept(key: string, owner: string): unknown {
  try {
    const text = sessionStorage.getItem(PREFIX + key)
    if (text === null) return undefined
    const kept = JSON.parse(text) as Kept
    if (kept.owner === owner) return kept.value
    sessionStorage.removeItem(PREFIX + key)
  } catch {
    // Storage may be refused (private windows); then it lasts as long as the page.
  }
  return undefined
}

/** @param value undefined: there is none any more */
export function keepDraft(key: string, owner: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, JSON.stringify({ owner, value } satisfies Kept))
  } catch {
    // As above.
  }
}

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // As above.
  }
}
