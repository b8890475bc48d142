/**
 * What people look for first is made first, for all evidence: what a file is and a picture of it; then what plays; then strips and waveforms.
 * Kinds that are not named belong to the first stage.
 */
const STAGES: Readonly<Record<string, number>> = {
  'derive.playable': 2,
  'derive.audio': 2,
  'derive.strip': 3,
  'derive.waveform': 3,
}
/** More than resources there can be, so that a stage never reaches into the next. */
const STAGE_SIZE = 2 ** 40

/** Within a stage the newest evidence comes first. */
export const orderOf = (kind: string, resourceId: number): number => (STAGES[kind] ?? 1) * STAGE_SIZE - resourceId
