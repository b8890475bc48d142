/** What a receipt says in words, the same on the screen and on paper. Pure. */
import type { DockReceipt } from './receipt.contract.ts'
import { readClearRule } from './docking.ts'
import type { dockReceipt } from './receipt.messages.en.ts'

type Values = Readonly<Record<string, string | number>>
type Plain<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
export type ReceiptWord = Plain<keyof typeof dockReceipt>

/** One language and one zone: words, amounts and times as they are written there. */
export interface ReceiptWords {
  readonly language: 'en' | 'fr'
  say(word: ReceiptWord, values?: Values): string
  bytes(count: number): string
  count(value: number): string
  /** An instant with its zone; a dash where it is not known. */
  time(utc: string | null): string
  /** From milliseconds. */
  length(millis: number): string
  /** A reason that the station gave. */
  tell(text: string): string
}

const NBSP = '\u00a0'

const RULES = { never: 'ruleNever', 'at-once': 'ruleAtOnce', move: 'ruleMove' } as const

const clearRule = (text: string, { say }: ReceiptWords): string => {
  const rule = readClearRule(text)
  if (rule?.kind === 'after') return say('ruleDays', { count: rule.days })
  return say(RULES[rule?.kind ?? 'never'])
}

const CONFIGURATION = {
  seen: 'configurationSeen',
  unchanged: 'configurationUnchanged',
  committed: 'configurationCommitted',
  rejected: 'configurationRejected',
} as const

/** Every officer that a recording is attributed to, and how many are to nobody. */
function officersIn({ recordings }: DockReceipt, { say }: ReceiptWords): string {
  const names = [...new Set(recordings.flatMap(({ officer }) => (officer === null ? [] : [officer.Username])))]
  const none = recordings.filter(({ officer }) => officer === null).length
  if (recordings.length === 0) return '–'
  if (names.length === 0) return say('officerNone')
  return none === 0 ? names.join(', ') : say('officerPart', { names: names.join(', '), count: none })
}

function clocksOf({ clock }: DockReceipt, { say, tell, length }: ReceiptWords): { camera: string; station: string } {
  const last = clock.at(-1)
  const camera = last?.camera ?? null
  const values = (one: NonNullable<typeof camera>) => ({
    offset: length(one.offsetMilliseconds),
    error: length(one.uncertaintyMilliseconds),
    how: tell(one.how),
  })
  const error = last?.station.errorMilliseconds ?? null
  return {
    camera:
      camera === null
        ? say('clockNone')
        : say(
            camera.offsetMilliseconds === 0
              ? 'clockRight'
              : camera.offsetMilliseconds > 0
                ? 'clockBehind'
                : 'clockAhead',
            values(camera),
          ),
    station:
      last?.station.source === 'ntp'
        ? error === null
          ? say('clockNtpPlain')
          : say('clockNtp', { error: `${Math.ceil(error)}${NBSP}ms` })
        : say(last?.station.source === 'free' ? 'clockFree' : 'clockUnknown'),
  }
}

/** What is said of the whole card, label and words. @param stayed why all that stayed on the camera did, where it is one reason */
export function factsOf(
  receipt: DockReceipt,
  stayed: string | null,
  words: ReceiptWords,
): readonly (readonly [ReceiptWord, string])[] {
  const { say, tell, time } = words
  const { device, totals, configuration } = receipt
  const clocks = clocksOf(receipt, words)
  const named =
    device === null
      ? ''
      : [[device.Manufacturer, device.Model].filter(Boolean).join(' '), serialOf(device.SerialNumber, words)]
          .filter((part) => part !== '')
          .join(' · ')
  const result = CONFIGURATION[(configuration?.result ?? 'seen') as keyof typeof CONFIGURATION]
  return [
    ['camera', named === '' ? say('cameraUnknown') : named],
    ['officer', officersIn(receipt, words)],
    ['bay', receipt.bay],
    ['rounds', say('roundsTimes', { count: receipt.rounds })],
    ['docked', time(receipt.detectedUtc)],
    ['stored', time(receipt.committedUtc)],
    ['released', time(receipt.releasedUtc)],
    ['profile', receipt.profile ?? '–'],
    ['cameraClock', clocks.camera],
    ['stationClock', clocks.station],
    ['readBack', say(receipt.readBack === 'direct' ? 'readBackDirect' : 'readBackCache')],
    [
      'cleared',
      [
        totals.cleared === 0 ? say('clearedNone') : say('clearedSome', { count: totals.cleared }),
        say('clearRule', { rule: clearRule(receipt.clearRule, words) }),
        // By that rule all stays, and for that reason.
        ...(stayed === null || readClearRule(receipt.clearRule)?.kind === 'never' ? [] : [tell(stayed)]),
      ].join(' · '),
    ],
    ...(configuration === null || result === undefined
      ? []
      : [['configuration', [say(result), tell(configuration.reason ?? '')].filter(Boolean).join(' · ')] as const]),
    ...(receipt.notes.length === 0 ? [] : [['notes', receipt.notes.join(' ')] as const]),
  ]
}

