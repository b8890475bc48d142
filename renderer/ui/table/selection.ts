/** What is selected, by key, so that it outlives filters and sorting. Pure rules; the caller keeps the value. */
export interface Selection {
  /** Everything that matches is selected, but for `keys`. */
  readonly all: boolean
  /** The selected keys; with `all`, the exceptions. */
  readonly keys: ReadonlySet<string>
}

export const NOTHING: Selection = { all: false, keys: new Set() }
export const EVERYTHING: Selection = { all: true, keys: new Set() }

export const isSelected = (selection: Selection, key: string): boolean => selection.keys.has(key) !== selection.all
export const isEmpty = (selection: Selection): boolean => !selection.all && selection.keys.size === 0

/** How many of `total` that match. Exceptions are always among them. */
export const countOf = (selection: Selection, total: number): number =>
  selection.all ? Math.max(0, total - selection.keys.size) : selection.keys.size

export function toggled(selection: Selection, key: string): Selection {
  const keys = new Set(selection.keys)
  if (!keys.delete(key)) keys.add(key)
  return { all: selection.all, keys }
}

/** With these keys selected, or not selected, whatever they were. */
export function withKeys(selection: Selection, changed: Iterable<string>, selected: boolean): Selection {
  const keys = new Set(selection.keys)
  for (const key of changed) {
    if (selected === selection.all) keys.delete(key)
    else keys.add(key)
  }
  return { all: selection.all, keys }
}

/**
 * Shift: everything between the anchor and the row is selected, and what the last extension took is let go first, so that a
 * range can shrink again.
 */
export function extended(
  selection: Selection,
  keyAt: (index: number) => string | undefined,
  range: { readonly anchor: number; readonly from: number; readonly to: number },
): Selection {
  const between = (a: number, b: number): string[] => {
    const keys: string[] = []
    for (let index = Math.min(a, b); index <= Math.max(a, b); index += 1) {
      const key = keyAt(index)
      if (key !== undefined) keys.push(key)
    }
    return keys
  }
  const freed = withKeys(selection, between(range.anchor, range.from), false)
  return withKeys(freed, between(range.anchor, range.to), true)
}
