/** Makes the marked copy of a recording or a picture, and a small picture of it, for a link to somebody without an account. */
import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { FinalFailure, NotYet } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { otherScripts } from '../../../platform/pdf/scripts.ts'
import type { DeriveOptions } from '../derivations/derivation.ts'
import { failureOf, UNREADABLE, valueOf } from '../derive/failures.ts'
import { fileOf, headerOf, PICTURE_BOUNDS } from '../derive/pictures.ts'
import { mainVideo, OUTPUT, pictureArguments, posterArguments, probeArguments, THUMBNAIL_SIDE } from '../derive/plan.ts'
import {
  MARK_FONT,
  MARKED_PICTURE,
  MARKED_VIDEO,
  LONGEST_LINE,
  markedPictureArguments,
  markedVideoArguments,
  markLine,
} from './mark-plan.ts'

export interface Marking {
  /** `video`: an MP4 as players are given it. `picture`: an upright JPEG. */
  readonly kind: 'video' | 'picture'
  readonly path: string
  readonly bytes: number
  readonly lines: readonly string[]
  /** An empty folder, which keeps what was made. */
  readonly dir: string
  readonly options: DeriveOptions
}

/** Names of files in the folder. */
export interface Marked {
  readonly copy: string
  readonly poster: string
}

/** @throws FinalFailure, NotYet, as every method of `Deriver` */
export type MakeMarked = (marking: Marking) => Promise<Marked>

/** Letters of the mark that its font cannot draw. */
export async function missingLetters(text: string): Promise<string[]> {
  const font = await otherScripts()
  if (font === null) return []
  return [...new Set(text.normalize('NFC'))].filter((letter) => letter !== ' ' && !font.has(letter))
}

const GIB = 1024 ** 3

export const createMarking =
  (tools: MediaTools, threads = 2): MakeMarked =>
  async (marking) => {
    const { dir, kind } = marking
    const font = await otherScripts()
    if (font === null) throw new FinalFailure(jobReason('noFont'))
    const lines = marking.lines.filter((line) => line !== '').map(cut)
    const helpers = [MARK_FONT, ...lines.map((_line, at) => markLine(at))]
    await tools.scratch.write(dir, MARK_FONT, font.bytes)
    for (const [at, line] of lines.entries()) await tools.scratch.write(dir, markLine(at), line)
    const given = { ...marking, lines }
    await (kind === 'video' ? markVideo(tools, given, threads) : markPicture(tools, given))
    for (const name of helpers) await tools.scratch.remove(dir, name)
    return { copy: fileOf(kind === 'video' ? MARKED_VIDEO : MARKED_PICTURE), poster: fileOf(OUTPUT.thumbnail) }
  }

const cut = (line: string): string => {
  const letters = [...line.normalize('NFC')]
  return letters.length > LONGEST_LINE ? `${letters.slice(0, LONGEST_LINE - 1).join('')}…` : letters.join('')
}

async function markVideo(
  tools: MediaTools,
  { path, bytes, lines, dir, options }: Marking,
  threads: number,
): Promise<void> {
  const { signal } = options
  const { versions } = await tools.state()
  if (!versions.ffmpeg) throw new NotYet(jobReason('noFfmpegForMark'))
  const probe = valueOf(await tools.probe(path, probeArguments('mov'), options), signal).value
  const video = mainVideo(probe)
  if (!video) throw new FinalFailure(UNREADABLE)
  const major = Number.parseInt(versions.ffmpeg.replace(/^\D*/, ''), 10) || 5
  const durationMs = video.durationMs ?? probe.durationMs
  const pixels = (video.claimedFrames ?? ((durationMs ?? 0) / 1000) * 60) * video.width * video.height
  const answer = await tools.ffmpeg(path, markedVideoArguments(probe, video, lines, { major, threads }), {
    timeoutMs: Math.min(600_000 + pixels / 2_000 + bytes / 5_000, 48 * 3_600_000),
    memoryBytes: 4 * GIB,
    fileBytes: Math.max(GIB, bytes * 8),
    ...options,
    outDir: dir,
    onProgress: ({ outMs }) =>
      options.progress?.(
        outMs === null || durationMs === null ? null : Math.min(1, outMs / durationMs),
        'Marking the copy',
      ),
  })
  if (!answer.ok) throw withoutFilter(answer.detail) ?? failureOf(answer, signal)
  const made = `${dir}/${fileOf(MARKED_VIDEO)}`
  const after = mainVideo(valueOf(await tools.probe(made, probeArguments('mov'), options), signal).value)
  if (!after) throw new FinalFailure(UNREADABLE)
  for (const fromStart of [false, true]) {
    const args = posterArguments('mov', after, after.durationMs, fromStart)
    valueOf(await tools.ffmpeg(made, args, { ...PICTURE_BOUNDS, ...options, outDir: dir }), signal)
    if (((await tools.scratch.lengthOf(dir, fileOf(OUTPUT.thumbnail))) ?? 0) > 0) return
  }
  throw new FinalFailure(UNREADABLE)
}

async function markPicture(tools: MediaTools, { path, lines, dir, options }: Marking): Promise<void> {
  const { signal } = options
  const bounds = { ...PICTURE_BOUNDS, ...options, outDir: dir }
  const header = await headerOf(tools, path, 'image/jpeg')
  if (header === null) throw new FinalFailure(UNREADABLE)
  const answer = await tools.ffmpeg(path, markedPictureArguments(header, lines), bounds)
  if (!answer.ok) throw withoutFilter(answer.detail) ?? failureOf(answer, signal)
  const made = `${dir}/${fileOf(MARKED_PICTURE)}`
  const { args } = pictureArguments('jpeg_pipe', header, 1, THUMBNAIL_SIDE, OUTPUT.thumbnail)
  valueOf(await tools.ffmpeg(made, args, bounds), signal)
}

/** An ffmpeg that was built without fonts draws nothing: no copy is better than one without a mark. */
const withoutFilter = (detail: string): NotYet | null =>
  /No such filter/.test(detail) ? new NotYet(jobReason('noLetters')) : null
