import { type Derivation, type MediaFacts, NO_FACTS, type SandboxKind } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import { EMPTY, failureOf, NO_PREVIEW, NOT_AS_NAMED, TOO_LARGE_PICTURE, UNREADABLE, valueOf } from './failures.ts'
import { headerOf, isPreviewItself, makePicture, makePoster, ownPreview, tooLarge } from './pictures.ts'
import { mainVideo, OUTPUT, PREVIEW_SIDE, probeArguments, scanArguments, THUMBNAIL_SIDE, withEnding } from './plan.ts'
import { exifWords } from '../../../kernel/evidence/exif-text.ts'
import { bunnyContainer, bunnyFacts, factsOf, makePlayable, recordOf } from './playable.ts'
import { sniff, SNIFF_LENGTH, type Sniffed } from './sniff.ts'
import type { Derived, DeriveOptions, Deriver, InspectOptions, Inspection, Source, Staging, Work } from './types.ts'
import { makeSound } from './sound.ts'
import { makeStill } from './still.ts'
import { makeStrip, makeWaveform } from './views.ts'

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

/** Pictures whose metadata, preview and small version are made (decisions 6). */
const EXIF_TYPES = new Set(['image/jpeg', 'image/png', 'image/tiff', 'image/webp', 'image/heic', 'image/avif'])

/** Pictures that carry no metadata worth a file of its own; of one that moves the first picture is shown. */
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

  /** Runs `make` in a temporary folder and hands its file to the store; the folder goes when anything fails. */
  const staged = async (
    source: Source,
    { signal }: DeriveOptions,
    make: (dir: string) => Promise<Made>,
  ): Promise<Derived<Staged>> => {
    const folder = await store.temporary('derive')
    try {
      const made = await make(folder.dir)
      const { sandbox } = await tools.state()
      return {
        staged: made.file === null ? null : await store.adopt(`${folder.dir}/${made.file}`, signal ? { signal } : {}),
        name: made.name,
        mimeType: made.mimeType,
        derivation: { ...made.derivation, InputSha256: source.sha256 },
        facts: made.facts,
        notes: made.notes ?? [],
        sandbox,
        dispose: () => folder.dispose(),
      }
    } catch (error) {
      await folder.dispose()
      throw error
    }
  }

  const movingInput = async (path: string) => {
    const { sniffed, bytes } = await looked(path)
    const demuxer = moving(sniffed)
    if (!demuxer) throw new FinalFailure(UNREADABLE)
    return { path, bytes, demuxer }
  }

  /** As `staged`, for what is no resource yet. */
  const inFolder = async <T>(
    { signal }: DeriveOptions,
    make: (dir: string, adopt: (file: string) => Promise<{ staged: Staged; sandbox: SandboxKind }>) => Promise<T>,
  ): Promise<T & { dispose(): Promise<void> }> => {
    const folder = await store.temporary('derive')
    const adopt = async (file: string) => ({
      staged: await store.adopt(`${folder.dir}/${file}`, signal ? { signal } : {}),
      sandbox: (await tools.state()).sandbox,
    })
    try {
      return { ...(await make(folder.dir, adopt)), dispose: () => folder.dispose() }
    } catch (error) {
      await folder.dispose()
      throw error
    }
  }

  const jpeg = (source: Source, given: DeriveOptions, side: number, output: string, ending: string) =>
    staged(source, given, async (dir) => {
      const { sniffed } = await looked(source.path)
      if (sniffed.family !== 'picture') throw new FinalFailure(UNREADABLE)
      const made = await makePicture(tools, { path: source.path, sniffed }, dir, side, output, given)
      const moves = sniffed.mimeType === 'image/gif' ? ['Of a picture that moves, the first one is shown.'] : []
      return { ...made, name: withEnding(source.name, ending), mimeType: 'image/jpeg', notes: moves }
    })

  return {
    inspect: async (path, given = {}) => {
      const { sniffed, bytes } = await looked(path)
      const { sandbox } = await tools.state()
      const base = { family: sniffed.family, mimeType: sniffed.mimeType, sandbox, complete: true }
      return { ...base, ...(await contents(tools, path, bytes, sniffed, given)) }
    },
    derivePlayable: (source, given = {}) =>
      staged(source, given, async (dir) => {
        const { sniffed, bytes } = await looked(source.path)
        const demuxer = moving(sniffed)
        if (!demuxer) throw new FinalFailure(UNREADABLE)
        const made = await makePlayable(tools, { path: source.path, bytes, demuxer }, dir, threads, given)
        return { ...made, name: withEnding(source.name, '.mp4'), mimeType: 'video/mp4' }
      }),
    deriveAudio: (source, given = {}) =>
      staged(source, given, async (dir) =>
        makeSound(tools, { ...(await movingInput(source.path)), name: source.name }, dir, threads, given),
      ),
    derivePoster: (source, given = {}) =>
      staged(source, given, async (dir) => {
        const { sniffed } = await looked(source.path)
        const demuxer = moving(sniffed)
        if (!demuxer) throw new FinalFailure(UNREADABLE)
        const made = await makePoster(tools, { path: source.path, demuxer }, dir, given)
        return { ...made, name: withEnding(source.name, '.thumbnail.jpg'), mimeType: 'image/jpeg' }
      }),
    deriveThumbnail: (source, given = {}) => jpeg(source, given, THUMBNAIL_SIDE, OUTPUT.thumbnail, '.thumbnail.jpg'),
    derivePreview: async (source, given = {}) =>
      (await isPreviewItself(tools, source.path))
        ? staged(source, given, () => ownPreview(tools, source))
        : jpeg(source, given, PREVIEW_SIDE, OUTPUT.preview, '.preview.jpg'),
    deriveExif: async (source, given = {}) => {
      const reading = valueOf(await tools.exif(source.path, ['/in'], given), given.signal)
      const { metadata, captured, gpsTime, position } = reading.value
      const derived = await staged(source, given, async (dir) => {
        await tools.scratch.write(dir, 'exif.json', `${JSON.stringify(metadata, null, 2)}\n`)
        return {
          file: 'exif.json',
          derivation: recordOf(reading.used),
          facts: NO_FACTS,
          name: `${source.name}.exif.json`,
          mimeType: `${vendor}/json-exif`,
        }
      })
      return { ...derived, captured, gpsTime, position, words: exifWords(metadata) }
    },
    deriveView: (view, played, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const input = await movingInput(played.path)
        const made =
          view === 'strip'
            ? await makeStrip(tools, input, dir, threads, given)
            : await makeWaveform(tools, input, dir, given)
        const { mimeType, layout, derivation } = made
        return { ...(await adopt(made.file)), mimeType, layout, derivation: of(derivation, played) }
      }),
    deriveStill: (original, played, seconds, given = {}) =>
      inFolder(given, async (dir, adopt) => {
        const same = original.sha256 === played.sha256
        const input = await movingInput(original.path)
        const shown = { ...(same ? input : await movingInput(played.path)), same }
        const { file, derivation, ...made } = await makeStill(tools, input, shown, seconds, dir, given)
        return { ...(await adopt(file)), ...made, derivation: of(derivation, original) }
      }),
  }
}

