import type { z } from 'zod'
import { Fault } from '../../../../shared/kernel/errors.ts'
import {
  SUSPICIOUS_KINDS,
  type SuspiciousEntry,
  type SuspiciousKind,
  type UserHistoryEntry,
} from '../../../../shared/identity/audit-trail.contract.ts'
import { type Action, isAction, meaningOf } from '../../../kernel/ledger/actions.ts'
import { type StoredEntry, storedEntry } from '../../../kernel/ledger/format.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { requirePrincipal } from './account-state.ts'
import { refusalCounts, refusals, type TrailRow, trailOf } from './audit-trail.store.ts'
import type { UsersService } from './users.service.ts'

type Entry = z.input<typeof UserHistoryEntry>
type Suspicious = z.input<typeof SuspiciousEntry>

export interface TrailPage {
  /** A seq. */
  readonly before: string | undefined
  readonly count: number
}

/** Ledger entries about people (decisions 3 and 12). */
export interface Trail {
  /** @throws Fault UserNotFound, Forbidden without AccessAuditTrail */
  history(
    call: HttpCall,
    tenant: string,
    id: string,
    page: TrailPage,
  ): Promise<{ name: string; Entries: Entry[]; Cursor: string | null }>
  suspicious(
    filter: { days: number; kind: SuspiciousKind | undefined },
    page: TrailPage,
  ): Promise<{ Entries: Suspicious[]; Counts: Record<SuspiciousKind, number>; Cursor: string | null }>
}

const KIND_OF = {
  'session.refused': 'SignIn',
  'setup.refused': 'SignIn',
  'user.locked': 'Locked',
  'access.denied': 'Denied',
  'token.refused': 'Token',
  'upload.refused': 'Upload',
} as const satisfies Partial<Record<Action, SuspiciousKind>>
const SUSPICIOUS = Object.entries(KIND_OF)

const DAY = 86_400_000

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly isInPolicy: UsersService['isInPolicy']
}

export function createTrail({ db, clock, isInPolicy }: Deps): Trail {
  return {
    history: async (call, tenant, id, { before, count }) => {
      if (call.principal === null || !(await isInPolicy(call.principal.id, 'AccessAuditTrail')))
        throw new Fault('Forbidden', 'This needs the policy AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      const row = await requirePrincipal(db.read, tenant, 'user', id)
      const who = { kind: row.kind, id: row.principal_id }
      const found = await db.longRead(trailOf(db.read, who, { before: seqOf(before), count: count + 1 }))
      const { shown, cursor } = paged(found, count)
      return { name: row.name, Entries: shown.map(entryModel), Cursor: cursor }
    },

    suspicious: async ({ days, kind }, { before, count }) => {
      const since = isoMillis(clock.now() - days * DAY)
      const actions = SUSPICIOUS.filter(([, itsKind]) => kind === undefined || itsKind === kind).map(
        ([action]) => action,
      )
      const found = await db.longRead(
        refusals(db.read, { since, actions }, { before: seqOf(before), count: count + 1 }),
      )
      const all = await db.longRead(refusalCounts(db.read, { since, actions: SUSPICIOUS.map(([action]) => action) }))
      const { shown, cursor } = paged(found, count)
      const timesOf = (counted: SuspiciousKind): number =>
        all.reduce((sum, { action, times }) => sum + (kindOf(action) === counted ? times : 0), 0)
      return {
        Entries: shown.map((entry) => ({ ...entryModel(entry), Kind: kindOf(entry.action), Times: timesIn(entry) })),
        Counts: Object.fromEntries(SUSPICIOUS_KINDS.map((counted) => [counted, timesOf(counted)])) as Record<
          SuspiciousKind,
          number
        >,
        Cursor: cursor,
      }
    },
  }
}

const seqOf = (before: string | undefined): number =>
  before === undefined ? Number.MAX_SAFE_INTEGER : Math.min(Number(before), Number.MAX_SAFE_INTEGER)

/** `found` holds one more than the page when there is one. */
function paged(found: readonly TrailRow[], count: number): { shown: StoredEntry[]; cursor: string | null } {
  const rows = found.slice(0, count)
  return {
    shown: rows.map(({ body }) => storedEntry(body)),
    cursor: found.length > count ? String(rows.at(-1)?.seq) : null,
  }
}

const kindOf = (action: string): SuspiciousKind => (KIND_OF as Record<string, SuspiciousKind>)[action] ?? 'Denied'

/** One entry may count many refusals of unidentified callers (decisions 12). */
function timesIn({ detail }: StoredEntry): number {
  const count = detail?.['count']
  return typeof count === 'number' ? count : 1
}

/** Types of objects whose names are shown here. Cases and evidence are named only in their own histories, which need their own rights. */
const NAMED_HERE: ReadonlySet<string> = new Set([
  'user',
  'group',
  'service',
  'policy',
  'principal',
  'session',
  'token',
  'tenant',
  'operation',
  'source',
])

function entryModel(entry: StoredEntry): Entry {
  const { seq, timeUtc, actor, source, action, object, outcome, reason, correlationId, detail } = entry
  const named = NAMED_HERE.has(object.type)
  return {
    Seq: seq,
    TimeUtc: timeUtc,
    Actor: { Kind: actor.kind, Id: actor.id, Name: actor.name },
    Source: source,
    Action: action,
    Meaning: isAction(action) ? meaningOf(action) : '',
    Object: { Type: object.type, Id: object.id, Name: named ? object.name : '' },
    Outcome: outcome,
    Reason: reason,
    CorrelationId: correlationId,
    Detail: named && detail !== null ? { ...detail } : null,
  }
}
