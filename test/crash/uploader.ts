/**
 * A vendor's uploader as a process of its own, so that it can be killed: asks which blocks the station holds, sends the others two at a
 * time, then the list. Arguments: the upload address, the file, the size of a block, a file to note in what was sent and acknowledged.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { blocksOf } from '../support/integrator.ts'

const [address, file, size, notes] = process.argv.slice(2) as [string, string, string, string]
const blocks = blocksOf(readFileSync(file), Number(size))

const held = await fetch(`${address}&comp=blocklist&blocklisttype=all`, {
  headers: { 'x-ms-version': '2024-11-04' },
})
if (!held.ok) throw new Error(`Get Block List: ${held.status} ${await held.text()}`)
const there = new Set([...(await held.text()).matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, id]) => id as string))
appendFileSync(notes, `resumed ${there.size}\n`)

const waiting = blocks.map((block, index) => ({ ...block, index })).filter(({ id }) => !there.has(id))
const lane = async (): Promise<void> => {
  for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
    appendFileSync(notes, `sent ${block.index}\n`)
    const answer = await fetch(`${address}&comp=block&blockid=${encodeURIComponent(block.id)}`, {
      method: 'PUT',
      headers: { 'x-ms-version': '2024-11-04' },
      body: block.bytes as BodyInit,
    })
    if (answer.status !== 201) throw new Error(`Put Block: ${answer.status} ${await answer.text()}`)
    appendFileSync(notes, `kept ${block.index}\n`)
  }
}
await Promise.all([lane(), lane()])
const list = blocks.map(({ id }) => `<Latest>${id}</Latest>`).join('')
const answer = await fetch(`${address}&comp=blocklist`, {
  method: 'PUT',
  headers: { 'x-ms-version': '2024-11-04', 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`,
})
if (answer.status !== 201) throw new Error(`Put Block List: ${answer.status} ${await answer.text()}`)
appendFileSync(notes, 'committed\n')
