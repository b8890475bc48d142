/** Somebody's uploader on another host: Microsoft's SDK as it is, trusting the CA of NODE_EXTRA_CA_CERTS alone beside the usual ones. */
import { BlockBlobClient } from '@azure/storage-blob'

const [uploadUri, file] = process.argv.slice(2)
const client = new BlockBlobClient(uploadUri, undefined, { retryOptions: { maxTries: 10, retryDelayInMs: 500 } })
await client.uploadFile(file, {
  blockSize: 1024 * 1024,
  concurrency: 2,
  maxSingleShotSize: 0,
  onProgress: ({ loadedBytes }) => process.stdout.write(`${loadedBytes}\n`),
})
process.stdout.write('done\n')
