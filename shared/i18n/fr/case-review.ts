import type { caseReview as english } from '../en/case-review.ts'
import type { Translated } from '../types.ts'

export const caseReview: Translated<typeof english> = {
  title: 'Questions sur des enregistrements',
  cases: 'Dossiers',
  lead: 'Le poste rattache lui-même les enregistrements aux appels, sauf là où une personne a le dernier mot.',
  what: 'Ce que le poste ferait',
  because: 'Pourquoi il demande',
  since: 'Demandé',
  wouldLink: 'Ajouter {{name}}',
  wouldWithdraw: 'Retirer {{name}}',
  caseClosedShort: 'Le dossier est clos',
  caseProtectedShort: 'Le dossier est protégé',
  confirmedShort: 'Quelqu’un a confirmé le lien',
  associationWaitsShort: 'L’agent n’est pas encore confirmé',
  caseClosed:
    'Dans un dossier clos, le poste ne change rien de lui-même. Rouvrez le dossier et il le fera aussitôt, ou laissez-le tel quel.',
  caseProtected: 'Dans un dossier protégé, le poste ne change rien de lui-même. C’est à vous d’en décider.',
  confirmed:
    'Quelqu’un a confirmé que l’enregistrement en fait partie, et cela ne semble plus être le cas. C’est à vous d’en décider.',
  associationWaits:
    'Le porteur de la caméra a été noté après coup. Dès qu’une seconde personne le confirme sur la page de l’appareil, le poste le fera aussitôt ; vous pouvez en décider ici avant.',
  case: 'Dossier',
  recording: 'Enregistrement',
  reasons: 'Ce que le poste a examiné',
  holds: 'Correspond',
  holdsNot: 'Ne correspond pas',
  close: 'Fermer',
  decide: 'Décider',
  reason: 'Pourquoi',
  reasonMissing: 'Dites pourquoi, pour que d’autres le comprennent plus tard.',
  addIt: 'L’ajouter au dossier',
  takeOut: 'Le retirer',
  reopenFirst: 'Rouvrez d’abord le dossier',
  done: 'C’est fait, et noté avec votre raison.',
  failedDo: 'Cela n’a pas été fait',
  leaveOut: 'Ne pas l’ajouter',
  leaveIn: 'L’y laisser',
  settled: 'C’est noté. Le poste ne le demandera plus.',
  failed: 'Cela n’a pas été noté',
  emptyTitle: 'Aucune question',
  emptyBody:
    'Quand un enregistrement semble faire partie d’un dossier clos, protégé ou confirmé autrement, la question arrive ici. Vous voyez celles des dossiers que vous pouvez consulter.',
  asks_one: '{{shown}} question',
  asks_many: '{{shown}} questions',
  asks_other: '{{shown}} questions',
  asksMore: 'Plus de {{shown}} questions',
}
