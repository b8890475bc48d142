import type { ClipKind } from '../../../../shared/media/clips.contract.ts'
import type { DerivationKind } from '../../../../shared/media/derivations.ts'
import type {
  CaptureTime,
  Derivation,
  GeoPosition,
  MediaFacts,
  MediaFamily,
  SandboxKind,
} from '../../../../shared/media/rules.ts'
import type { MadeClip } from '../clips/clip.ts'
import type { DeriveOptions, Made } from '../derivations/derivation.ts'
import type { Area } from './plan.ts'

/** What the deriver needs of the blob store. The store's own `temporary` and `adopt` fit. */
export interface Staging<Staged> {
  temporary(label: string): Promise<{ readonly dir: string; dispose(): Promise<void> }>
  adopt(pathInStaging: string, options?: { signal?: AbortSignal }): Promise<Staged>
}

/** An original, as it lies in the store. `name` is the resource's and only ever names results. */
export interface Source {
  readonly path: string
  readonly sha256: string
  readonly name: string
}

export interface InspectOptions extends DeriveOptions {
  readonly name?: string
  /** Reads every packet of a video too, for what no header tells. Making the playable copy does so anyhow. */
  readonly measure?: boolean
}

/** What a file is and what should be made of it. */
export interface Inspection {
  readonly family: MediaFamily
  /** By content. */
  readonly mimeType: string
  readonly facts: MediaFacts
  readonly captured: CaptureTime | null
  readonly position: GeoPosition | null
  /** One job each; empty where nothing can come of it. */
  readonly work: readonly DerivationKind[]
  /** Why nothing (more) will come of it, for a person; null where all is well. */
  readonly message: string | null
  /** Whether the tools that looked at it were confined. */
  readonly sandbox: SandboxKind
  /** False where a tool was missing: what it would have said is not known yet. */
  readonly complete: boolean
}

/** What was derived, durable in staging, or the bytes that it was made from (`staged: null`, Tool `identity`). */
export interface Derived<Staged> extends Omit<Made, 'file' | 'derivation'> {
  readonly staged: Staged | null
  readonly name: string
  readonly facts: MediaFacts
  readonly notes: readonly string[]
  readonly derivation: Derivation
  readonly sandbox: SandboxKind
  /** Removes the temporary folder. Call it after the blob was placed, and when it will not be. */
  dispose(): Promise<void>
}

/** One frame, durable in staging. */
export interface DerivedStill<Staged> {
  readonly staged: Staged
  readonly derivation: Derivation
  readonly width: number
  readonly height: number
  /** When the frame begins on the time line that is played, seconds. */
  readonly frameSeconds: number
  dispose(): Promise<void>
}

/** What a clip is asked to be: positions on the time line that is played, seconds. */
export interface AskedClip {
  readonly kind: ClipKind
  readonly from: number
  readonly to: number
}

/** A clip, durable in staging. */
export interface DerivedClip<Staged> extends Omit<MadeClip, 'file' | 'derivation'> {
  readonly staged: Staged
  readonly derivation: Derivation
  dispose(): Promise<void>
}

/** A part of a picture, durable in staging. */
export interface DerivedCrop<Staged> {
  readonly staged: Staged
  readonly derivation: Derivation
  dispose(): Promise<void>
}

/**
 * Derivation (decisions 6). Every method throws `FinalFailure` with a sentence for a person when the file cannot be read or asks too
 * much, `NotYet` when a tool is missing on this station, the signal's reason when aborted, and another error when a new try may help.
 */
export interface Deriver<Staged> {
  /** Never throws for what a file holds: an unreadable one comes back with a message and no work. */
  inspect(path: string, options?: InspectOptions): Promise<Inspection>
  /** `source`: the original, or what a player is given where a view is derived. */
  derive(kind: DerivationKind, source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  /**
   * The frame of `original` that is on screen when a player of `played` stands at `seconds`.
   * @throws BeyondEnd too
   */
  deriveStill(original: Source, played: Source, seconds: number, options?: DeriveOptions): Promise<DerivedStill<Staged>>
  /**
   * The part of `original` between two positions of a player of `played` (decisions 31).
   * @throws BeyondEnd too
   */
  deriveClip(original: Source, played: Source, asked: AskedClip, options?: DeriveOptions): Promise<DerivedClip<Staged>>
  /** Where a clip of the untouched stream would begin and end. @throws BeyondEnd too */
  streamBounds(
    original: Source,
    played: Source,
    range: Omit<AskedClip, 'kind'>,
    options?: DeriveOptions,
  ): Promise<Pick<MadeClip, 'from' | 'to' | 'frames'>>
  /** A part of a picture. @throws BeyondPicture too */
  deriveCrop(source: Source, area: Area, options?: DeriveOptions): Promise<DerivedCrop<Staged>>
}
