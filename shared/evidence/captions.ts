/**
 * Captions: WebVTT (W3C) and SubRip read strictly, and written as WebVTT of plain text. What comes in is a stranger's file: every limit
 * is checked, every problem named by its line, and nothing of styles, regions, positions or markup goes through. Every step is linear.
 */

export interface Cue {
  /** Seconds, to the millisecond. */
  readonly start: number
  readonly end: number
  /** Plain text, lines parted by a line feed, none of them empty. */
  readonly text: string
}

export interface CaptionProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export type ReadCaptions =
  | { readonly format: 'WebVTT' | 'SubRip'; readonly cues: readonly Cue[] }
  | { readonly problems: readonly CaptionProblem[] }

export const MOST_CAPTION_BYTES = 4 * 1024 * 1024
export const MOST_CUES = 20_000
const LONGEST_LINE = 4_096
const LONGEST_CUE = 8_192
const MOST_PROBLEMS = 20

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/
const VTT_HEAD = /^WEBVTT(?:[ \t].*)?$/
const VTT_TIME = /^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/
const SRT_TIME = /^(\d{1,4}):([0-5]\d):([0-5]\d)[,.](\d{1,3})$/
const ARROW = '-->'

/**
 * @param text decoded, with or without a byte order mark
 * @param longestLine of what `writeVtt` wrote there is none: its entities are longer than what they stand for
 */
export function readCaptions(text: string, longestLine = LONGEST_LINE): ReadCaptions {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const problems = problemsOfLines(lines, longestLine)
  if (problems.length > 0) return { problems }
  const vtt = VTT_HEAD.test(lines[0] ?? '')
  const found = cuesIn(vtt ? blocksOfVtt(lines) : blocksIn(lines, 0), vtt ? 'WebVTT' : 'SubRip')
  if ('problems' in found) return found
  if (found.cues.length === 0) return { problems: [{ line: 1, message: 'holds no captions' }] }
  // Cues of SubRip may stand in any order; WebVTT wants them by their beginning.
  return { format: vtt ? 'WebVTT' : 'SubRip', cues: found.cues.toSorted((one, other) => one.start - other.start) }
}

function problemsOfLines(lines: readonly string[], longest: number): CaptionProblem[] {
  const problems: CaptionProblem[] = []
  for (const [at, line] of lines.entries()) {
    if (problems.length >= MOST_PROBLEMS) break
    if (line.length > longest) problems.push({ line: at + 1, message: `is longer than ${longest} characters` })
    else if (CONTROL.test(line) || !line.isWellFormed())
      problems.push({ line: at + 1, message: 'holds characters that no caption holds' })
  }
  return problems
}

interface Block {
  /** Of its first line, from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

/** What stands between empty lines. */
function blocksIn(lines: readonly string[], from: number): Block[] {
  const blocks: { line: number; lines: string[] }[] = []
  let open: { line: number; lines: string[] } | null = null
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.trim() === '') open = null
    else if (open === null) blocks.push((open = { line: at + 1, lines: [line] }))
    else open.lines.push(line)
  }
  return blocks
}

/** The header's own lines, comments, styles and regions are passed over: they say nothing that is said in the recording. */
function blocksOfVtt(lines: readonly string[]): Block[] {
  const end = lines.findIndex((line) => line.trim() === '')
  return blocksIn(lines, end === -1 ? lines.length : end).filter(
    ({ lines: [first = '', second = ''] }) =>
      !/^(?:NOTE|STYLE|REGION)(?:[ \t].*)?$/.test(first) || first.includes(ARROW) || second.includes(ARROW),
  )
}

function cuesIn(
  blocks: readonly Block[],
  format: 'WebVTT' | 'SubRip',
): { readonly cues: Cue[] } | { readonly problems: CaptionProblem[] } {
  const cues: Cue[] = []
  const problems: CaptionProblem[] = []
  for (const block of blocks) {
    if (problems.length >= MOST_PROBLEMS) break
    if (cues.length >= MOST_CUES) {
      problems.push({ line: block.line, message: `is the beginning of more than ${MOST_CUES} captions` })
      break
    }
    const cue = cueOf(block, format)
    if ('message' in cue) problems.push(cue)
    // A caption that says nothing shows nothing.
    else if (cue.text !== '') cues.push(cue)
  }
  return problems.length > 0 ? { problems } : { cues }
}

