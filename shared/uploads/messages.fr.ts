import type { uploads as english } from './messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const uploads: Translated<typeof english> = {
  title_one: 'Ajout de {{count}} fichier',
  title_many: 'Ajout de {{count}} de fichiers',
  title_other: 'Ajout de {{count}} fichiers',
  empty: 'Aucun fichier en route',
  emptyBody: 'Déposez des fichiers ou des dossiers n’importe où dans cette fenêtre, ou utilisez Ajouter des preuves.',
  safe: '{{done}} sur {{count}} en sécurité',
  amount: '{{sent}} sur {{all}}',
  written: '{{size}} écrits',
  kept: '{{sent}} sur {{all}} conservés',
  allProgress: 'Tous les fichiers ensemble',
  closeAnyTime: 'Vous pouvez fermer ceci ou verrouiller l’écran. Les envois continuent.',
  pauseAll: 'Tout suspendre',
  resumeAll: 'Tout reprendre',
  clear: 'Vider la liste',
  queued: 'En attente',
  preparing: 'Se prépare',
  sending: 'Envoi',
  readingBack: 'Relecture',
  done: 'Vérifié',
  paused: 'Suspendu par vous',
  waiting: 'En attente',
  stopped: 'Arrêté',
  needsFile: 'Fichier demandé',
  refused: 'Refusé',
  problemFileGone:
    'Le fichier n’est plus lisible. {{sent}} sur {{all}} sont en sécurité ici. Rebranchez sa carte, puis reprenez.',
  problemOtherFile:
    'Ce n’est pas le même fichier. {{sent}} sur {{all}} sont en sécurité ici. Choisissez le fichier d’origine pour continuer.',
  problemUnreachable:
    'La station ne répond pas. {{sent}} sur {{all}} y sont en sécurité. L’envoi reprendra de lui-même.',
  problemSignedOut:
    'Personne n’est connecté. {{sent}} sur {{all}} sont en sécurité ici. Connectez-vous et l’envoi reprendra de lui-même.',
  problemLocked: 'L’écran est verrouillé. L’envoi commencera au déverrouillage.',
  problemBusy: 'La station est occupée. {{sent}} sur {{all}} y sont en sécurité. L’envoi reprendra de lui-même.',
  problemNeedsRight: '{{sent}} sur {{all}} sont en sécurité ici. Reprendre permet au navigateur de relire le fichier.',
  problemNeedsFile: '{{sent}} sur {{all}} sont en sécurité ici. Reprendre redemande le même fichier.',
  problemSaid: '{{sent}} sur {{all}} ont été envoyés.',
}
