import type { Action } from './ledger-actions.ts'

/**
 * Reads that belong to an opening of an evidence: the record, lists, marks, notes, small pictures, playback, and the proof that its page
 * makes by itself. The window folds them into one line a visit. A closed list: what is not in it, downloads, exports and requested checks
 * among others, is a line of its own. So is every read that was refused or failed.
 */
export const READS_OF_A_VISIT = [
  'evidence.read',
  'evidence.history',
  'evidence.duplicates',
  'evidence.suggestions',
  'evidence.relations',
  'evidence.forwardingRead',
  'restriction.read',
  'resource.read',
  'resource.listed',
  'resource.previewed',
  'resource.thumbnail',
  'resource.played.started',
  'resource.played.ended',
  'bookmark.read',
  'note.read',
  'captions.read',
  'correlation.read',
  'job.read',
  'list.read',
  'ledger.read',
  'custody.verified',
] as const satisfies readonly Action[]

const READS: ReadonlySet<string> = new Set(READS_OF_A_VISIT)

export const isReadOfVisit = (action: string, outcome: string): boolean => outcome === 'ok' && READS.has(action)
