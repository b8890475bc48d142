import type { Mark } from '../ports.ts'

/** One part of a recording on the camera's clock. Null where unknown. */
export interface PartSpan {
  readonly startMs: number | null
  readonly endMs: number | null
  /** As the file itself says. */
  readonly lengthMs: number | null
}

/** Parts in order: one that does not say when it began goes on where the one before ends. Pure. */
export function spansOf(parts: readonly PartSpan[]): PartSpan[] {
  let before: number | null = null
  return parts.map((part) => {
    const startMs = part.startMs ?? before
    const byLength = startMs === null || part.lengthMs === null ? null : startMs + part.lengthMs
    // The duration of the media counts before dates of the filesystem, which have steps of two seconds.
    before = byLength ?? part.endMs
    return { ...part, startMs, endMs: part.endMs ?? byLength }
  })
}

export interface MarkPlace {
  readonly mark: Mark
  readonly part: number
  readonly seconds: number
  /** By how much the camera put it behind the end of what was recorded; null where it lies inside, or where no end is known. */
  readonly beyondSeconds: number | null
}

/**
 * On which part each mark lies, and how far from its beginning: the last part that began before it. Pure.
 * @param startMs when the recording began
 */
export function placesOf(marks: readonly Mark[], startMs: number | null, spans: readonly PartSpan[]): MarkPlace[] {
  const begin = startMs ?? spans[0]?.startMs ?? 0
  return marks.map((mark) => {
    const at = begin + mark.seconds * 1000
    const found = spans.findLastIndex((span) => span.startMs !== null && span.startMs <= at)
    const part = Math.max(0, found)
    const { startMs: from, lengthMs } = spans[part] as PartSpan
    const offset = Math.max(0, at - (from ?? begin))
    const beyond = lengthMs !== null && offset > lengthMs ? offset - lengthMs : null
    return {
      mark,
      part,
      seconds: (beyond === null ? offset : (lengthMs as number)) / 1000,
      beyondSeconds: beyond === null ? null : beyond / 1000,
    }
  })
}
