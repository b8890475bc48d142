/** What is derived from originals is called so everywhere: one name for each kind of `derivations.ts`. */
export const derivations = {
  derivationPlayable: 'Playable copy',
  derivationPoster: 'Thumbnail',
  derivationAudio: 'Copy to listen to',
  derivationExif: 'Exif data',
  derivationPreview: 'Preview',
  derivationThumbnail: 'Thumbnail',
  derivationStrip: 'Thumbnails of the timeline',
  derivationWaveform: 'Waveform',
} as const
