import type { where as english } from './page-location.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const where: Translated<typeof english> = {
  map: 'Carte de la position',
  mapLoading: 'Chargement de la carte',
  mapNorth: 'Le nord est en haut',
  mapGrid: 'Grille {{step}}',
  mapKeys: 'Les flèches déplacent la carte, + et - changent l’échelle.',
  trackLength: 'longueur {{length}}',
  copyPlace: 'Copier les coordonnées',
  copyDecimal: 'Degrés décimaux',
  copySexagesimal: 'Degrés, minutes, secondes',
  copyStart: 'Début du trajet',
  copyEnd: 'Fin du trajet',
  placeCopied: 'Copié',
  placeNotCopied: 'Copie impossible : le navigateur ne l’autorise pas ici.',
  whereNone: 'Aucune position.',
  whereUnreadable: 'La position est illisible ; elle figure telle quelle dans Détails.',
  sourceGps: 'GPS, d’après le fichier',
  sourceTyped: 'indiquée à l’ajout',
  sourceUnknown: 'source : voir Traçabilité',
  track_one: 'Trajet de {{shown}} point, de {{from}} à {{to}}',
  track_many: 'Trajet de {{shown}} de points, de {{from}} à {{to}}',
  track_other: 'Trajet de {{shown}} points, de {{from}} à {{to}}',
  area_one: 'Zone à {{shown}} sommet, depuis {{from}}',
  area_many: 'Zone à {{shown}} de sommets, depuis {{from}}',
  area_other: 'Zone à {{shown}} sommets, depuis {{from}}',
}
