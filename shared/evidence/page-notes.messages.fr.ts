import type { notes as english } from './page-notes.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const notes: Translated<typeof english> = {
  notes: 'Notes',
  notesNone: 'Aucune note pour l’instant',
  notesNoneDo: 'Ce que vous écrivez apparaît ici avec votre nom et l’heure. Ce qui était écrit avant est conservé.',
  notesNoneBody: 'Ce qui est écrit à propos de cette preuve apparaît ici. Pour écrire, il faut le droit de modifier.',
  noteGone: 'La note n’est plus là.',
}
