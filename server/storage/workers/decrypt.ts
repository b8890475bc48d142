import { createDecipheriv } from 'node:crypto'
import { openAligned } from '../../platform/files/aligned.ts'
import { faultOf, StorageFault } from '../faults.ts'
import type { Sums } from './messages.ts'
import { attempt, intoNewFile } from './passes.ts'
import { type TaskContext, pump } from './pump.ts'
import { fileSums } from './sums.ts'

interface DecryptTask {
  readonly source: string
  readonly target: string
  /** SHA-256 of the source, from reading it back after it was assembled. */
  readonly sha256: string
  readonly length: number
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

/**
 * Decrypts a file of the staging area (AES-256-CBC, PKCS7) into a new one, syncs it and reads it back. The one pass over the ciphertext also
 * hashes it again. After any failure the new file is removed. @throws StorageFault NotDecryptable …
 */
export async function decryptPass(context: TaskContext, direct: boolean, task: DecryptTask): Promise<Sums> {
  const { source, target, length } = task
  const reader = attempt('open', source, () => openAligned(source, direct))
  try {
    if (Number(reader.stat.size) !== length) throw changed(source)
    return await intoNewFile(context, direct, target, async (write) => {
      const decipher = createDecipheriv('aes-256-cbc', task.key, task.iv)
      const cipherSums = fileSums(source, [])
      const plainSums = fileSums(target, [])
      let written = 0
      const put = (bytes: Uint8Array): void => {
        if (bytes.length === 0) return
        plainSums.update(bytes)
        write(bytes, written)
        written += bytes.length
      }
      const read = (into: Uint8Array, position: number) =>
        reader.read(into, position).catch((error: unknown) => {
          throw faultOf(error, 'read', source)
        })
      const each = (bytes: Uint8Array): void => {
        cipherSums.update(bytes)
        put(decipher.update(bytes))
      }
      await pump(context, length, read, each, () => changed(source))
      if (cipherSums.finish() !== task.sha256) throw changed(source)
      put(lastOf(decipher))
      return { sha256: plainSums.finish(), length: written, readBack: true }
    })
  } finally {
    reader.close()
    task.key.fill(0)
  }
}

/** The last block without its padding. A too short text and wrong padding give the same fault. */
function lastOf(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final()
  } catch {
    throw new StorageFault('NotDecryptable', 'It cannot be decrypted with this key.')
  }
}

const changed = (path: string): StorageFault =>
  new StorageFault('ReadBackMismatch', 'The file changed while it was decrypted.', { path })
