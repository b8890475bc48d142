import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** How many streams ffprobe finds in a film, as it writes the number. */
export async function streamsOf(film: string): Promise<string> {
  const { stdout } = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=nb_streams',
    '-of',
    'csv=p=0',
    film,
  ])
  return stdout.trim()
}

/** A film of so many seconds, as a camera would write it; no two with another `mark` have the same bytes. */
export async function film(file: string, seconds: number, mark: string): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=64x48:r=10:d=${seconds}`]
  const how = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-metadata', `comment=${mark}`]
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, ...how, '-y', file])
}
