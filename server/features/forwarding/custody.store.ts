import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { beginsWith, endsWith } from '../../kernel/database/expressions.ts'

/** The name of a custody record has origin and evidence between these. */
export const NAME_BEGINS = 'custody '
export const NAME_ENDS = '.jsonl.txt'

export interface ForwardedRecord {
  readonly resource_id: number
  readonly evidence_id: number
  readonly sha256: string | null
  readonly uploaded_utc: string | null
  readonly source_id: string | null
}

/** Files here that are named as custody records of other stations are, in the order in which they came. For a long read. */
export const forwardedRecords = (from: Tx, after: number, count: number): CompiledQuery<ForwardedRecord> =>
  from
    .selectFrom('resources as r')
    .innerJoin('evidence as e', 'e.evidence_id', 'r.evidence_id')
    .select(['r.resource_id', 'r.evidence_id', 'r.sha256', 'r.uploaded_utc', 'e.source_id'])
    .where('r.role', '=', 'original')
    .where('r.state', '=', 'UserCompleted')
    .where(beginsWith('r.name', NAME_BEGINS))
    .where(endsWith('r.name', NAME_ENDS))
    .where('e.source_id', 'is not', null)
    .where('r.resource_id', '>', after)
    .orderBy('r.resource_id')
    .limit(count)
    .compile()
