import type { Translated } from '../messages/types.ts'
import type { cadReasons as english } from './reasons.messages.en.ts'

export const cadReasons: Translated<typeof english> = {
  notAnEvent: 'Le message ne peut pas être lu comme un événement.',
  unreadable: 'Le message ne peut pas être lu.',
  notJson: 'Le message n’est pas du JSON en UTF-8.',
  noObject: 'Le message n’est pas un objet JSON.',
  tooManyParts: 'Le message a plus de {{most}} membres et éléments.',
  missing: 'ne figure pas dans le message',
  noTime: 'doit être une heure ISO 8601, par exemple 2026-11-20T02:47:31.240Z, avec 0 à 7 décimales',
  halfPlace: 'doit donner la latitude et la longitude, ou aucune des deux',
  spaceAround: 'ne doit ni commencer ni finir par une espace',
  tooManyResources: 'ne doit pas avoir plus de {{most}} moyens',
  tooManyMembers: 'ne doit pas avoir plus de {{most}} membres',
  endsBefore: 'ne doit pas précéder eventStartTimeUtc',
  repeated: 'Un message avec ce transactionId a déjà été appliqué.',
  older: 'Un message plus récent de cet événement a déjà été appliqué.',
  closed: 'Le dossier de cet événement est clos.',
  deleted: 'Le dossier de cet événement est dans la corbeille.',
  failed: 'La station n’a pas pu appliquer ce message. Réessayez.',
  cut: '{{what}} dépassait {{most}} caractères, le texte a été coupé.',
  theName: 'Le nom',
  theRecordNumber: 'Le numéro de procédure',
  theCategory: 'La catégorie',
  aTag: 'Une étiquette',
  noField: 'La valeur de « {{name}} » ne peut pas être un champ personnalisé, elle n’a pas été reprise.',
  nobody: '« {{name}} » n’est personne de cette station.',
  severalPeople: '« {{name}} » désigne plusieurs personnes.',
  noCategory: 'Il n’y a pas de catégorie « {{name}} » ; elle a été gardée comme étiquette.',
  tooManyFields: 'Un dossier a au plus {{most}} champs personnalisés ; les autres n’ont pas été repris.',
  timesKept:
    'Les heures de l’événement ne s’accordent pas avec celles que quelqu’un a écrites ; elles sont restées telles quelles.',
}
