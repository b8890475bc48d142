/**
 * The thread that draws papers, as whoever waits for one sees it. It is started for the first paper, draws one at a time, and ends when none was asked for
 * during some seconds: what it took of memory is free then.
 */
import { on } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { PaperHead } from './draw.ts'
import type { FromDrawing, ToDrawing } from './drawing-messages.ts'
import type { PaperDocument, Words } from './paper.ts'

const IDLE_MS = 5000
/** Messages that the thread has and did not take yet. */
const AHEAD = 2
const ROWS_AT_ONCE = 50
/** Megabytes for new objects of the thread. V8 would take 48 before it collects any. */
const YOUNG_MB = 4

let idle: Worker | null = null
let ending: NodeJS.Timeout | undefined

/**
 * Draws a paper as PDF on a thread. @param between called between two parts of the paper; what it throws ends the work
 * @throws what reading its rows throws; Error when it cannot be drawn
 */
export async function* drawOnThread(
  paper: PaperDocument,
  head: PaperHead,
  between: () => void = () => {},
): AsyncGenerator<Uint8Array> {
  const thread = takeThread()
  let isWhole = false
  try {
    const parts = partsOf(paper, head)
    const send = async (): Promise<void> => {
      between()
      const { value, done } = await parts.next()
      if (done !== true) thread.postMessage(value)
    }
    const heard = on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[FromDrawing]>
    for (let ahead = 0; ahead < AHEAD; ahead++) await send()
    for await (const [message] of heard) {
      if (message.op === 'next') await send()
      else if (message.op === 'bytes') yield message.bytes
      else if (message.op === 'failed') throw new Error(`The paper cannot be drawn: ${message.message}`)
      else {
        isWhole = true
        return
      }
    }
    throw new Error('The thread that draws papers ended.')
  } finally {
    if (isWhole) giveBack(thread)
    else await thread.terminate()
  }
}

/** The same, for whoever needs all bytes at once. */
export const drawWholeOnThread = (paper: PaperDocument, head: PaperHead, between?: () => void): Promise<Buffer> =>
  buffer(drawOnThread(paper, head, between))

let last: Promise<void> = Promise.resolve()
/**
 * The same, one after the other: any number of people may ask for a paper at once, and each thread takes 40 MB.
 * @param signal of whoever waits for it: a paper that nobody waits for any more is not drawn, or not to its end
 */
export function drawInTurn(paper: PaperDocument, head: PaperHead, signal?: AbortSignal): Promise<Buffer> {
  const drawn = last.then(() => drawWholeOnThread(paper, head, () => signal?.throwIfAborted()))
  // Of the bytes nothing is kept.
  last = drawn.then(
    () => {},
    () => {},
  )
  return drawn
}

function takeThread(): Worker {
  clearTimeout(ending)
  const thread = idle ?? startThread()
  idle = null
  thread.ref()
  return thread
}

function startThread(): Worker {
  const thread = new Worker(new URL('./draw.worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  // Whoever draws with it hears of a fault. One that ends while nobody does is not used again.
  thread.on('error', () => {})
  thread.once('exit', () => {
    if (idle === thread) idle = null
  })
  return thread
}

/** Of two that were drawn side by side, one is kept. */
function giveBack(thread: Worker): void {
  if (idle !== null) return void thread.terminate()
  thread.unref()
  idle = thread
  ending = setTimeout(() => {
    idle = null
    void thread.terminate()
  }, IDLE_MS).unref()
}

/** Ends the thread if nobody draws, for whoever needs the memory now and draws nothing for a while. */
export async function endIdleDrawing(): Promise<void> {
  clearTimeout(ending)
  const thread = idle
  idle = null
  await thread?.terminate()
}

async function* partsOf({ title, banner, blocks }: PaperDocument, head: PaperHead): AsyncGenerator<ToDrawing> {
  yield { op: 'begin', title, banner, head }
  for (const block of blocks) {
    if (block.kind !== 'table' && block.kind !== 'longTable') {
      yield { op: 'block', block }
      continue
    }
    yield { op: 'table', columns: block.columns }
    let some: (readonly Words[])[] = []
    for await (const row of block.rows) {
      some.push(row)
      if (some.length < ROWS_AT_ONCE) continue
      yield { op: 'rows', rows: some }
      some = []
    }
    if (some.length > 0) yield { op: 'rows', rows: some }
    yield { op: 'endOfTable' }
  }
  yield { op: 'end' }
}
