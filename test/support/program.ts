/** Which file a test starts as a process: of the bundle that the run made (bundle.ts), or of the sources where it made none. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Names the folder of the bundle to the processes of a run. */
export const FOLDER = 'SALLYPORT_TEST_PROGRAM'

export const builtName = (source: string): string => source.replace(/\.ts$/, '.mjs')

/** @param source as it lies in the checkout, `server/bin/sallyport.ts` */
export function programOf(source: string): string {
  const folder = process.env[FOLDER]
  return folder === undefined ? path.join(ROOT, source) : path.join(folder, builtName(source))
}
