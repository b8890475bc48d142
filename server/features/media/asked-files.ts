import { parseTime, type Time } from '../../../shared/kernel/time.ts'

/** What stills, clips and crops share: files that a person asks for, made while they wait or by a job. */

/** A decoder each; what comes beyond waits its turn. */
export const AT_ONCE = 2
/** Room that is asked for before one is made; a larger one is refused by the store itself when there is none. */
export const EXPECTED_BYTES = 32 * 1024 ** 2

/** `h:mm:ss.mmm`. */
export function clockText(seconds: number): string {
  const millis = Math.round(seconds * 1000)
  const part = (unit: number, of: number, digits: number) =>
    String(Math.floor(millis / unit) % of).padStart(digits, '0')
  return `${Math.floor(millis / 3_600_000)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`
}

/** To the millisecond; what the start has beyond that stays. */
export function laterBy(startUtc: string | null, seconds: number): Time | null {
  const start = startUtc === null ? null : parseTime(startUtc, { utcMember: true })
  if (start === null) return null
  const ticks = start.ticks + BigInt(Math.round(seconds * 1000)) * 10_000n
  const rest = ((ticks % 10_000n) + 10_000n) % 10_000n
  const millis = new Date(Number((ticks - rest) / 10_000n)).toISOString()
  return { text: rest === 0n ? millis : `${millis.slice(0, -1)}${String(rest).padStart(4, '0')}Z`, ticks }
}

/** Runs at most so many at once, in the order in which they were asked for. One that nobody waits for any more is not begun. */
export function lanes(count: number) {
  const waiting: (() => void)[] = []
  let free = count
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
