import type { picture as english } from './page-picture.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const picture: Translated<typeof english> = {
  pictureOf: 'Image, {{name}}',
  pictureFrame: 'Image à agrandir et à déplacer',
  pictureKeys: 'Plus et moins agrandissent et réduisent, 0 ajuste, 1 montre chaque pixel, les flèches déplacent.',
  pictureTools: 'Vue de l’image',
  pictureFailed: 'L’image ne s’est pas chargée',
  zoomIn: 'Agrandir',
  zoomOut: 'Réduire',
  zoomFit: 'Ajuster',
  zoomFull: '100 %',
  turnLeft: 'Tourner à gauche, vue seulement',
  turnRight: 'Tourner à droite, vue seulement',
  turned: 'tournée de {{degrees}}°, vue seulement',
  turnedShown: 'montrée tournée de {{degrees}}°',
  pixels: '{{width}} × {{height}}',
  throughPreview: 'vue par un aperçu',
  showWhole: 'Charger chaque pixel',
  exif: 'Exif',
  exifTitle: 'Ce que le fichier dit de lui-même',
  exifSearch: 'Chercher dans l’Exif',
  exifCount_one: '{{count}} entrée',
  exifCount_many: '{{count}} d’entrées',
  exifCount_other: '{{count}} entrées',
  exifNone: 'Rien ne correspond.',
}
