import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Staging } from '../../server/features/media/derive/types.ts'

export interface StagedFile {
  readonly path: string
  readonly sha256: string
  readonly length: number
}

/** SHA-256 of a file, read from disk. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** The deriver's port on a real disk: private folders, fsync and a hash read back; nothing else of the blob store. */
export function diskStaging(root: string): Staging<StagedFile> {
  return {
    temporary: async (label) => {
      const dir = await mkdtemp(join(root, `${label}-`))
      return { dir, dispose: () => rm(dir, { recursive: true, force: true }) }
    },
    adopt: async (path) => {
      const handle = await open(path, 'r')
      await handle.sync()
      await handle.close()
      return { path, sha256: await sha256Of(path), length: (await stat(path)).size }
    },
  }
}
