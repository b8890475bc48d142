import type {
  CaptureTime,
  Derivation,
  GeoPosition,
  MediaFacts,
  MediaFamily,
  SandboxKind,
} from '../../../../shared/media/rules.ts'

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

export interface DeriveOptions {
  readonly signal?: AbortSignal
  /** As JobContext.progress: 0–1 or null, and words for a person. */
  readonly progress?: (fraction: number | null, message: string) => void
}

export interface InspectOptions extends DeriveOptions {
  readonly name?: string
  /** Reads every packet of a video too, for what no header tells. Making the playable copy does so anyhow. */
  readonly measure?: boolean
}

/** A thing that can be derived. `thumbnail` is a picture's, `poster` a recording's. */
export type Work = 'playable' | 'audio' | 'poster' | 'exif' | 'thumbnail' | 'preview'

/** A thing for looking only, made of what is played; it has no record of its own. */
export type View = 'strip' | 'waveform'

/** What a file is and what should be made of it. */
export interface Inspection {
  readonly family: MediaFamily
  /** By content. */
  readonly mimeType: string
  readonly facts: MediaFacts
  readonly captured: CaptureTime | null
  readonly position: GeoPosition | null
  /** One job each; empty where nothing can come of it. */
  readonly work: readonly Work[]
  /** Why nothing (more) will come of it, for a person; null where all is well. */
  readonly message: string | null
  /** Whether the tools that looked at it were confined. */
  readonly sandbox: SandboxKind
  /** False where a tool was missing: what it would have said is not known yet. */
  readonly complete: boolean
}

/** A derived file, durable in staging, or the original's own bytes (`staged: null`, Tool `identity`). */
export interface Derived<Staged> {
  readonly staged: Staged | null
  readonly name: string
  readonly mimeType: string
  readonly derivation: Derivation
  readonly facts: MediaFacts
  /** What a person should know of it, in sentences; mostly empty. */
  readonly notes: readonly string[]
  readonly sandbox: SandboxKind
  /** Removes the temporary folder. Call it after the blob was placed, and when it will not be. */
  dispose(): Promise<void>
}

/** A view, durable in staging. */
export interface DerivedView<Staged> {
  readonly staged: Staged
  readonly mimeType: string
  readonly derivation: Derivation
  readonly layout: Readonly<Record<string, number>>
  readonly sandbox: SandboxKind
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

export interface DerivedExif<Staged> extends Derived<Staged> {
  readonly captured: CaptureTime | null
  /** UTC, of the GPS receiver. */
  readonly gpsTime: string | null
  readonly position: GeoPosition | null
  /** What the picture is found by (evidence/search/exif-words.ts). */
  readonly words: string
}

/**
 * Derivation (decisions 6). Every method throws `FinalFailure` with a sentence for a person when the file cannot be read or asks too
 * much, `NotYet` when a tool is missing on this station, the signal's reason when aborted, and another error when a new try may help.
 */
export interface Deriver<Staged> {
  /** Never throws for what a file holds: an unreadable one comes back with a message and no work. */
  inspect(path: string, options?: InspectOptions): Promise<Inspection>
  derivePlayable(source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  deriveAudio(source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  derivePoster(source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  deriveThumbnail(source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  derivePreview(source: Source, options?: DeriveOptions): Promise<Derived<Staged>>
  deriveExif(source: Source, options?: DeriveOptions): Promise<DerivedExif<Staged>>
  /** `played`: what a player is given. */
  deriveView(view: View, played: Source, options?: DeriveOptions): Promise<DerivedView<Staged>>
  /**
   * The frame of `original` that is on screen when a player of `played` stands at `seconds`.
   * @throws BeyondEnd too
   */
  deriveStill(original: Source, played: Source, seconds: number, options?: DeriveOptions): Promise<DerivedStill<Staged>>
}
