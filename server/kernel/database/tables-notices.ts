/** Tables of notices: migrations/first-release/notices.ts. */
import type { Generated } from 'kysely'
import type { NoticeKind, NoticeWay } from '../../../shared/notifications/rules.ts'

export interface NoticesTable {
  notice_id: Generated<number>
  tenant_id: string
  /** The recipient. */
  principal_id: number
  kind: string
  message: string
  object_type: string
  object_id: string
  created_utc: string
  created_by: string
  seen_utc: string | null
  /** Number of events since `first_utc`. */
  count: Generated<number>
  /** Time of the first event; null when it is `created_utc`. */
  first_utc: string | null
  /** Ledger action of the last event; null when the kind is enough. */
  act: string | null
}

export interface NoticeChoicesTable {
  principal_id: number
  kind: NoticeKind
  way: NoticeWay
}

export interface NoticeTables {
  notices: NoticesTable
  notice_choices: NoticeChoicesTable
}
