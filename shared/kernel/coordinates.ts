/** Positions in the notations that people and devices write: decimal degrees, degrees with minutes and seconds, UTM and MGRS. Pure. */
import type { Place } from './distance.ts'
import { transverseMercator } from './transverse-mercator.ts'

/** Five decimals are a metre: what a receiver knows at best. */
const DIGITS = 5

/** `52.37280, 4.89360`: with a point in every language, so that it can be pasted elsewhere. */
export const decimalText = ({ latitude, longitude }: Place): string =>
  `${positive(latitude.toFixed(DIGITS))}, ${positive(longitude.toFixed(DIGITS))}`

const positive = (text: string): string => (Number(text) === 0 ? text.replace('-', '') : text)

/** `52° 22′ 22.1″ N, 4° 53′ 37.0″ E`: a tenth of a second is three metres. */
export const sexagesimalText = ({ latitude, longitude }: Place): string =>
  `${sexagesimal(latitude, 'N', 'S')}, ${sexagesimal(longitude, 'E', 'W')}`

function sexagesimal(value: number, above: string, below: string): string {
  const tenths = Math.round(Math.abs(value) * 36_000)
  const degrees = Math.floor(tenths / 36_000)
  const minutes = Math.floor((tenths % 36_000) / 600)
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0')
  return `${degrees}° ${String(minutes).padStart(2, '0')}′ ${seconds}″ ${value < 0 && tenths > 0 ? below : above}`
}

/** @returns null for what is no position in any of the notations */
export function readCoordinates(text: string): Place | null {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\u2212\u2013]/g, '-')
    .replaceAll(/[\u2018\u2019\u2032\u00b4]/g, "'")
    .replaceAll(/[\u201c\u201d\u2033]/g, '"')
    .replaceAll("''", '"')
    .replaceAll(/[ \u00ba]/g, (one) => (one === ' ' ? ' ' : '°'))
    .trim()
    .toUpperCase()
  if (plain.length === 0 || plain.length > 120) return null
  return readUtm(plain) ?? readMgrs(plain) ?? readAngles(plain)
}

const ANGLE = String.raw`([+-]?)(\d{1,3}(?:[.,]\d+)?)\s*(?:[°D ]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:['M ]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:"|S(?=\s*[NSEWO]))?)?)?)?)?`
/** `O` is the French west. */
const LETTER = '([NSEWO])'
const BETWEEN = String.raw`\s*[,;/\s]\s*`
/** Letters stand before both numbers, or behind either. */
const LEADING = new RegExp(String.raw`^${LETTER}\s*${ANGLE}${BETWEEN}${LETTER}\s*${ANGLE}$`)
const TRAILING = new RegExp(String.raw`^${ANGLE}\s*${LETTER}?${BETWEEN}${ANGLE}\s*${LETTER}?$`)

/** Latitude first, unless letters say otherwise. */
function readAngles(text: string): Place | null {
  // A comma between digits is the decimal one where points are missing and another separator stands between the two.
  for (const candidate of candidatesOf(text)) {
    const place = leadingPlace(candidate) ?? trailingPlace(candidate)
    if (place !== null) return place
  }
  return null
}

function leadingPlace(text: string): Place | null {
  const found = LEADING.exec(text)
  if (found === null) return null
  const [, letter1, sign1, d1, m1, s1, letter2, sign2, d2, m2, s2] = found
  return placeFrom(angle(sign1, [d1, m1, s1], letter1), angle(sign2, [d2, m2, s2], letter2))
}

function trailingPlace(text: string): Place | null {
  const found = TRAILING.exec(text)
  if (found === null) return null
  const [, sign1, d1, m1, s1, letter1, sign2, d2, m2, s2, letter2] = found
  return placeFrom(angle(sign1, [d1, m1, s1], letter1), angle(sign2, [d2, m2, s2], letter2))
}

interface Angle {
  readonly value: number
  /** `NS`, `EW`, or null where no letter says it. */
  readonly axis: 'NS' | 'EW' | null
}

function candidatesOf(text: string): string[] {
  const joined = text.replaceAll(/\s+/g, ' ')
  const commas = joined.split(',').length - 1
  const decimal = joined.replaceAll(/(\d),(\d)/g, '$1.$2')
  // `52,3728 4,8936` and `52,3728; 4,8936` and `52,3728, 4,8936`.
  return commas >= 2 && !joined.includes('.') ? [decimal] : [joined, decimal]
}

