import type { common as english } from '../en/common.ts'
import type { Translated } from '../types.ts'

export const common: Translated<typeof english> = {
  appName: 'Sallyport',
  tryAgain: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',
  none: 'Aucun',
  unknown: 'Inconnu',
  loading: 'Chargement',
  errorTitle: 'Cette partie ne s’est pas chargée',
  errorBody: 'Ce que la station contient est en sécurité. {{message}}',
  errorId: 'Si cela se reproduit, citez {{id}}.',
  offlineTitle: 'La station ne répond pas',
  offlineBody: 'Depuis {{since}}. Cette page reste telle quelle ; elle reprend d’elle-même au retour de la station.',
  pageCrashedTitle: 'Cette page s’est arrêtée',
  pageCrashedBody:
    'Rien de ce qui a été confirmé n’est perdu. Rechargez-la ; si elle s’arrête encore, citez le texte ci-dessous.',
  reload: 'Recharger',
}
