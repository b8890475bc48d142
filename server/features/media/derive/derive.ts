import { DERIVATION_KINDS, isView } from '../../../../shared/media/derivations.ts'
import { type Derivation, NO_FACTS } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { type Contents, demuxerOf, type DeriveOptions } from '../derivations/derivation.ts'
import { EXIF_TYPES } from '../derivations/exif.ts'
import { REGISTRY } from '../derivations/index.ts'
import { bunnyContainer, bunnyFacts, factsOf, type HowMade } from './facts.ts'
import { EMPTY, failureOf, NO_PREVIEW, NOT_AS_NAMED, TOO_LARGE_PICTURE, UNREADABLE } from './failures.ts'
import { headerOf, makeCrop, tooLarge } from './pictures.ts'
import { mainVideo, probeArguments, scanArguments } from './plan.ts'
import { sniff, SNIFF_LENGTH, type Sniffed } from './sniff.ts'
import { makeStill } from './still.ts'
import { makeClip, streamBounds } from '../clips/clip.ts'
import type { Deriver, InspectOptions, Inspection, Source, Staging } from './types.ts'

export interface DeriverOptions<Staged> {
  readonly tools: MediaTools
  readonly store: Staging<Staged>
  /** The setting `vendor`: first part of the Exif JSON's media type. */
  readonly vendor: string
  /** Threads a conversion may use. */
  readonly threads?: number
  /** A tool's own words about a file, for the operator's log. */
  readonly log?: (event: { tool: string; why: string; detail: string }) => void
}

/** Pictures of which a small version is made: those that carry metadata, and some more. Of one that moves the first picture is shown. */
const PREVIEW_TYPES = new Set([...EXIF_TYPES, 'image/gif', 'image/bmp'])
/** Endings of names under which people expect something to look at or hear. */
const MEDIA_ENDING =
  /\.(mp4|m4v|mov|avi|mkv|webm|ts|m2ts|mts|mpe?g|vob|dv|wmv|asf|flv|3gp|h26[45]|hevc|264|265|mp3|m4a|aac|wav|wma|flac|ogg|amr|jpe?g|png|gif|bmp|tiff?|webp|heic|avif)$/i

/** Reads originals and writes what is derived from them into staging: no database, no ledger, no names on this machine's disk. */
export function createDeriver<Staged>(options: DeriverOptions<Staged>): Deriver<Staged> {
  const { store, vendor, threads = 2 } = options
  const tools = options.log ? logged(options.tools, options.log) : options.tools
  const looked = (path: string): Promise<{ sniffed: Sniffed; bytes: number }> =>
    tools.read(path, async (reader) => ({ sniffed: sniff(await reader.at(0, SNIFF_LENGTH)), bytes: reader.size }))

  const movingAt = async (path: string) => {
    const { sniffed, bytes } = await looked(path)
    const demuxer = demuxerOf(sniffed)
    if (!demuxer) throw new FinalFailure(UNREADABLE)
    return { path, bytes, demuxer }
  }

  const both = async (original: Source, played: Source) => {
    const same = original.sha256 === played.sha256
    const input = await movingAt(original.path)
    return { original: input, played: { ...(same ? input : await movingAt(played.path)), same } }
  }

  /** Runs `make` in a temporary folder, from which it hands its file to the store. The folder goes when anything fails. */
  const inFolder = async <T>(
    { signal }: DeriveOptions,
    make: (dir: string, adopt: (file: string) => Promise<Staged>) => Promise<T>,
  ): Promise<T & { dispose(): Promise<void> }> => {
    const folder = await store.temporary('derive')
    try {
      const adopt = (file: string) => store.adopt(`${folder.dir}/${file}`, signal ? { signal } : {})
      return { ...(await make(folder.dir, adopt)), dispose: () => folder.dispose() }
    } catch (error) {
      await folder.dispose()
      throw error
    }
  }

  return {
    inspect: async (path, given = {}) => {
      const { sniffed, bytes } = await looked(path)
      const { sandbox } = await tools.state()
      const base = { family: sniffed.family, mimeType: sniffed.mimeType, sandbox, complete: true }
      const { holds, ...found } = { ...base, ...(await contents(tools, path, bytes, sniffed, given)) }
      const seen = { holds, mimeType: found.mimeType, sound: found.facts.audioCodec !== null }
      return { ...found, work: DERIVATION_KINDS.filter((kind) => !isView(kind) && REGISTRY[kind].appliesTo(seen)) }
    },
    derive: (kind, source, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const { path, name } = source
        const input = { tools, path, name, ...(await looked(path)), dir, threads, vendor, options: given }
        const { file, ...made } = await REGISTRY[kind].make(input)
        const { sandbox } = await tools.state()
        const staged = file === null ? null : await adopt(file)
        return { name, facts: NO_FACTS, notes: [], ...made, derivation: of(made.derivation, source), staged, sandbox }
      }),
    deriveStill: (original, played, seconds, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const { original: input, played: shown } = await both(original, played)
        const { file, derivation, ...made } = await makeStill(tools, input, shown, seconds, dir, given)
        return { ...made, staged: await adopt(file), derivation: of(derivation, original) }
      }),
    deriveClip: (original, played, asked, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const { file, derivation, ...made } = await makeClip(tools, await both(original, played), asked, dir, given)
        return { ...made, staged: await adopt(file), derivation: of(derivation, original) }
      }),
    deriveCrop: (source, area, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const { path } = source
        const made = await makeCrop({ tools, path, ...(await looked(path)), dir, options: given }, area)
        return { staged: await adopt(made.file as string), derivation: of(made.derivation, source) }
      }),
    streamBounds: async (original, played, range, given = {}) => {
      const { from, to, frames } = await streamBounds(tools, await both(original, played), range, given)
      return { from, to, frames }
    },
  }
}

