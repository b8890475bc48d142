import type { z } from 'zod'
import * as contract from '../../../shared/dispatch/case-dispatch.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Receipt } from '../../kernel/cases/cad-case.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { messagesOfCase } from './case-dispatch.store.ts'

interface Deps {
  readonly db: Database
  readonly reachCase: ReachCase
}

type MessageOut = z.input<typeof contract.DispatchMessageModel>
const STATES = {
  applied: 'Applied',
  repeated: 'Repeated',
  older: 'Older',
  review: 'Review',
  unreadable: 'Unreadable',
} as const

/** What dispatch said of a case: by the rights on the case, and without the messages as they came. */
export function dispatchRoutes({ db, reachCase }: Deps): BoundRoute[] {
  return [
    json(contract.getCaseDispatch, async ({ params, query, call }) => {
      const row = await reachCase(db.read, call, call.tenant, params.caseId, 'View')
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor)
      const found = await messagesOfCase(db.read, row.case_id, { before, count: query.count + 1 })
      const shown = found.slice(0, query.count)
      call.describeRead({ name: row.title, detail: { returned: shown.length } })
      const last = found.length > shown.length ? shown.at(-1)?.message_id : undefined
      return {
        Items: shown.map(messageModel),
        Cursor: last === undefined ? null : Buffer.from(String(last)).toString('base64url'),
      }
    }),
  ]
}

function messageModel(row: Awaited<ReturnType<typeof messagesOfCase>>[number]): MessageOut {
  const receipt = row.receipt === null ? null : (JSON.parse(row.receipt) as Receipt)
  return {
    MessageId: String(row.message_id),
    State: STATES[row.state],
    EventId: row.event_id,
    TransactionId: row.transaction_id,
    ReceivedUtc: row.received_utc,
    SentBy: (JSON.parse(row.sent_by) as { name: string }).name,
    Reason: row.reason,
    Notes: (JSON.parse(row.problems) as { message: string }[]).map(({ message }) => message),
    Changes:
      receipt?.changes.map(({ field, before, after }) => ({ Field: field, Before: before, After: after })) ?? null,
    Left: [...(receipt?.left ?? [])],
  }
}

/** @throws Fault InvalidModel */
function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text))
    throw fault('InvalidModel', 'The cursor is none.', [{ Path: 'cursor', Message: 'is not one that was given out' }])
  return Number(text)
}
