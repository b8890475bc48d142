import type { MediaFacts } from '../../../../shared/media/rules.ts'
import { FinalFailure } from '../../../kernel/jobs/types.ts'
import type { MediaTools } from '../../../platform/ffmpeg/media-tools.ts'
import type { HowMade } from '../derive/facts.ts'
import { UNREADABLE } from '../derive/failures.ts'
import type { Claims } from '../derive/fill-evidence.ts'
import type { Demuxer, Sniffed } from '../derive/sniff.ts'

/** A kind of derivation: one file each in this folder. `shared/media/derivations.ts` says what it becomes. */
export interface Derivation {
  /** Whether it can be made: of an original, or of what is played where it is a view. */
  appliesTo(contents: Contents): boolean
  /**
   * Writes it to `dir`. Arguments of tools come from a pure function.
   * @throws as every method of `Deriver`
   */
  make(given: Making): Promise<Made>
}

/** What a file holds, as far as it decides what can be derived from it. */
export interface Contents {
  /** `nothing`: nothing that a program here can show. */
  readonly holds: 'video' | 'audio' | 'picture' | 'nothing'
  /** By content. */
  readonly mimeType: string
  /** A sound track is known. */
  readonly sound: boolean
}

export interface DeriveOptions {
  readonly signal?: AbortSignal
  /** As JobContext.progress: 0–1 or null, and words for a person. */
  readonly progress?: (fraction: number | null, message: string) => void
}

export interface Making {
  readonly tools: MediaTools
  readonly path: string
  readonly bytes: number
  readonly sniffed: Sniffed
  /** Of the resource. It only ever names results. */
  readonly name: string
  /** The temporary folder. */
  readonly dir: string
  /** Threads a conversion may use. */
  readonly threads: number
  /** The setting `vendor`: first part of the Exif JSON's media type. */
  readonly vendor: string
  readonly options: DeriveOptions
}

export interface Made {
  /** Name in the temporary folder; null where the file that it was made from serves itself. */
  readonly file: string | null
  readonly mimeType: string
  readonly derivation: HowMade
  /** Of a resource. */
  readonly name?: string
  readonly facts?: MediaFacts
  /** What a person should know of it, in sentences. */
  readonly notes?: readonly string[]
  /** Of a view: what the page needs to show it. */
  readonly layout?: Readonly<Record<string, number>>
  /** What the file says of the time and place of its recording. */
  readonly claims?: Claims
  /** What the evidence is found by from now on (kernel/evidence/exif-text.ts). */
  readonly words?: string
}

export interface Moving extends Making {
  readonly demuxer: Demuxer
}

export const demuxerOf = ({ family, demuxer }: Sniffed): Demuxer | null =>
  family === 'video' || family === 'audio' ? demuxer : null

/** @throws FinalFailure where it is neither film nor sound that ffmpeg is given */
export function movingOf(given: Making): Moving {
  const demuxer = demuxerOf(given.sniffed)
  if (demuxer === null) throw new FinalFailure(UNREADABLE)
  return { ...given, demuxer }
}
