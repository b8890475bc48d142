import type { Generated } from 'kysely'
import type { ShareLinkMode } from '../../../shared/share-links/rules.ts'

/** Links for somebody without an account (migrations/0024-share-links.ts). */
export interface ShareLinksTable {
  link_id: Generated<number>
  tenant_id: string
  mode: ShareLinkMode
  recipient_name: string
  recipient_organisation: string
  /** For the station alone. */
  note: string
  made_utc: string
  /** Whose rights its files need, each time. */
  made_by: number
  /** A principal as then. */
  made_by_then: string
  expires_utc: string
  /** Of the token in its address. */
  token_sha256: string
  /** As of a password. */
  code_hash: string
  wrong_codes: number
  locked_utc: string | null
  recalled_utc: string | null
  /** A principal as then. */
  recalled_by: string | null
  recall_reason: string
}

export interface ShareLinkItemsTable {
  link_id: number
  /** From 1, the number by which guests name it. */
  item: number
  evidence_id: number
  /** The original. */
  resource_id: number
}

export interface ShareLinkSessionsTable {
  /** Of the cookie. */
  token_sha256: string
  link_id: number
  /** Milliseconds since 1970. */
  ends_at: number
}

/** Which marked copies a session looked at: each is one entry of the ledger. */
export interface ShareLinkViewsTable {
  token_sha256: string
  item: number
}

export interface ShareLinkTables {
  share_links: ShareLinksTable
  share_link_items: ShareLinkItemsTable
  share_link_sessions: ShareLinkSessionsTable
  share_link_views: ShareLinkViewsTable
}
