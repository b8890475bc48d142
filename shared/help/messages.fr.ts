import type { Translated } from '../messages/types.ts'
import type { help as english } from './messages.en.ts'

export const help: Translated<typeof english> = {
  title: 'Aide',
  lead: 'Que voulez-vous faire ?',
  search: 'Chercher dans l’aide',
  searchHow: 'Avec vos mots : plaque, heure fausse, supprimer …',
  nothing: 'Rien ici ne concerne « {{text}} ».',
  nothingBody: 'Essayez un autre mot, ou cherchez dans toutes les preuves et tous les dossiers.',
  searchFor: 'Rechercher « {{text}} »',
  count_one: '{{count}} sujet',
  count_many: '{{count}} de sujets',
  count_other: '{{count}} sujets',
  groupcameras: 'Caméras',
  groupevidence: 'Preuves',
  groupcases: 'Dossiers et appels',
  groupproof: 'Preuve et conservation',
  groupme: 'Mon poste',
  groupstation: 'La station',
  go: 'M’y conduire',
  goAdd: 'Choisir des fichiers',
  goJobs: 'Ouvrir les traitements',
  goKeys: 'Afficher les touches',
  about: 'À propos',
  version: 'Version',
  licence: 'Licence',
  licenceText: 'Apache License 2.0',
  notices: 'Logiciels tiers',
  station: 'Station',
  diagnostics: 'Diagnostic',
  diagnosticsBody:
    'Pour la personne qui vous aide : le programme, ce navigateur et l’état de la station. Aucun nom, aucune preuve.',
  copy: 'Copier le diagnostic',
  guide: 'Touches',
  unknown: 'inconnu',
  handIn: 'Rendre une caméra',
  handInWords: 'dock déposer brancher caméra piéton fin de service baie berceau',
  handInSteps:
    'Placez la caméra dans n’importe quelle baie. Il n’est pas nécessaire de se connecter.\nAttendez que sa case soit remplie en vert et indique qu’elle peut être reprise.\nReprenez la caméra. Si la case demande de la remettre, placez-la dans n’importe quelle baie : la copie continue où elle s’était arrêtée.',
  takeCamera: 'Prendre une caméra pour mon service',
  takeCameraWords: 'affecter attribuer début de service numéro de série scanner ma caméra',
  takeCameraSteps:
    'Ouvrez Prendre une caméra.\nScannez l’étiquette de la caméra, ou saisissez son numéro de série.\nIdentifiez-vous. Ce qu’elle enregistre est désormais noté à votre nom.',
  receipt: 'Imprimer le reçu d’un dépôt',
  receiptWords: 'reçu justificatif liste des fichiers imprimer pdf dépôt',
  receiptSteps: 'Ouvrez Caméras déposées et choisissez le dépôt.\nAppuyez sur Reçu. Imprimez-le ou gardez-le en PDF.',
  addFiles: 'Ajouter des fichiers d’un téléphone, d’une clé ou d’une vidéosurveillance',
  addFilesWords: 'téléverser importer déposer usb téléphone vidéosurveillance photo image document dossier',
  addFilesSteps:
    'Déposez des fichiers ou des dossiers n’importe où dans la fenêtre, ou appuyez sur Ajouter des preuves.\nChoisissez un dossier pendant l’envoi, si vous le connaissez.\nAttendez la coche : chaque fichier a été copié, relu et son empreinte calculée.',
  find: 'Trouver un enregistrement, un dossier ou une personne',
  findWords: 'rechercher chercher où est plaque immatriculation nom note texte',
  findSteps:
    'Appuyez sur Ctrl K n’importe où et tapez : une plaque, un nom, une rue, un numéro de dossier, les mots d’une note ou une étiquette.\nPour les filtres, la carte et les recherches enregistrées, ouvrez Recherche.',
  myRecordings: 'Voir ce que j’ai enregistré pendant mon service',
  myRecordingsWords: 'mes images enregistrements service manquant à faire aujourd’hui',
  myRecordingsSteps:
    'Ouvrez Aujourd’hui. Mon dernier service liste vos enregistrements et dit ce qui manque à chacun.\nAppuyez sur Entrée pour ouvrir une ligne, sur J et K pour passer d’une ligne à l’autre.\nPour tout classer d’un coup, appuyez sur A, puis J et Ctrl A. S choisit la catégorie, C lie le dossier, R donne les titres.',
  rename: 'Donner un titre et une description à une preuve',
  renameWords: 'renommer nom titre décrire modifier changer texte',
  renameSteps:
    'Ouvrez la preuve et appuyez sur E, ou cliquez sur son titre.\nSaisissez le texte et appuyez sur Entrée. Annuler revient en arrière.\nPour plusieurs à la fois, sélectionnez des lignes et appuyez sur R : chacune reçoit le titre avec un numéro.\nLa description et les autres champs sont dans les détails, à côté de l’image.',
  tag: 'Étiqueter des preuves',
  tagWords: 'étiquettes mots-clés marquer plusieurs à la fois lot',
  tagSteps:
    'Ouvrez la preuve et appuyez sur T. Tapez une étiquette ; celles déjà utilisées sont proposées.\nPour plusieurs à la fois, sélectionnez des lignes avec la barre d’espace et utilisez la barre du bas.',
  category: 'Choisir la catégorie et la durée de conservation',
  categoryWords: 'catégoriser classer conservation garder combien de temps catégorie',
  categorySteps:
    'Ouvrez la preuve et choisissez la catégorie dans les détails. La durée de conservation est indiquée.\nPour plusieurs à la fois, sélectionnez des lignes et appuyez sur S, ou sur Catégorie dans la barre.',
  wrongTime: 'Corriger une date ou une heure fausse',
  wrongTimeWords: 'heure date horloge fausse décalage été corriger enregistré',
  wrongTimeSteps:
    'Ouvrez la preuve. La ligne sous l’image donne l’heure de la station et celle qu’indiquait la caméra.\nPour donner une autre heure, cliquez sur l’heure d’enregistrement dans les détails, indiquez l’heure et le motif. L’heure du fichier reste telle quelle.',
  officer: 'Dire de qui est un enregistrement',
  officerWords: 'agent propriétaire attribuer personne à qui caméra',
  officerSteps:
    'Ouvrez la preuve et indiquez l’agent dans les détails.\nSi une caméra n’a pas d’agent pour une période, indiquez-le sous Appareils : tous ses enregistrements de cette période suivent.',
  watch: 'Regarder un enregistrement, image par image',
  watchWords: 'lire vidéo ralenti image vitesse aller à avancer regarder',
  watchSteps:
    'Ouvrez la preuve. La barre d’espace lit et met en pause.\nLes touches , et . avancent d’une image, J et L reculent et avancent, [ et ] changent la vitesse. Maj G va à une heure.',
  still: 'Prendre une image fixe d’une vidéo',
  stillWords: 'image fixe capture photo arrêt sur image visage',
  stillSteps:
    'Arrêtez-vous sur l’image et appuyez sur S.\nL’image fixe devient un fichier de la preuve, avec l’heure et l’empreinte de ce dont elle provient.',
  clip: 'Découper un extrait d’une vidéo',
  clipWords: 'extrait couper découper raccourcir partie segment minutes',
  clipSteps:
    'Ouvrez l’enregistrement. Appuyez sur I au début de l’extrait et sur O à la fin, ou posez des repères.\nAppuyez sur Extrait, choisissez exact ou flux intact, et donnez-lui un titre. Plusieurs peuvent être faits à la fois.\nL’extrait devient un fichier de la preuve et dit d’où il provient.',
  print: 'Imprimer une fiche, un rapport de traçabilité ou une étiquette',
  printWords: 'imprimer pdf papier rapport fiche résumé étiquette qr autocollant tribunal document',
  printSteps:
    'Ouvrez la preuve ou le dossier, ouvrez Plus et appuyez sur Imprimer.\nChoisissez le document et enregistrez le PDF. Il contient l’empreinte, les heures et la traçabilité du moment.',
  mark: 'Marquer un moment, écrire une note',
  markWords: 'repère signet note commentaire annoter moment',
  markSteps:
    'Appuyez sur M au bon moment et saisissez le texte. Le repère est placé sur l’axe du temps.\nLes notes sur toute la preuve ou sur un dossier ont leur propre panneau.',
  download: 'Télécharger un fichier, ou plusieurs en ZIP',
  downloadWords: 'télécharger exporter copier usb enregistrer zip original',
  downloadSteps:
    'Ouvrez la preuve et appuyez sur Télécharger l’original : exactement les octets reçus.\nPour plusieurs, sélectionnez des lignes et appuyez sur Télécharger dans la barre. Le ZIP contient un manifeste avec l’empreinte de chaque fichier.',
  link: 'Mettre des preuves dans un dossier',
  linkWords: 'lier ajouter au dossier rattacher classer incident déplacer',
  linkSteps:
    'Sélectionnez des lignes avec la barre d’espace et appuyez sur Lier à un dossier dans la barre.\nOu ouvrez le dossier et appuyez sur Ajouter à côté de ses preuves.',
  createCase: 'Créer un dossier',
  createCaseWords: 'nouveau dossier ouvrir incident affaire',
  createCaseSteps:
    'Appuyez sur Nouveau dossier, ou sur N dans la liste des dossiers.\nDonnez un titre. Les faits, la date, le lieu, la catégorie et le service peuvent suivre. Ce que vous saisissez est gardé en brouillon.',
  share: 'Partager un dossier avec un collègue',
  shareWords: 'partager donner accès droit collègue voir invité procureur enquêteur',
  shareSteps:
    'Ouvrez le dossier et appuyez sur Partager.\nChoisissez la personne et ce qu’elle peut faire : Consulter, Télécharger, Modifier ou Gérer. Ajoutez une fin si c’est temporaire.',
  task: 'Confier une tâche dans un dossier',
  taskWords: 'tâche à faire confier échéance délai rappel action',
  taskSteps:
    'Ouvrez le dossier et appuyez sur + à côté de Tâches.\nDites ce qui est à faire, pour quel jour et par qui. La personne reçoit un avis et trouve la tâche sous Aujourd’hui.\nCochez-la quand elle est faite.',
  mention: 'Interroger un collègue dans une note',
  mentionWords: 'citer mention @ commentaire dire demander note message collègue nom',
  mentionSteps:
    'Écrivez une note dans le dossier ou sur la preuve. Tapez @ et le début du nom, choisissez la personne avec Entrée.\nElle reçoit un avis. La page vous dit si quelqu’un ne peut pas voir la note.',
  askAccess: 'Demander l’accès à un dossier',
  askAccessWords: 'demande accès refusé interdit impossible ouvrir permission droits',
  askAccessSteps:
    'Ouvrez le dossier par son lien ou son numéro et appuyez sur Demander l’accès. Si vous pouvez seulement le voir, le menu a Demander plus de droits.\nDites ce dont vous avez besoin et pourquoi. Ceux qui gèrent le dossier décident ; vous recevez un avis.',
  handOver: 'Confier mes dossiers',
  handOverWords: 'transmettre confier passer mutation congé départ remplaçant successeur reprendre',
  handOverSteps:
    'Allez aux Dossiers, ouvrez le menu à trois points et appuyez sur Confier mes dossiers.\nChoisissez la personne, et si vous gardez le droit de voir. Vos tâches en cours dans ces dossiers suivent. Un administrateur confie les dossiers des autres sous Administration, Utilisateurs.',
  follow: 'Être prévenu des changements d’un dossier',
  followWords: 'suivre notification abonner alerte nouveautés',
  followSteps:
    'Ouvrez le dossier et appuyez sur Suivre. La cloche vous dit ce que d’autres ont changé.\nAujourd’hui montre vos dossiers et ce qui a changé depuis votre passage.',
  calls: 'Voir quels appels n’ont pas d’images',
  callsWords: 'appel répartition cad images manquantes sans vidéo intervention non filmé',
  callsSteps:
    'Ouvrez Appels et images et choisissez le service ou la semaine.\nUne barre vide est un appel sans enregistrement. Ouvrez-le pour voir pourquoi.',
  review: 'Confirmer ou refuser des liens faits par la station',
  reviewWords: 'lien automatique confirmer refuser mauvais dossier proposition',
  reviewSteps:
    'Ouvrez À examiner. Chaque ligne dit ce que la station lierait ou retirerait, et pourquoi.\nConfirmez ou refusez. Votre réponse est consignée.',
  package: 'Établir un paquet pour le tribunal, le parquet ou la défense',
  packageWords:
    'tribunal dossier paquet communication parquet procureur défense avocat exporter remettre signé zip attestation pièce reçu vérifier destinataire clé usb support disque dvd chiffrer mot de passe phrase secrète',
  packageSteps:
    'Ouvrez le dossier et choisissez Établir un paquet dans son menu, ou sélectionnez des éléments dans la liste des preuves et choisissez-le là.\nDites pour qui il est, où il va, ce qui y entre en plus des originaux et quelles pièces il faut. Appuyez sur Ctrl Entrée.\nPour l’écrire sur une clé ou un disque, connectez-le à la station et faites ceci à la station même. Chiffrer demande une phrase secrète ; donnez-la au destinataire par une autre voie.\nLa station l’établit pendant que vous continuez. Sous Paquets, vous voyez où il en est ; téléchargez-le là, ou débranchez le support.\nRemettez le paquet au destinataire et, à part, le reçu sur papier. VERIFY.fr.txt dans le paquet dit comment le vérifier sans Sallyport.',
  disclose: 'Enregistrer ce qui a été communiqué, et à qui',
  discloseWords:
    'communication communiqué complément dû retenu bordereau MG6C MG6D MG6E reçu accusé réception signature remis avocat',
  discloseSteps:
    'Ouvrez le dossier. Sous Communication, appuyez sur le plus.\nDites qui le reçoit et en vertu de quoi, choisissez un paquet ou des preuves, et nommez ce qui est retenu et pourquoi. Appuyez sur Ctrl Entrée.\nSous Papiers du relevé, imprimez le reçu et faites-le signer.\nChoisissez Confirmer la réception et ajoutez la copie numérisée, ou nommez deux personnes présentes.\nQuand un complément est dû, le dossier et la page Communication disent ce qui a changé ; Complément commence avec cela.',
  restrict: 'Empêcher qu’une preuve soit communiquée',
  restrictWords: 'ne pas communiquer secret scellés restriction informateur source sensible lever retenir',
  restrictSteps:
    'Ouvrez la preuve et choisissez Restreindre la communication dans son menu.\nChoisissez Ne pas communiquer, Couvert par le secret ou Mis sous scellés, et donnez un motif.\nElle n’entre dans aucun paquet et aucune communication jusqu’à ce que quelqu’un lève la restriction, avec un motif, dans la note sous son titre.',
  shareLink: 'Montrer des preuves à une personne sans compte',
  shareLinkWords:
    'extérieur invité lien avocat assureur externe code expiration filigrane révoquer ouvertures courriel',
  shareLinkSteps:
    'Ouvrez la preuve, ou sélectionnez-en, et choisissez Partager par lien sous Plus.\nDites pour qui, pour combien de jours, et si les originaux peuvent être téléchargés.\nTransmettez l’adresse par une voie et le code par une autre. Les deux sont montrés une seule fois.\nSous Liens, vous voyez qui l’a ouvert, et vous le révoquez.',
  prove: 'Prouver qu’un fichier n’a pas changé',
  proveWords: 'empreinte sha256 intégrité authentique falsifié vérifier prouver tribunal',
  proveSteps:
    'Ouvrez la preuve. Le SHA-256 de chaque fichier est indiqué à côté.\nAppuyez sur H : le fichier est relu devant vous, et le résultat s’affiche.\nChacun peut vérifier un téléchargement avec sha256sum.',
  custody: 'Voir qui a consulté, modifié ou téléchargé',
  custodyWords: 'traçabilité chaîne audit journal qui historique consulté accès',
  custodySteps:
    'Ouvrez la preuve et appuyez sur Maj D.\nLes actes viennent d’abord ; les consultations d’une visite tiennent en une ligne. Le navigateur vérifie la chaîne devant vous.\nExportez le tout en CSV ou en JSON pour un tribunal ou un expert.',
  protect: 'Empêcher qu’une preuve soit supprimée',
  protectWords: 'conservation légale protéger garder geler préserver bloquer ne pas supprimer',
  protectSteps:
    'Ouvrez la preuve ou le dossier et appuyez sur Protéger.\nDonnez un motif, et un jour de fin s’il y en a un. Rien ne peut la supprimer d’ici là.',
  restore: 'Récupérer ce qui a été supprimé',
  restoreWords: 'restaurer corbeille récupérer annuler perdu supprimé',
  restoreSteps:
    'Juste après la suppression, appuyez sur Annuler ou sur Ctrl Z.\nPlus tard, ouvrez la Corbeille dans la liste des preuves ou des dossiers, sélectionnez l’élément et appuyez sur Restaurer.',
  delete: 'Supprimer une preuve',
  deleteWords: 'supprimer effacer détruire enlever envoi par erreur',
  deleteSteps:
    'Sélectionnez-la dans la liste et appuyez sur Supprimer. Elle va dans la corbeille, d’où elle peut être restaurée.\nPersonne ne détruit seul : ce qui est à échéance figure sous Élimination, et deux personnes doivent être d’accord.',
  undo: 'Annuler ce que j’ai fait',
  undoWords: 'annuler erreur revenir arrière mauvaise modification défaire ctrl z',
  undoSteps:
    'Appuyez sur Annuler dans le message au bas de la fenêtre, ou sur Ctrl Z.\nPlus tard, appuyez de nouveau sur Ctrl Z ou ouvrez la Liste des annulations dans votre menu : elle garde ce que vous avez fait pendant 30 minutes.\nCe que quelqu’un d’autre a modifié entre-temps reste tel quel.',
  jobs: 'Voir pourquoi un traitement dure ou a échoué',
  jobsWords: 'traitement bloqué attente échec tâche erreur réessayer conversion lent',
  jobsSteps:
    'Appuyez sur Ctrl J. Chaque ligne dit quel fichier, ce qui lui est fait et où cela en est.\nAppuyez sur Réessayer en cas d’échec. L’original est en sécurité dans tous les cas.',
  password: 'Changer mon mot de passe, ajouter une clé ou un code',
  passwordWords: 'mot de passe changer oublié clé d’accès authentificateur deux étapes secours connexion',
  passwordSteps:
    'Ouvrez Mon compte.\nChangez le mot de passe, ajoutez un authentificateur ou une clé d’accès, et imprimez les codes de secours.',
  lock: 'Verrouiller l’écran en partant',
  lockWords: 'verrouiller écran partir absence déconnecter quitter',
  lockSteps:
    'Appuyez sur Ctrl Maj L, ou sur Verrouiller en haut. Les envois continuent, et vous revenez au même endroit.',
  appearance: 'Changer la langue ou les couleurs',
  appearanceWords: 'langue français anglais mode sombre thème contraste texte plus grand taille',
  appearanceSteps:
    'Ouvrez le menu à votre nom, en haut à droite.\nChoisissez la langue, clair, sombre ou contraste élevé, et l’espacement des lignes. Ctrl + agrandit tout.',
  keys: 'Voir toutes les touches',
  keysWords: 'clavier raccourcis touches plus vite',
  keysSteps: 'Appuyez sur ? n’importe où hors d’un champ.',
  sampleData: 'Essayer la station avec des exemples, et les retirer',
  sampleDataWords:
    'exemple démonstration essai données tester formation entraînement apprendre premiers pas retirer jeter',
  sampleDataSteps:
    'Appuyez sur Ajouter des exemples : deux dossiers avec vidéos, images et documents sont fabriqués. C’est pour une station sans preuves à elle.\nOuvrez tout, écrivez des notes, coupez des extraits. Chaque titre commence par « Exemple : » et tout porte l’étiquette sample.\nAppuyez sur Retirer les exemples à la fin : tout disparaît, y compris ce qu’on en a tiré. Le registre garde qu’ils ont existé.',
  addPerson: 'Ajouter une personne, ou libérer un compte',
  addPersonWords: 'utilisateur nouveau collègue compte débloquer bloqué réinitialiser créer',
  addPersonSteps:
    'Ouvrez Administration, Utilisateurs, et appuyez sur le bouton qui en crée un.\nPour libérer un compte ou donner un nouveau premier mot de passe, ouvrez la personne.\nLes droits dans toute la station sont sous Droits : une colonne par groupe, et une pour toutes les personnes, qui s’ouvre.',
  retention: 'Fixer la durée de conservation',
  retentionWords: 'conservation jours catégorie garder durée règle supprimer après',
  retentionSteps:
    'Ouvrez Administration, Catégories, et ouvrez-en une.\nChangez les jours. Un aperçu dit ce qui arriverait à échéance, avant tout enregistrement.',
  lan: 'Ouvrir la station à d’autres postes',
  lanWords: 'réseau lan navigateur autre ordinateur https certificat adresse connecter',
  lanSteps:
    'Ouvrez Administration, Réseau, et suivez les étapes.\nL’adresse pour les autres s’affiche, avec l’empreinte qu’ils comparent une fois.',
  backup: 'Mettre en place une sauvegarde, contrôler tous les fichiers',
  backupWords: 'sauvegarde copie disque intégrité vérifier restaurer sinistre contrôle',
  backupSteps:
    'Ouvrez Intégrité. On y lit s’il y a une sauvegarde et quand tous les fichiers ont été relus.\nLe contrôle de tous les fichiers relit chaque octet et dit ce qui a changé.',
  validation: 'Montrer que cette installation fonctionne',
  validationWords: 'valider autovalidation validation tribunal exact preuve essai installation attestation',
  validationSteps:
    'Ouvrez Intégrité et choisissez Valider maintenant sous Autovalidation. Cela prend moins de trois minutes et ne touche aucune preuve.\nLe résultat est signé et conservé. Valider chaque semaine le répète.',
  disposition: 'Approuver ce qui est à échéance',
  dispositionWords: 'détruire élimination approuver échéance expire fin de conservation certificat',
  dispositionSteps:
    'Ouvrez Élimination. Chaque ligne dit pourquoi l’élément est à échéance et qui l’a demandé.\nApprouvez ou gardez. Deux personnes doivent être d’accord, aucune n’étant celle qui l’a demandé.',
}
