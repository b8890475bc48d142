/** One picture on or back where pictures last differently long. */
interface Looking {
  /** When the picture on screen begins, seconds. */
  readonly at: () => number
  readonly seek: (seconds: number) => Promise<void>
  readonly duration: number
  /** Somebody wants something else by now; while it plays, no picture stands still to be compared with. */
  readonly givenUp: () => boolean
}

/** Rounding of positions between page and player. Seconds. */
const HAIR = 0.0005
/** Pictures closer than this (250 a second) are not told apart. Seconds. */
const LEAST = 0.004
/** A picture that stands longer than this is taken for the last one. Seconds. */
const MOST = 60

/** What is on screen a moment before this picture began is the one before it. */
export const pictureBack = ({ at, seek }: Looking): Promise<void> => seek(Math.max(0, at() - 2 * HAIR))

/** Sought in growing steps until another picture is there, then between what is shown and that one for whatever lies before it. */
export async function pictureOn({ at, seek, duration, givenUp }: Looking): Promise<void> {
  const from = at()
  const another = (): boolean => at() > from + HAIR
  let low = from
  for (let reach = 0.02; !another() && !givenUp() && low < duration && reach < MOST; reach *= 2) {
    await seek(Math.min(duration, low + reach))
    if (!another()) low = Math.min(duration, low + reach)
  }
  if (givenUp()) return
  if (!another()) return seek(from + HAIR)
  let high = at()
  while (high - low > LEAST && !givenUp()) {
    await seek((low + high) / 2)
    if (another()) high = at()
    else low = (low + high) / 2
  }
  if (!another() && !givenUp()) await seek(high + HAIR)
}
