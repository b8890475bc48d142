import type { Translated } from '../messages/types.ts'
import type { connectionReasons as english } from './reasons.messages.en.ts'

export const connectionReasons: Translated<typeof english> = {
  refused: 'Rien n’écoute à cette adresse : la connexion a été refusée.',
  closed: 'La connexion a été fermée avant toute réponse.',
  noAnswer: 'Aucune réponse n’est arrivée à temps.',
  notMade: 'La connexion n’a pas pu être établie à temps.',
  unreachable: 'Cette adresse est injoignable : vérifiez le réseau.',
  unknownName: 'Le nom de cette adresse est introuvable : vérifiez l’adresse et le réseau.',
  certificateExpired: 'Le certificat de ce serveur a expiré.',
  certificateOther: 'Le certificat de ce serveur est établi pour un autre nom.',
  certificateUntrusted: 'Le certificat de ce serveur n’est signé par personne en qui cette machine a confiance.',
  tooLong: 'Sa réponse est trop longue.',
  tokenServiceAnswered: 'Le service de jetons a répondu {{status}}.',
  fileRefusedBecause: 'Le siège n’accepte pas le fichier de connexion : {{why}}.',
  fileRefused: 'Le siège n’accepte pas le fichier de connexion ({{status}}).',
  answered: 'Le siège a répondu {{status}}.',
  answeredWhy: 'Le siège a répondu {{status}} : {{why}}',
  otherServer: 'Un serveur qui n’est pas le siège a répondu {{status}}.',
  otherAnswer: 'La réponse du siège n’est pas conforme aux interfaces.',
  noBytes: 'Le siège ne donne pas les octets ({{status}}).',
  uploadAnswered: 'L’envoi a répondu {{status}} {{code}}.',
  uploadRefused: 'Le siège refuse l’envoi : {{code}}.',
  caseRefused:
    'Le siège ne laisse cette station ni créer ni modifier le dossier « {{title}} » : son intégration a besoin de CreateCases, et de Modifier sur ce dossier.',
  otherCustodyHash: 'Le siège a confirmé une autre empreinte pour le relevé de traçabilité.',
  custodyNotKept: 'Le siège n’a pas gardé le relevé de traçabilité, par trois fois.',
  otherBytes:
    'Le siège a reçu d’autres octets que ne le dit l’empreinte, par trois fois. Vérifiez l’original sur cette station.',
  uploadNotKept: 'Le siège n’a pas gardé un envoi, par trois fois.',
  otherHash: 'Le siège a confirmé une autre empreinte ({{hash}}). Il n’y a pas de reçu.',
  fileNotOpened: 'Son fichier de connexion ne s’ouvre pas avec les clés actuelles. Importez-le de nouveau.',
  portTaken: 'Un autre programme écoute à {{address}}. Choisissez un autre port, ou arrêtez ce programme.',
  portOfSystem:
    'La station n’a pas le droit d’écouter à {{address}} : les ports inférieurs à 1024 appartiennent au système. Choisissez-en un autre.',
  hostMissing: 'Cette machine n’a pas l’adresse {{host}}, que désigne SALLYPORT_LAN_HOST.',
  notAnnounced:
    'Les autres machines ne sont pas informées de la station par mDNS : {{why}}. Elles la trouvent quand même par son adresse.',
  onNoNetwork: 'cette machine n’est sur aucun réseau',
}
