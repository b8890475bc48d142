/** Characters that steer how text is shown, or that nobody can see, made visible: a name must not look like another one. Pure. */

/** Controls but tab and line ends, bidirectional marks and overrides, zero-width characters, tags, private and lone surrogates' stand-ins. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\r(?!\n)/gu

export const escaped = (character: string): string =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

/** In one piece, line ends as they are: for texts with so many that pieces would be too much for a page. */
export const written = (text: string): string => text.replace(HIDDEN, (found) => `‹${escaped(found)}›`)

/** In one piece, for names and values: `photo‹U+202E›gpj.exe`. Line ends become visible too. */
export function visible(text: string): string {
  return written(text).replaceAll(/[\r\n]+/g, '‹U+000A›')
}

export const hiddenIn = (text: string): number => text.match(HIDDEN)?.length ?? 0

export interface Piece {
  readonly text: string
  /** It stands for a character that cannot be seen. */
  readonly hidden: boolean
}

/** In pieces, so that what stands for a character can be told from text that only looks like it. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index), hidden: false })
    found.push({ text: escaped(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) found.push({ text: text.slice(from), hidden: false })
  return found
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface Decoded {
  readonly text: string
  readonly encoding: Encoding
  /** A byte order mark said so; else it was found out by trying. */
  readonly marked: boolean
}

/** By its byte order mark, else as UTF-8 where that fits throughout, else as Windows-1252, which fits always. @param cut the bytes end within a file */
export function decode(bytes: Uint8Array, cut: boolean): Decoded {
  const begins = (...mark: readonly number[]): boolean => mark.every((byte, index) => bytes[index] === byte)
  const read = (encoding: Encoding, skip: number): string => new TextDecoder(encoding).decode(bytes.subarray(skip))
  if (begins(0xef, 0xbb, 0xbf)) return { text: read('utf-8', 0), encoding: 'utf-8', marked: true }
  if (begins(0xff, 0xfe)) return { text: read('utf-16le', 0), encoding: 'utf-16le', marked: true }
  if (begins(0xfe, 0xff)) return { text: read('utf-16be', 0), encoding: 'utf-16be', marked: true }
  try {
    // A character that was cut through at the end is no sign against it.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return { text, encoding: 'utf-8', marked: false }
  } catch {
    return { text: read('windows-1252', 0), encoding: 'windows-1252', marked: false }
  }
}
