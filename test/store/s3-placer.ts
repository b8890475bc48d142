/**
 * Places files in an object store until it is killed: node s3-placer.ts <endpoint> <bucket> <scratch> <rows>. A line in the file of rows stands
 * for a committed transaction.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { openS3BlobStore } from '../../server/storage/s3/store.ts'

const [endpoint = '', bucket = '', root = '', rows = ''] = process.argv.slice(2)
const store = await openS3BlobStore({
  root,
  now: Date.now,
  address: { bucket, prefix: '', endpoint, region: 'us-east-1', pathStyle: true },
  owner: null,
  probes: 0,
  limits: { partBytes: 5 * 1024 * 1024 },
})
process.stdout.write('ready\n')
for (let turn = 0; ; turn++) {
  const source = `${root}/source`
  // Every fourth is sent in parts.
  writeFileSync(source, randomBytes(turn % 4 === 3 ? 6 * 1024 * 1024 : 20_000))
  const placed = await store.place(await store.copyIn(source))
  appendFileSync(rows, `${placed.sha256}\n`)
  await store.confirm(placed)
}
