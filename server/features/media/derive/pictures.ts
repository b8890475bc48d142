import { type MediaFacts, NO_FACTS, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { ConvertOptions, MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import type { Made, Making } from '../derivations/derivation.ts'
import { recordOf } from './facts.ts'
import { TOO_LARGE_PICTURE, UNREADABLE, valueOf } from './failures.ts'
import { type PictureHeader, pictureHeader } from './picture-header.ts'
import { type Area, cropArguments, heifArguments, MOST_PIXELS, OUTPUT, pictureArguments, withEnding } from './plan.ts'
import type { Demuxer } from './sniff.ts'

/** What is drawn from pictures. */

type Jpeg = Pick<Made, 'file' | 'derivation' | 'facts'>

const MIB = 1024 ** 2
export const PICTURE_BOUNDS = { timeoutMs: 120_000, memoryBytes: 2048 * MIB, fileBytes: 256 * MIB }

export const fileOf = (output: string): string => output.slice(TOOL_OUTPUT.length + 1)

export const headerOf = (tools: MediaTools, path: string, mimeType: string): Promise<PictureHeader | null> =>
  tools.read(path, (reader) => pictureHeader(mimeType, reader.at))

export const tooLarge = ({ width, height }: { width: number; height: number }): boolean => width * height > MOST_PIXELS

/** An upright JPEG of a picture, its longer side at most `side`, without the original's metadata. */
export async function makeJpeg(given: Making, side: number, output: string, ending: string): Promise<Made> {
  const { tools, path, sniffed, name } = given
  if (sniffed.family !== 'picture') throw new FinalFailure(UNREADABLE)
  const named = { name: withEnding(name, ending), mimeType: 'image/jpeg' }
  if (sniffed.heif) return { ...(await fromHeif(given, side, output)), ...named }
  const header = sniffed.demuxer === null ? null : await headerOf(tools, path, sniffed.mimeType)
  if (!sniffed.demuxer || !header) throw new FinalFailure(UNREADABLE)
  const notes = sniffed.mimeType === 'image/gif' ? ['Of a picture that moves, the first one is shown.'] : []
  return { ...(await fromRaster(given, path, sniffed.demuxer, header, side, output)), ...named, notes }
}

async function fromRaster(
  { tools, dir, options }: Making,
  path: string,
  demuxer: Demuxer,
  header: PictureHeader,
  side: number,
  output: string,
): Promise<Jpeg> {
  if (tooLarge(header)) throw new FinalFailure(TOO_LARGE_PICTURE)
  const { args } = pictureArguments(demuxer, header, header.orientation, side, output)
  const { used } = valueOf(
    await tools.ffmpeg(path, args, { ...PICTURE_BOUNDS, ...options, outDir: dir }),
    options.signal,
  )
  return { file: fileOf(output), derivation: recordOf(used), facts: await writtenSize(tools, dir, output) }
}

/** The area does not lie within the picture. */
export class BeyondPicture extends Error {
  override readonly name = 'BeyondPicture'
  readonly width: number
  readonly height: number
  constructor({ width, height }: { width: number; height: number }) {
    super('beyond the picture')
    this.width = width
    this.height = height
  }
}

/** A part of a picture as a PNG. @throws BeyondPicture */
export async function makeCrop(given: Omit<Making, 'vendor' | 'threads' | 'name'>, area: Area): Promise<Jpeg> {
  const { tools, dir, sniffed, options } = given
  if (sniffed.family !== 'picture') throw new FinalFailure(UNREADABLE)
  const read = async (path: string, demuxer: Demuxer, header: PictureHeader): Promise<Jpeg> => {
    if (tooLarge(header)) throw new FinalFailure(TOO_LARGE_PICTURE)
    const turned = header.orientation >= 5
    const upright = turned ? { width: header.height, height: header.width } : header
    if (area.left + area.width > upright.width || area.top + area.height > upright.height)
      throw new BeyondPicture(upright)
    const args = cropArguments(demuxer, header.orientation, area)
    const answer = await tools.ffmpeg(path, args, { ...PICTURE_BOUNDS, ...options, outDir: dir })
    const { used } = valueOf(answer, options.signal)
    const made = await headerOf(tools, `${dir}/${fileOf(OUTPUT.crop)}`, 'image/png')
    if (made?.width !== area.width || made.height !== area.height) throw new FinalFailure(UNREADABLE)
    const facts = { ...NO_FACTS, width: made.width, height: made.height, rotation: 0 }
    return { file: fileOf(OUTPUT.crop), derivation: recordOf(used), facts }
  }
  if (sniffed.heif) return throughJpeg(given, (path, header) => read(path, 'jpeg_pipe', header))
  const header = sniffed.demuxer === null ? null : await headerOf(tools, given.path, sniffed.mimeType)
  if (!sniffed.demuxer || !header) throw new FinalFailure(UNREADABLE)
  return read(given.path, sniffed.demuxer, header)
}

const fromHeif = (given: Making, side: number, output: string): Promise<Jpeg> =>
  throughJpeg(given, (path, header) => fromRaster(given, path, 'jpeg_pipe', header, side, output))

/** libheif turns the picture upright itself, so the orientation its JPEG may still carry is not applied again. */
async function throughJpeg(
  given: Pick<Making, 'tools' | 'path' | 'dir' | 'options'>,
  use: (path: string, header: PictureHeader) => Promise<Jpeg>,
): Promise<Jpeg> {
  const { tools, path, dir, options } = given
  const bounds: ConvertOptions = { ...PICTURE_BOUNDS, ...options, outDir: dir }
  const { used } = valueOf(await tools.heif(path, heifArguments, bounds), options.signal)
  // A file of several pictures comes out numbered; the first is the main one.
  const stem = fileOf(OUTPUT.heif).replace('.jpg', '')
  const made = (await tools.scratch.list(dir)).filter((name) => name === `${stem}.jpg` || name.startsWith(`${stem}-`))
  const picture = made.includes(`${stem}.jpg`) ? `${stem}.jpg` : made[0]
  const header = picture ? await headerOf(tools, `${dir}/${picture}`, 'image/jpeg') : null
  if (!picture || !header) throw new FinalFailure(UNREADABLE)
  const upright = { ...header, orientation: 1 }
  const jpeg = await use(`${dir}/${picture}`, upright)
  for (const name of made) await tools.scratch.remove(dir, name)
  const { Tool, Version, Arguments } = jpeg.derivation
  return {
    ...jpeg,
    derivation: {
      Tool: `${used.name} | ${Tool}`,
      Version: `${used.version} | ${Version}`,
      Arguments: [...used.arguments, '|', ...Arguments],
    },
  }
}

export async function writtenSize(tools: MediaTools, dir: string, output: string): Promise<MediaFacts> {
  const name = fileOf(output)
  const length = await tools.scratch.lengthOf(dir, name)
  const header = length ? await headerOf(tools, `${dir}/${name}`, 'image/jpeg') : null
  if (!header) throw new FinalFailure(UNREADABLE)
  return { ...NO_FACTS, width: header.width, height: header.height }
}
