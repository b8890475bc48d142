/** Which resources of an evidence belong together on the player's time line. */
import type { MediaFacts } from './model.ts'
import type { ResourceRow } from './records.store.ts'

export const factsOf = (row: ResourceRow): MediaFacts =>
  row.media === null ? {} : (JSON.parse(row.media) as MediaFacts)

/** What somebody took from an original: a still, a clip or a crop. It stands for itself. */
function isTaken(row: ResourceRow): boolean {
  const { Still, Clip, Crop } = factsOf(row)
  return Still !== undefined || Clip !== undefined || Crop !== undefined
}
export const isPreview = (row: ResourceRow, type: 'audio' | 'image'): boolean =>
  row.role === 'preview' && row.mime_type.startsWith(`${type}/`) && !isTaken(row)

/** What the player is given of an original. */
export const playedOf = (original: ResourceRow, rows: readonly ResourceRow[]): ResourceRow | undefined =>
  rows.find((row) => row.parent_id === original.resource_id && (row.role === 'playable' || isPreview(row, 'audio')))

/** A playable copy shows its original's time line and has its views; everything else stands for itself. */
export function originalOf(row: ResourceRow, rows: readonly ResourceRow[]): ResourceRow {
  const plays = row.role === 'playable' || isPreview(row, 'audio')
  return (plays ? rows.find((other) => other.resource_id === row.parent_id) : undefined) ?? row
}
