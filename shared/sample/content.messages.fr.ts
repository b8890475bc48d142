import type { Translated } from '../messages/types.ts'
import type { sampleContent as english } from './content.messages.en.ts'

export const sampleContent: Translated<typeof english> = {
  burglary: 'Exemple : Cambriolage, 14 rue du Port',
  burglaryAbout:
    'Ce dossier est un exemple. Un commerce a été visité de nuit par la cour. Ouvrez les preuves, lisez les notes et la tâche, essayez ce que vous voulez : un administrateur peut tout retirer.',
  traffic: 'Exemple : Contrôle routier, quai de la Douane',
  trafficAbout: 'Ce dossier est un exemple. Un conducteur a été arrêté pour un feu cassé.',
  harbour: '14 rue du Port',
  yard: 'Cour derrière le 14 rue du Port',
  quay: 'Quai de la Douane, au pont',
  arrival: 'Exemple : Arrivée au commerce',
  arrivalAbout: 'Fabriqué par la station elle-même. L’image compte ses trames : avancez avec les touches , et .',
  search: 'Exemple : Fouille de la cour',
  till: 'Exemple : Caméra au-dessus de la caisse',
  call: 'Exemple : Appel d’urgence',
  door: 'Exemple : Photo de la porte',
  window: 'Exemple : Photo de la fenêtre',
  road: 'Exemple : Photo de la route',
  stop: 'Exemple : Contrôle, quai de la Douane',
  statement: 'Exemple : Déposition du propriétaire',
  statementText:
    'EXEMPLE\n\nJ’ai fermé le commerce à dix-huit heures. À mon retour, à sept heures le lendemain, la porte de la cour était ouverte et la caisse vide.\n\nJe n’ai vu personne. La caméra au-dessus de la caisse fonctionnait.\n',
  report: 'Exemple : Rapport de la société d’alarme',
  reportText:
    'Ce document est un exemple. L’alarme de la porte arrière s’est déclenchée à 02:14. Elle a été réarmée à 02:21. Aucun autre détecteur ne s’est déclenché cette nuit-là.',
  noteEvidence: 'On voit la porte au début. L’heure correspond-elle au rapport de la société d’alarme ?',
  noteCase: 'Le propriétaire vient lundi regarder les images.',
  mark: 'La porte',
  task: 'Demander sa caméra au voisin',
}
