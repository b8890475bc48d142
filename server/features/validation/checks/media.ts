/** The programs for media on files whose content is known: through the same sandbox, limits and readers as evidence. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { TOOL_INPUT, TOOL_OUTPUT } from '../../../../shared/media/rules.ts'
import type { MediaTools, ToolAnswer } from '../../../platform/ffmpeg/media-tools.ts'
import { makeFolderIn, writeNew } from '../../../platform/files/trees.ts'
import { type Finding, judged, type ScratchArea, unknown } from './check.ts'
import { KNOWN_CLIP, KNOWN_CLIP_FACTS } from './known-clip.ts'
import { KNOWN_PICTURE, KNOWN_PICTURE_FACTS } from './known-picture.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface MediaDeps {
  readonly tools: Pick<MediaTools, 'state' | 'probe' | 'pcm' | 'ffmpeg' | 'exif'>
}

const QUIET = ['-hide_banner', '-nostdin', '-v', 'error']
const AS_MP4 = ['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', TOOL_INPUT]
const MIB = 1024 * 1024
const LIMITS = { timeoutMs: 30_000, memoryBytes: 1024 * MIB, fileBytes: 16 * MIB }
/** A degree has 111 km: about eleven metres. Containers keep places in fractions that are not decimal. */
const CLOSE = 0.0001

/** The program is missing: `failed` would say that it works wrongly. */
class Missing extends Error {
  override readonly name = 'Missing'
}

function valueOf<T>(answer: ToolAnswer<T>): T {
  if (answer.ok) return answer.value
  if (answer.why === 'missing') throw new Missing(validationReason('notInstalled', { tool: answer.tool }))
  throw new Error(`${answer.tool}: ${answer.detail.trim().slice(0, 500)}`)
}

async function orMissing(done: string, figures: Finding['figures'], work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Missing) return unknown(done, error.message, figures)
    throw error
  }
}

const DECODED = validationReason('didDecoding')

export async function checkDecoding(
  { tools }: MediaDeps,
  { blobs }: ScratchArea,
  signal: AbortSignal,
): Promise<Finding> {
  const { versions, sandbox } = await tools.state()
  const figures = { ffmpeg: versions.ffmpeg ?? '', ffprobe: versions.ffprobe ?? '', sandbox }
  return orMissing(DECODED, figures, async () => {
    const clip = join(blobs, 'known-clip.mp4')
    await writeNew(clip, Buffer.from(KNOWN_CLIP, 'base64'))
    const problems = await probed(tools, clip, signal)
    const source = await picturesOf(tools, clip, signal)
    const known = KNOWN_CLIP_FACTS
    if (source.count !== known.frames || source.hash !== known.pictures)
      problems.push(validationReason('otherPictures', { known: known.frames, found: source.count, hash: source.hash }))
    const outDir = join(blobs, 'copied')
    await makeFolderIn(outDir)
    const copying = [...QUIET, '-y', ...AS_MP4, '-map', '0:v:0', '-c', 'copy', '-f', 'mp4', `${TOOL_OUTPUT}/copy.mp4`]
    valueOf(await tools.ffmpeg(clip, copying, { ...LIMITS, signal, outDir }))
    const copy = await picturesOf(tools, join(outDir, 'copy.mp4'), signal)
    if (copy.hash !== source.hash) problems.push(validationReason('otherCopy'))
    return judged(
      DECODED,
      { ...figures, pictures: source.count, framehash: source.hash, copyFramehash: copy.hash },
      problems,
    )
  })
}

async function probed(tools: MediaDeps['tools'], clip: string, signal: AbortSignal): Promise<string[]> {
  const args = [
    ...QUIET.filter((one) => one !== '-nostdin'),
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    ...AS_MP4,
  ]
  const probe = valueOf(await tools.probe(clip, args, { signal }))
  const [video] = probe.video
  const known = KNOWN_CLIP_FACTS
  return [
    ...differing('itsCodec', video?.codec, known.codec),
    ...differing('itsWidth', video?.width, known.width),
    ...differing('itsHeight', video?.height, known.height),
    ...differing('itsDate', probe.captured?.text.slice(0, known.captured.length), known.captured),
    ...placed(probe.position, known),
  ]
}

/** The hash of the hashes of all pictures, in order. */
async function picturesOf(
  tools: MediaDeps['tools'],
  file: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly hash: string }> {
  const args = [...QUIET, ...AS_MP4, '-map', '0:v:0', '-f', 'framehash', '-hash', 'sha256', '-']
  let listed = ''
  const onBytes = (chunk: Buffer): void => void (listed += chunk.toString('latin1'))
  valueOf(await tools.pcm(file, args, { ...LIMITS, signal, onBytes }))
  const hashes = listed
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '')
  return {
    count: hashes.length,
    hash: createHash('sha256')
      .update(hashes.map((hash) => `${hash}\n`).join(''))
      .digest('hex'),
  }
}

const READ = validationReason('didMetadata')

export async function checkMetadata(
  { tools }: MediaDeps,
  { blobs }: ScratchArea,
  signal: AbortSignal,
): Promise<Finding> {
  const { versions, sandbox } = await tools.state()
  const figures = { exiftool: versions.exiftool ?? '', sandbox }
  return orMissing(READ, figures, async () => {
    const picture = join(blobs, 'known-picture.jpg')
    await writeNew(picture, Buffer.from(KNOWN_PICTURE, 'base64'))
    const { metadata, captured, gpsTime, position } = valueOf(await tools.exif(picture, [TOOL_INPUT], { signal }))
    const known = KNOWN_PICTURE_FACTS
    const problems = [
      ...differing('itsMaker', metadata['IFD0:Make'], known.make),
      ...differing('itsDate', captured?.text, known.captured),
      ...differing('itsZone', captured?.offset, known.offset),
      ...differing('itsReceiver', gpsTime, known.gpsTime),
      ...placed(position, known),
    ]
    return judged(READ, { ...figures, fields: 6 }, problems)
  })
}

type Known = 'itsCodec' | 'itsWidth' | 'itsHeight' | 'itsDate' | 'itsMaker' | 'itsZone' | 'itsReceiver' | 'itsPlace'

function differing(what: Known, found: unknown, known: string | number): string[] {
  if (found === known) return []
  const read = String(found ?? validationReason('nothing'))
  return [validationReason('readAs', { what: validationReason(what), found: read, known })]
}

function placed(
  found: { readonly latitude: number; readonly longitude: number } | null,
  known: { readonly latitude: number; readonly longitude: number },
): string[] {
  const isClose =
    found !== null &&
    Math.abs(found.latitude - known.latitude) < CLOSE &&
    Math.abs(found.longitude - known.longitude) < CLOSE
  return isClose
    ? []
    : differing('itsPlace', found && `${found.latitude}, ${found.longitude}`, `${known.latitude}, ${known.longitude}`)
}
