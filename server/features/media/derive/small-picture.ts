/** A picture as small as paper needs it: an upright JPEG without the metadata of the file. Drawn in the sandbox, as every file from outside. */
import { FinalFailure, NotYet } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { makeJpeg } from './pictures.ts'
import { OUTPUT } from './plan.ts'
import { sniff, SNIFF_LENGTH } from './sniff.ts'
import type { Staging } from './types.ts'

/** Of half the width of a page at 300 dots an inch. */
const SIDE = 1024

interface Deps {
  readonly tools: MediaTools
  readonly store: Pick<Staging<unknown>, 'temporary'>
}

/** @returns null for what cannot be read as a picture, and where the tools are missing @throws the reason of the signal */
export type SmallPicture = (path: string, signal?: AbortSignal) => Promise<Buffer | null>

export const createSmallPictures =
  ({ tools, store }: Deps): SmallPicture =>
  async (path, signal) => {
    const { dir, dispose } = await store.temporary('sheet')
    try {
      const looked = await tools.read(path, async (reader) => ({
        sniffed: sniff(await reader.at(0, SNIFF_LENGTH)),
        bytes: reader.size,
      }))
      const options = signal === undefined ? {} : { signal }
      const given = { tools, path, name: '', ...looked, dir, threads: 1, vendor: '', options }
      const { file } = await makeJpeg(given, SIDE, OUTPUT.preview, '.jpg')
      if (file === null) return null
      return Buffer.from(await tools.read(`${dir}/${file}`, (reader) => reader.at(0, reader.size)))
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof FinalFailure || error instanceof NotYet) return null
      throw error
    } finally {
      await dispose()
    }
  }
