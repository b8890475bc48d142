import type { uiLater as english } from './ui-later.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const uiLater: Translated<typeof english> = {
  conflictBack: 'Retour à mon formulaire',
  conflictSave: 'Enregistrer ces choix',
  was: 'Avant',
  yours: 'Votre saisie',
  notChanged: 'non changé',
  noteNew: 'Écrire une note',
  noteChange: 'Modifier la note',
  noteAdd: 'Ajouter la note',
  noteSave: 'Enregistrer la note',
  noteNothing: 'Rien n’a encore été écrit ni modifié',
  noteFailed: 'Rien n’a été enregistré ; ce que vous avez saisi est toujours là',
  noteEditOf: 'Modifier la note de {{author}}',
  noteRemoveOf: 'Supprimer la note de {{author}}',
  noteRemove: 'Supprimer la note',
  noteRemoveAsk: 'Supprimer cette note ?',
  noteRemoveBody: 'Elle ne sera plus affichée. Ce qu’elle disait reste dans son historique.',
  noteKeep: 'La garder',
  noteEdited_one: 'Modifiée {{time}}.',
  noteEdited_many: 'Modifiée {{count}} de fois, la dernière {{time}}.',
  noteEdited_other: 'Modifiée {{count}} fois, la dernière {{time}}.',
  noteEarlier: 'Ce qu’elle disait avant',
  noteEarlierOf: 'Ce qu’elle disait avant : la note de {{author}}',
  noteEarlierHide: 'Masquer',
  noteEarlierHideOf: 'Masquer ce que la note de {{author}} disait avant',
}
