import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { NoteModel, NoteVersion, WrittenNote } from '../../../shared/evidence/notes.contract.ts'
import type { PersonNameOut } from '../../../shared/kernel/people.contract.ts'
import type { Call } from '../ledger/call.ts'
import type { Ledger, LedgerObject } from '../ledger/ledger.ts'
import type { Versions } from '../versions/versions.ts'
import type { Access } from '../access/access.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Notices } from '../events/notices.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { authoredModel, changedBy, newAuthored, refuseChange, versionsOf } from './authored.ts'
import { createMentions } from './mentions.ts'
import { namesOfUsers } from '../access/people.store.ts'
import { insertNote, noteOn, type NotedOn, type NoteRow, notesOn, updateNote } from './notes.store.ts'

export type NoteOut = z.input<typeof NoteModel>
type WrittenOut = z.input<typeof WrittenNote>

/** What a note is written on, as the ledger names it. */
export interface NoteSubject {
  readonly on: NotedOn
  readonly object: LedgerObject
  /** The caller holds Manage on it. */
  readonly manages: boolean
  /** What the ledger is told of who may not change what others wrote. */
  readonly reason: string
}

/** Finds what is written on and judges who writes, inside the transaction. @throws Fault */
export type Reach = (tx: Tx) => Promise<NoteSubject>

type Changing = Call & { readonly tenant: string }
type Writing = Changing & { rememberAnswer<T>(tx: Tx, answer: T): Promise<T> }

/** Notes on an evidence or a case: every change makes a version and an entry of what it is written on. */
export interface Notes {
  /** The caller was judged before. @throws Fault InvalidModel for a cursor that is none */
  list(on: NotedOn, page: { cursor?: string | undefined; count: number }): Promise<NotePage>
  add(call: Writing, reach: Reach, text: string): Promise<WrittenOut>
  /** @throws Fault NoteNotFound, Forbidden, ConcurrentWritingError */
  change(call: Changing, reach: Reach, id: string, given: { Text: string; ConcurrencyId: string }): Promise<WrittenOut>
  /** @returns it as it was. @throws Fault NoteNotFound, Forbidden, ConcurrentWritingError */
  remove(call: Call, reach: Reach, id: string, concurrencyId: string | null): Promise<NoteOut>
  /** Of a deleted one too; the caller was judged before. @throws Fault NoteNotFound */
  versions(on: NotedOn, id: string): Promise<z.input<typeof NoteVersion>[]>
}

export interface NotePage {
  readonly Items: NoteOut[]
  readonly Cursor: string | null
  readonly People: PersonNameOut[]
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly access: Access
  readonly notices: Notices
}

export function createNotes({ db, ledger, versions, clock, access, notices }: Deps): Notes {
  const mentions = createMentions({ access, notices })
  const found = async (from: Tx, on: NotedOn, id: string): Promise<NoteRow> => {
    const row = await noteOn(from, on, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.note_id) !== id) throw fault('NoteNotFound', `There is no note ${id} here.`)
    return row
  }
  const judged = async (tx: Tx, call: Call, reach: Reach, id: string, concurrencyId: string | null) => {
    const subject = await reach(tx)
    const row = await found(tx, subject.on, id)
    if (row.deleted_utc !== null) throw fault('NoteNotFound', `Note ${id} was deleted.`)
    const { manages, reason } = subject
    refuseChange(row, { actor: call.actor, manages, concurrencyId, reason })
    return { subject, row }
  }
  /** The row as it stands becomes a version and an entry. What it says stands in the version alone. */
  const versioned = async (
    tx: Tx,
    call: Call,
    { on, object }: NoteSubject,
    id: number,
    action: 'note.added' | 'note.changed' | 'note.deleted',
    told: readonly number[] = [],
  ): Promise<NoteRow> => {
    const row = await found(tx, on, String(id))
    const concurrencyId = await versions.add(tx, {
      entity: 'note',
      entityId: id,
      state: stateOf(row),
      action,
      author: call.actor,
      dateUtc: row.modified_utc,
    })
    await updateNote(tx, id, { concurrency_id: concurrencyId })
    await ledger.append(tx, call, {
      action,
      object,
      detail: { noteId: String(id), concurrencyId, ...(told.length === 0 ? {} : { mentioned: told.map(String) }) },
      concerns: told,
    })
    return { ...row, concurrency_id: concurrencyId }
  }

  return {
    list: async (on, { cursor, count }) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor)
      const rows = await notesOn(db.read, on, { before, count: count + 1 })
      const shown = rows.slice(0, count)
      const last = rows.length > count ? shown.at(-1) : undefined
      const notes = shown.map(noteModel)
      return {
        Items: notes,
        Cursor: last === undefined ? null : writeCursor(last.note_id),
        People: await namesOfUsers(
          db.read,
          notes.flatMap(({ Author, ModifiedBy }) => [Author.PrincipalId, ModifiedBy.PrincipalId]),
        ),
      }
    },

    add: (call, reach, text) =>
      db.transaction(async (tx) => {
        const subject = await reach(tx)
        const id = await insertNote(tx, {
          evidence_id: null,
          case_id: null,
          [subject.on.column]: subject.on.id,
          text,
          ...newAuthored(call.actor, isoMillis(clock.now())),
        })
        const { told, notTold } = await mentions.tell(tx, call, subject, text, '')
        const row = await versioned(tx, call, subject, id, 'note.added', told)
        return call.rememberAnswer(tx, { ...noteModel(row), ...toldOf(notTold) })
      }),

    change: (call, reach, id, { Text, ConcurrencyId }) =>
      db.transaction(async (tx) => {
        const { subject, row } = await judged(tx, call, reach, id, ConcurrencyId)
        await updateNote(tx, row.note_id, { text: Text, ...changedBy(row, call.actor, isoMillis(clock.now())) })
        const { told, notTold } = await mentions.tell(tx, call, subject, Text, row.text)
        const saved = await versioned(tx, call, subject, row.note_id, 'note.changed', told)
        return { ...noteModel(saved), ...toldOf(notTold) }
      }),

    remove: (call, reach, id, concurrencyId) =>
      db.transaction(async (tx) => {
        const { subject, row } = await judged(tx, call, reach, id, concurrencyId)
        const now = isoMillis(clock.now())
        await updateNote(tx, row.note_id, { deleted_utc: now, modified_utc: now })
        await versioned(tx, call, subject, row.note_id, 'note.deleted')
        return noteModel(row)
      }),

    versions: async (on, id) => {
      const row = await found(db.read, on, id)
      return versionsOf(versions, 'note', row.note_id, (state) => ({ Text: String(state['Text']) }))
    },
  }
}

const stateOf = (row: NoteRow) => ({
  EvidenceId: row.evidence_id === null ? null : String(row.evidence_id),
  CaseId: row.case_id === null ? null : String(row.case_id),
  Text: row.text,
  Deleted: row.deleted_utc !== null,
})

const toldOf = (names: readonly string[]) => (names.length === 0 ? {} : { NotTold: [...names] })

const noteModel = (row: NoteRow): NoteOut => ({
  NoteId: String(row.note_id),
  Text: row.text,
  ...authoredModel(row),
})

const writeCursor = (id: number): string => Buffer.from(JSON.stringify(['note', id])).toString('base64url')

function readCursor(cursor: string): number {
  const match = /^\["note",(\d{1,15})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return Number(match[1])
}
