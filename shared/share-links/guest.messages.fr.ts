import type { Translated } from '../messages/types.ts'
import type { guestLink as english } from './guest.messages.en.ts'

export const guestLink: Translated<typeof english> = {
  title: 'Preuves partagées',
  codeTitle: 'Saisissez votre code',
  codeLead:
    'Vous avez reçu cette adresse pour regarder des preuves. Le code à huit chiffres vous est parvenu par une autre voie.',
  code: 'Code',
  codeWhat: 'Huit chiffres',
  open: 'Ouvrir',
  recorded:
    'Chaque ouverture est enregistrée avec l’heure et l’adresse de votre ordinateur, et montrée à la personne qui vous a donné le lien.',
  wrongLimit: 'Après cinq codes erronés, le lien est bloqué définitivement.',
  noToken: 'Cette adresse n’est pas complète',
  noTokenBody: 'Ouvrez l’adresse entière telle que vous l’avez reçue, avec tout ce qui suit le signe #.',
  refused: 'L’adresse ou le code n’est pas juste',
  refusedBody:
    'Vérifiez les deux. Après cinq codes erronés, le lien est bloqué : demandez-en alors un autre à la personne qui vous l’a donné.',
  ended: 'Ce lien ne fonctionne plus',
  endedBody: 'Il a expiré, ou la personne qui l’a donné l’a révoqué. Demandez-lui-en un autre.',
  wait: 'Trop d’essais depuis cette adresse. Attendez {{seconds}} secondes, puis réessayez.',
  failed: 'La station ne répond pas',
  failedBody: 'Vérifiez que vous êtes sur son réseau, puis réessayez.',
  again: 'Réessayer',
  givenBy: 'Donné par',
  station: 'Station',
  forWhom: 'Pour',
  until: 'Jusqu’au',
  number: 'Lien',
  viewOnly: 'Pour consultation. Chaque copie porte votre nom.',
  download:
    'Pour consultation et téléchargement. Chaque copie à regarder porte votre nom ; les originaux sont inchangés.',
  holds_one: '{{shown}} fichier',
  holds_other: '{{shown}} fichiers',
  withheld_one: '{{shown}} fichier n’est plus montré.',
  withheld_other: '{{shown}} fichiers ne sont plus montrés.',
  nothing: 'Rien n’est montré maintenant',
  nothingBody: 'Ce que contenait ce lien ne peut être montré maintenant. Demandez à la personne qui l’a donné.',
  making: 'La copie à regarder est en préparation. Elle apparaît ici d’elle-même.',
  makingPart: 'La copie à regarder est en préparation : {{percent}} fait. Elle apparaît ici d’elle-même.',
  copyFailed:
    'Aucune copie à regarder n’a pu être créée de ce fichier. Demandez à la personne qui vous a donné le lien.',
  noCopy: 'Les fichiers de ce type ne peuvent pas être regardés ici.',
  play: 'Lire {{name}}',
  show: 'Montrer {{name}}',
  downloadOriginal: 'Télécharger l’original',
  sha256: 'SHA-256',
  done: 'Fermer le lien',
  closed: 'Le lien est fermé sur cet ordinateur',
  closedBody: 'Ouvrez de nouveau l’adresse et saisissez le code pour continuer, tant que le lien est valable.',
}
