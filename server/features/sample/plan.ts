/** What sample data consists of. Pure: the same language and time give the same plan. */
import { sampleContent as en } from '../../../shared/sample/content.messages.en.ts'
import { sampleContent as fr } from '../../../shared/sample/content.messages.fr.ts'
import { TOOL_OUTPUT } from '../../../shared/media/rules.ts'

export type Language = 'en' | 'fr'
type Word = keyof typeof en

/** How the bytes of a file come about. `media`: arguments of ffmpeg that make it from nothing. */
export type Source =
  | { readonly kind: 'media'; readonly args: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'document'; readonly title: string; readonly text: string }

export interface CaseStep {
  readonly kind: 'case'
  readonly key: string
  readonly title: string
  readonly description: string
  readonly place: string
  readonly wkt: string
  readonly occurred: string
  readonly ended: string
}

export interface EvidenceStep {
  readonly kind: 'evidence'
  readonly key: string
  readonly title: string
  readonly description: string | null
  readonly place: string | null
  readonly wkt: string | null
  readonly start: string
  readonly end: string | null
  readonly device: { readonly Manufacturer: string; readonly Model: string; readonly SerialNumber: string } | null
  /** Key of the case that it is put into; null: of none, so that one can be linked. */
  readonly inCase: string | null
  readonly file: string
  readonly mimeType: string
  readonly source: Source
}

/** What people write. `on` is the key of the step that made what it is written on. */
export interface WrittenStep {
  readonly kind: 'note' | 'bookmark' | 'task'
  readonly key: string
  readonly on: string
  readonly text: string
}

export type Step = CaseStep | EvidenceStep | WrittenStep

/** Recordings are of the evening and the night before. */
const BEFORE = 20 * 3_600_000
const MINUTE = 60_000
const HARBOUR = 'POINT(-1.1063 50.7951)'
const YARD = 'POINT(-1.1066 50.7953)'
const QUAY = 'POINT(-1.0921 50.8042)'

