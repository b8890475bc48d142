/** The ranges of clips that a person asks for: from in to out, or by marks. Pure. */

export interface Range {
  readonly from: number
  readonly to: number
  /** As it will be called; empty: by its original and range. */
  readonly name: string
}

/** A place that is marked: a moment, or a range of its own. */
export interface Marked {
  readonly from: number
  readonly to: number | null
  /** Empty where it was called by its position alone. */
  readonly name: string
}

export type Source = 'selection' | 'pairs' | 'around'

/** From in to out; from the start, or to the end, where one of them is not set. Nothing where neither is. */
export function ofSelection(from: number | null, to: number | null, duration: number): readonly Range[] {
  if (from === null && to === null) return []
  return [{ from: from ?? 0, to: to ?? duration, name: '' }]
}

/** Marked ranges as they are; of the moments each two that follow each other. The last of an odd number has no partner. */
export function ofPairs(marks: readonly Marked[]): readonly Range[] {
  const moments = inOrder(marks).filter(({ to }) => to === null)
  const pairs = moments.flatMap((first, at) => {
    const second = moments[at + 1]
    return at % 2 === 1 || second === undefined ? [] : [{ from: first.from, to: second.from, name: first.name }]
  })
  return inOrder([...marked(marks), ...pairs])
}

/** So many seconds before each mark and after it, within the recording. */
export function around(marks: readonly Marked[], before: number, after: number, duration: number): readonly Range[] {
  return inOrder(marks).map(({ from, to, name }) => ({
    from: Math.max(0, from - before),
    to: Math.min(duration, (to ?? from) + after),
    name,
  }))
}

const marked = (marks: readonly Marked[]): readonly Range[] =>
  marks.flatMap(({ from, to, name }) => (to === null ? [] : [{ from, to, name }]))

const inOrder = <One extends { readonly from: number }>(all: readonly One[]): readonly One[] =>
  all.toSorted((one, other) => one.from - other.from)

/** To the microsecond, so that it still names the frame that was chosen. */
export const exactly = (seconds: number): number => Math.round(seconds * 1e6) / 1e6
