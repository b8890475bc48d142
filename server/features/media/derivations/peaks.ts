/** Peaks of a sound recording, gathered as its samples come: the memory they take does not grow with the recording. */
export interface PeakMeter {
  /** Interleaved signed 16-bit little-endian samples, cut anywhere. */
  take(chunk: Uint8Array): void
  done(): { peaksPerSecond: number; peaks: number[] }
}

/** Peaks a second of a short recording. */
const FINEST = 50

/**
 * Largest deflection of each stretch, 0–255. When there are more than `most`, neighbours are joined and stretches are twice as long from
 * then on, so that no claim about the duration is needed.
 * @param rate samples a second of one channel
 */
export function peakMeter(rate: number, channels: number, most: number): PeakMeter {
  let stretch = Math.max(1, Math.round(rate / FINEST)) * channels
  let peaks: number[] = []
  let highest = 0
  let filled = 0
  let odd: number | null = null

  const close = () => {
    peaks.push(highest)
    highest = 0
    filled = 0
    if (peaks.length <= most) return
    const joined: number[] = []
    for (let at = 0; at + 1 < peaks.length; at += 2) joined.push(Math.max(peaks[at] ?? 0, peaks[at + 1] ?? 0))
    // One is left over when `most` is even: it is the first half of the stretch that begins now.
    if (peaks.length % 2 === 1) {
      highest = peaks.at(-1) ?? 0
      filled = stretch
    }
    peaks = joined
    stretch *= 2
  }

  const sample = (value: number) => {
    const deflection = value < 0 ? -value : value
    if (deflection > highest) highest = deflection
    filled += 1
    if (filled >= stretch) close()
  }

  return {
    take: (chunk) => {
      let from = 0
      if (odd !== null && chunk.length > 0) {
        sample((((chunk[0] ?? 0) << 24) >> 16) | odd)
        odd = null
        from = 1
      }
      const end = from + ((chunk.length - from) & ~1)
      for (let at = from; at < end; at += 2) sample((((chunk[at + 1] ?? 0) << 24) >> 16) | (chunk[at] ?? 0))
      if (end < chunk.length) odd = chunk[end] ?? 0
    },
    done: () => {
      const all = filled > 0 ? [...peaks, highest] : peaks
      return {
        peaksPerSecond: (rate * channels) / stretch,
        peaks: all.map((peak) => Math.round((Math.min(peak, 32_767) / 32_767) * 255)),
      }
    },
  }
}
