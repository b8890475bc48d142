import { createHash } from 'node:crypto'
import type { PlannedCard, PlannedFile } from './card.ts'

/** What is on a simulated camera. Pure: the same options make the same card, byte for byte. */

export const LAYOUTS = ['manifest', 'dcim', 'daily-police-recorder', 'minute-recorder'] as const
export type Layout = (typeof LAYOUTS)[number]

/** What is wrong with a card as it is made; what happens to it later is the plugging's. */
export const CARD_FAULTS = ['corrupt', 'lying-serial'] as const
export type CardFault = (typeof CARD_FAULTS)[number]

export interface CameraOptions {
  readonly layout: Layout
  /** Counts the cameras: with `seed` it makes the serial number. */
  readonly number: number
  readonly seed: string
  readonly recordings: number
  /** Of each recording. */
  readonly parts: number
  /** Of each part. */
  readonly bytes: number
  /** True time when it is docked, milliseconds since 1970. The last recording ended shortly before. */
  readonly nowMs: number
  /** By how much its clock is ahead. */
  readonly clockAheadMs: number
  readonly faults: readonly CardFault[]
}

export interface SimulatedCamera extends PlannedCard {
  /** As it says. */
  readonly serial: string
  readonly layout: Layout
}

const MANUFACTURER = 'Sallyport Simulated'
const MODEL = 'SIM-1'

export function planCamera(options: CameraOptions): SimulatedCamera {
  const own = serialOf(options.seed, options.number)
  // It says that it is its neighbour.
  const serial = options.faults.includes('lying-serial') ? serialOf(options.seed, options.number + 1) : own
  const files = LAYING_OUT[options.layout](options, serial)
  const media = files.filter(({ content }) => content.kind === 'media')
  const bad = options.faults.includes('corrupt') ? media[Math.floor(media.length / 2)] : undefined
  return {
    name: `camera-${String(options.number).padStart(3, '0')}`,
    serial,
    layout: options.layout,
    files: files.map((file) => (file === bad ? { ...file, damaged: true } : file)),
  }
}

const serialOf = (seed: string, number: number): string =>
  `SIM${createHash('sha256').update(`${seed} ${number}`).digest('hex').slice(0, 8).toUpperCase()}`

const MINUTE = 60_000

interface Slot {
  readonly recording: number
  readonly part: number
  /** By the camera's clock. */
  readonly startMs: number
  readonly endMs: number
}

/** One recording after the other, five minutes between them, up to a minute before the docking. */
function slotsOf({ recordings, parts, nowMs, clockAheadMs }: CameraOptions, partMs: number): Slot[] {
  const each = parts * partMs + 5 * MINUTE
  // Whole seconds: names hold no more.
  const first = Math.floor((nowMs + clockAheadMs - MINUTE - recordings * each) / 1000) * 1000
  return Array.from({ length: recordings * parts }, (_, at) => {
    const recording = Math.floor(at / parts)
    const part = at % parts
    const startMs = first + recording * each + part * partMs
    return { recording, part, startMs, endMs: startMs + partMs }
  })
}

const media = (options: CameraOptions, slot: Slot, path: string, container: 'mp4' | 'avi'): PlannedFile => ({
  path,
  modifiedMs: slot.endMs,
  damaged: false,
  content: {
    kind: 'media',
    container,
    seed: `${options.seed} ${options.number} ${slot.recording} ${slot.part}`,
    length: options.bytes,
  },
})

const text = (path: string, modifiedMs: number, write: (sums: ReadonlyMap<string, string>) => string): PlannedFile => ({
  path,
  modifiedMs,
  damaged: false,
  content: { kind: 'text', write },
})

