/** A position as people type it: `83`, `1:23`, `00:01:23.5`, with a point or a comma. Pure. @returns seconds; null for anything else */
export function positionIn(text: string): number | null {
  const found = /^(?:(?:(\d{1,4}):)?(\d{1,5}):)?(\d{1,7})(?:[.,](\d{1,6}))?$/.exec(text.trim())
  if (found === null) return null
  const [, hours, minutes, seconds = '', fraction = ''] = found
  // After a larger unit there are no more than 59 of the smaller one: 1:75 is a slip of the hand.
  if (minutes !== undefined && Number(seconds) > 59) return null
  if (hours !== undefined && Number(minutes) > 59) return null
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(`${seconds}.${fraction || '0'}`)
}
