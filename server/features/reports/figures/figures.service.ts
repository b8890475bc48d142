/** Reports: who may ask for each is judged here, and every figure is of what the caller can view. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { Report } from '../../../../shared/reports/contract.ts'
import { type Age, AGE_DAYS, AGES, MOST_DAYS, REPORTS, type ReportName } from '../../../../shared/reports/reports.ts'
import { COLUMNS, UNCATEGORIZED_LIST } from './columns.ts'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { type Asking, type FigureDeps, type Found, MOST_COUNTED, type ReportAsked, wallIn } from './asking.ts'
import { accessReport } from './access.ts'
import { camerasReport, jobsReport } from './station.ts'
import { coverageReport } from './coverage.ts'
import { uncategorizedByAge, uncategorizedList } from './figures.store.ts'
import { retentionReport } from './retention.ts'
import { storageReport } from './storage.ts'

export interface Figures {
  /** @throws Fault Forbidden; InvalidModel for a time that is none */
  report(call: HttpCall, tenant: string, name: ReportName, asked: ReportAsked, signal: AbortSignal): Promise<Report>
}

const USUAL_DAYS = 30
const LISTED = 1_000

export function createFigures(deps: FigureDeps): Figures {
  const { db, access, clock, timeZone, isInPolicy } = deps
  const wall = wallIn(timeZone)
  const makers: Readonly<Record<ReportName, (asking: Asking, age: Age | undefined) => Promise<Found>>> = {
    coverage: (asking) => coverageReport(deps, asking),
    uncategorized: (asking, age) => (age === undefined ? ages(deps, asking) : listOfAge(deps, asking, age)),
    access: (asking) => accessReport(deps, asking),
    retention: (asking) => retentionReport(deps, asking),
    storage: (asking) => storageReport(deps, asking),
    cameras: (asking) => camerasReport(deps, asking),
    jobs: (asking) => jobsReport(deps, asking),
  }
  return {
    report: async (call, tenant, name, asked, signal) => {
      const { policies, takes } = REPORTS[name]
      await requireOne(isInPolicy, call, policies)
      const now = clock.now()
      const days = daysOf(asked, takes, wall.dayOf(now))
      const viewer = await access.viewer(db.read, call.principal)
      const asking: Asking = { call, tenant, viewer, signal, ...days, days: asked.days, now, wall }
      const found = await makers[name](asking, asked.age)
      const timed = takes === 'period' || takes === 'ahead'
      return {
        Report: name,
        TimeUtc: isoMillis(now),
        TimeZone: timeZone,
        From: timed ? days.from : null,
        Until: timed ? days.until : null,
        Days: takes === 'days' ? asked.days : null,
        Age: takes === 'age' ? (asked.age ?? null) : null,
        Columns: (found.columns ?? COLUMNS[name]).map(({ key, kind }) => ({ Key: key, Kind: kind })),
        Rows: found.rows,
        Figures: found.figures ?? [],
        Notes: [...(found.notes ?? [])],
        Most: found.most ?? MOST_COUNTED,
        More: found.more,
      }
    },
  }
}

async function requireOne(
  isInPolicy: FigureDeps['isInPolicy'],
  call: HttpCall,
  policies: readonly SecurityPolicy[],
): Promise<void> {
  for (const policy of policies) if (await isInPolicy(call.principal?.id ?? '0', policy)) return
  throw new Fault('Forbidden', `This report needs the policy ${policies.join(' or ')}.`, {
    reason: 'PrincipalNotInPolicy',
  })
}

function daysOf(
  { from, until }: ReportAsked,
  takes: (typeof REPORTS)[ReportName]['takes'],
  today: string,
): { readonly from: string; readonly until: string } {
  const ahead = takes === 'ahead'
  const first = from ?? (ahead ? today : dayAfter(until ?? today, 1 - USUAL_DAYS))
  const last = until ?? (ahead ? dayAfter(first, 90) : today)
  const count = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1
  if (takes !== 'period' && !ahead) return { from: first, until: last }
  if (count >= 1 && count <= MOST_DAYS) return { from: first, until: last }
  throw fault('InvalidModel', 'The request is not valid.', [
    { Path: 'until', Message: `must be the same day as from or a later one, ${MOST_DAYS} days in all at most` },
  ])
}

/** Begin of the day so many days before today. */
const daysAgo = ({ wall, now }: Asking, days: number): bigint =>
  timeOf(wall.begin(dayAfter(wall.dayOf(now), -days))).ticks

async function ages({ db }: FigureDeps, asking: Asking): Promise<Found> {
  const { tenant, viewer, signal } = asking
  const limits = AGES.slice(0, -1).map((age) => daysAgo(asking, (AGE_DAYS[age][1] as number) - 1))
  const rows = await db.longRead(uncategorizedByAge(db.read, tenant, viewer, limits, MOST_COUNTED), signal)
  const counted = rows.reduce((sum, row) => sum + Number(row.evidence), 0)
  return {
    rows: AGES.map((age, at) => {
      const row = rows.find((one) => Number(one.age) === at)
      return { age, evidence: Number(row?.evidence ?? 0), bytes: Number(row?.bytes ?? 0) }
    }),
    figures: [{ Key: 'evidence', Kind: 'count', Value: counted }],
    more: counted >= MOST_COUNTED,
  }
}

async function listOfAge({ db }: FigureDeps, asking: Asking, age: Age): Promise<Found> {
  const { tenant, viewer, signal } = asking
  const [least, most] = AGE_DAYS[age]
  const span = {
    from: most === null ? 0n : daysAgo(asking, most - 1),
    to: least === 0 ? timeOf(asking.now + 86_400_000).ticks : daysAgo(asking, least - 1),
  }
  const rows = await db.longRead(uncategorizedList(db.read, tenant, viewer, span, LISTED + 1), signal)
  return {
    columns: UNCATEGORIZED_LIST,
    rows: rows.slice(0, LISTED).map((row) => ({
      evidence: String(row.evidence_id),
      evidenceName: row.name,
      added: row.created_utc,
      bytes: Number(row.length),
      by: row.by,
    })),
    most: LISTED,
    more: rows.length > LISTED,
  }
}
