import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { GIVES_WAY } from './give-way.ts'

const HERE = new URL('./give-way.ts', import.meta.url).href

/** The priority that a thread reports after `lowerPriority`. */
const inThread = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const source = `import(${JSON.stringify(HERE)}).then(({ lowerPriority }) => {
      lowerPriority()
      require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())
    })`
    const worker = new Worker(source, { eval: true })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

describe.skipIf(process.platform !== 'linux')('lowerPriority', () => {
  it('L2: lowers the priority of its own thread only', async () => {
    const before = getPriority()
    expect(await inThread()).toBe(GIVES_WAY)
    expect(getPriority()).toBe(before)
  })
})
