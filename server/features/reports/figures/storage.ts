/** How the store grows, and when the disk is full. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import { FORECAST_DAYS, forecast, LEAST_DAYS } from '../../../../shared/reports/forecast.ts'
import { weekOf } from '../../../../shared/reports/reports.ts'
import type { Asking, FigureDeps, Found } from './asking.ts'
import { growth, type GrowthRow } from './figures.store.ts'

const WEEKS = 13

export async function storageReport({ db, disk, hasObjectStore }: FigureDeps, asking: Asking): Promise<Found> {
  const { now, signal } = asking
  const rows = (await db.longRead(growth(db.read), signal)).map((row) => ({
    day: row.day,
    files: Number(row.files),
    bytes: Number(row.bytes),
  }))
  const today = new Date(now).toISOString().slice(0, 10)
  const { free, total, floor } = await disk()
  // The station takes no more below its floor.
  const room = Math.max(0, free - floor)
  const said = hasObjectStore ? null : forecast(wholeDays(rows, today), room)
  const stored = rows.reduce((sum, row) => sum + row.bytes, 0)
  const fullOn = (days: number | null | undefined): string | null =>
    days === null || days === undefined ? null : dayAfter(today, days)
  return {
    rows: weeksOf(rows, today),
    figures: [
      { Key: 'stored', Kind: 'bytes', Value: stored },
      ...(hasObjectStore
        ? []
        : [
            { Key: 'free', Kind: 'bytes' as const, Value: room },
            { Key: 'disk', Kind: 'bytes' as const, Value: total },
          ]),
      ...(said === null
        ? []
        : [
            { Key: 'perDay', Kind: 'bytes' as const, Value: Math.round(said.perDay) },
            { Key: 'perDayLeast', Kind: 'bytes' as const, Value: Math.round(said.least) },
            { Key: 'perDayMost', Kind: 'bytes' as const, Value: Math.round(said.most) },
            { Key: 'full', Kind: 'day' as const, Value: fullOn(said.fullIn) },
            { Key: 'fullSoonest', Kind: 'day' as const, Value: fullOn(said.soonest) },
            { Key: 'fullLatest', Kind: 'day' as const, Value: fullOn(said.latest) },
          ]),
    ],
    notes: hasObjectStore ? ['objectStore'] : said === null ? ['tooFewDays'] : said.fullIn === null ? ['notFull'] : [],
    most: FORECAST_DAYS,
    more: false,
  }
}

/** Bytes of each day that is over, from the first one on; days on which nothing came are noughts. At most so many as the forecast takes. */
function wholeDays(rows: readonly GrowthRow[], today: string): number[] {
  const first = rows[0]?.day
  if (first === undefined) return []
  const bytes = new Map(rows.map((row) => [row.day, row.bytes]))
  const begin = dayAfter(today, -FORECAST_DAYS)
  const days: number[] = []
  // The first day may have begun in the middle, and brings what was there before.
  for (let day = first >= begin ? dayAfter(first, 1) : begin; day < today; day = dayAfter(day, 1))
    days.push(bytes.get(day) ?? 0)
  return days.length < LEAST_DAYS ? [] : days
}

function weeksOf(rows: readonly GrowthRow[], today: string): Found['rows'] {
  const begin = dayAfter(weekOf(today), -7 * (WEEKS - 1))
  const weeks = new Map<string, { files: number; bytes: number }>()
  for (let week = begin; week <= today; week = dayAfter(week, 7)) weeks.set(week, { files: 0, bytes: 0 })
  let total = rows.reduce((sum, row) => sum + (row.day < begin ? row.bytes : 0), 0)
  for (const row of rows) {
    const week = weeks.get(weekOf(row.day))
    if (week === undefined) continue
    week.files += row.files
    week.bytes += row.bytes
  }
  return [...weeks].map(([from, { files, bytes }]) => {
    total += bytes
    return { from, files, bytes, total }
  })
}
