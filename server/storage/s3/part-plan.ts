import type { StagedObject } from '../types.ts'

/** Bytes of an object from `start` to `end`, without `end`. */
export interface ObjectRange {
  readonly object: StagedObject
  readonly start: number
  readonly end: number
}

/** `copy`: the store copies the range itself. `send`: the bytes are read and sent again. */
export type PlannedPart =
  | { readonly kind: 'copy'; readonly range: ObjectRange }
  | { readonly kind: 'send'; readonly ranges: readonly ObjectRange[] }

export interface PartSizes {
  /** Of each part but the last. S3 takes no smaller ones. */
  readonly least: number
  /** Most bytes of a part that is sent: it lies in memory. At least `least`. */
  readonly sent: number
  /** Most bytes of a part that is copied; 0 where the store copies no parts. */
  readonly copied: number
}

/**
 * Plans the parts of a multipart upload whose bytes lie in objects, one after the other. Large objects are copied by the store. Small ones
 * are joined in memory, and a large one after them gives only the bytes that their part is short of.
 */
export function planParts(objects: readonly StagedObject[], { least, sent, copied }: PartSizes): PlannedPart[] {
  const parts: PlannedPart[] = []
  let ranges: ObjectRange[] = []
  let size = 0
  const endPart = (): void => {
    if (size > 0) parts.push({ kind: 'send', ranges })
    ranges = []
    size = 0
  }
  for (const object of objects) {
    for (let start = 0; start < object.length; ) {
      const rest = object.length - start
      const isLarge = copied > 0 && rest >= least
      if (isLarge && size >= least) endPart()
      const most = isLarge ? (size === 0 ? copied : least - size) : sent - size
      const end = start + Math.min(rest, most)
      if (isLarge && size === 0) parts.push({ kind: 'copy', range: { object, start, end } })
      else {
        ranges.push({ object, start, end })
        size += end - start
        if (size >= (isLarge ? least : sent)) endPart()
      }
      start = end
    }
  }
  endPart()
  return parts
}
