/** What of a case is protected from deletion, and what the ledger says of it. */
import type { CaseHolds } from '../../../../shared/reports/contract.ts'
import { parseTime, timeOf } from '../../../../shared/kernel/time.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { CaseRow } from '../../../kernel/cases/cases.store.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type StoredEntry, wholeEntry } from '../../../kernel/ledger/format.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { caseHold, evidenceHolds } from './holds.store.ts'

interface Deps {
  readonly db: Database
  readonly access: Pick<Access, 'viewer'>
  readonly clock: Clock
}

const MOST = 500

export async function holdsOfCase(
  { db, access, clock }: Deps,
  call: HttpCall,
  row: CaseRow,
  signal: AbortSignal,
): Promise<CaseHolds> {
  const now = timeOf(clock.now()).ticks
  const viewer = await access.viewer(db.read, call.principal)
  const found = await db.longRead(evidenceHolds(db.read, row.case_id, viewer, now, MOST + 1), signal)
  const until = row.protected_until === null ? null : parseTime(row.protected_until, { utcMember: true })
  const holds = row.lifecycle_state === 'Protected' && (until === null || until.ticks > now)
  const [entry] = holds ? await db.longRead(caseHold(db.read, row.case_id), signal) : []
  return {
    Items: [
      ...(holds
        ? [
            {
              On: 'Case' as const,
              Id: String(row.case_id),
              Name: row.title,
              UntilUtc: row.protected_until,
              ...saidBy(entry?.seq ?? null, entry?.body ?? null),
            },
          ]
        : []),
      ...found.slice(0, MOST).map((one) => ({
        On: 'Evidence' as const,
        Id: String(one.id),
        Name: one.name,
        UntilUtc: one.until,
        ...saidBy(one.seq, one.body),
      })),
    ],
    Most: MOST,
    More: found.length > MOST,
  }
}

function saidBy(seq: number | null, body: Uint8Array | null) {
  const entry = body === null ? null : readable(body)
  const reason = entry?.detail?.['reason']
  return {
    By: entry === null ? null : entry.actor.name,
    SinceUtc: entry?.timeUtc ?? null,
    Reason: typeof reason === 'string' && reason !== '' ? reason : null,
    LedgerSeq: seq,
  }
}

function readable(body: Uint8Array): StoredEntry | null {
  try {
    return wholeEntry(body)
  } catch {
    // A damaged entry is the ledger's matter; the protection itself is in the row.
    return null
  }
}
