import type { DerivationKind } from '../../../../shared/media/derivations.ts'
import { audio } from './audio.ts'
import type { Derivation } from './derivation.ts'
import { exif } from './exif.ts'
import { playable } from './playable.ts'
import { poster } from './poster.ts'
import { preview } from './preview.ts'
import { strip } from './strip.ts'
import { thumbnail } from './thumbnail.ts'
import { waveform } from './waveform.ts'

/** How each kind of `shared/media/derivations.ts` is made. A kind without an entry does not compile. */
export const REGISTRY: Readonly<Record<DerivationKind, Derivation>> = {
  audio,
  exif,
  playable,
  poster,
  preview,
  strip,
  thumbnail,
  waveform,
}
