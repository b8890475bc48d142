import { type Derivation, type MediaFacts, NO_FACTS, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { ConvertOptions, MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { TOO_LARGE_PICTURE, UNREADABLE, valueOf } from './failures.ts'
import { isBareJpeg } from './jpeg-bare.ts'
import { type PictureHeader, pictureHeader } from './picture-header.ts'
import {
  heifArguments,
  mainVideo,
  MOST_PIXELS,
  OUTPUT,
  pictureArguments,
  posterArguments,
  PREVIEW_SIDE,
  probeArguments,
} from './plan.ts'
import { IDENTITY, recordOf } from './playable.ts'
import { type Demuxer, sniff, SNIFF_LENGTH, type Sniffed } from './sniff.ts'
import type { DeriveOptions } from './types.ts'

/** A JPEG in the temporary folder. */
export interface Jpeg {
  readonly file: string
  readonly derivation: Omit<Derivation, 'InputSha256'>
  readonly facts: MediaFacts
}

const MIB = 1024 ** 2
const PICTURE_BOUNDS = { timeoutMs: 120_000, memoryBytes: 2048 * MIB, fileBytes: 256 * MIB }

const fileOf = (output: string): string => output.slice(TOOL_OUTPUT.length + 1)

export const headerOf = (tools: MediaTools, path: string, mimeType: string): Promise<PictureHeader | null> =>
  tools.read(path, (reader) => pictureHeader(mimeType, reader.at))

export const tooLarge = ({ width, height }: { width: number; height: number }): boolean => width * height > MOST_PIXELS

/** An upright JPEG of a picture, its longer side at most `side`, without the original's metadata. */
export async function makePicture(
  tools: MediaTools,
  input: { path: string; sniffed: Sniffed },
  dir: string,
  side: number,
  output: string,
  options: DeriveOptions,
): Promise<Jpeg> {
  if (input.sniffed.heif) return fromHeif(tools, input.path, dir, side, output, options)
  if (!input.sniffed.demuxer) throw new FinalFailure(UNREADABLE)
  const header = await headerOf(tools, input.path, input.sniffed.mimeType)
  if (!header) throw new FinalFailure(UNREADABLE)
  return fromRaster(tools, input.path, input.sniffed.demuxer, header, dir, side, output, options)
}

async function fromRaster(
  tools: MediaTools,
  path: string,
  demuxer: Demuxer,
  header: PictureHeader,
  dir: string,
  side: number,
  output: string,
  options: DeriveOptions,
): Promise<Jpeg> {
  if (tooLarge(header)) throw new FinalFailure(TOO_LARGE_PICTURE)
  const { args } = pictureArguments(demuxer, header, header.orientation, side, output)
  const { used } = valueOf(
    await tools.ffmpeg(path, args, { ...PICTURE_BOUNDS, ...options, outDir: dir }),
    options.signal,
  )
  return { file: fileOf(output), derivation: recordOf(used), facts: await writtenSize(tools, dir, output) }
}

/** libheif turns the picture upright itself, so the orientation its JPEG may still carry is not applied again. */
async function fromHeif(
  tools: MediaTools,
  path: string,
  dir: string,
  side: number,
  output: string,
  options: DeriveOptions,
): Promise<Jpeg> {
  const bounds: ConvertOptions = { ...PICTURE_BOUNDS, ...options, outDir: dir }
  const { used } = valueOf(await tools.heif(path, heifArguments, bounds), options.signal)
  // A file of several pictures comes out numbered; the first is the main one.
  const stem = fileOf(OUTPUT.heif).replace('.jpg', '')
  const made = (await tools.scratch.list(dir)).filter((name) => name === `${stem}.jpg` || name.startsWith(`${stem}-`))
  const picture = made.includes(`${stem}.jpg`) ? `${stem}.jpg` : made[0]
  const header = picture ? await headerOf(tools, `${dir}/${picture}`, 'image/jpeg') : null
  if (!picture || !header) throw new FinalFailure(UNREADABLE)
  const upright = { ...header, orientation: 1 }
  const jpeg = await fromRaster(tools, `${dir}/${picture}`, 'jpeg_pipe', upright, dir, side, output, options)
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

async function writtenSize(tools: MediaTools, dir: string, output: string): Promise<MediaFacts> {
  const name = fileOf(output)
  const length = await tools.scratch.lengthOf(dir, name)
  const header = length ? await headerOf(tools, `${dir}/${name}`, 'image/jpeg') : null
  if (!header) throw new FinalFailure(UNREADABLE)
  return { ...NO_FACTS, width: header.width, height: header.height }
}

/**
 * A JPEG that is small enough, stored upright and without anything but the picture is its own preview: whoever may only look sees
 * nothing more by it.
 */
export async function isPreviewItself(tools: MediaTools, path: string): Promise<boolean> {
  return tools.read(path, async (reader) => {
    const { mimeType } = sniff(await reader.at(0, SNIFF_LENGTH))
    const header = mimeType === 'image/jpeg' ? await pictureHeader(mimeType, reader.at) : null
    const fits = header !== null && header.orientation === 1 && Math.max(header.width, header.height) <= PREVIEW_SIDE
    return fits && (await isBareJpeg(reader.size, reader.at))
  })
}

/** The original as its own preview. */
export async function ownPreview(tools: MediaTools, source: { path: string; name: string }) {
  const header = await headerOf(tools, source.path, 'image/jpeg')
  if (header === null) throw new FinalFailure(UNREADABLE)
  const facts = { ...NO_FACTS, width: header.width, height: header.height }
  return { file: null, derivation: IDENTITY, facts, name: source.name, mimeType: 'image/jpeg' }
}

/** One picture of a recording, upright. */
export async function makePoster(
  tools: MediaTools,
  input: { path: string; demuxer: Demuxer },
  dir: string,
  options: DeriveOptions,
): Promise<Jpeg> {
  const { signal } = options
  const probe = valueOf(await tools.probe(input.path, probeArguments(input.demuxer), options), signal).value
  const video = mainVideo(probe)
  if (!video) throw new FinalFailure(UNREADABLE)
  for (const fromStart of [false, true]) {
    const args = posterArguments(input.demuxer, video, video.durationMs ?? probe.durationMs, fromStart)
    const answer = await tools.ffmpeg(input.path, args, { ...PICTURE_BOUNDS, ...options, outDir: dir })
    // A recording that is cut off may have nothing at the place its header led to.
    const written = answer.ok && ((await tools.scratch.lengthOf(dir, fileOf(OUTPUT.thumbnail))) ?? 0) > 0
    if (!written && !fromStart && (answer.ok || answer.why === 'unreadable')) continue
    const { used } = valueOf(answer, signal)
    return {
      file: fileOf(OUTPUT.thumbnail),
      derivation: recordOf(used),
      facts: await writtenSize(tools, dir, OUTPUT.thumbnail),
    }
  }
  throw new FinalFailure(UNREADABLE)
}