const LAYING_OUT: Readonly<Record<Layout, (options: CameraOptions, serial: string) => PlannedFile[]>> = {
  manifest: (options, serial) => {
    const slots = slotsOf(options, 5 * MINUTE)
    const pathOf = ({ recording, part }: Slot): string =>
      `media/r${String(recording + 1).padStart(4, '0')}-${part + 1}.mp4`
    const files = slots.map((slot) => media(options, slot, pathOf(slot), 'mp4'))
    const dockedMs = options.nowMs + options.clockAheadMs
    const manifest = text('camera.json', options.nowMs, (sums) =>
      manifestOf(serial, dockedMs, slots, (slot) => ({ path: pathOf(slot), sha256: sums.get(pathOf(slot)) })),
    )
    return [...files, manifest]
  },
  dcim: (options) =>
    slotsOf(options, 5 * MINUTE).map((slot, at) =>
      media(options, slot, `DCIM/100SIMUL/SIMU${String(at + 1).padStart(4, '0')}.MP4`, 'mp4'),
    ),
  'daily-police-recorder': (options) =>
    slotsOf(options, 10 * MINUTE).map((slot) => {
      const { day, time } = wordsOf(slot.startMs)
      return media(options, slot, `${day}/Unit_${options.number}_${day}_${time}${slot.part > 0 ? '+' : ''}.avi`, 'avi')
    }),
  'minute-recorder': (options) =>
    slotsOf(options, MINUTE).flatMap((slot) => {
      const { digits } = wordsOf(slot.startMs)
      // The first of each recording because of an impact.
      const type = slot.part === 0 ? 'E' : 'N'
      const folder = 'BlackVue/Record'
      return [
        media(options, slot, `${folder}/${digits}_${type}F.mp4`, 'mp4'),
        text(`${folder}/${digits}_${type}.gps`, slot.endMs, () => nmeaOf(slot, options.clockAheadMs)),
      ]
    }),
}

function manifestOf(
  serial: string,
  dockedMs: number,
  slots: readonly Slot[],
  fileOf: (slot: Slot) => { path: string; sha256: string | undefined },
): string {
  const iso = (ms: number): string => new Date(ms).toISOString()
  const recordings = Map.groupBy(slots, ({ recording }) => recording)
  const manifest = {
    format: 'sallyport-camera/1',
    camera: { manufacturer: MANUFACTURER, model: MODEL, serialNumber: serial },
    clock: { nowUtc: iso(dockedMs), uncertaintyMs: 500 },
    recordings: [...recordings].map(([number, parts]) => {
      const [first] = parts
      const start = (first as Slot).startMs
      return {
        id: `R${number + 1}`,
        startUtc: iso(start),
        endUtc: iso((parts.at(-1) as Slot).endMs),
        files: parts.map(fileOf),
        marks: [{ atUtc: iso(start + 30_000), label: 'Button' }],
        track: [0, 10, 20].map((second) => ({
          atUtc: iso(start + second * 1000),
          latitude: 48.85 + second / 10_000,
          longitude: 2.35 + number / 1000,
        })),
      }
    }),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Its wall clock shows UTC: a station in another zone reads it so when its zone is set to UTC. */
function wordsOf(ms: number): { day: string; time: string; digits: string } {
  const iso = new Date(ms).toISOString()
  const [year, month, day] = [iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10)]
  return {
    day: `${MONTHS[Number(month) - 1]}.${day}.${year}`,
    time: iso.slice(11, 19).replaceAll(':', '.'),
    digits: `${year}${month}${day}_${iso.slice(11, 19).replaceAll(':', '')}`,
  }
}

/** A sentence every ten seconds: the satellites' true time, behind the camera's. */
function nmeaOf({ startMs, endMs }: Slot, clockAheadMs: number): string {
  const lines: string[] = []
  for (let cameraMs = startMs; cameraMs < endMs; cameraMs += 10_000) {
    const iso = new Date(cameraMs - clockAheadMs).toISOString()
    const time = `${iso.slice(11, 19).replaceAll(':', '')}.${iso.slice(20, 22)}`
    const date = `${iso.slice(8, 10)}${iso.slice(5, 7)}${iso.slice(2, 4)}`
    const sentence = `GPRMC,${time},A,4851.${String(1000 + ((cameraMs / 10_000) % 9000)).slice(0, 4)},N,00221.0000,E,3.1,90.0,${date},,`
    const sum = [...sentence].reduce((total, letter) => total ^ letter.charCodeAt(0), 0)
    lines.push(`[${cameraMs}]$${sentence}*${sum.toString(16).toUpperCase().padStart(2, '0')}`)
  }
  return `${lines.join('\r\n')}\r\n`
}
