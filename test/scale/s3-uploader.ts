/**
 * A node that takes blocks, commits lists and completes uploads until it is killed: node s3-uploader.ts <endpoint> <bucket> <folder> <log>. Each
 * line of the log was acknowledged: `block ID NAME SHA256`, `list ID SHA256`, `completed ID`.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { startStation } from '../api/blobs/harness.ts'
import { type Entry, putBlock, putList, sha256Of } from '../support/blob-client.ts'

const [endpoint = '', bucket = '', folder = '', log = ''] = process.argv.slice(2)
const station = await startStation({
  folder,
  bucket: { bucket, prefix: '', endpoint, region: 'us-east-1', pathStyle: true },
})
const acknowledged = (line: string): void => appendFileSync(log, `${line}\n`)
process.stdout.write('ready\n')
for (let turn = 0; ; turn++) {
  const id = await station.newResource()
  const uri = station.uploadUri(id)
  // Every fourth is assembled in parts.
  const blocks = [randomBytes(turn % 4 === 3 ? 6 * 2 ** 20 : 20_000), randomBytes(9000)]
  const list: Entry[] = []
  for (const [place, bytes] of blocks.entries()) {
    const name = `b-${place}`
    if ((await putBlock(uri, name, bytes)).status !== 201) throw new Error('a block was refused')
    acknowledged(`block ${id} ${name} ${sha256Of(bytes)}`)
    list.push(['Latest', name])
  }
  if ((await putList(uri, list)).status !== 201) throw new Error('a list was refused')
  acknowledged(`list ${id} ${sha256Of(Buffer.concat(blocks))}`)
  await station.complete(id)
  acknowledged(`completed ${id}`)
}
