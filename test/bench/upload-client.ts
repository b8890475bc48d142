/** The sender of upload.bench.ts, in a process of its own: node upload-client.ts <uploadUri> <file> [blockMiB] [concurrency] */
import { BlockBlobClient } from '@azure/storage-blob'

const [uri = '', file = '', blockMiB = '0', concurrency = '5'] = process.argv.slice(2)
const blockSize = Number(blockMiB) * 2 ** 20
await new BlockBlobClient(uri).uploadFile(file, {
  concurrency: Number(concurrency),
  ...(blockSize > 0 ? { blockSize, maxSingleShotSize: 0 } : {}),
})
