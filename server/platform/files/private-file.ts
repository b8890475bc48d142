import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'

/** A file that only its owner can read. It is created before its content is made. */
export interface PrivateFile {
  write(text: string): Promise<void>
  /** Removes the file when no content was made. */
  abandon(): Promise<void>
}

/** Creates a file with mode 0600. @throws Error when the file exists, since a secret never replaces a file */
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
