/** Scripts that the built-in fonts of PDF do not have: one font for Latin beyond Western Europe, Greek, Cyrillic, Hebrew, Arabic and others. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface OtherScripts {
  readonly bytes: Buffer
  /** Whether it has a sign. */
  readonly has: (sign: string) => boolean
}

let loaded: Promise<OtherScripts | null> | undefined

/** Read with the first document that needs it, for it is not small. Null where the font is not there. */
export const otherScripts = (): Promise<OtherScripts | null> => (loaded ??= load())

async function load(): Promise<OtherScripts | null> {
  const file = ['./fonts/DejaVuSans.ttf', '../../../server/platform/pdf/fonts/DejaVuSans.ttf']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (file === undefined) return null
  const bytes = readFileSync(file)
  const signs = signsIn(bytes)
  return { bytes, has: (sign) => signs.has(sign.codePointAt(0) ?? 0) }
}

/** Code points that a TrueType font has glyphs for: its `cmap`, format 12 or 4. */
export function signsIn(font: Buffer): ReadonlySet<number> {
  const found = new Set<number>()
  const tables = font.readUInt16BE(4)
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) !== 'cmap') continue
    const cmap = font.readUInt32BE(at + 8)
    const parts = font.readUInt16BE(cmap + 2)
    for (let part = 0; part < parts; part++) {
      const table = cmap + font.readUInt32BE(cmap + 4 + part * 8 + 4)
      if (font.readUInt16BE(table) === 4) addFormat4(font, table, found)
      if (font.readUInt16BE(table) === 12) addFormat12(font, table, found)
    }
  }
  return found
}

function addFormat4(font: Buffer, table: number, found: Set<number>): void {
  const segments = font.readUInt16BE(table + 6) / 2
  const ends = table + 14
  const starts = ends + segments * 2 + 2
  const deltas = starts + segments * 2
  const offsets = deltas + segments * 2
  for (let segment = 0; segment < segments; segment++) {
    const [start, end] = [font.readUInt16BE(starts + segment * 2), font.readUInt16BE(ends + segment * 2)]
    const delta = font.readUInt16BE(deltas + segment * 2)
    const place = offsets + segment * 2
    const offset = font.readUInt16BE(place)
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const stored = offset === 0 ? code : font.readUInt16BE(place + offset + (code - start) * 2)
      if (stored !== 0 && ((stored + delta) & 0xffff) !== 0) found.add(code)
    }
  }
}

function addFormat12(font: Buffer, table: number, found: Set<number>): void {
  const groups = font.readUInt32BE(table + 12)
  for (let group = 0; group < groups; group++) {
    const at = table + 16 + group * 12
    for (let code = font.readUInt32BE(at); code <= font.readUInt32BE(at + 4); code++) found.add(code)
  }
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Words that stand in one run. A longer text is broken between runs, and its lines then begin with its end. */
const RUN = 6
const NBSP = '\u00a0'

/**
 * Words of scripts that are written from right to left. The document puts words from left to right and writes each in its own direction:
 * words that no line can part are one, so that a name stands in its order.
 */
export function inRuns(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text
  const words = text.split(' ')
  const out: string[] = []
  for (let at = 0; at < words.length; ) {
    const start = at
    while (at < words.length && at - start < RUN && RIGHT_TO_LEFT.test(words[at] ?? '')) at++
    if (at > start) out.push(words.slice(start, at).join(NBSP))
    // The space behind such a word stands on its left; the next one brings its own.
    else out.push(`${start > 0 && RIGHT_TO_LEFT.test(words[start - 1] ?? '') ? NBSP : ''}${words[at++] ?? ''}`)
  }
  return out.join(' ')
}
