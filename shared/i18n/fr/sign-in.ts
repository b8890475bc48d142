import type { signIn as english } from '../en/sign-in.ts'
import type { Translated } from '../types.ts'

export const signIn: Translated<typeof english> = {
  title: 'Se connecter',
  setupTitle: 'Premier administrateur',
  setupLead: 'Cette station est neuve. Le compte créé ici peut tout faire et crée les autres comptes.',
  setupButton: 'Créer le compte et se connecter',
  setupNoToken:
    'Ouvrez le lien d’installation que la station a affiché au démarrage. Il sert une fois, pendant 30 minutes, sur cette machine.',
  setupLinkUsed: 'Ce lien a déjà servi ou il est trop ancien. Redémarrez la station pour en obtenir un autre.',
  station: 'Station de preuves {{tenant}}',
  username: 'Nom d’utilisateur',
  firstName: 'Prénom',
  lastName: 'Nom',
  password: 'Mot de passe',
  passwordHelp: 'Au moins 12 caractères. Quelques mots sans rapport entre eux conviennent bien.',
  passwordAgain: 'Mot de passe, encore une fois',
  passwordsDiffer: 'Les deux ne sont pas identiques.',
  noticeTitle: 'Avant de vous connecter',
  noticeLead: 'Cette station contient des preuves. Elle est réservée aux personnes dont le service l’exige.',
  noticeRecorded:
    'Tout ce que vous ouvrez, lisez, copiez ou tentez d’ouvrir est consigné avec votre nom et l’heure. Cette connexion aussi.',
  noticeOwnName:
    'Utilisez votre propre nom. Verrouillez l’écran quand vous vous éloignez. Il se verrouille de lui-même après {{minutes}} minutes.',
  noticeDisclosure: 'Ce que vous voyez ici peut être communiqué aux parties. Ne photographiez pas l’écran.',
  noticeAccept: 'J’ai lu l’avis et j’utilise cette station pour mon service.',
  noticeNeeded: 'Lisez l’avis et cochez la case.',
  noticeId: 'Avis {{id}}',
  button: 'Se connecter',
  wrong: 'Le nom ou le mot de passe n’est pas bon.',
  tooMany: 'Trop d’essais. Réessayez dans {{wait}}.',
  lockRule: 'Cinq erreurs bloquent un compte pendant 15 minutes. Un administrateur peut le libérer plus tôt.',
  lockedTitle: 'Verrouillé',
  lockedLead: '{{name}} est connecté. Ce qui est en cours continue.',
  lockedWork_one: '{{count}} envoi continue',
  lockedWork_many: '{{count}} d’envois continuent',
  lockedWork_other: '{{count}} envois continuent',
  unlock: 'Déverrouiller',
  otherPerson: 'Se connecter sous un autre nom',
  otherPersonHelp: 'Ceci déconnecte {{name}}. Les envois en cours continuent.',
  needed: 'Nécessaire',
  signedOut: 'Vous êtes déconnecté.',
}
