import type { Translated } from '../messages/types.ts'
import type { packageProblems as english } from './problems.messages.en.ts'

export const packageProblems: Translated<typeof english> = {
  noFolder: 'Il n’y a pas de répertoire {{folder}}. Le volume est-il connecté ?',
  volumeTaken:
    'Le volume de {{folder}} a été retiré pendant que le paquet était établi. Reconnectez-le, et recommencez.',
  tooSmall:
    'Le paquet demande {{needed}} octets sur le volume de {{folder}}, et {{free}} sont libres. Rien n’a été écrit.',
  driveTooSmall:
    'Le paquet demande {{needed}} octets sur le support {{drive}}, et {{free}} sont libres. Rien n’a été écrit.',
  volumeFull: 'Le volume de {{folder}} est plein. Faites de la place, ou choisissez-en un autre, et recommencez.',
  volumeIsFull: 'Le volume est plein. Faites de la place, ou choisissez-en un autre, et recommencez.',
  volumeFailed:
    'Le volume de {{folder}} a échoué ({{error}}). Regardez s’il est connecté et si l’on peut y écrire, et recommencez.',
  nameTaken: 'Il y a déjà quelque chose à {{path}}. Choisissez un autre emplacement, ou déplacez-le.',
  folderInTheWay: '{{path}} gêne : ce n’est pas un répertoire.',
  fileInTheWay: '{{path}} gêne : ce n’est pas un fichier.',
  notReadBack: 'Le volume ne rend pas {{of}} tels qu’ils y ont été écrits.',
  theBytes: 'les octets',
  theNames: 'les noms',
  thePlaces: 'les emplacements',
  placesOf: 'les emplacements de {{path}}',
  bytesOf: 'les octets de {{path}}',
  noXorriso:
    'Une image de disque est faite par xorriso, qui n’est pas installé sur la machine de la station. Sous Debian : apt-get install xorriso. Ou faites un répertoire ou un fichier ZIP. Rien n’a été écrit.',
  noSevenZip:
    'Un paquet est chiffré par 7z, qui n’est pas installé sur la machine de la station. Sous Debian : apt-get install p7zip-full. Ou établissez le paquet sans le chiffrer. Rien n’a été écrit.',
  toolEnded: '{{tool}} s’est terminé par {{end}} : {{said}}',
  namelessFolder:
    'Un répertoire a un nom que l’on ne peut pas donner à xorriso. Faites un répertoire ou un fichier ZIP.',
  fileGone: 'Le fichier n’est pas là.',
  fileUnreadable: 'Le fichier n’a pas pu être lu jusqu’à sa fin ({{error}}).',
  otherLength: 'Il a {{found}} octets, et non {{expected}}.',
  otherHash: 'Son empreinte SHA-256 est {{found}}, et non {{expected}}.',
  withoutName: 'La station s’est arrêtée pendant que ce paquet recevait son nom.',
  startedAgain: 'La station a été redémarrée, et ne garde pas les phrases secrètes. Donnez-la de nouveau.',
  noAccount: '{{who}} n’a plus de compte actif.',
  driveAway:
    '{{what}} n’est pas connecté, n’accepte pas d’écriture, ou est une caméra ou la carte d’une caméra (on y trouve un répertoire tel que DCIM). Connectez-le, attendez que la page Dock le montre, et réessayez.',
  restrictedSince:
    'Une partie de son contenu a été restreinte depuis que le paquet a été demandé. Demandez-le de nouveau.',
  changedSince: 'Ce qui a été choisi a changé depuis que le paquet a été demandé. Demandez-le de nouveau.',
  deletedMeanwhile:
    'La preuve {{id}} a été supprimée pendant que le paquet était établi. Établissez-le de nouveau : elle n’y sera pas.',
  restrictedMeanwhile:
    'La preuve {{id}} a été restreinte ({{kinds}}) pendant que le paquet était établi. Rien n’est sorti.',
  disclosedMeanwhile:
    'Quelque chose a été communiqué entre-temps, les numéros du bordereau ne tiennent donc plus. Établissez le paquet de nouveau.',
  templateUnusable: 'Le modèle {{file}} ne peut pas être utilisé. {{why}}',
}
