import type { Generated } from 'kysely'

/** Bookmarks and notes on evidence and cases (migrations/first-release/annotations.ts). */

export interface BookmarksTable {
  bookmark_id: Generated<number>
  evidence_id: number
  /** The original with its time line. */
  resource_id: number
  start_seconds: number
  /** Null for a point in time. */
  end_seconds: number | null
  title: string
  text: string | null
  state: 'ok' | 'waiting' | 'attention' | 'danger' | null
  /** The author, who may change it without Manage. */
  author_id: number
  created_utc: string
  /** Principals as then. */
  created_by: string
  modified_utc: string
  modified_by: string
  /** Number of changes. */
  edits: number
  concurrency_id: string
  /** Set when it was removed; its versions stay. */
  deleted_utc: string | null
}

/** A note on either an evidence or a case. */
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

export interface AnnotationTables {
  bookmarks: BookmarksTable
  notes: NotesTable
}
