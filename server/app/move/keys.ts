/** The step of a move that is about keys. */
import { join } from 'node:path'
import { readKeyFiles } from '../../platform/secrets/keys.ts'
import type { OpenedKernel } from '../kernel.ts'

/**
 * Keys lie in the data folder, whatever the database, and both homes use that folder: nothing is carried. The step reads them all, since a
 * home without its keys cannot start. @returns a sentence for the report @throws Error when a key file is missing or cannot be read
 */
export async function keysOfMove({ settings }: OpenedKernel): Promise<string> {
  const folder = join(settings.data, 'keys')
  await readKeyFiles(folder)
  return `The keys stay in ${folder}. A node in another data folder needs a copy of them.`
}
