import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, nameExclusively, NO_FOLLOW, syncFolder } from '../files/durable.ts'

/** Small secret files of one folder (decisions 12: 0700 and 0600), which are replaced atomically. */
export interface KeyFiles {
  readonly dir: string
  /** Names of files, or the folder, with too wide access rights, which were corrected. */
  readonly tightened: readonly string[]
  /** @returns null when the file is missing @throws Error when it is not a plain file */
  read(name: string): Promise<string | null>
  /**
   * Creates a new file durably.
   * @throws KeyFileThere when the file exists by now; it is not replaced, since everything that it decrypts would be lost
   */
  create(name: string, text: string): Promise<void>
  /** Replaces a file durably. */
  write(name: string, text: string): Promise<void>
}

/** The key file was created meanwhile by another process, or its volume was mounted while keys were made. */
export class KeyFileThere extends Error {
  override readonly name = 'KeyFileThere'
}

const TEMPORARY = /^\.[a-z]+\.json\.[0-9a-f]+\.tmp$/
const POSIX = process.platform !== 'win32'

/** Creates the folder when it is missing. @throws Error when the path is not a folder */
export async function openKeyFiles(dir: string): Promise<KeyFiles> {
  await makeFolder(dir)
  const found = await lstat(dir)
  if (!found.isDirectory()) throw new Error(`${dir} is no folder; the station's keys belong into a folder of their own`)
  const tightened: string[] = []
  if (POSIX && (found.mode & 0o077) !== 0) {
    await chmod(dir, 0o700)
    tightened.push(dir)
  }
  // A temporary file of an interrupted write contains a secret too.
  for (const name of await readdir(dir)) if (TEMPORARY.test(name)) await unlink(join(dir, name))

  /** Writes the text to a durable temporary file. @returns its path */
  const writeTemporary = async (name: string, text: string): Promise<string> => {
    const temporary = join(dir, `.${name}.${randomBytes(6).toString('hex')}.tmp`)
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return temporary
  }

  return {
    dir,
    tightened,
    read: async (name) => {
      const file = await open(join(dir, name), constants.O_RDONLY | NO_FOLLOW).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw new Error(`${join(dir, name)} cannot be read: ${error.message}`, { cause: error })
      })
      if (file === null) return null
      try {
        const { mode } = await file.stat()
        if (POSIX && (mode & 0o077) !== 0) {
          await file.chmod(0o600)
          tightened.push(name)
        }
        return await file.readFile('utf8')
      } catch (error) {
        throw new Error(`${join(dir, name)} cannot be read: ${(error as Error).message}`, { cause: error })
      } finally {
        await file.close()
      }
    },
    create: async (name, text) => {
      const temporary = await writeTemporary(name, text)
      try {
        if (!(await nameExclusively(temporary, join(dir, name))))
          throw new KeyFileThere(
            `${join(dir, name)} is there already, and stays as it is: a new key would open nothing that this one opens. ` +
              'Make sure that its volume is mounted and that no other program works in this folder, then begin again.',
          )
      } finally {
        await unlink(temporary).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
        })
      }
      await syncFolder(dir)
    },
    write: async (name, text) => {
      await rename(await writeTemporary(name, text), join(dir, name))
      await syncFolder(dir)
    },
  }
}
