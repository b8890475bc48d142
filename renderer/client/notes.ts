/** Notes on an evidence or a case, asked for a page at a time and written from the page. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/evidence/notes.contract.ts'
import { call, newKey } from './api.ts'
import { from, useItemPages } from './pages.ts'
import { calledIn, peopleAmong } from './people.ts'
import { principalsFor } from './principals.ts'
import { useIsMember, useSession } from './session.tsx'
import { useTextDrafts } from './use-text-draft.ts'

type Note = z.output<typeof contract.NoteModel>
type NoteVersion = z.output<typeof contract.NoteVersion>

interface NotedOn {
  readonly on: 'evidence' | 'case'
  readonly id: string
}

const PAGE = '50'

/** Its key begins with what it is written on, so that a live event of that asks anew. */
const keyOf = ({ on, id }: NotedOn) => [on, id, 'notes'] as const

function useNotes(place: NotedOn) {
  const { tenant } = useSession()
  const { on, id } = place
  return useItemPages({
    queryKey: keyOf(place),
    ask: (cursor, signal) => {
      const query = { count: PAGE, ...from(cursor) }
      return on === 'evidence'
        ? call(contract.listEvidenceNotes, { params: { tenantName: tenant, evidenceId: id }, query, signal })
        : call(contract.listCaseNotes, { params: { tenantId: tenant, caseId: id }, query, signal })
    },
  })
}

/** Writing answers the user names that were mentioned and not told. */
interface NoteActs {
  readonly add: (text: string) => Promise<readonly string[]>
  readonly change: (note: Pick<Note, 'NoteId' | 'ConcurrencyId'>, text: string) => Promise<readonly string[]>
  readonly remove: (note: Pick<Note, 'NoteId' | 'ConcurrencyId'>) => Promise<void>
  /** Newest first. */
  readonly versions: (noteId: string) => Promise<readonly NoteVersion[]>
}

function useNoteActs({ on, id }: NotedOn): NoteActs {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const refresh = useCallback(() => queries.invalidateQueries({ queryKey: keyOf({ on, id }) }), [queries, on, id])
  return useMemo(() => {
    const evidence = { tenantName: tenant, evidenceId: id }
    const record = { tenantId: tenant, caseId: id }
    const ofEvidence = on === 'evidence'
    return {
      add: async (Text) => {
        const given = { body: { Text }, idempotencyKey: newKey() }
        const { NotTold = [] } = await (ofEvidence
          ? call(contract.createEvidenceNote, { params: evidence, ...given })
          : call(contract.createCaseNote, { params: record, ...given }))
        await refresh()
        return NotTold
      },
      change: async ({ NoteId: noteId, ConcurrencyId }, Text) => {
        const body = { Text, ConcurrencyId }
        const { NotTold = [] } = await (ofEvidence
          ? call(contract.updateEvidenceNote, { params: { ...evidence, noteId }, body })
          : call(contract.updateCaseNote, { params: { ...record, noteId }, body }))
        await refresh()
        return NotTold
      },
      remove: async ({ NoteId: noteId, ConcurrencyId: concurrencyId }) => {
        const query = { concurrencyId }
        await (ofEvidence
          ? call(contract.deleteEvidenceNote, { params: { ...evidence, noteId }, query })
          : call(contract.deleteCaseNote, { params: { ...record, noteId }, query }))
        await refresh()
      },
      versions: (noteId) =>
        ofEvidence
          ? call(contract.listEvidenceNoteVersions, { params: { ...evidence, noteId } })
          : call(contract.listCaseNoteVersions, { params: { ...record, noteId } }),
    }
  }, [tenant, on, id, refresh])
}

interface NotesAsked {
  readonly place: NotedOn
  readonly mayAdd: boolean
  readonly mayChange: (note: Note) => boolean
  /** How what people typed is shown. */
  readonly text: (typed: string) => string
  readonly name: (typed: string) => string
  /** Said where a note went while it was being changed. */
  readonly gone: string
}

/** Notes as their thread shows them, with what can be done to them. */
export function useNotesThread({ place, mayAdd, mayChange, text, name, gone }: NotesAsked) {
  const { pages, rows: notes, more, busy, onMore, error, retry } = useNotes(place)
  const people = useMemo(() => peopleAmong((pages ?? []).flatMap(({ People }) => People)), [pages])
  const called = (who: Note['Author']): string => name(calledIn(people, who) ?? who.Username)
  const acts = useNoteActs(place)
  const drafts = useTextDrafts(`note-${place.on}-${place.id}`)
  const findPeople = useFindPeople()
  const of = (id: string): Note => {
    const found = notes?.find(({ NoteId }) => NoteId === id)
    if (found === undefined) throw new Error(gone)
    return found
  }
  return {
    /** null before the first answer. */
    count: notes?.length ?? null,
    error,
    retry,
    more: more ? { busy, onPress: onMore } : null,
    thread: {
      longest: contract.LONGEST_NOTE,
      drafts,
      findPeople,
      notes: (notes ?? []).map((note) => ({
        id: note.NoteId,
        text: text(note.Text),
        source: note.Text,
        author: called(note.Author),
        atUtc: note.CreatedUtc,
        edits: note.Edits,
        changedUtc: note.ModifiedUtc,
        mayChange: mayChange(note),
      })),
      onAdd: mayAdd ? acts.add : undefined,
      onChange: async (id: string, typed: string) => acts.change(of(id), typed),
      onRemove: async (id: string) => acts.remove(of(id)),
      onEarlier: async (id: string) =>
        (await acts.versions(id)).map((was) => ({
          id: was.ConcurrencyId,
          text: text(was.Text),
          author: called(was.Author),
          atUtc: was.DateUtc,
        })),
    },
  }
}

/** Users that can be mentioned; guests cannot ask for names. */
function useFindPeople() {
  const { tenant } = useSession()
  const member = useIsMember()
  return useMemo(
    () =>
      member
        ? async (text: string) =>
            (await principalsFor(tenant, text)).flatMap(({ PrincipalId, PrincipalType, Username, Name }) =>
              PrincipalType === 'user' && PrincipalId !== null && Username !== null
                ? [{ id: PrincipalId, username: Username, name: Name ?? Username }]
                : [],
            )
        : undefined,
    [tenant, member],
  )
}
