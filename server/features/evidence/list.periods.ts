/** Times that move with the clock, on the wall of the station: today, the shift that is on, the one before, the last days. */
import { dayIn } from '../../../shared/kernel/days.ts'
import type { PERIODS } from '../../../shared/evidence/list.contract.ts'
import { instantOf } from '../../../shared/kernel/time-zones.ts'
import type { Clock } from '../../platform/clock/clock.ts'

type Period = (typeof PERIODS)[number]

/** Milliseconds since 1970; the second one is outside. */
interface Span {
  readonly from: number
  readonly to: number
}

export interface PeriodDeps {
  readonly clock: Pick<Clock, 'now'>
  /** IANA name, of the station. */
  readonly timeZone: string
  /** The shift in which a moment lies. */
  readonly shiftAt: (tenant: string, millis: number) => Promise<Span>
}

/** Ticks, both inside. */
export type SpanOf = (
  tenant: string,
  period: Period,
) => Promise<{ readonly fromTicks: bigint; readonly toTicks: bigint }>

const DAYS: Readonly<Partial<Record<Period, number>>> = { today: 1, week: 7, month: 30 }
const TICKS = 10_000n

export const createPeriods =
  ({ clock, timeZone, shiftAt }: PeriodDeps): SpanOf =>
  async (tenant, period) => {
    const now = clock.now()
    const days = DAYS[period]
    const { from, to } =
      days !== undefined ? lastDays(now, days, timeZone) : await shiftOf(period, now, (at) => shiftAt(tenant, at))
    return { fromTicks: BigInt(from) * TICKS, toTicks: BigInt(to) * TICKS - 1n }
  }

async function shiftOf(period: Period, now: number, shiftAt: (at: number) => Promise<Span>): Promise<Span> {
  const current = await shiftAt(now)
  return period === 'lastShift' ? shiftAt(current.from - 1) : current
}

/** From midnight on, so many days with the one that is on. */
function lastDays(now: number, days: number, timeZone: string): Span {
  const today = dayIn(timeZone, now)
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const midnight = (shifted: number): number => {
    const date = new Date(Date.UTC(year, month - 1, day + shifted))
    const wall = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    return instantOf({ ...wall, hour: 0, minute: 0, second: 0 }, timeZone).ms
  }
  return { from: midnight(1 - days), to: midnight(1) }
}
