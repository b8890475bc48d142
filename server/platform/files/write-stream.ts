import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes a stream into a new file, 0600. It is not synced: who takes the file over does that. @throws EEXIST, or what the stream fails with */
export async function writeStream(path: string, source: Readable, onBytes: (bytes: number) => void): Promise<void> {
  let bytes = 0
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    onBytes(bytes)
  })
  await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
