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
