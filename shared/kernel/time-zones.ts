/** What a clock on a wall shows, without the zone that it hangs in. Pure. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

export interface Instant {
  /** Milliseconds since 1970. */
  readonly ms: number
  /** The wall showed this twice that night, or never: it is a guess which was meant. */
  readonly doubtful: boolean
}

/**
 * When a clock on the wall showed this. @param zone `utc`, `+01:00`, or a name of the time zone database
 * @throws RangeError for a zone there is not
 */
export function instantOf(wall: WallTime, zone: string): Instant {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second)
  if (zone === 'utc') return { ms: asUtc, doubtful: false }
  const fixed = /^([+-])(\d{2}):(\d{2})$/.exec(zone)
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3])
    return { ms: asUtc - (fixed[1] === '-' ? -minutes : minutes) * 60_000, doubtful: false }
  }
  // Whatever the zone does around that day, it did one of these two.
  const offsets = [offsetAt(asUtc - DAY, zone), offsetAt(asUtc + DAY, zone)]
  const fitting = [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((ms) => ms + offsetAt(ms, zone) === asUtc)
  const [first] = fitting.sort((a, b) => a - b)
  return first === undefined
    ? { ms: asUtc - (offsets[0] as number), doubtful: true }
    : { ms: first, doubtful: fitting.length > 1 }
}

const DAY = 86_400_000

/** To make one takes longer than a hundred uses of it. There are as many as there are zones in profiles. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

function offsetAt(ms: number, zone: string): number {
  const parts = formatIn(zone).formatToParts(ms)
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(ms / 1000) * 1000
}

export function isZone(zone: string): boolean {
  if (zone === 'utc' || zone === 'station') return true
  if (/^[+-](0\d|1[0-4]):[0-5]\d$/.test(zone)) return true
  try {
    offsetAt(0, zone)
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
