import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { GIVES_WAY } from './give-way.ts'

const HERE = new URL('./give-way.ts', import.meta.url).href

/** What a thread says of its own priority once it gave way. */
const inThread = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const source = `import(${JSON.stringify(HERE)}).then(({ giveWay }) => {
      giveWay()
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())
    })`
    const worker = new Worker(source, { eval: true })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

describe.skipIf(process.platform !== 'linux')('a thread that gives way', () => {
  it('L2: lets those go first that answer people, and none of them is slower for it', async () => {
    const before = getPriority()
    expect(await inThread()).toBe(GIVES_WAY)
    expect(getPriority()).toBe(before)
  })
})
