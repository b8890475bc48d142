/**
 * A vendor's uploader as a process of its own, so that it can be killed: asks which blocks the station holds, sends the others two at a
 * time, then the list. Arguments: the upload address (a cable that can be cut), the station's own host, the file, the size of a block,
 * a file to note in what was sent and acknowledged.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { blocksOf } from '../support/integrator.ts'

const [address, host, file, size, notes] = process.argv.slice(2) as [string, string, string, string, string]
const blocks = blocksOf(readFileSync(file), Number(size))
const agent = new Agent({ keepAlive: true })

/** fetch would name the cable as host, and a station answers to its own name only. */
function send(method: string, query: string, expected: number, body?: Uint8Array | string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'x-ms-version': '2024-11-04',
      'content-length': body === undefined ? 0 : Buffer.byteLength(body),
    }
    const call = request(`${address}&${query}`, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if (answer.statusCode === expected) resolve(text)
        // The protocol has no list for a blob that has no block yet.
        else if (method === 'GET' && answer.statusCode === 404) resolve('')
        else reject(new Error(`${method} ${query}: ${answer.statusCode} ${text}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

const held = await send('GET', 'comp=blocklist&blocklisttype=all', 200)
const there = new Set([...held.matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, id]) => id as string))
appendFileSync(notes, `resumed ${there.size}\n`)

const waiting = blocks.map((block, index) => ({ ...block, index })).filter(({ id }) => !there.has(id))
const lane = async (): Promise<void> => {
  for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
    appendFileSync(notes, `sent ${block.index}\n`)
    await send('PUT', `comp=block&blockid=${encodeURIComponent(block.id)}`, 201, block.bytes)
    appendFileSync(notes, `kept ${block.index}\n`)
  }
}
await Promise.all([lane(), lane()])
const list = blocks.map(({ id }) => `<Latest>${id}</Latest>`).join('')
await send('PUT', 'comp=blocklist', 201, `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`)
appendFileSync(notes, 'committed\n')
agent.destroy()
