/** What a job does, in words. A kind that is not here is shown as it is called. */
export const JOB_WORDS = {
  'derive.inspect': 'jobKindInspect',
  'derive.playable': 'jobKindPlayable',
  'derive.poster': 'jobKindThumbnail',
  'derive.thumbnail': 'jobKindThumbnail',
  'derive.exif': 'jobKindExif',
  'derive.preview': 'jobKindPreview',
  'derive.audio': 'jobKindAudio',
  'derive.strip': 'jobKindStrip',
  'derive.waveform': 'jobKindWaveform',
  'fixity.check': 'jobKindCheck',
} as const

export const jobWord = (kind: string): (typeof JOB_WORDS)[keyof typeof JOB_WORDS] | null =>
  Object.hasOwn(JOB_WORDS, kind) ? JOB_WORDS[kind as keyof typeof JOB_WORDS] : null