function cueOf({ line, lines }: Block, format: 'WebVTT' | 'SubRip'): Cue | CaptionProblem {
  // A name or a number may stand above the time.
  const at = lines[0]?.includes(ARROW) === true ? 0 : 1
  const timing = lines[at]
  const place = line + at
  if (timing === undefined || !timing.includes(ARROW))
    return {
      line: Math.min(place, line + lines.length - 1),
      message: 'is no time such as 00:00:01.000 --> 00:00:04.000',
    }
  const [from = '', rest = ''] = splitOnce(timing, ARROW)
  const [to = ''] = rest.trim().split(/[ \t]+/, 1)
  const start = secondsOf(from.trim(), format)
  const end = secondsOf(to, format)
  if (start === null || end === null)
    return { line: place, message: 'is no time such as 00:00:01.000 --> 00:00:04.000' }
  if (end <= start) return { line: place, message: 'ends before it begins' }
  const said = lines.slice(at + 1)
  const wrong = said.findIndex((one) => one.includes(ARROW))
  if (wrong !== -1) return { line: place + 1 + wrong, message: 'begins a caption without an empty line before it' }
  const text = said
    .map((one) => plain(one, format).trim())
    .filter((one) => one !== '')
    .join('\n')
  return text.length > LONGEST_CUE
    ? { line: place, message: `is followed by more than ${LONGEST_CUE} characters` }
    : { start, end, text }
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}

function secondsOf(text: string, format: 'WebVTT' | 'SubRip'): number | null {
  const match = (format === 'WebVTT' ? VTT_TIME : SRT_TIME).exec(text)
  if (match === null) return null
  const [, hours = '0', minutes = '0', seconds = '0', millis = '0'] = match
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (whole * 1000 + Number(millis.padEnd(3, '0'))) / 1000
}

/** `<v Name>` becomes `Name: `, other tags of the formats go, what is no tag of theirs was said and stays. */
function plain(line: string, format: 'WebVTT' | 'SubRip'): string {
  const untagged = line.replaceAll(/<([^<>]{0,512})>/g, (whole, inside: string) => {
    const voice = /^v(?:\.[^ \t]*)?[ \t]+(.+)$/.exec(inside)
    if (voice !== null && format === 'WebVTT') return `${(voice[1] as string).trim()}: `
    return TAGS.test(inside) || (format === 'WebVTT' && VTT_TIME.test(inside)) ? '' : whole
  })
  // In SubRip a sign stands for itself; only players of the web write entities into it.
  if (format === 'SubRip') return untagged.replaceAll(/\{\\[a-zA-Z0-9]{1,32}\}/g, '')
  return untagged.replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm|quot);/g, (_whole, name: string) => ENTITIES[name] ?? '')
}

const TAGS = /^(?:\/?(?:[biuvcs]|ruby|rt|lang|font)(?:\.[^ \t]*)?(?:[ \t].*)?)?$/i
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '',
  rlm: '',
  quot: '"',
}

/** As WebVTT with nothing but times and text. */
export function writeVtt(cues: readonly Cue[]): string {
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `WEBVTT\n\n${cues
    .map(({ start, end, text }) => `${timeText(start)} --> ${timeText(end)}\n${escaped(text)}\n`)
    .join('\n')}`
}

function timeText(seconds: number): string {
  const millis = Math.round(seconds * 1000)
  const part = (unit: number, of: number, digits: number): string =>
    String(Math.floor(millis / unit) % of).padStart(digits, '0')
  return `${part(3_600_000, 10_000, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`
}

/** What is said at a moment, oldest first; cues are in order. */
export function cuesAt(cues: readonly Cue[], seconds: number): readonly Cue[] {
  return cues.filter(({ start, end }) => start <= seconds && seconds < end)
}
