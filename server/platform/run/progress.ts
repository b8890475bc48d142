/** One progress report of `ffmpeg -progress`. `outMs` is the time reached in the output; null before the first picture. */
export interface FfmpegProgress {
  readonly frame: number | null
  readonly outMs: number | null
  readonly ended: boolean
}

/**
 * Reads the `key=value` lines of `ffmpeg -progress pipe:1` from chunks of any size, and reports once per block (each ends with
 * `progress=continue` or `progress=end`). Lines have a length limit, so that a faulty tool cannot fill the memory.
 */
export function progressReader(report: (progress: FfmpegProgress) => void): (chunk: string) => void {
  let rest = ''
  let frame: number | null = null
  let outMs: number | null = null
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(-1024)
    for (const line of lines) {
      const at = line.indexOf('=')
      const key = line.slice(0, at).trim()
      const value = line.slice(at + 1).trim()
      if (key === 'frame') frame = wholeNumber(value)
      // `out_time_us` has an unambiguous unit; `out_time_ms` is in microseconds despite its name.
      else if (key === 'out_time_us') outMs = fromMicros(wholeNumber(value))
      else if (key === 'progress') report({ frame, outMs, ended: value === 'end' })
    }
  }
}

const wholeNumber = (text: string): number | null => (/^-?\d{1,18}$/.test(text) ? Number(text) : null)
const fromMicros = (micros: number | null): number | null => (micros === null || micros < 0 ? null : micros / 1000)
