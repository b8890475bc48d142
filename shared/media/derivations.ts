/**
 * What the station derives from originals: the one list that server and pages read, with one line for each kind. What a kind makes, and how,
 * is in `server/features/media/derivations/<kind>.ts`; what it is called is in `messages.*.ts`. Pure.
 */
interface Described {
  /** A resource of this role, the thumbnail of the original, or a view: for looking only, and without a record of its own. */
  readonly becomes: 'playable' | 'preview' | 'metadata' | 'thumbnail' | 'view'
  /** Where it is shown in place of the original: in the player, or as a picture. */
  readonly shown: 'player' | 'picture' | null
  /** Of a view, how the time line of the player draws it: as pictures side by side, or as an outline of peaks. */
  readonly drawn?: 'pictures' | 'peaks'
}

export const DERIVATIONS = {
  playable: { becomes: 'playable', shown: 'player' },
  poster: { becomes: 'thumbnail', shown: null },
  audio: { becomes: 'preview', shown: 'player' },
  exif: { becomes: 'metadata', shown: null },
  preview: { becomes: 'preview', shown: 'picture' },
  thumbnail: { becomes: 'thumbnail', shown: null },
  strip: { becomes: 'view', shown: null, drawn: 'pictures' },
  waveform: { becomes: 'view', shown: null, drawn: 'peaks' },
} as const satisfies Readonly<Record<string, Described>>

export type DerivationKind = keyof typeof DERIVATIONS
export type ViewKind = {
  [Kind in DerivationKind]: (typeof DERIVATIONS)[Kind]['becomes'] extends 'view' ? Kind : never
}[DerivationKind]

export const DERIVATION_KINDS = Object.keys(DERIVATIONS) as DerivationKind[]
const isKind = (name: string): name is DerivationKind => Object.hasOwn(DERIVATIONS, name)
/** Views are made of what is played, so that their time line is the player's; everything else is made of the original. */
export const isView = (kind: DerivationKind): kind is ViewKind => DERIVATIONS[kind].becomes === 'view'
export const VIEW_KINDS = DERIVATION_KINDS.filter(isView)
export type PeaksKind = {
  [Kind in ViewKind]: (typeof DERIVATIONS)[Kind] extends { readonly drawn: 'peaks' } ? Kind : never
}[ViewKind]
export const PEAKS_KINDS = VIEW_KINDS.filter((kind): kind is PeaksKind => {
  const { drawn }: Described = DERIVATIONS[kind]
  return drawn === 'peaks'
})

/** The job that looks at an original, and finds what can be derived from it. */
export const INSPECT = 'derive.inspect'
export const jobKindOf = (kind: DerivationKind): `derive.${DerivationKind}` => `derive.${kind}`
/** The kind that a job derives; null for every other job. */
export function kindOfJob(job: string): DerivationKind | null {
  const name = job.replace(/^derive\./, '')
  return name !== job && isKind(name) ? name : null
}
/** The jobs that make what is shown in place of an original, in the order in which they are looked for. */
export const jobsForShowing = (...shown: readonly Described['shown'][]): readonly string[] => [
  INSPECT,
  ...DERIVATION_KINDS.filter((kind) => shown.includes(DERIVATIONS[kind].shown)).map(jobKindOf),
]

/** The kind that an entry of the ledger names by what it became: a role, `thumbnail`, or a view. */
export const kindOfRole = (role: string): DerivationKind | null =>
  isKind(role) ? role : (DERIVATION_KINDS.find((kind) => !isView(kind) && DERIVATIONS[kind].becomes === role) ?? null)

/** The member of `MediaModel` that says where a view is fetched, and how it is laid out. */
export const memberOf = <Kind extends DerivationKind>(kind: Kind): Capitalize<Kind> =>
  `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as Capitalize<Kind>

/** The key of its name in the catalogues. */
export const labelOf = <Kind extends DerivationKind>(kind: Kind): `derivation${Capitalize<Kind>}` =>
  `derivation${memberOf(kind)}`
