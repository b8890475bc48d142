import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { writeChunks } from '../../files/trees.ts'
import { paperBytes, type PaperHead } from './draw.ts'
import { drawInTurn, drawOnThread, drawWholeOnThread, endIdleDrawing } from './drawing-thread.ts'
import { type Block, type PaperDocument, said, type Words } from './paper.ts'

const HEAD: PaperHead = {
  author: 'Station 5',
  language: 'fr',
  paper: 'a4',
  made: new Date(1_795_000_000_000),
  embedded: true,
  foot: 'P000001',
}
/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
const COLUMNS = [
  { label: 'No', share: 1 },
  { label: 'SHA-256', share: 3, mono: true },
]
const rowsOf = (count: number): Words[][] =>
  Array.from({ length: count }, (_, at) => [said(String(at), at), said('f'.repeat(64))])
async function* oneByOne<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows
}
/** Drawn on the thread of whoever asks. */
const paperPdf = (paper: PaperDocument, head: PaperHead): Promise<Buffer> => buffer(paperBytes(paper, head))
const paperOf = (...blocks: Block[]): PaperDocument => ({ title: 'Scellés', banner: 'PROJET', blocks })
const blocks = (): Block[] => [
  { kind: 'title', text: 'Scellés' },
  { kind: 'heading', text: 'Ключ' },
  { kind: 'words', words: said('Ångström 12', 4, 7) },
  { kind: 'facts', facts: [['Station', said('5', 1)]] },
  { kind: 'table', columns: COLUMNS, rows: rowsOf(120) },
  { kind: 'longTable', columns: COLUMNS, rows: oneByOne(rowsOf(201)) },
  { kind: 'table', columns: COLUMNS, rows: [] },
  {
    kind: 'pictures',
    missing: 'none',
    pictures: [
      { picture: PICTURE, lines: [said('one')] },
      { picture: null, lines: [said('two')] },
    ],
  },
  { kind: 'blank', label: 'Signature' },
]

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-papers-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('a paper of every kind of block is the same, byte for byte, as one that is drawn on the thread of whoever asks', async () => {
  const here = await paperPdf(paperOf(...blocks()), HEAD)
  expect(here.length).toBeGreaterThan(10_000)
  expect(await drawWholeOnThread(paperOf(...blocks()), HEAD)).toEqual(here)
  // The thread is used again.
  expect(await drawWholeOnThread(paperOf(...blocks()), HEAD)).toEqual(here)
})

it('papers that are asked for at the same time are drawn side by side', async () => {
  const one = paperOf({ kind: 'words', words: said('one') })
  const other = paperOf({ kind: 'table', columns: COLUMNS, rows: rowsOf(300) })
  const both = await Promise.all([drawWholeOnThread(one, HEAD), drawWholeOnThread(other, HEAD)])
  expect(both).toEqual([await paperPdf(one, HEAD), await paperPdf(other, HEAD)])
})

it('papers that people ask for wait for each other, so that there is one thread, and one that fails holds none up', async () => {
  await endIdleDrawing()
  let threads = 0
  const count = (): void => void threads++
  process.on('worker', count)
  try {
    const one = paperOf({ kind: 'words', words: said('one') })
    async function* broken(): AsyncGenerator<Words[]> {
      yield [said('1'), said('x')]
      throw new Error('entry 12 differs')
    }
    const wrong = paperOf({ kind: 'longTable', columns: COLUMNS, rows: broken() })
    const asked = [one, one, wrong, one].map((paper) => drawInTurn(paper, HEAD))
    const drawn = await Promise.allSettled(asked)
    expect(drawn.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    // The thread of the broken one was ended, since it held a part of it.
    expect(threads).toBe(2)
  } finally {
    process.off('worker', count)
  }
})

it('a paper that nobody waits for any more is neither begun nor drawn to its end, and the next one is', async () => {
  let read = 0
  async function* long(): AsyncGenerator<Words[]> {
    for (; read < 100_000; read++) {
      if (read === 500) left.abort()
      yield [said(String(read)), said('x')]
    }
  }
  const left = new AbortController()
  const gone = AbortSignal.abort()
  const one = paperOf({ kind: 'words', words: said('one') })
  const drawn = await Promise.allSettled([
    drawInTurn(paperOf({ kind: 'longTable', columns: COLUMNS, rows: long() }), HEAD, left.signal),
    drawInTurn(paperOf({ kind: 'longTable', columns: COLUMNS, rows: long() }), HEAD, gone),
    drawInTurn(one, HEAD),
  ])
  expect(drawn.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(read).toBeLessThan(1_000)
})

it('the thread ends at once when somebody needs its memory, and one that draws goes on', async () => {
  const ended = vi.spyOn(Worker.prototype, 'terminate')
  try {
    const paper = paperOf({ kind: 'words', words: said('one') })
    const drawn = drawOnThread(paper, HEAD)
    const first = await drawn.next()
    await endIdleDrawing()
    expect(ended).not.toHaveBeenCalled()
    const rest = await buffer(drawn)
    expect(Buffer.concat([first.value as Uint8Array, rest])).toEqual(await paperPdf(paper, HEAD))
    await endIdleDrawing()
    expect(ended).toHaveBeenCalledTimes(1)
    await endIdleDrawing()
    expect(ended).toHaveBeenCalledTimes(1)
  } finally {
    ended.mockRestore()
  }
})

it('rows are read as the paper is drawn, and what reading them throws is thrown', async () => {
  let read = 0
  async function* endless(): AsyncGenerator<Words[]> {
    for (;;) {
      read++
      if (read === 1000) throw new Error('entry 12 differs')
      yield [said('1'), said(randomBytes(32).toString('hex'))]
    }
  }
  const paper = paperOf({ kind: 'longTable', columns: COLUMNS, rows: endless() })
  await expect(drawWholeOnThread(paper, HEAD)).rejects.toThrow('entry 12 differs')
  // The next one is drawn by a thread that has nothing of it.
  const next = paperOf({ kind: 'title', text: 'next' })
  expect(await drawWholeOnThread(next, HEAD)).toEqual(await paperPdf(next, HEAD))
})

it('what is called between two parts ends the work, and nothing is read any more', async () => {
  let [calls, read] = [0, 0]
  async function* rows(): AsyncGenerator<Words[]> {
    for (; read < 100_000; read++) yield [said(String(read)), said('x')]
  }
  const stop = (): void => {
    calls++
    if (calls > 20) throw new Error('cancelled')
  }
  const paper = paperOf({ kind: 'longTable', columns: COLUMNS, rows: rows() })
  await expect(writeChunks(join(folder, 'paper.pdf'), drawOnThread(paper, HEAD, stop))).rejects.toThrow('cancelled')
  expect(read).toBeLessThan(1500)
})

it('what cannot be drawn is an error that says so', async () => {
  const wrong = { kind: 'words', words: { text: null, seqs: [] } } as unknown as Block
  await expect(drawWholeOnThread(paperOf(wrong), HEAD)).rejects.toThrow(/^The paper cannot be drawn: /)
})
