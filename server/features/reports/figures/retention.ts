/** What becomes due: by week for the report, by day for the calendar. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import type { RetentionCalendar } from '../../../../shared/reports/contract.ts'
import { weekOf } from '../../../../shared/reports/reports.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { Asking, FigureDeps, Found, Upcoming, Wall } from './asking.ts'
import { queued } from './figures.store.ts'

type Amount = RetentionCalendar['Overdue']

const nothing = (): Amount => ({ Evidence: 0, Files: 0, Bytes: 0, Held: 0 })

function add(to: Amount, { files, bytes, held }: Upcoming): void {
  to.Evidence += 1
  to.Files += files
  to.Bytes += bytes
  if (held) to.Held += 1
}

export async function retentionReport({ db, upcoming }: FigureDeps, asking: Asking): Promise<Found> {
  const { tenant, wall, from, until, signal } = asking
  const time = { from: wall.begin(from), to: wall.begin(dayAfter(until, 1)) }
  const { items, more, most } = await upcoming(tenant, time, signal)
  const weeks = new Map<string, Amount>()
  for (let week = weekOf(from); week <= until; week = dayAfter(week, 7)) weeks.set(week, nothing())
  const all = nothing()
  for (const item of items) {
    add(weeks.get(weekOf(wall.dayOf(item.due))) ?? nothing(), item)
    add(all, item)
  }
  const [now] = await db.longRead(queued(db.read, tenant), signal)
  return {
    rows: [...weeks].map(([week, amount]) => ({
      from: week,
      evidence: amount.Evidence,
      files: amount.Files,
      bytes: amount.Bytes,
      held: amount.Held,
    })),
    figures: [
      { Key: 'evidence', Kind: 'count', Value: all.Evidence },
      { Key: 'bytes', Kind: 'bytes', Value: all.Bytes },
      { Key: 'held', Kind: 'count', Value: all.Held },
      { Key: 'queued', Kind: 'count', Value: Number(now?.evidence ?? 0) },
    ],
    most,
    more,
  }
}

interface CalendarAsked {
  readonly tenant: string
  /** `2026-11`; the one that is on where it is not given. */
  readonly month: string | undefined
  readonly now: number
  readonly wall: Wall
  readonly signal: AbortSignal
}

/** Every day of the month, those without anything too. */
export async function retentionCalendar(
  { db, upcoming, timeZone }: Pick<FigureDeps, 'db' | 'upcoming' | 'timeZone'>,
  { tenant, month: asked, now, wall, signal }: CalendarAsked,
): Promise<RetentionCalendar> {
  const month = asked ?? wall.dayOf(now).slice(0, 7)
  const first = `${month}-01`
  const next = dayAfter(`${month}-28`, 4).slice(0, 7)
  const time = { from: wall.begin(first), to: wall.begin(`${next}-01`) }
  const { items, more, most } = await upcoming(tenant, time, signal)
  const byDay = Map.groupBy(items, (item) => wall.dayOf(item.due))
  const days: RetentionCalendar['Days'] = []
  for (let day = first; day.startsWith(month); day = dayAfter(day, 1)) {
    const due = byDay.get(day) ?? []
    const all = nothing()
    for (const item of due) add(all, item)
    days.push({ Day: day, ...all, Categories: categoriesOf(due) })
  }
  const [waiting] = await db.longRead(queued(db.read, tenant), signal)
  return {
    TimeUtc: isoMillis(now),
    TimeZone: timeZone,
    Month: month,
    Days: days,
    Overdue: {
      Evidence: Number(waiting?.evidence ?? 0),
      Files: Number(waiting?.files ?? 0),
      Bytes: Number(waiting?.bytes ?? 0),
      Held: Number(waiting?.held ?? 0),
    },
    Most: most,
    More: more,
  }
}

function categoriesOf(items: readonly Upcoming[]): RetentionCalendar['Days'][number]['Categories'] {
  const groups = Map.groupBy(items, ({ rule }) => `${rule.kind}:${rule.id ?? ''}`)
  return [...groups.values()]
    .flatMap((some) => {
      const [first] = some
      if (first === undefined) return []
      const amount = nothing()
      for (const item of some) add(amount, item)
      return [{ Kind: first.rule.kind, Id: first.rule.id, Name: first.rule.name, ...amount }]
    })
    .sort((a, b) => b.Evidence - a.Evidence || a.Name.localeCompare(b.Name))
}
