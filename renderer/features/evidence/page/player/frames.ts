/** Which frame a position means, and where to seek so that a player shows that frame and no other. Pure. */

export interface FrameRate {
  readonly Numerator: number
  readonly Denominator: number
}

/** Of a recording whose frames all last equally long. */
export interface Frames {
  readonly rate: FrameRate
  /** Presentation time of the first frame, seconds: some recordings begin a little after nought. */
  readonly origin: number
  readonly count: number
}

/** @returns null where frames last differently long: then a frame has no number that a position could be computed from. */
export function framesOf(
  rate: FrameRate | null,
  uneven: boolean,
  count: number | null,
  durationSeconds: number,
): Frames | null {
  if (rate === null || uneven || rate.Numerator <= 0 || rate.Denominator <= 0) return null
  const counted = count ?? Math.round((durationSeconds * rate.Numerator) / rate.Denominator)
  return { rate, origin: 0, count: Math.max(1, counted) }
}

const lasts = ({ rate }: Frames): number => rate.Denominator / rate.Numerator

/** The number, from nought, of the frame that begins at `mediaTime`: players tell it rounded, so the nearest one is meant. */
export function frameBeginning(frames: Frames, mediaTime: number): number {
  return bounded(frames, Math.round((mediaTime - frames.origin) / lasts(frames)))
}

/** The number of the frame that is on screen at a position. */
export function frameAt(frames: Frames, seconds: number): number {
  // A position may be the beginning of a frame, a rounding error early.
  return bounded(frames, Math.floor((seconds - frames.origin) / lasts(frames) + 1e-3))
}

/** Seconds; the middle, so that no rounding on the way leads to a neighbour. */
export const middleOf = (frames: Frames, frame: number): number =>
  frames.origin + (bounded(frames, frame) + 0.5) * lasts(frames)

export const beginningOf = (frames: Frames, frame: number): number =>
  frames.origin + bounded(frames, frame) * lasts(frames)

export const bounded = ({ count }: Frames, frame: number): number => Math.min(count - 1, Math.max(0, frame))

/** A first frame this late is a gap at the start of the recording and no rounding of its container. Seconds. */
const LATEST_ORIGIN = 1

/** @param first presentation time of what is shown at position nought */
export const beginningAt = (frames: Frames, first: number): Frames =>
  first > 0 && first < LATEST_ORIGIN ? { ...frames, origin: first } : frames
