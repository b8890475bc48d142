/**
 * Templates for names of files: `{serial:word}_{yyyy}{MM}{dd}_{HH}{mm}{ss}[_{part:digits}].mp4`. No regular expressions in
 * profiles: names on a card are anybody's text, and an expression that takes for ever on one of them is easily written.
 */
import type { WallTime } from '../../../../shared/kernel/time-zones.ts'

/** What can stand in a name besides the time. `_` is looked over. */
export const FIELDS = [
  'serial',
  'officer',
  'unit',
  'part',
  'sequence',
  'type',
  'event',
  'continues',
  'channel',
  '_',
] as const
export type Field = (typeof FIELDS)[number]

const TIME = {
  yyyy: '\\d{4}',
  yy: '\\d{2}',
  MM: '\\d{2}',
  MMM: 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec',
  dd: '\\d{2}',
  HH: '\\d{2}',
  mm: '\\d{2}',
  ss: '\\d{2}',
} as const
type TimeField = keyof typeof TIME

/** `text` is anything, so a template has one at most; the others end where their kind of character ends. */
const CLASSES = {
  digits: { one: '\\d', most: 32, has: /^\d$/ },
  letters: { one: '[A-Za-z]', most: 32, has: /^[A-Za-z]$/ },
  word: { one: '[A-Za-z0-9-]', most: 64, has: /^[A-Za-z0-9-]$/ },
  text: { one: '[^/]', most: 128, has: /^[^/]$/ },
} as const
type ClassName = keyof typeof CLASSES

export interface NameParts {
  readonly fields: ReadonlyMap<Field, string>
  /** What a clock on the wall showed; null where the name holds no whole time, or one there is not. */
  readonly wall: WallTime | null
}

export interface Template {
  /** @returns null when the name is none of these */
  match(name: string): NameParts | null
}

type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'time'; readonly field: TimeField }
  | { readonly kind: 'choice'; readonly field: Field; readonly values: readonly string[] }
  | { readonly kind: 'run'; readonly field: Field; readonly of: ClassName; readonly width: number | null }

/** Longer names are no camera's, and every template is bounded work on these. */
const LONGEST_NAME = 255

/** @throws Error that tells the author of a profile what is wrong */
export function compileTemplate(text: string): Template {
  const pieces = piecesOf(text)
  requireBounded(pieces)
  const captures: (Field | TimeField)[] = []
  const capture = (field: Field | TimeField, inner: string): string => {
    captures.push(field)
    return `(${inner})`
  }
  const source = pieces
    .map((piece) => {
      if (piece.kind === 'literal') return escaped(piece.text)
      if (piece.kind === 'open') return '(?:'
      if (piece.kind === 'close') return ')?'
      if (piece.kind === 'time') return capture(piece.field, TIME[piece.field])
      if (piece.kind === 'choice') return capture(piece.field, piece.values.map(escaped).join('|'))
      const { one, most } = CLASSES[piece.of]
      return capture(piece.field, piece.width === null ? `${one}{1,${most}}` : `${one}{${piece.width}}`)
    })
    .join('')
  const pattern = new RegExp(`^${source}$`, 'iu')
  return {
    match: (name) => {
      const found = name.length > LONGEST_NAME ? null : pattern.exec(name)
      if (found === null) return null
      const fields = new Map<Field, string>()
      const time = new Map<TimeField, string>()
      captures.forEach((field, at) => {
        const value = found[at + 1]
        if (value === undefined || field === '_') return
        if (field in TIME) time.set(field as TimeField, value)
        else fields.set(field as Field, value)
      })
      return { fields, wall: wallOf(time) }
    },
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let inside = false
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string
    if (letter === '{') {
      const end = text.indexOf('}', at)
      if (end === -1) throw new Error(`${text}: a { is not closed`)
      pieces.push(fieldOf(text.slice(at + 1, end), text))
      at = end + 1
    } else if (letter === '[' || letter === ']') {
      if ((letter === '[') === inside) throw new Error(`${text}: [ and ] do not pair; they cannot lie in each other`)
      inside = letter === '['
      pieces.push(inside ? { kind: 'open' } : { kind: 'close' })
      at++
    } else {
      const literal = letter === '\\' ? text[at + 1] : letter
      if (literal === undefined) throw new Error(`${text}: ends with \\`)
      if (literal === '/' || letter === '}') throw new Error(`${text}: ${literal} cannot stand in a name`)
      pieces.push({ kind: 'literal', text: literal })
      at += letter === '\\' ? 2 : 1
    }
  }
  if (inside) throw new Error(`${text}: a [ is not closed`)
  return pieces
}

