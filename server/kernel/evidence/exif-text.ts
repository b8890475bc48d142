/** More than this is no description of a picture but a picture's worth of text that somebody put there. */
const MOST_LENGTH = 8_192
const MOST_VALUE = 512

/**
 * The words of a picture's Exif (the content of its json-exif resource): names of cameras, people and places, captions, serial numbers.
 * Numbers that measure something are left out: nobody looks for an aperture, and they would be found for every number that is typed.
 */
export function exifWords(metadata: unknown): string {
  const words: string[] = []
  let length = 0
  const add = (value: unknown, depth: number): void => {
    if (length >= MOST_LENGTH || depth > 6) return
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) add(inner, depth + 1)
    else if (typeof value === 'string' || Number.isSafeInteger(value)) {
      const text = String(value)
        .slice(0, MOST_VALUE)
        .toWellFormed()
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
      // A few digits measure; many, or letters among them, name something.
      if (!/\p{L}|\d{4}/u.test(text) || text.startsWith('(Binary data')) return
      words.push(text.slice(0, MOST_LENGTH - length))
      length += text.length + 1
    }
  }
  add(metadata, 0)
  return words.join(' ').toWellFormed()
}
