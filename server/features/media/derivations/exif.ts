import { TOOL_INPUT } from '../../../../shared/media/rules.ts'
import { exifWords } from '../../../kernel/evidence/exif-text.ts'
import { recordOf } from '../derive/facts.ts'
import { valueOf } from '../derive/failures.ts'
import type { Derivation } from './derivation.ts'

/** Pictures whose metadata is kept as a file (decisions 6). */
export const EXIF_TYPES = new Set(['image/jpeg', 'image/png', 'image/tiff', 'image/webp', 'image/heic', 'image/avif'])

/** What a picture says of itself, as JSON. The evidence is filled from it, and found by it. */
export const exif: Derivation = {
  appliesTo: ({ mimeType }) => EXIF_TYPES.has(mimeType),
  make: async ({ tools, path, name, dir, vendor, options }) => {
    const { used, value } = valueOf(await tools.exif(path, [TOOL_INPUT], options), options.signal)
    const { metadata, captured, gpsTime, position } = value
    await tools.scratch.write(dir, 'exif.json', `${JSON.stringify(metadata, null, 2)}\n`)
    return {
      file: 'exif.json',
      derivation: recordOf(used),
      name: `${name}.exif.json`,
      mimeType: `${vendor}/json-exif`,
      claims: { captured, gpsTime, position },
      words: exifWords(metadata),
    }
  },
}