function fieldOf(inner: string, text: string): Piece {
  if (inner in TIME) return { kind: 'time', field: inner as TimeField }
  const choice = /^(\w+)=(.+)$/.exec(inner)
  if (choice !== null)
    return { kind: 'choice', field: known(choice[1] as string, text), values: (choice[2] as string).split('|') }
  const run = /^(\w+):(\w+)(?:\((\d{1,3})\))?$/.exec(inner)
  if (run === null || !Object.hasOwn(CLASSES, run[2] as string))
    throw new Error(
      `${text}: {${inner}} is neither a part of the time, {field=a|b} nor {field:${Object.keys(CLASSES).join('|')}}`,
    )
  const width = run[3] === undefined ? null : Number(run[3])
  if (width === 0) throw new Error(`${text}: {${inner}} has no width`)
  return { kind: 'run', field: known(run[1] as string, text), of: run[2] as ClassName, width }
}

function known(field: string, text: string): Field {
  if (!(FIELDS as readonly string[]).includes(field))
    throw new Error(`${text}: there is no field ${field}; there are ${FIELDS.join(', ')}`)
  return field as Field
}

/**
 * A run of unknown length must end where a character follows that it cannot hold; then there is one way only to read a name. One `text` may
 * break that rule: each of its lengths is tried once.
 */
function requireBounded(pieces: readonly Piece[]): void {
  const free = pieces.filter((piece) => piece.kind === 'run' && piece.width === null)
  if (free.filter((piece) => piece.kind === 'run' && piece.of === 'text').length > 1)
    throw new Error('a template has one text of unknown length at most')
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'run' || piece.width !== null || piece.of === 'text') return
    const { has } = CLASSES[piece.of]
    for (const next of firstsAfter(pieces, at + 1))
      if (next === null || has.test(next))
        throw new Error(`after {${piece.field}:${piece.of}} a character must follow that it cannot hold`)
  })
}

/** The characters that can come at `at`; null for any of a kind. Nothing at the end of the name. */
function firstsAfter(pieces: readonly Piece[], at: number): (string | null)[] {
  const piece = pieces[at]
  if (piece === undefined) return []
  if (piece.kind === 'literal') return [piece.text]
  if (piece.kind === 'choice') return piece.values.map((value) => value[0] ?? null)
  if (piece.kind === 'close') return firstsAfter(pieces, at + 1)
  if (piece.kind !== 'open') return [null]
  const close = pieces.findIndex((one, index) => index > at && one.kind === 'close')
  return [...firstsAfter(pieces, at + 1), ...firstsAfter(pieces, close + 1)]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function wallOf(time: ReadonlyMap<TimeField, string>): WallTime | null {
  const number = (field: TimeField): number | null => {
    const text = time.get(field)
    return text === undefined ? null : Number(text)
  }
  const short = number('yy')
  const year = number('yyyy') ?? (short === null ? null : 2000 + short)
  const named = time.get('MMM')
  const month = named === undefined ? number('MM') : MONTHS.indexOf(named.toLowerCase()) + 1
  const [day, hour, minute] = [number('dd'), number('HH'), number('mm')]
  const second = number('ss') ?? 0
  if (year === null || month === null || day === null || hour === null || minute === null) return null
  const wall = { year, month, day, hour, minute, second }
  return isWall(wall) ? wall : null
}

/** There is no 30 February, and no 25 o'clock. */
export function isWall({ year, month, day, hour, minute, second }: WallTime): boolean {
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return false
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
