/** What waits for one person. */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'

/** Subjects of so many failed jobs. */
export async function failedJobs(from: Tx, most: number): Promise<{ subject: string }[]> {
  return from.selectFrom('jobs').select('subject').where('state', '=', 'failed').limit(most).execute()
}

interface UnseenRow {
  readonly kind: string
  readonly object_type: string
  readonly object_id: string
}

/** Notices that the person has not read, the newest first. */
export async function unseenNotices(from: Tx, tenant: string, person: number, most: number): Promise<UnseenRow[]> {
  const { rows } = await sql<UnseenRow>`
    SELECT kind, object_type, object_id FROM notices
    WHERE tenant_id = ${tenant} AND principal_id = ${person} AND seen_utc IS NULL ORDER BY notice_id DESC LIMIT ${most}`.execute(
    from,
  )
  return rows
}
