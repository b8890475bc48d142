/**
 * The sender of upload.bench.ts and resume.bench.ts, in a process of its own, with the public client library and nothing of ours:
 *   node upload-client.ts whole <uploadUri> <file>                     uploadFile, as any integrator would write it
 *   node upload-client.ts resume <uploadUri> <file> <blockMiB>         stable block ids; sends what getBlockList('uncommitted') lacks
 * `resume` prints `sent N of M` at the end and, while it works, `block N` for each acknowledged one.
 */
import { open } from 'node:fs/promises'
import { BlockBlobClient } from '@azure/storage-blob'

const [mode = '', uri = '', file = '', blockMiB = '8'] = process.argv.slice(2)
const LANES = 5
const client = new BlockBlobClient(uri)

if (mode === 'whole') await client.uploadFile(file, { concurrency: LANES })
else await resume(Number(blockMiB) * 2 ** 20)

async function resume(size: number): Promise<void> {
  const handle = await open(file)
  const { size: length } = await handle.stat()
  const count = Math.ceil(length / size)
  const idOf = (index: number): string => Buffer.from(`block-${String(index).padStart(8, '0')}`).toString('base64')
  const held = new Set((await heldBlocks()).map((block) => block.name))
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !held.has(idOf(index)))
  const sent = missing.length
  const lane = async (): Promise<void> => {
    const buffer = Buffer.alloc(size)
    for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
      const { bytesRead } = await handle.read(buffer, 0, size, index * size)
      await client.stageBlock(idOf(index), buffer.subarray(0, bytesRead), bytesRead)
      process.stdout.write(`block ${index}\n`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await client.commitBlockList(Array.from({ length: count }, (_, index) => idOf(index)))
  await handle.close()
  process.stdout.write(`sent ${sent} of ${count}\n`)
}

/** An address to which nothing was ever sent is answered 404, as by the public service. */
async function heldBlocks() {
  try {
    return (await client.getBlockList('uncommitted')).uncommittedBlocks ?? []
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return []
    throw error
  }
}
