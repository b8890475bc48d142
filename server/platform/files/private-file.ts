import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'

/** A file for its owner's eyes, claimed before what goes into it is made. */
export interface PrivateFile {
  write(text: string): Promise<void>
  /** Nothing came of it. */
  abandon(): Promise<void>
}

/** Mode 0600. @throws when a file is there already: a secret never replaces one. */
export async function claimPrivateFile(path: string): Promise<PrivateFile> {
  const file: FileHandle = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
    0o600,
  )
  return {
    write: async (text) => {
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    abandon: async () => {
      await file.close()
      await unlink(path)
    },
  }
}
