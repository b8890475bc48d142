import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { NO_FOLLOW } from './durable.ts'

/**
 * Changes one bit of a file below everything that guards it, as a fault of the disk would, and syncs it. Only for scratch files of a
 * self-validation. @param offset of the byte
 */
export async function flipBit(path: string, offset: number): Promise<void> {
  const file = await open(path, constants.O_RDWR | NO_FOLLOW)
  try {
    const byte = new Uint8Array(1)
    const { bytesRead } = await file.read(byte, 0, 1, offset)
    if (bytesRead !== 1) throw new Error(`${path} has no byte ${offset}`)
    await file.write(Uint8Array.of((byte[0] as number) ^ 1), 0, 1, offset)
    await file.sync()
  } finally {
    await file.close()
  }
}
