import type { CaptureTime, GeoPosition } from '../../../shared/media/rules.ts'

/** A picture's metadata from exiftool: `Group:Tag` → value, with numeric values (`-n`). */
export interface ExifReading {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly position: GeoPosition | null
  readonly captured: CaptureTime | null
  /** UTC time of the GPS receiver: ISO 8601 with `Z`. Null when missing, or when a receiver with a fix cannot have written it. */
  readonly gpsTime: string | null
  /** exiftool's message about damage; null without damage. */
  readonly warning: string | null
}

/** No configuration file, JSON with group names, numbers as numbers, no search past the metadata (docs/guarantees.md, S9). */
export const EXIF_ARGUMENTS: readonly string[] = ['-config', '', '-json', '-G1', '-n', '-fast']

/** Most bytes of JSON that are read from exiftool. */
export const EXIF_MOST_BYTES = 8 * 1024 * 1024

/** Parses exiftool's answer for one file. Null for any other text. Never throws. */
export function parseExif(json: string): ExifReading | null {
  const tags = firstRecord(json)
  if (!tags) return null
  // `System` and `SourceFile` describe the copy and the sandbox, not the camera's file.
  const entries = Object.entries(tags).filter(([key]) => key !== 'SourceFile' && !key.startsWith('System:'))
  const metadata = Object.fromEntries(entries)
  const warning = tags['ExifTool:Error'] ?? tags['ExifTool:Warning']
  return {
    metadata,
    position: positionOf(tags),
    captured: capturedOf(tags),
    gpsTime: gpsTimeOf(tags),
    warning: typeof warning === 'string' ? warning.slice(0, 500) : null,
  }
}

/** The times in metadata that is stored as one JSON object. Null for any other text. Never throws. */
export function exifFacts(kept: string): Pick<ExifReading, 'captured' | 'gpsTime'> | null {
  const tags = firstRecord(`[${kept}]`)
  return tags === null ? null : { captured: capturedOf(tags), gpsTime: gpsTimeOf(tags) }
}

/** A WGS 84 position within range. Exactly 0, 0 counts as absent, since receivers without a fix write it. */
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

/** A coordinate without its hemisphere is ignored. */
function signed(value: unknown, reference: unknown, positive: string, negative: string): number | null {
  if (typeof value !== 'number' || typeof reference !== 'string') return null
  const letter = reference.charAt(0).toUpperCase()
  return letter === positive ? Math.abs(value) : letter === negative ? -Math.abs(value) : null
}

/** Time of exposure first, time of digitising second; each with its own offset and fraction only. */
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

/** Exif writes `2026:11:20 10:11:12`, and empty fields as zeros or blanks. XMP may have fraction and offset in the same text. */
export function exifTime(time: unknown, offset?: unknown, fraction?: unknown): CaptureTime | null {
  if (typeof time !== 'string') return null
  const match = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})(\.\d{1,7})?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(
    time.trim(),
  )
  if (!match) return null
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', inner, zone] = match
  const base = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const read = new Date(`${base}Z`)
  // An invalid day (30 February, month 0) is parsed as another day or not at all. A year before 1980 is from a clock that was never set.
  if (Number.isNaN(read.getTime()) || read.toISOString().slice(0, 19) !== base || Number(year) < 1980) return null
  const digits = String(fraction ?? '').trim()
  const part = inner ?? (/^\d{1,7}$/.test(digits) ? `.${digits}` : '')
  return { text: base + part, offset: offsetOf(zone ?? offset) }
}

/** Exif has a GPS date since version 2.2 of 2002. An earlier date, typically 6 January 1980, is from a receiver that never had a fix. */
const FIRST_GPS_YEAR = 2002

/** The time from GPS date and GPS time; both are needed. Status `V` means that the receiver has no fix. */
function gpsTimeOf(tags: Readonly<Record<string, unknown>>): string | null {
  const [date, time, status] = [tags['GPS:GPSDateStamp'], tags['GPS:GPSTimeStamp'], tags['GPS:GPSStatus']]
  if (typeof date !== 'string' || typeof time !== 'string') return null
  if (typeof status === 'string' && status.trim().toUpperCase().startsWith('V')) return null
  // exiftool computes the time from three fractions, which may give many digits.
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
