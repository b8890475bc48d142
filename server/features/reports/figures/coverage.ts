/** Who recorded how much, and to which calls nobody did. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import { nameOf } from '../documents/paper.ts'
import { peopleById } from '../documents/documents.store.ts'
import { type Asking, type FigureDeps, type Found, MOST_COUNTED, spanOf } from './asking.ts'
import { coverageRows } from './figures.store.ts'

/** Days for which calls are compared with recordings: the board gives 92, and its first one begins with a shift of the day before. */
const MOST_CALL_DAYS = 91
/** Without a recording, as far as correlation knows. */
const WITHOUT: ReadonlySet<string> = new Set(['None', 'NotDocked', 'CameraFailed'])

interface Line {
  officer: string | null
  units: Set<string>
  recordings: number
  seconds: number
  calls: number
  without: number
}

export async function coverageReport({ db, callLines }: FigureDeps, asking: Asking): Promise<Found> {
  const { call, tenant, viewer, signal, from, until, wall } = asking
  const recorded = await db.longRead(coverageRows(db.read, tenant, viewer, spanOf(asking), MOST_COUNTED), signal)
  const people = await peopleById(
    db.read,
    recorded.flatMap((row) => row.principal_id ?? []),
  )
  const lines = new Map<string, Line>()
  const lineOf = (account: string, officer: string | null): Line => {
    const known = lines.get(account)
    if (known !== undefined) return known
    const made = { officer, units: new Set<string>(), recordings: 0, seconds: 0, calls: 0, without: 0 }
    lines.set(account, made)
    return made
  }
  for (const row of recorded) {
    const person = people.get(row.principal_id ?? 0)
    const line = lineOf(person?.name ?? '', person === undefined ? null : `${nameOf(person)} (${person.name})`)
    line.recordings += Number(row.recordings)
    line.seconds += Number(row.seconds)
  }
  const days = Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000) + 1
  const compares = days <= MOST_CALL_DAYS
  const time = { from: wall.begin(from), to: wall.begin(dayAfter(until, 1)) }
  if (compares)
    for await (const some of callLines(call, tenant, { date: dayAfter(from, -1), until, shift: 'all' }, {})) {
      signal.throwIfAborted()
      for (const one of some) {
        const began = Date.parse(one.FromUtc)
        if (one.Kind !== 'Call' || began < time.from || began >= time.to) continue
        const line = lineOf(one.Username, one.Username)
        if (one.Unit !== '') line.units.add(one.Unit)
        line.calls += 1
        if (WITHOUT.has(one.State)) line.without += 1
      }
    }
  const all = [...lines.values()].sort((a, b) => b.without - a.without || b.recordings - a.recordings)
  const sum = (key: 'recordings' | 'seconds' | 'calls' | 'without'): number =>
    all.reduce((total, line) => total + line[key], 0)
  return {
    rows: all.map((line) => ({
      officer: line.officer,
      units: [...line.units].sort().join(', '),
      recordings: line.recordings,
      hours: Math.round(line.seconds),
      calls: compares ? line.calls : null,
      without: compares ? line.without : null,
    })),
    figures: [
      { Key: 'recordings', Kind: 'count', Value: sum('recordings') },
      { Key: 'hours', Kind: 'hours', Value: Math.round(sum('seconds')) },
      { Key: 'calls', Kind: 'count', Value: compares ? sum('calls') : null },
      { Key: 'without', Kind: 'count', Value: compares ? sum('without') : null },
    ],
    notes: compares ? [] : ['callsTooLong'],
    more: recorded.reduce((total, row) => total + Number(row.recordings), 0) >= MOST_COUNTED,
  }
}
