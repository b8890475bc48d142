import type { Translated } from '../messages/types.ts'
import type { validationReasons as english } from './reasons.messages.en.ts'

export const validationReasons: Translated<typeof english> = {
  notEnded: 'Le contrôle n’est pas allé à son terme.',
  tooSlow: 'Le contrôle n’était pas terminé après {{seconds}} secondes.',
  didHashes:
    'Calcul de l’empreinte de messages dont le NIST publie le SHA-256 (CAVP courts et longs, exemples de FIPS 180), par les fils d’exécution qui calculent celles des preuves : là où ils se trouvent, et pendant leur prise en charge et leur relecture.',
  otherRead: '{{name}}, à la lecture : {{found}} au lieu de {{expected}}.',
  otherTakenIn: '{{name}}, à la prise en charge : {{found}} au lieu de {{expected}}.',
  didVolumes:
    'Écriture d’un fichier sur le volume de la base de données et sur celui des fichiers, synchronisation, relecture depuis le disque, changement d’un bit sous le dépôt, et nouvelle lecture.',
  didVolumesAndBucket:
    'Écriture d’un fichier sur le volume de la base de données et sur celui des fichiers, synchronisation, relecture depuis le disque, changement d’un bit sous le dépôt, et nouvelle lecture. Un objet a été écrit dans le stockage d’objets, relu et retiré.',
  onDatabase: 'Volume de la base de données : {{found}}',
  onBlobs: 'Volume des fichiers : {{found}}',
  otherBack: 'ce qui a été écrit a l’empreinte {{expected}}, et {{found}} a été relu.',
  readBackAs: 'un fichier que personne n’a changé a été relu comme {{found}}.',
  bitNotNoticed: 'un bit d’un fichier a été changé, et la relecture ne l’a pas vu.',
  objectGone: 'Stockage d’objets : un objet écrit ne s’y trouve pas tel qu’il a été écrit.',
  didLedger:
    'Écriture d’un registre de {{entries}} entrées dans une base d’essai, signature de sa tête avec une clé faite pour cela, vérification, et altération de copies : une entrée modifiée, une entrée supprimée, une entrée insérée, deux entrées interverties, la fin coupée, une entrée modifiée et toutes les empreintes suivantes refaites.',
  notAllVerified: 'Sur {{entries}} entrées, {{found}} ont été vérifiées.',
  wholeRefused: 'Un registre que personne n’a changé : {{what}} : {{message}}',
  notFound: 'Non trouvé : {{tampering}}.',
  edited: 'une entrée modifiée',
  deleted: 'une entrée supprimée',
  inserted: 'une entrée insérée',
  swapped: 'deux entrées interverties',
  cutOff: 'la fin coupée',
  madeAnew: 'une entrée modifiée et toutes les empreintes suivantes refaites',
  didSignatures:
    'Signature d’un texte avec la clé des paquets et avec celle du registre ; le programme openssl a vérifié les deux signatures, et les a refusées pour un texte changé.',
  noOpenssl:
    'Le programme openssl n’est pas installé sur cette machine, personne d’autre que la station n’a donc pu vérifier.',
  packageRefused: 'La clé des paquets : openssl refuse ce qu’elle a signé.',
  packageAccepted: 'La clé des paquets : openssl accepte sa signature pour un autre texte.',
  ledgerRefused: 'La clé du registre : openssl refuse ce qu’elle a signé.',
  ledgerAccepted: 'La clé du registre : openssl accepte sa signature pour un autre texte.',
  didDecoding:
    'Lecture d’un clip connu avec ffprobe, décodage de chacune de ses images avec ffmpeg et comparaison de leurs empreintes avec celles qui sont connues, copie de son flux dans un autre fichier, et décodage de celui-ci.',
  didMetadata:
    'Lecture d’une image connue avec exiftool : son fabricant, sa date, son lieu et l’heure de son récepteur.',
  notInstalled: '{{tool}} n’est pas installé sur cette machine.',
  otherPictures:
    'Ses {{known}} images ne sont pas décodées telles qu’elles sont connues : {{found}}, avec l’empreinte {{hash}}.',
  otherCopy: 'Une copie du flux n’est pas décodée en les images de sa source.',
  readAs: 'Du fichier connu, {{what}} : lu comme {{found}} au lieu de {{known}}.',
  itsCodec: 'le codec',
  itsWidth: 'la largeur',
  itsHeight: 'la hauteur',
  itsDate: 'la date',
  itsMaker: 'le fabricant',
  itsZone: 'le fuseau de la date',
  itsReceiver: 'l’heure du récepteur',
  itsPlace: 'le lieu',
  nothing: 'rien',
  didClock:
    'La machine a dit si son horloge est synchronisée, et l’heure a été comparée à une horloge que personne ne règle, depuis le début du contrôle.',
  jumped: 'L’heure a sauté de {{drift}} ms pendant le contrôle.',
  clockUnknown:
    'Aucun programme de cette machine ne dit si son horloge est synchronisée. Comparez-la à une autre horloge.',
  clockFree: 'L’horloge de cette machine n’est synchronisée avec rien. Comparez-la à une autre horloge.',
  clockWrong: 'L’horloge est synchronisée et peut quand même se tromper de {{error}} ms.',
  didDenial:
    'Une preuve d’une base d’essai a été demandée par quelqu’un sans aucun droit, par un appelant non connecté, et par la personne qui l’a apportée. Ces personnes n’existent que dans la base d’essai.',
  strangerLetIn: 'Quelqu’un sans aucun droit a été admis.',
  strangerTold: 'Quelqu’un sans aucun droit a été refusé par {{refusal}}, ce qui révèle que cette preuve existe.',
  nobodyLetIn: 'Un appelant non connecté a été admis.',
  ownerRefused: 'La personne qui a apporté la preuve a été refusée, un refus ne dit donc rien.',
  didRestore:
    'Instantané d’une station d’essai avec une preuve, restauré dans un répertoire vide à côté, et comparaison du fichier de la preuve.',
  notRestored: 'Le fichier de la preuve n’a pas été restauré.',
  otherRestored: 'Le fichier restauré a l’empreinte {{found}} au lieu de {{expected}}.',
  didNothing: 'Rien : cette version ne caviarde pas.',
  noRedaction: 'Cette version ne caviarde pas : il n’y a donc aucune preuve à éprouver.',
}
