import type { CaptureTime, GeoPosition } from '../../../shared/media/rules.ts'

/** A picture's metadata as exiftool reads it: `Group:Tag` → value, values numeric (`-n`). */
export interface ExifReading {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly position: GeoPosition | null
  readonly captured: CaptureTime | null
  /** UTC, of the GPS receiver: ISO 8601 with `Z`. Null where there is none, or one that no receiver with a fix writes. */
  readonly gpsTime: string | null
  /** exiftool's own words about damage it met; null when it met none. */
  readonly warning: string | null
}

/** No configuration file, JSON with group names, numbers as numbers, no search past the metadata (docs/guarantees.md, S9). */
export const EXIF_ARGUMENTS: readonly string[] = ['-config', '', '-json', '-G1', '-n', '-fast']

/** Most bytes of JSON taken from exiftool. */
export const EXIF_MOST_BYTES = 8 * 1024 * 1024

/** Reads exiftool's answer for one file. Null when it is no such answer. Never throws. */
export function parseExif(json: string): ExifReading | null {
  const tags = firstRecord(json)
  if (!tags) return null
  // `System` and `SourceFile` describe our copy and the sandbox, not what the camera wrote.
  const kept = Object.entries(tags).filter(([key]) => key !== 'SourceFile' && !key.startsWith('System:'))
  const metadata = Object.fromEntries(kept)
  const warning = tags['ExifTool:Error'] ?? tags['ExifTool:Warning']
  return {
    metadata,
    position: positionOf(tags),
    captured: capturedOf(tags),
    gpsTime: gpsTimeOf(tags),
    warning: typeof warning === 'string' ? warning.slice(0, 500) : null,
  }
}

/** The times in metadata that was kept as one JSON object. Null when it is no such object. Never throws. */
export function exifFacts(kept: string): Pick<ExifReading, 'captured' | 'gpsTime'> | null {
  const tags = firstRecord(`[${kept}]`)
  return tags === null ? null : { captured: capturedOf(tags), gpsTime: gpsTimeOf(tags) }
}

/** WGS 84 in range. Exactly 0, 0 is what receivers write without a fix, so it counts as absent. */
export function positionFrom(latitude: unknown, longitude: unknown): GeoPosition | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return null
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude }
}

function positionOf(tags: Readonly<Record<string, unknown>>): GeoPosition | null {
  return (
    positionFrom(tags['Composite:GPSLatitude'], tags['Composite:GPSLongitude']) ??
    positionFrom(
      signed(tags['GPS:GPSLatitude'], tags['GPS:GPSLatitudeRef'], 'N', 'S'),
      signed(tags['GPS:GPSLongitude'], tags['GPS:GPSLongitudeRef'], 'E', 'W'),
    )
  )
}

/** A coordinate without its hemisphere is no coordinate. */
function signed(value: unknown, reference: unknown, positive: string, negative: string): number | null {
  if (typeof value !== 'number' || typeof reference !== 'string') return null
  const letter = reference.charAt(0).toUpperCase()
  return letter === positive ? Math.abs(value) : letter === negative ? -Math.abs(value) : null
}

/** Moment of exposure first, of digitising second; each only with the offset and fraction that belong to it. */
const MOMENTS: readonly (readonly [time: string, offset: string, fraction: string])[] = [
  ['ExifIFD:DateTimeOriginal', 'ExifIFD:OffsetTimeOriginal', 'ExifIFD:SubSecTimeOriginal'],
  ['ExifIFD:CreateDate', 'ExifIFD:OffsetTimeDigitized', 'ExifIFD:SubSecTimeDigitized'],
  ['XMP-exif:DateTimeOriginal', '', ''],
  ['XMP-photoshop:DateCreated', '', ''],
  ['XMP-xmp:CreateDate', '', ''],
]

function capturedOf(tags: Readonly<Record<string, unknown>>): CaptureTime | null {
  for (const [time, offset, fraction] of MOMENTS) {
    const found = exifTime(tags[time], tags[offset], tags[fraction])
    if (found) return found
  }
  return null
}

/** Exif writes `2026:11:20 10:11:12`, empty fields as zeros or blanks; XMP may carry fraction and offset in the same text. */
export function exifTime(time: unknown, offset?: unknown, fraction?: unknown): CaptureTime | null {
  if (typeof time !== 'string') return null
  const match = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})(\.\d{1,7})?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(
    time.trim(),
  )
  if (!match) return null
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', inner, zone] = match
  const base = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const read = new Date(`${base}Z`)
  // A day that does not exist (30 February, month 0) comes back as another or as none. Before 1980: a clock that was never set.
  if (Number.isNaN(read.getTime()) || read.toISOString().slice(0, 19) !== base || Number(year) < 1980) return null
  const digits = String(fraction ?? '').trim()
  const part = inner ?? (/^\d{1,7}$/.test(digits) ? `.${digits}` : '')
  return { text: base + part, offset: offsetOf(zone ?? offset) }
}

/** Exif has had a GPS date since version 2.2, of 2002. An earlier one, 6 January 1980 first, is of a receiver that never had a fix. */
const FIRST_GPS_YEAR = 2002

/** GPS date and time, both of the Exif: one without the other names no instant. `V`: the receiver says itself that it has no fix. */
function gpsTimeOf(tags: Readonly<Record<string, unknown>>): string | null {
  const [date, time, status] = [tags['GPS:GPSDateStamp'], tags['GPS:GPSTimeStamp'], tags['GPS:GPSStatus']]
  if (typeof date !== 'string' || typeof time !== 'string') return null
  if (typeof status === 'string' && status.trim().toUpperCase().startsWith('V')) return null
  // exiftool makes the time from three fractions, with as many digits as these have.
  const read = exifTime(`${date.trim()} ${time.trim().replace(/(\.\d{7})\d+$/, '$1')}`)
  return read === null || read.offset !== null || Number(read.text.slice(0, 4)) < FIRST_GPS_YEAR
    ? null
    : `${read.text}Z`
}

function offsetOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const trimmed = value.trim()
  if (trimmed === 'Z') return 'Z'
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d{2}):?(\d{2})$/.exec(trimmed) ?? []
  return sign && Number(hours) <= 14 && Number(minutes) < 60 ? `${sign}${hours}:${minutes}` : null
}

function firstRecord(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(json)
    const first: unknown = Array.isArray(parsed) ? parsed[0] : null
    return typeof first === 'object' && first !== null && !Array.isArray(first)
      ? (first as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
