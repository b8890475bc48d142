import { FinalFailure } from '../../../kernel/jobs/types.ts'
import { recordOf } from '../derive/facts.ts'
import { UNREADABLE, valueOf } from '../derive/failures.ts'
import { fileOf, PICTURE_BOUNDS, writtenSize } from '../derive/pictures.ts'
import { mainVideo, OUTPUT, posterArguments, probeArguments, withEnding } from '../derive/plan.ts'
import { type Derivation, type Made, type Moving, movingOf } from './derivation.ts'

/** One picture of a recording, upright: its thumbnail. */
export const poster: Derivation = {
  appliesTo: ({ holds }) => holds === 'video',
  make: (given) => makePoster(movingOf(given)),
}

async function makePoster(input: Moving): Promise<Made> {
  const { tools, dir, options } = input
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
      name: withEnding(input.name, '.thumbnail.jpg'),
      mimeType: 'image/jpeg',
    }
  }
  throw new FinalFailure(UNREADABLE)
}
