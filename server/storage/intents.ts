import { constants } from 'node:fs'
import { access, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_FOLLOW, syncFolder } from '../platform/files/durable.ts'
import { faultOf, type StorageFault } from './faults.ts'
import { INTENTS, intentOf } from './layout.ts'

/** An intent is an empty file with the SHA-256 of a blob that was placed, or is being placed, and has no row yet for certain. */

export const intentNames = (root: string): Promise<string[]> => readdir(join(root, INTENTS))

/** Durable when it returns. @throws StorageFault */
export async function declareIntent(root: string, sha256: string): Promise<void> {
  const path = intentOf(root, sha256)
  try {
    await (await open(path, constants.O_WRONLY | constants.O_CREAT | NO_FOLLOW, 0o600)).close()
  } catch (error) {
    throw faultOf(error, 'open', path)
  }
  const folder = join(root, INTENTS)
  await syncFolder(folder).catch((error: unknown) => {
    throw faultOf(error, 'sync', folder)
  })
}

export const hasIntent = (root: string, sha256: string): Promise<boolean> =>
  access(intentOf(root, sha256)).then(
    () => true,
    () => false,
  )

export async function removeIntent(
  root: string,
  sha256: string,
  onProblem: (fault: StorageFault) => void,
): Promise<void> {
  const path = intentOf(root, sha256)
  try {
    // Not synced: after a power cut the intent may be back. It then names a blob with a row, and `recover` removes it.
    await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(faultOf(error, 'unlink', path))
  }
}
