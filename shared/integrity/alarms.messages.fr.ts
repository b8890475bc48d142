import type { Translated } from '../messages/types.ts'
import type { alarmReasons as english } from './alarms.messages.en.ts'

export const alarmReasons: Translated<typeof english> = {
  accepted: '{{who}} a accepté une station qui n’était pas telle qu’on l’avait laissée : {{found}} Motif : {{reason}}',
  checkpointRefused: 'Un point de contrôle de {{origin}} a été refusé. {{why}}',
  keyNotHandedOver: 'Il est signé par une clé à laquelle la précédente n’a pas été transmise.',
  keyUnknown: 'Il est signé par une clé dont on ne sait pas si elle est de cette station.',
  ledgerShorter:
    'Il porte sur {{size}} entrées, et un autre sur {{kept}} est conservé ici : son registre est devenu plus court.',
  otherOfSameSize: 'Un autre sur les mêmes {{size}} entrées est conservé ici.',
  notGoingOn: 'Il ne prolonge pas celui sur {{kept}} entrées qui est conservé ici.',
  keptNotGoingOn: 'Celui sur {{kept}} entrées qui est conservé ici ne le prolonge pas.',
  notCopied: 'Depuis plus d’un jour, aucun point de contrôle n’a pu y être copié.',
  noteNotOurs: 'Un point de contrôle qui s’y trouve n’est pas tel que cette station l’a signé : {{found}}.',
  noteOfOther: 'Un point de contrôle de {{origin}} se trouve parmi les nôtres.',
  endCutOff:
    'Un point de contrôle sur {{size}} entrées s’y trouve, et le registre d’ici en a moins : sa fin a été coupée, ou c’est une copie plus ancienne.',
  otherBeginning: 'Les {{size}} premières entrées du registre d’ici ne sont pas celles qui ont été signées.',
  blobsAway: 'Le volume des fichiers n’est plus là depuis le {{time}}. {{why}} Rien n’est vérifié jusqu’à son retour.',
  untracked:
    'Un fichier que rien ne désigne dans la base de données se trouvait parmi les fichiers. Il est gardé en quarantaine.',
  snapshotLacks: 'Il manque à l’instantané {{blobs}} fichiers endommagés ou absents de la station elle-même.',
  blobsNotInIt: '{{blobs}} fichiers endommagés n’y sont pas.',
  noSnapshot: 'Aucun instantané n’a pu être fait : {{why}}',
  snapshotBroken: 'Un instantané ne restitue pas ce qu’il devrait : {{found}}',
  originUnproven:
    'Origine non prouvée : cette station a été restaurée depuis l’instantané {{snapshot}}, et rien n’a montré de qui elle est. Elle dit elle-même que {{key}} l’a signé. Comparez avec la clé imprimée à l’installation, ou avec des copies de points de contrôle.',
  checkFailed: 'Autovalidation, {{check}} : {{found}}',
  checkFailedPlain: 'elle a échoué.',
  folderAway:
    'Le répertoire surveillé {{folder}} n’est pas là. Branchez son disque, ou corrigez le réglage dockSync. Ce que la station en a est en sûreté ; le reste sera pris à son retour.',
  otherBytes: 'Le siège a rendu d’autres octets que ceux qu’il a confirmés. Rien n’a été pris.',
  otherBytesThere: 'Le siège a reçu d’autres octets de {{name}} que son empreinte ne le dit. Vérifiez l’original ici.',
  otherHash: 'Le siège a confirmé pour {{name}} une autre empreinte que celle des octets d’ici.',
  stationRefused: 'Le siège refuse cette station. {{why}} Rien n’est transmis tant qu’il ne l’accepte pas.',
}
