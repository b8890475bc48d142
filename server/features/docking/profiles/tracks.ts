import { parseTime } from '../../../../shared/kernel/time.ts'

/** Where a camera was. */
export interface TrackPoint {
  /** By the satellites' time, milliseconds since 1970. */
  readonly ms: number
  readonly latitude: number
  readonly longitude: number
}

export interface Track {
  readonly points: readonly TrackPoint[]
  /**
   * By how much the satellites' time was ahead of the camera's, milliseconds, where the camera wrote its own beside it. The middle of all
   * differences: one delayed line does not move it.
   */
  readonly cameraBehindMs: number | null
}

/** A point a second for a day; what comes after is left out of the track, never of the evidence. */
const MOST_POINTS = 86_400

const isPlace = (latitude: number, longitude: number): boolean => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

/**
 * NMEA 0183 sentences RMC, one a line, each perhaps behind the camera's own clock in brackets (milliseconds since 1970). A sentence with a
 * wrong checksum, without a fix or of an impossible place is passed over.
 */
export function readNmea(text: string): Track {
  const points: TrackPoint[] = []
  const differences: number[] = []
  for (const line of text.split('\n')) {
    if (points.length >= MOST_POINTS) break
    const found = /^(?:\[(\d{10,14})\])?\$(G[A-Z]RMC,[^*$\r]{10,120})(?:\*([0-9A-Fa-f]{2}))?\s*$/.exec(line)
    if (found === null) continue
    const sentence = found[2] as string
    if (found[3] !== undefined && checksum(sentence) !== Number.parseInt(found[3], 16)) continue
    const point = pointOf(sentence.split(','))
    if (point === null) continue
    points.push(point)
    if (found[1] !== undefined) differences.push(point.ms - Number(found[1]))
  }
  const middle = differences.sort((a, b) => a - b)[Math.floor(differences.length / 2)]
  return { points, cameraBehindMs: middle ?? null }
}

const checksum = (sentence: string): number => [...sentence].reduce((sum, letter) => sum ^ letter.charCodeAt(0), 0)

function pointOf([
  ,
  time = '',
  status,
  lat = '',
  ns,
  long = '',
  ew,
  ,
  ,
  date = '',
]: readonly string[]): TrackPoint | null {
  const clock = /^(\d{2})(\d{2})(\d{2})(?:\.(\d{1,6}))?$/.exec(time)
  const day = /^(\d{2})(\d{2})(\d{2})$/.exec(date)
  const latitude = degrees(lat, 2, ns === 'S')
  const longitude = degrees(long, 3, ew === 'W')
  if (status !== 'A' || clock === null || day === null || latitude === null || longitude === null) return null
  const millis = Math.round(Number(`0.${clock[4] ?? '0'}`) * 1000)
  const [hour, minute, second] = [Number(clock[1]), Number(clock[2]), Number(clock[3])]
  const ms = Date.UTC(2000 + Number(day[3]), Number(day[2]) - 1, Number(day[1]), hour, minute, second, millis)
  const isTime = hour < 24 && minute < 60 && second < 61 && new Date(ms).getUTCDate() === Number(day[1])
  return isTime && isPlace(latitude, longitude) ? { ms, latitude, longitude } : null
}

/** `4807.038` is 48 degrees and 7.038 minutes. */
function degrees(text: string, digits: number, negative: boolean): number | null {
  const found = new RegExp(`^(\\d{${digits}})(\\d{2}(?:\\.\\d{1,8})?)$`).exec(text)
  if (found === null || Number(found[2]) >= 60) return null
  const value = Number(found[1]) + Number(found[2]) / 60
  return negative ? -value : value
}

/** The track points of GPX 1.0 and 1.1 that have a time. No parser of XML: nothing of a hostile file but these numbers is ever looked at. */
export function readGpx(text: string): Track {
  const points: TrackPoint[] = []
  for (const piece of text.split('<trkpt').slice(1)) {
    if (points.length >= MOST_POINTS) break
    const head = piece.slice(0, piece.indexOf('>') + 1).slice(0, 200)
    const latitude = Number(/\blat=["']([-+]?\d{1,3}(?:\.\d{1,12})?)["']/.exec(head)?.[1] ?? Number.NaN)
    const longitude = Number(/\blon=["']([-+]?\d{1,3}(?:\.\d{1,12})?)["']/.exec(head)?.[1] ?? Number.NaN)
    const time = /<time>\s*([^<\s]{10,40})\s*<\/time>/.exec(piece.slice(0, 2_000))?.[1]
    const instant = time === undefined ? null : parseTime(time, { utcMember: true })
    if (instant === null || !isPlace(latitude, longitude)) continue
    points.push({ ms: Number(instant.ticks / 10_000n), latitude, longitude })
  }
  return { points, cameraBehindMs: null }
}

export const readTrack = (format: 'gpx' | 'nmea', bytes: Buffer): Track =>
  format === 'gpx' ? readGpx(bytes.toString('utf8')) : readNmea(bytes.toString('latin1'))

/** A line of more points is no better on a map, and every reader of the evidence gets it. */
const MOST_ON_A_LINE = 500

/** Of those that were measured, evenly chosen, with the first and the last; WGS 84, to a decimetre. A camera that stood still is a point. */
export function trackWkt(points: readonly TrackPoint[]): string | null {
  const step = Math.max(1, (points.length - 1) / (MOST_ON_A_LINE - 1))
  const chosen: string[] = []
  for (let at = 0; at < points.length; at += step) {
    const { longitude, latitude } = points[Math.round(at)] as TrackPoint
    const place = `${round(longitude)} ${round(latitude)}`
    if (place !== chosen.at(-1)) chosen.push(place)
  }
  const last = points.at(-1)
  if (last === undefined) return null
  const end = `${round(last.longitude)} ${round(last.latitude)}`
  if (end !== chosen.at(-1)) chosen.push(end)
  return chosen.length === 1 ? `POINT (${end})` : `LINESTRING (${chosen.join(', ')})`
}

const round = (degree: number): number => Math.round(degree * 1e6) / 1e6