const of = (derivation: Omit<Derivation, 'InputSha256'>, { sha256 }: Source): Derivation => ({
  ...derivation,
  InputSha256: sha256,
})

interface Made {
  readonly file: string | null
  readonly derivation: Omit<Derivation, 'InputSha256'>
  readonly facts: MediaFacts
  readonly name: string
  readonly mimeType: string
  readonly notes?: readonly string[]
}

const moving = ({ family, demuxer }: Sniffed) => (family === 'video' || family === 'audio' ? demuxer : null)

type Contents = Omit<Inspection, 'family' | 'mimeType' | 'sandbox' | 'complete'> &
  Partial<Pick<Inspection, 'family' | 'mimeType' | 'complete'>>
const NOTHING: Contents = { facts: NO_FACTS, captured: null, position: null, work: [], message: null }

async function contents(
  tools: MediaTools,
  path: string,
  bytes: number,
  sniffed: Sniffed,
  given: InspectOptions,
): Promise<Contents> {
  if (bytes === 0) return { ...NOTHING, message: EMPTY }
  if (sniffed.family === 'picture') return picture(tools, path, sniffed)
  if (moving(sniffed)) return recording(tools, path, bytes, sniffed, given)
  if (sniffed.family === 'audio' || sniffed.family === 'video') return { ...NOTHING, message: NO_PREVIEW }
  const ending = sniffed.family === 'unknown' ? MEDIA_ENDING.exec(given.name ?? '')?.[1] : undefined
  return { ...NOTHING, message: ending === undefined ? null : NOT_AS_NAMED(ending.toUpperCase()) }
}

/** Degrees clockwise of the Exif orientations that turn; mirrored ones beside them. */
const TURNS: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }

async function picture(tools: MediaTools, path: string, sniffed: Sniffed): Promise<Contents> {
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
  const work: Work[] = EXIF_TYPES.has(mimeType) ? ['exif'] : []
  if (header && tooLarge(header)) return { ...NOTHING, facts, work, message: TOO_LARGE_PICTURE }
  if (!PREVIEW_TYPES.has(mimeType)) return { ...NOTHING, facts, work, message: NO_PREVIEW }
  const drawable = sniffed.heif || (header !== null && sniffed.demuxer !== null)
  if (!drawable) return { ...NOTHING, facts, work, message: UNREADABLE }
  return { ...NOTHING, facts, work: [...work, 'preview', 'thumbnail'] }
}

/** A container may hold sound alone; what it is called then follows what it holds. */
async function recording(
  tools: MediaTools,
  path: string,
  bytes: number,
  sniffed: Sniffed,
  given: InspectOptions,
): Promise<Contents> {
  const demuxer = moving(sniffed)
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
  if (video) return { facts, captured, position, work: ['playable', 'poster'], message: null, family: 'video' }
  if (audio.length === 0) return { ...NOTHING, message: UNREADABLE }
  const mimeType = sniffed.mimeType.startsWith('video/') ? soundOf(sniffed.mimeType) : sniffed.mimeType
  return { facts, captured, position, work: ['audio'], message: null, family: 'audio', mimeType }
}

/** What a container that may hold films is called when it holds sound alone. */
const soundOf = (mimeType: string): string =>
  mimeType === 'video/x-ms-wmv' ? 'audio/x-ms-wma' : mimeType.replace(/^video\//, 'audio/')

/** The jobs are listed all the same: they wait for ffmpeg, or go by mediabunny. */
async function withoutFfprobe(
  tools: MediaTools,
  path: string,
  sniffed: Sniffed,
  given: DeriveOptions,
): Promise<Contents> {
  const container = sniffed.demuxer && bunnyContainer(sniffed.demuxer)
  const seen = container ? await tools.bunnyProbe(path, container, given) : null
  const work: Work[] = sniffed.family === 'audio' ? ['audio'] : ['playable', 'poster']
  return { ...NOTHING, work, complete: false, facts: seen?.ok ? bunnyFacts(seen.value, null) : NO_FACTS }
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
