import type { derivations as english } from './messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const derivations: Translated<typeof english> = {
  derivationPlayable: 'Copie lisible',
  derivationPoster: 'Miniature',
  derivationAudio: 'Copie à écouter',
  derivationExif: 'Données Exif',
  derivationPreview: 'Aperçu',
  derivationThumbnail: 'Miniature',
  derivationStrip: 'Miniatures de la frise',
  derivationWaveform: 'Tracé du son',
}