const of = (derivation: HowMade, { sha256 }: Source): Derivation => ({
  ...derivation,
  InputSha256: sha256,
})

type Found = Pick<Contents, 'holds'> &
  Omit<Inspection, 'family' | 'mimeType' | 'sandbox' | 'complete' | 'work'> &
  Partial<Pick<Inspection, 'family' | 'mimeType' | 'complete'>>
const NOTHING: Found = { holds: 'nothing', facts: NO_FACTS, captured: null, position: null, message: null }

async function contents(
  tools: MediaTools,
  path: string,
  bytes: number,
  sniffed: Sniffed,
  given: InspectOptions,
): Promise<Found> {
  if (bytes === 0) return { ...NOTHING, message: EMPTY }
  if (sniffed.family === 'picture') return picture(tools, path, sniffed)
  if (demuxerOf(sniffed)) return recording(tools, path, bytes, sniffed, given)
  if (sniffed.family === 'audio' || sniffed.family === 'video') return { ...NOTHING, message: NO_PREVIEW }
  const ending = sniffed.family === 'unknown' ? MEDIA_ENDING.exec(given.name ?? '')?.[1] : undefined
  return { ...NOTHING, message: ending === undefined ? null : NOT_AS_NAMED(ending.toUpperCase()) }
}

/** Degrees clockwise of the Exif orientations that turn; mirrored ones beside them. */
const TURNS: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }

async function picture(tools: MediaTools, path: string, sniffed: Sniffed): Promise<Found> {
  const { mimeType } = sniffed
  const header = sniffed.heif ? null : await headerOf(tools, path, mimeType)
  const turned = header !== null && header.orientation >= 5
  const facts = header
    ? {
        ...NO_FACTS,
        width: turned ? header.height : header.width,
        height: turned ? header.width : header.height,
        rotation: TURNS[header.orientation] ?? 0,
      }
    : NO_FACTS
  if (header && tooLarge(header)) return { ...NOTHING, facts, message: TOO_LARGE_PICTURE }
  if (!PREVIEW_TYPES.has(mimeType)) return { ...NOTHING, facts, message: NO_PREVIEW }
  const drawable = sniffed.heif || (header !== null && sniffed.demuxer !== null)
  return drawable ? { ...NOTHING, facts, holds: 'picture' } : { ...NOTHING, facts, message: UNREADABLE }
}

/** A container may hold sound alone; what it is called then follows what it holds. */
async function recording(
  tools: MediaTools,
  path: string,
  bytes: number,
  sniffed: Sniffed,
  given: InspectOptions,
): Promise<Found> {
  const demuxer = demuxerOf(sniffed)
  if (!demuxer) return NOTHING
  const probed = await tools.probe(path, probeArguments(demuxer), given)
  if (!probed.ok) {
    if (probed.why === 'missing') return withoutFfprobe(tools, path, sniffed, given)
    if (probed.why !== 'unreadable') throw failureOf(probed, given.signal)
    return { ...NOTHING, message: UNREADABLE }
  }
  const { captured, position, audio } = probed.value
  const video = mainVideo(probed.value)
  const scan = video && given.measure ? await tools.scan(path, scanArguments(demuxer, video.index), bytes, given) : null
  const facts = factsOf(probed.value, video, scan?.ok ? scan.value : null)
  if (video) return { holds: 'video', facts, captured, position, message: null, family: 'video' }
  if (audio.length === 0) return { ...NOTHING, message: UNREADABLE }
  const mimeType = sniffed.mimeType.startsWith('video/') ? soundOf(sniffed.mimeType) : sniffed.mimeType
  return { holds: 'audio', facts, captured, position, message: null, family: 'audio', mimeType }
}

/** What a container that may hold films is called when it holds sound alone. */
const soundOf = (mimeType: string): string =>
  mimeType === 'video/x-ms-wmv' ? 'audio/x-ms-wma' : mimeType.replace(/^video\//, 'audio/')

/** The jobs are listed all the same: they wait for ffmpeg, or go by mediabunny. */
async function withoutFfprobe(tools: MediaTools, path: string, sniffed: Sniffed, given: DeriveOptions): Promise<Found> {
  const container = sniffed.demuxer && bunnyContainer(sniffed.demuxer)
  const seen = container ? await tools.bunnyProbe(path, container, given) : null
  const holds = sniffed.family === 'audio' ? 'audio' : 'video'
  return { ...NOTHING, holds, complete: false, facts: seen?.ok ? bunnyFacts(seen.value, null) : NO_FACTS }
}

/** Tells the log what a tool said when it refused. */
function logged(tools: MediaTools, log: (event: { tool: string; why: string; detail: string }) => void): MediaTools {
  const tell = <T extends { ok: boolean }>(answer: T): T => {
    const refused = answer as { ok: boolean; tool?: string; why?: string; detail?: string }
    if (!refused.ok && refused.why !== 'aborted' && refused.why !== 'missing')
      log({ tool: refused.tool ?? '', why: refused.why ?? '', detail: (refused.detail ?? '').slice(-2000) })
    return answer
  }
  return {
    ...tools,
    probe: async (...args) => tell(await tools.probe(...args)),
    scan: async (...args) => tell(await tools.scan(...args)),
    ffmpeg: async (...args) => tell(await tools.ffmpeg(...args)),
    packets: async (...args) => tell(await tools.packets(...args)),
    pcm: async (...args) => tell(await tools.pcm(...args)),
    exif: async (...args) => tell(await tools.exif(...args)),
    heif: async (...args) => tell(await tools.heif(...args)),
  }
}
