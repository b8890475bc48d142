import type { where as english } from './page-location.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const where: Translated<typeof english> = {
  map: 'Carte de la position',
  mapLoading: 'Chargement de la carte',
  whereNone: 'Aucune position.',
  whereUnreadable: 'La position est illisible ; elle figure telle quelle dans Détails.',
  sourceGps: 'GPS, d’après le fichier',
  sourceTyped: 'indiquée à l’ajout',
  sourceUnknown: 'source : voir Traçabilité',
  track_one: 'Trajet de {{shown}} point, de {{from}} à {{to}}',
  track_many: 'Trajet de {{shown}} de points, de {{from}} à {{to}}',
  track_other: 'Trajet de {{shown}} points, de {{from}} à {{to}}',
  area_one: 'Zone à {{shown}} sommet, depuis {{from}}',
  area_many: 'Zone à {{shown}} de sommets, depuis {{from}}',
  area_other: 'Zone à {{shown}} sommets, depuis {{from}}',
}
