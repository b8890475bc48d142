/** What reports are made with, and what each of them gives. */
import { dayAfter } from '../../../../shared/kernel/days.ts'
import { instantOf } from '../../../../shared/kernel/time-zones.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { Report } from '../../../../shared/reports/contract.ts'
import type { Age } from '../../../../shared/reports/reports.ts'
import type { ReportColumn } from './columns.ts'
import type { Level, SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Viewer } from '../../../kernel/access/viewable.store.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

export interface ReportAsked {
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly days: number
  readonly age?: Age | undefined
}

/** A report without what all have in common. */
export interface Found {
  readonly columns?: readonly ReportColumn[]
  readonly rows: Report['Rows']
  readonly figures?: Report['Figures']
  readonly notes?: readonly string[]
  readonly most?: number
  readonly more: boolean
}

/** What a report is made with. */
export interface Asking {
  readonly call: HttpCall
  readonly tenant: string
  readonly viewer: Viewer
  readonly signal: AbortSignal
  /** Days on the wall of the station, both in it. */
  readonly from: string
  readonly until: string
  readonly days: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly wall: Wall
}

export interface Wall {
  /** Milliseconds since 1970 at which the day begins. */
  begin(day: string): number
  dayOf(millis: number): string
}

/** Rows that are counted at most. */
export const MOST_COUNTED = 200_000

interface CallLine {
  readonly Kind: string
  readonly Unit: string
  readonly Username: string
  readonly State: string
  readonly FromUtc: string
}

/** Of the calls board: calls and the officers who were sent, day by day. */
export type CallLines = (
  call: HttpCall,
  tenant: string,
  days: { readonly date: string; readonly until: string; readonly shift: string },
  filter: object,
) => AsyncIterable<readonly CallLine[]>

export interface Upcoming {
  readonly due: number
  readonly rule: { readonly kind: 'Category' | 'Source' | 'Deleted'; readonly id: string | null; readonly name: string }
  readonly held: boolean
  readonly files: number
  readonly bytes: number
}

/** Of the retention feature: what becomes due in a time, by its rule. Milliseconds; the second moment is outside. */
export type UpcomingBetween = (
  tenant: string,
  time: { readonly from: number; readonly to: number },
  signal: AbortSignal,
) => Promise<{ readonly items: readonly Upcoming[]; readonly more: boolean; readonly most: number }>

export type Disk = () => Promise<{ readonly free: number; readonly total: number; readonly floor: number }>

export type JobLevels = (
  from: Tx,
  principal: Principal | null,
  jobs: readonly { readonly subject: string }[],
) => Promise<readonly Level[]>

export interface FigureDeps {
  readonly db: Database
  readonly access: Access
  readonly clock: Clock
  /** IANA name. */
  readonly timeZone: string
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly callLines: CallLines
  readonly upcoming: UpcomingBetween
  readonly levelsOnJobs: JobLevels
  readonly disk: Disk
  /** Originals lie in an object store, whose room the station does not know. */
  readonly hasObjectStore: boolean
}

export function wallIn(timeZone: string): Wall {
  const dates = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return {
    begin: (date) => {
      const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
      return instantOf({ year, month, day, hour: 0, minute: 0, second: 0 }, timeZone).ms
    },
    dayOf: (millis) => dates.format(millis),
  }
}

/** Ticks of a stretch of days. */
export const spanOf = ({ wall, from, until }: Asking): { readonly from: bigint; readonly to: bigint } => ({
  from: timeOf(wall.begin(from)).ticks,
  to: timeOf(wall.begin(dayAfter(until, 1))).ticks,
})
