import type { stage as english } from './page-stage.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const stage: Translated<typeof english> = {
  making: 'Création : {{what}}',
  makingInspect: 'Identification du type de fichier',
  makingClip: 'Création d’un extrait',
  makingCheck: 'Relecture depuis le disque',
  workQueued: 'Attend son tour',
  workChanges: 'L’original est entier et en sûreté. Cette page change d’elle-même.',
  cardOpen: 'L’envoi n’est pas achevé',
  cardOpenDo: 'Il reprend là où il a commencé, ou depuis la liste des envois.',
  cardRefused: 'Ce qui est arrivé n’est pas ce qui était annoncé',
  cardRefusedDo: 'Les octets sont mis de côté. Ajoutez de nouveau le fichier depuis sa source.',
  cardFailed: 'Sans succès : {{making}}',
  cardWhole: 'L’original est entier.',
  cardWholeDownload: 'L’original est entier et peut être téléchargé.',
  cardNotShown: 'Pas d’aperçu pour ce type de fichier',
  cardNotShownDo: 'Il est conservé tel quel ({{type}}). Téléchargez-le et ouvrez-le avec le programme qui l’a créé.',
  cardNotShownRight: 'Vous avez le droit de voir cette preuve. Afficher ce fichier demande le droit de télécharger.',
}
