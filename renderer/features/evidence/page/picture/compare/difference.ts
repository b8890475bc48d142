/** How much two pictures differ. Pure but for the pixels that it is given. */

/** A channel that differs by no more is the noise of coding. */
export const NOISE = 8

/** Share of pixels, 0 to 1, of which a colour differs by more than the noise. @param one RGBA, as long as `other` */
export function shareThatDiffers(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  let different = 0
  for (let at = 0; at < one.length; at += 4) {
    const most = Math.max(
      Math.abs((one[at] as number) - (other[at] as number)),
      Math.abs((one[at + 1] as number) - (other[at + 1] as number)),
      Math.abs((one[at + 2] as number) - (other[at + 2] as number)),
    )
    if (most > NOISE) different += 1
  }
  return one.length === 0 ? 0 : different / (one.length / 4)
}
