import { makeJpeg } from '../derive/pictures.ts'
import { OUTPUT, THUMBNAIL_SIDE } from '../derive/plan.ts'
import type { Derivation } from './derivation.ts'

/** A picture made small. */
export const thumbnail: Derivation = {
  appliesTo: ({ holds }) => holds === 'picture',
  make: (given) => makeJpeg(given, THUMBNAIL_SIDE, OUTPUT.thumbnail, '.thumbnail.jpg'),
}