/** @param startedAt milliseconds since 1970 */
export function samplePlan(language: Language, startedAt: number): readonly Step[] {
  const words = language === 'fr' ? fr : en
  const say = (word: Word): string => words[word]
  const begin = Math.floor((startedAt - BEFORE) / MINUTE) * MINUTE
  const at = (minutes: number, seconds = 0): string => new Date(begin + minutes * MINUTE + seconds * 1000).toISOString()
  const camera = (serial: string) => ({ Manufacturer: 'Sample', Model: 'Body camera', SerialNumber: serial })

  const caseOf = (key: 'burglary' | 'traffic', place: Word, wkt: string, minutes: number): CaseStep => ({
    kind: 'case',
    key,
    title: say(key),
    description: say(`${key}About`),
    place: say(place),
    wkt,
    occurred: at(minutes),
    ended: at(minutes + 30),
  })
  interface Made {
    readonly minutes: number
    readonly seconds?: number
    readonly file: string
    readonly mimeType: string
    readonly source: Source
    readonly place?: readonly [Word, string]
    readonly serial?: string
    readonly inCase?: 'burglary' | 'traffic' | null
    readonly about?: Word
  }
  const item = (key: Word, made: Made): EvidenceStep => ({
    kind: 'evidence',
    key,
    title: say(key),
    description: made.about === undefined ? null : say(made.about),
    place: made.place === undefined ? null : say(made.place[0]),
    wkt: made.place?.[1] ?? null,
    start: at(made.minutes),
    end: made.seconds === undefined ? null : at(made.minutes, made.seconds),
    device: made.serial === undefined ? null : camera(made.serial),
    inCase: made.inCase === undefined ? 'burglary' : made.inCase,
    file: made.file,
    mimeType: made.mimeType,
    source: made.source,
  })
  const media = (args: readonly string[]): Source => ({ kind: 'media', args })
  const mp4 = { mimeType: 'video/mp4' }
  return [
    caseOf('burglary', 'harbour', HARBOUR, 12),
    caseOf('traffic', 'quay', QUAY, 95),
    item('arrival', {
      ...mp4,
      minutes: 15,
      seconds: 12,
      file: 'sample-arrival.mp4',
      source: media(
        film({ picture: 'testsrc2=s=960x540:r=25', seconds: 12, sound: true, at: at(15), to: 'sample-arrival.mp4' }),
      ),
      place: ['harbour', HARBOUR],
      serial: 'SAMPLE-1',
      about: 'arrivalAbout',
    }),
    item('search', {
      ...mp4,
      minutes: 22,
      seconds: 8,
      file: 'sample-search.mp4',
      source: media(
        film({
          picture: 'gradients=s=960x540:r=25:seed=7:c0=0x203a43:c1=0x2c5364:c2=0x9aa77b',
          seconds: 8,
          sound: true,
          at: at(22),
          to: 'sample-search.mp4',
        }),
      ),
      place: ['yard', YARD],
      serial: 'SAMPLE-2',
    }),
    item('till', {
      ...mp4,
      minutes: 5,
      seconds: 15,
      file: 'sample-till.mp4',
      source: media(
        film({ picture: 'testsrc=s=640x480:r=10', seconds: 15, sound: false, at: at(5), to: 'sample-till.mp4' }),
      ),
      place: ['harbour', HARBOUR],
    }),
    item('call', {
      minutes: 9,
      seconds: 10,
      file: 'sample-call.wav',
      mimeType: 'audio/wav',
      source: media(call(10, 'sample-call.wav')),
    }),
    item('door', {
      minutes: 31,
      file: 'sample-door.jpg',
      mimeType: 'image/jpeg',
      source: media(still('mandelbrot=s=1600x1000:start_scale=0.6', 'sample-door.jpg')),
      place: ['yard', YARD],
      serial: 'SAMPLE-2',
    }),
    item('window', {
      minutes: 33,
      file: 'sample-window.png',
      mimeType: 'image/png',
      source: media(still('gradients=s=1200x800:seed=3:c0=0x8e9eab:c1=0xeef2f3', 'sample-window.png')),
      place: ['harbour', HARBOUR],
      inCase: null,
    }),
    item('road', {
      minutes: 99,
      file: 'sample-road.jpg',
      mimeType: 'image/jpeg',
      source: media(still('gradients=s=1600x900:seed=11:c0=0x16222a:c1=0x3a6073', 'sample-road.jpg')),
      place: ['quay', QUAY],
      inCase: 'traffic',
    }),
    item('stop', {
      ...mp4,
      minutes: 96,
      seconds: 10,
      file: 'sample-stop.mp4',
      source: media(
        film({
          picture: 'gradients=s=960x540:r=25:seed=23:c0=0x141e30:c1=0x243b55:c2=0xf2994a',
          seconds: 10,
          sound: true,
          at: at(96),
          to: 'sample-stop.mp4',
        }),
      ),
      place: ['quay', QUAY],
      serial: 'SAMPLE-1',
      inCase: 'traffic',
    }),
    item('statement', {
      minutes: 140,
      file: 'sample-statement.txt',
      mimeType: 'text/plain',
      source: { kind: 'text', text: say('statementText') },
    }),
    item('report', {
      minutes: 200,
      file: 'sample-report.pdf',
      mimeType: 'application/pdf',
      source: { kind: 'document', title: say('report'), text: say('reportText') },
    }),
    { kind: 'note', key: 'noteEvidence', on: 'arrival', text: say('noteEvidence') },
    { kind: 'note', key: 'noteCase', on: 'burglary', text: say('noteCase') },
    { kind: 'bookmark', key: 'mark', on: 'arrival', text: say('mark') },
    { kind: 'task', key: 'task', on: 'burglary', text: say('task') },
  ]
}

const QUIET = '-hide_banner -nostdin -v error -y -progress pipe:1'

interface Film {
  /** A source of lavfi, without its length. */
  readonly picture: string
  readonly seconds: number
  readonly sound: boolean
  /** Stands in the file as the time at which it was recorded. */
  readonly at: string
  readonly to: string
}

/** Arguments that hold no space. */
const split = (...texts: readonly string[]): string[] => texts.join(' ').split(' ')

export const film = ({ picture, seconds, sound, at, to }: Film): string[] =>
  split(
    QUIET,
    `-f lavfi -i ${picture}:d=${seconds}`,
    ...(sound ? [`-f lavfi -i sine=f=330:b=4:d=${seconds} -c:a aac -b:a 64k`] : []),
    '-c:v libx264 -preset veryfast -crf 28 -g 25 -pix_fmt yuv420p -threads 2',
    `-metadata creation_time=${at} -movflags +faststart -f mp4 ${TOOL_OUTPUT}/${to}`,
  )

export const call = (seconds: number, to: string): string[] =>
  split(
    QUIET,
    `-f lavfi -i anoisesrc=c=brown:a=0.4:seed=5:d=${seconds} -af tremolo=f=0.8:d=0.9`,
    `-ar 16000 -ac 1 -c:a pcm_s16le -f wav ${TOOL_OUTPUT}/${to}`,
  )

export const still = (picture: string, to: string): string[] =>
  split(QUIET, `-f lavfi -i ${picture} -frames:v 1 -update 1 -f image2 ${TOOL_OUTPUT}/${to}`)
