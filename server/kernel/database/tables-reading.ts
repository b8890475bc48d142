import type { Generated } from 'kysely'

/** What people write beside evidence and cases while they read (migrations/first-release/annotations.ts). */

export interface BookmarksTable {
  bookmark_id: Generated<number>
  evidence_id: number
  /** The original on whose time line it stands. */
  resource_id: number
  start_seconds: number
  /** Null: a point. */
  end_seconds: number | null
  title: string
  text: string | null
  state: 'ok' | 'waiting' | 'attention' | 'danger' | null
  /** Who may change it without Manage. */
  author_id: number
  created_utc: string
  /** Principals as then. */
  created_by: string
  modified_utc: string
  modified_by: string
  /** How often it was changed since it was written. */
  edits: number
  concurrency_id: string
  /** It is listed no more; its versions stay. */
  deleted_utc: string | null
}

/** On an evidence or on a case, never on both. */
export interface NotesTable {
  note_id: Generated<number>
  evidence_id: number | null
  case_id: number | null
  text: string
  author_id: number
  created_utc: string
  created_by: string
  modified_utc: string
  modified_by: string
  edits: number
  concurrency_id: string
  deleted_utc: string | null
}

export interface ReadingTables {
  bookmarks: BookmarksTable
  notes: NotesTable
}
