import { NO_FACTS } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import { IDENTITY } from '../derive/facts.ts'
import { UNREADABLE } from '../derive/failures.ts'
import { isBareJpeg } from '../derive/jpeg-bare.ts'
import { pictureHeader } from '../derive/picture-header.ts'
import { headerOf, makeJpeg } from '../derive/pictures.ts'
import { OUTPUT, PREVIEW_SIDE } from '../derive/plan.ts'
import type { Derivation, Made, Making } from './derivation.ts'

/** A picture as a browser shows it: the file itself where that serves, else a JPEG. */
export const preview: Derivation = {
  appliesTo: ({ holds }) => holds === 'picture',
  make: async (given) =>
    (await isPreviewItself(given)) ? ownPreview(given) : makeJpeg(given, PREVIEW_SIDE, OUTPUT.preview, '.preview.jpg'),
}

/**
 * A JPEG that is small enough, stored upright and without anything but the picture is its own preview: whoever may only look sees
 * nothing more by it.
 */
function isPreviewItself({ tools, path, sniffed: { mimeType } }: Making): Promise<boolean> {
  return tools.read(path, async (reader) => {
    const header = mimeType === 'image/jpeg' ? await pictureHeader(mimeType, reader.at) : null
    const fits = header !== null && header.orientation === 1 && Math.max(header.width, header.height) <= PREVIEW_SIDE
    return fits && (await isBareJpeg(reader.size, reader.at))
  })
}

async function ownPreview({ tools, path }: Making): Promise<Made> {
  const header = await headerOf(tools, path, 'image/jpeg')
  if (header === null) throw new FinalFailure(UNREADABLE)
  const facts = { ...NO_FACTS, width: header.width, height: header.height }
  return { file: null, derivation: IDENTITY, facts, mimeType: 'image/jpeg' }
}
