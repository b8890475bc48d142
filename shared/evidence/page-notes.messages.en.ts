/** Notes that people write. */
export const notes = {
  notes: 'Notes',
  notesNone: 'No notes yet',
  notesNoneDo: 'What you write appears here with your name and the time. What it said before is kept.',
  notesNoneBody: 'What people write about this evidence appears here. To write takes the right to edit.',
  noteGone: 'The note is not here any more.',
} as const