function angle(
  sign: string | undefined,
  parts: readonly (string | undefined)[],
  letter: string | undefined,
): Angle | null {
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map((part) => Number((part ?? '0').replace(',', '.')))
  const last = parts.findLastIndex((part) => part !== undefined)
  // Only the last part has decimals; 60 minutes are a degree.
  if (parts.some((part, index) => part !== undefined && index < last && /[.,]/.test(part))) return null
  if (minutes >= 60 || seconds >= 60) return null
  if (letter !== undefined && sign !== '' && sign !== undefined) return null
  const size = degrees + minutes / 60 + seconds / 3600
  const below = sign === '-' || letter === 'S' || letter === 'W' || letter === 'O'
  return {
    value: below ? -size : size,
    axis: letter === undefined ? null : letter === 'N' || letter === 'S' ? 'NS' : 'EW',
  }
}

function placeFrom(one: Angle | null, other: Angle | null): Place | null {
  if (one === null || other === null) return null
  if (one.axis !== null && one.axis === other.axis) return null
  const turned = one.axis === 'EW' || other.axis === 'NS'
  const [latitude, longitude] = turned ? [other.value, one.value] : [one.value, other.value]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Latitude bands of eight degrees, from 80° S; X has twelve. */
const BANDS = 'CDEFGHJKLMNPQRSTUVWX'
const SCALE = 0.9996
const FALSE_EAST = 500_000
const FALSE_NORTH = 10_000_000

const zonePlane = (zone: number) => transverseMercator({ latitude: 0, longitude: zone * 6 - 183 }, SCALE)

/** `31U 628776 5803792`, `31 U 628776E 5803792N`: the letter is the band, as receivers write it. */
function readUtm(text: string): Place | null {
  const found =
    /^(\d{1,2})\s*([C-HJ-NP-X])\s*[,;\s]\s*(\d{6}(?:\.\d+)?)\s*(?:M\s*)?E?\s*[,;\s]\s*(\d{1,8}(?:\.\d+)?)\s*(?:M\s*)?N?$/.exec(
      text,
    )
  if (found === null) return null
  const [zone, band, east, north] = [Number(found[1]), found[2] as string, Number(found[3]), Number(found[4])]
  if (zone < 1 || zone > 60 || north > FALSE_NORTH) return null
  const south = BANDS.indexOf(band) < BANDS.indexOf('N')
  const place = zonePlane(zone).inverse({ east: east - FALSE_EAST, north: south ? north - FALSE_NORTH : north })
  return isInBand(place, band) ? place : null
}

/** A degree beside its band is still taken: receivers near the border name either. */
function isInBand({ latitude }: Place, band: string): boolean {
  const least = -80 + 8 * BANDS.indexOf(band)
  return latitude >= least - 1 && latitude <= least + (band === 'X' ? 12 : 8) + 1
}

const COLUMNS = ['ABCDEFGH', 'JKLMNPQR', 'STUVWXYZ'] as const
const ROWS = 'ABCDEFGHJKLMNPQRSTUV'

/** `31U FT 28776 03792`, with or without spaces, two to ten digits; the middle of its square is taken. */
function readMgrs(text: string): Place | null {
  const joined = text.replaceAll(/\s+/g, '')
  const found = /^(\d{1,2})([C-HJ-NP-X])([A-HJ-NP-Z])([A-HJ-NP-V])(\d{2,10})$/.exec(joined)
  if (found === null) return null
  const [, zoneText, band, column, row, digits] = found as unknown as [string, string, string, string, string, string]
  const zone = Number(zoneText)
  const at = (COLUMNS[(zone - 1) % 3] as string).indexOf(column)
  if (zone < 1 || zone > 60 || at < 0 || digits.length % 2 !== 0) return null
  const count = digits.length / 2
  const unit = 10 ** (5 - count)
  const east = (at + 1) * 100_000 + Number(digits.slice(0, count)) * unit + unit / 2
  const rowAt = (ROWS.indexOf(row) + (zone % 2 === 0 ? 15 : 0)) % 20
  const north = rowAt * 100_000 + Number(digits.slice(count)) * unit + unit / 2
  const plane = zonePlane(zone)
  const south = BANDS.indexOf(band) < BANDS.indexOf('N')
  // Rows repeat every 2,000 km; the band says which of them.
  for (let turn = 0; turn <= FALSE_NORTH; turn += 2_000_000) {
    const place = plane.inverse({ east: east - FALSE_EAST, north: north + turn - (south ? FALSE_NORTH : 0) })
    const least = -80 + 8 * BANDS.indexOf(band)
    if (place.latitude >= least - 1 && place.latitude <= least + (band === 'X' ? 12 : 8) + 1) return place
  }
  return null
}
