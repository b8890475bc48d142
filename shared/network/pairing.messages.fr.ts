import type { pairing as english } from './pairing.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const pairing: Translated<typeof english> = {
  title: 'Appairer cet ordinateur',
  titleOf: 'Appairer cet ordinateur avec {{station}}',
  lead: 'Une fois appairé, son navigateur connaît la station et n’avertit plus. Il faut cinq minutes, et le droit de modifier les certificats du système.',
  offTitle: 'Cette station n’est pas sur son réseau',
  offBody: 'Un administrateur l’y met à la station, sous Administration, Réseau. Ouvrez ensuite de nouveau cette page.',
  failedTitle: 'La station ne dit pas comment s’appairer',
  atStationTitle: 'Ceci est la station même',
  atStationBody: 'Rien n’est à appairer ici. Ouvrez cette page sur l’autre ordinateur, à l’une de ces adresses :',
  notSecure: 'Cette page est arrivée sans chiffrement. Comparez d’autant plus l’empreinte.',
  print: 'Imprimer',
  toSignIn: 'Vers la connexion',
  compare: 'Comparez les mots',
  compareHow:
    'L’écran de la station montre huit mots, sous Administration, Réseau, Appairer un autre ordinateur. Sont-ce ceux-ci, dans cet ordre ?',
  compareNo:
    'Si un seul diffère, arrêtez, fermez cette page et prévenez un administrateur : ce n’est pas cette station qui répond.',
  take: 'Téléchargez l’AC',
  takeHow:
    'L’autorité de certification (AC) de la station. Elle peut répondre des noms de cette station et d’adresses privées, et de rien sur Internet.',
  takeDer: 'Télécharger l’AC',
  takePem: 'en PEM',
  check: 'Vérifiez ce qui a été téléchargé',
  checkHow:
    'Qui se tient entre les deux ordinateurs a pu copier les mots. Il ne peut pas copier l’empreinte du fichier : faites-la calculer par cet ordinateur, et comparez-la à celle de l’écran de la station.',
  fingerprint: 'Empreinte, SHA-256, telle que cette page la dit',
  fingerprintCopy: 'l’empreinte',
  validTo: 'L’AC est valable jusqu’au {{when}}.',
  trust: 'Faites-lui confiance sur cet ordinateur',
  trustHow: 'Chaque système a sa manière. Le vôtre vient en premier.',
  yours: 'cet ordinateur',
  yourBrowser: 'ce navigateur',
  done: 'Ouvrez la station',
  doneHow: 'À l’une de ces adresses. Si aucun avertissement ne vient, cet ordinateur est appairé.',
  copyAddress: 'Copier {{address}}',
  copyCommand: 'la commande',

  windows: 'Windows',
  windowsBrowsers: 'Vaut aussi pour Edge et Chrome, et pour Firefox sauf réglage contraire.',
  windowsCheck: 'Ouvrez une invite de commandes dans le dossier du téléchargement, et comparez ce que ceci affiche :',
  windows1: 'Ouvrez le fichier téléchargé {{file}} et choisissez *Installer un certificat*.',
  windows2:
    'Choisissez *Ordinateur local* (pour tous sur cet ordinateur) ou *Utilisateur actuel*, puis *Placer tous les certificats dans le magasin suivant*, *Parcourir*, *Autorités de certification racines de confiance*.',
  windows3: 'Terminez, puis redémarrez le navigateur.',
  windowsMany:
    'En administrateur, la même chose en une ligne ; pour de nombreux ordinateurs, une stratégie de groupe le fait :',

  macos: 'macOS',
  macosBrowsers: 'Vaut aussi pour Safari et Chrome, et pour Firefox sauf réglage contraire.',
  macosCheck: 'Dans Terminal, comparez ce que ceci affiche :',
  macos1: 'Ouvrez le fichier téléchargé {{file}}. Trousseaux d’accès demande un trousseau : choisissez *Système*.',
  macos2:
    'Ouvrez-y le certificat {{name}}, puis *Se fier*, et choisissez *Toujours approuver* pour *Lors de l’utilisation de ce certificat*.',
  macos3: 'Fermez-le ; le système demande votre mot de passe. Redémarrez le navigateur.',
  macosMany: 'La même chose en une ligne :',

  linux: 'Linux',
  linuxBrowsers:
    'Pour curl, openssl et les programmes qui utilisent la liste du système. Les navigateurs ont leurs propres listes : voir Chrome et Firefox.',
  linuxCheck: 'Comparez ce que ceci affiche :',
  linux1: 'Sous Debian et Ubuntu :',
  linux2: 'Sous Fedora et apparentés :',

  chrome: 'Chrome, Chromium et Edge sous Linux',
  chromeBrowsers: 'Sous Windows, macOS et Android ils utilisent la liste du système : rien d’autre n’est à faire.',
  chrome1: 'Ouvrez *chrome://certificate-manager*, *Personnalisés* ou *Certificats locaux*, puis *Installés par vous*.',
  chrome2: 'À côté de *Certificats de confiance* choisissez *Importer*, puis le fichier téléchargé {{file}}.',
  chrome3:
    'Les plus anciens l’ont sous *chrome://settings/certificates*, *Autorités* : cochez *Faire confiance à ce certificat pour identifier les sites Web*.',
  chromeMany: 'La même chose en une ligne (paquet libnss3-tools) :',

  firefox: 'Firefox',
  firefoxBrowsers: 'Sous Windows et macOS il reprend ce à quoi le système se fie ; sous Linux il a sa propre liste.',
  firefox1:
    'Ouvrez *Paramètres*, *Vie privée et sécurité*, *Certificats*, *Afficher les certificats*, *Autorités*, et choisissez *Importer*.',
  firefox2:
    'Choisissez le fichier téléchargé {{file}}, puis *Voir* : comparez l’empreinte SHA-256 à celle de l’écran de la station.',
  firefox3: 'Cochez *Confirmer cette AC pour identifier des sites web*.',

  ios: 'iPhone et iPad',
  iosBrowsers: 'Pour Safari et tout autre navigateur de l’appareil.',
  ios1: 'Téléchargez l’AC dans Safari et autorisez le profil.',
  ios2: 'Ouvrez *Réglages*, *Profil téléchargé*, *Plus de détails*, le certificat : comparez l’empreinte SHA-256. Choisissez ensuite *Installer*.',
  ios3: 'Ouvrez *Réglages*, *Général*, *Informations*, *Réglages des certificats*, et activez {{name}}.',

  android: 'Android',
  androidBrowsers:
    'Pour Chrome. Dans Firefox pour Android, les certificats que vous avez installés doivent être autorisés dans ses propres réglages.',
  android1:
    'Téléchargez l’AC. Ouvrez *Paramètres*, *Sécurité*, *Autres paramètres de sécurité*, *Chiffrement et identifiants*, *Installer un certificat*, *Certificat CA*, et choisissez le fichier.',
  android2:
    'Ouvrez *Certificats de confiance*, *Utilisateur*, et le certificat : comparez l’empreinte SHA-256. Si elle diffère, choisissez *Supprimer*.',
  android3:
    'Les noms de ces menus diffèrent un peu selon le fabricant. Un appareil géré ne l’accepte parfois que de son administrateur.',
}
