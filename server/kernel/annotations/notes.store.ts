import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { NotesTable } from '../database/tables-annotations.ts'

export type NoteRow = Selectable<NotesTable>

export interface NotedOn {
  readonly column: 'evidence_id' | 'case_id'
  readonly id: number
}

/** Newest first; deleted ones are left out. */
export const notesOn = (from: Tx, on: NotedOn, page: { before: number; count: number }): Promise<NoteRow[]> =>
  from
    .selectFrom('notes')
    .selectAll()
    .where(on.column, '=', on.id)
    .where('deleted_utc', 'is', null)
    .where('note_id', '<', page.before)
    .orderBy('note_id', 'desc')
    .limit(page.count)
    .execute()

/** Deleted ones too. */
export const noteOn = (from: Tx, on: NotedOn, noteId: number): Promise<NoteRow | undefined> =>
  from.selectFrom('notes').selectAll().where('note_id', '=', noteId).where(on.column, '=', on.id).executeTakeFirst()

export async function insertNote(tx: Tx, row: Insertable<NotesTable>): Promise<number> {
  const { note_id: id } = await tx.insertInto('notes').values(row).returning('note_id').executeTakeFirstOrThrow()
  return id
}

export async function updateNote(tx: Tx, id: number, set: Updateable<NotesTable>): Promise<void> {
  await tx.updateTable('notes').set(set).where('note_id', '=', id).execute()
}
