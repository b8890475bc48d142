/** Draws papers one after the other, away from the event loop: a list of 10,000 files takes half a minute of a core. */
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../threads/give-way.ts'
import { paperBytes } from './draw.ts'
import type { FromDrawing, ToDrawing } from './drawing-messages.ts'
import type { Block, Words } from './paper.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
const say = (message: FromDrawing, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer)
lowerPriority()

const waiting: ToDrawing[] = []
let heard = (): void => {}
port.on('message', (message: ToDrawing) => {
  waiting.push(message)
  heard()
})

async function take(): Promise<ToDrawing> {
  for (;;) {
    const message = waiting.shift()
    if (message !== undefined) {
      say({ op: 'next' })
      return message
    }
    await new Promise<void>((resolve) => (heard = resolve))
  }
}

async function* blocks(): AsyncGenerator<Block> {
  for (;;) {
    const message = await take()
    if (message.op === 'end') return
    if (message.op === 'block') yield withBuffers(message.block)
    if (message.op === 'table') yield { kind: 'longTable', columns: message.columns, rows: rows() }
  }
}

async function* rows(): AsyncGenerator<readonly Words[]> {
  for (;;) {
    const message = await take()
    if (message.op === 'endOfTable') return
    if (message.op === 'rows') yield* message.rows
  }
}

/** A message turns a Buffer into its plain form, which pdfkit takes for no picture. */
function withBuffers(block: Block): Block {
  if (block.kind !== 'pictures') return block
  const pictures = block.pictures.map((one) => ({
    ...one,
    picture: one.picture === null ? null : Buffer.from(one.picture),
  }))
  return { ...block, pictures }
}

for (;;) {
  const begun = await take()
  if (begun.op !== 'begin') continue
  const { title, banner, head } = begun
  try {
    for await (const chunk of paperBytes({ title, banner, blocks: blocks() }, head)) {
      // A copy of its own: the library's buffers share memory.
      const bytes = Uint8Array.from(chunk)
      say({ op: 'bytes', bytes }, [bytes.buffer])
    }
    say({ op: 'drawn' })
  } catch (error) {
    say({ op: 'failed', message: (error as Error).message })
  }
}
