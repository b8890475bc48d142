/** Tables of notices: migrations/first-release/notices.ts. */
import type { Generated } from 'kysely'
import type { NoticeKind, NoticeWay } from '../../../shared/notifications/rules.ts'

export interface NoticesTable {
  notice_id: Generated<number>
  tenant_id: string
  /** Whom it is for. */
  principal_id: number
  kind: string
  message: string
  object_type: string
  object_id: string
  created_utc: string
  created_by: string
  seen_utc: string | null
  /** How often it happened since `first_utc`. */
  count: Generated<number>
  /** When the first of them happened; null: `created_utc`. */
  first_utc: string | null
  /** The action of the ledger that was the last of them; null where the kind says it all. */
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