const serialOf = (serial: string | null, { say }: ReceiptWords): string =>
  serial === null || serial === '' ? '' : say('serial', { serial })

const OUTCOMES = {
  taken: 'outcomeTaken',
  here: 'outcomeHere',
  foreign: 'outcomeForeign',
  failed: 'outcomeFailed',
  gone: 'outcomeGone',
  listed: 'outcomeListed',
} as const

/** What became of one file, and why. */
export function outcomeOf(
  file: DockReceipt['files'][number],
  stayed: string | null,
  { say, tell }: ReceiptWords,
): { outcome: string; reason: string } {
  const differs = (file.differsFrom ?? null) !== null
  const has = file.outcome === 'taken' || file.outcome === 'here'
  return {
    outcome: [
      say(OUTCOMES[file.outcome]),
      ...(differs ? [say('thenDiffers')] : []),
      ...(file.cleared ? [say('thenCleared')] : []),
    ].join(', '),
    reason: [
      file.reason === null ? '' : tell(file.reason),
      has && !file.cleared && file.keptBecause !== null && file.keptBecause !== stayed
        ? `${say('thenKept')}: ${tell(file.keptBecause)}`
        : '',
    ]
      .filter(Boolean)
      .join(' · '),
  }
}

const CLOCK = /\d\d:\d\d:\d\d/
const clockPart = (time: string): string => CLOCK.exec(time)?.[0] ?? time
const dayPart = (time: string): string => time.replace(CLOCK, '')

/**
 * What the camera wrote of a recording's start, and by what it was put right; empty where it wrote none.
 * @param shown `recorded` leaves the correction out, where the receipt says it once for all recordings
 */
export function recordedWords(
  {
    startUtc,
    correctedStartUtc,
    offsetMilliseconds: offset,
    uncertaintyMilliseconds: error,
  }: DockReceipt['recordings'][number],
  { say, time, length }: ReceiptWords,
  shown: 'recorded' | 'both' = 'both',
): string {
  if (startUtc === null) return ''
  const recorded = time(startUtc)
  // The day is written again only where the two clocks stand on different days.
  const sameDay = dayPart(recorded) === dayPart(time(correctedStartUtc))
  // Receipts from before say it for the whole camera alone.
  if (offset === undefined) return say('recordedAt', { time: recorded })
  // The time that is shown is then the recorded one.
  if (offset === null) return say('notCompared')
  const recordedThen = say('recordedAt', { time: sameDay ? clockPart(recorded) : recorded })
  if (shown === 'recorded') return recordedThen
  const how = say('correctedBy', {
    offset: `${offset < 0 ? '-' : '+'}${length(offset)}`,
    error: error === undefined || error === null ? '–' : length(error),
  })
  return `${recordedThen} · ${how}`
}

/** The sentence that says first whether everything is safe. */
export function verdictOf({ totals }: DockReceipt, { say }: ReceiptWords): string {
  if (totals.failed > 0) return say('notAll', { count: totals.failed })
  const safe = totals.taken + totals.hereAlready
  if (totals.differs > 0) return `${say('allSafe', { count: safe })} ${say('someDiffer', { count: totals.differs })}`
  return safe === 0 ? say('nothingThere') : say('allSafe', { count: safe })
}

/** Where all that stayed on the camera stayed for one reason: that reason; it is then said once. */
export function commonReason(receipt: DockReceipt): string | null {
  const stayed = receipt.files.filter(({ outcome, cleared }) => (outcome === 'taken' || outcome === 'here') && !cleared)
  const [first] = stayed
  return first !== undefined && stayed.every(({ keptBecause }) => keptBecause === first.keptBecause)
    ? first.keptBecause
    : null
}
