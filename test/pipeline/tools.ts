import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** Runs a program of this machine directly: the tests' own view, beside the one under test. */
export async function command(file: string, args: readonly string[], cwd?: string): Promise<string> {
  const { stdout } = await exec(file, [...args], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
    ...(cwd ? { cwd } : {}),
  })
  return stdout
}

export const ffmpeg = (cwd: string, ...args: string[]): Promise<string> =>
  command('ffmpeg', ['-hide_banner', '-nostdin', '-y', '-v', 'error', ...args], cwd)

export async function temporaryFolder(label: string): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), `sallyport-${label}-`))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}

/** What ffprobe itself says of a file, every picture decoded. */
export interface Witness {
  readonly codec: string
  readonly pixelFormat: string
  readonly width: number
  readonly height: number
  readonly rotation: number
  readonly frames: number
  readonly seconds: number
  readonly audio: string | null
}

export async function witness(path: string): Promise<Witness> {
  const args = ['-v', 'error', '-count_frames', '-print_format', 'json', '-show_streams', '-show_format', path]
  const probe = JSON.parse(await command('ffprobe', args)) as {
    streams: Record<string, unknown>[]
    format: Record<string, unknown>
  }
  const video = probe.streams.find((stream) => stream['codec_type'] === 'video') ?? {}
  const audio = probe.streams.find((stream) => stream['codec_type'] === 'audio')
  const sides = (video['side_data_list'] ?? []) as { rotation?: number }[]
  return {
    codec: String(video['codec_name'] ?? ''),
    pixelFormat: String(video['pix_fmt'] ?? ''),
    width: Number(video['width'] ?? 0),
    height: Number(video['height'] ?? 0),
    rotation: sides.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0,
    frames: Number(video['nb_read_frames'] ?? 0),
    seconds: Number(video['duration'] ?? probe.format['duration'] ?? 0),
    audio: audio ? String(audio['codec_name']) : null,
  }
}

/** Presentation times of every picture, in milliseconds from the first. */
export async function pictureTimes(path: string): Promise<number[]> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'frame=best_effort_timestamp_time',
    '-of',
    'csv=p=0',
    path,
  ]
  const times = (await command('ffprobe', args)).split('\n').flatMap((line) => {
    const time = Number.parseFloat(line)
    return Number.isNaN(time) ? [] : [time * 1000]
  })
  return times.map((time) => Math.round(time - (times[0] ?? 0)))
}
