import type { Tx } from '../../kernel/database/database.ts'

/** Newest first. */
export const messagesOfCase = (
  from: Tx,
  caseId: number,
  { before, count }: { readonly before: number; readonly count: number },
) =>
  from
    .selectFrom('cad_messages as m')
    .innerJoin('cad_deliveries as d', 'd.delivery_id', 'm.delivery_id')
    .select([
      'm.message_id',
      'm.state',
      'm.event_id',
      'm.transaction_id',
      'm.reason',
      'm.problems',
      'm.receipt',
      'd.received_utc',
      'd.sent_by',
    ])
    .where('m.case_id', '=', caseId)
    .where('m.message_id', '<', before)
    .orderBy('m.message_id', 'desc')
    .limit(count)
    .execute()
