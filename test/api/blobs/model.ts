/** Any sequence of uploading, sending again, committing, cutting and completing, beside a model of the protocol. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { blockList, type Entry, putBlob, putBlock, putList, sha256Of } from '../../support/blob-client.ts'
import type { Station } from './harness.ts'

/** What the protocol documents, without files: two maps and a list. */
interface Model {
  uncommitted: Map<string, Buffer>
  committed: [string, Buffer][]
  content: Buffer | null
}

type Step =
  | { act: 'put'; ids: readonly string[]; bytes: Uint8Array; sizes: readonly number[] }
  | { act: 'blob'; bytes: Uint8Array }
  | { act: 'list'; entries: readonly Entry[] }
  | { act: 'listAll' }
  | { act: 'cut' }
  | { act: 'assemble' }

const id = fc.constantFrom(
  'a-00000',
  'a-00001',
  'a-00002',
  'a-00003',
  'b-00000',
  'b-00001',
  'c-00007',
  'nodigit',
  '9999999',
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('put' as const),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      sizes: fc.array(fc.constantFrom(1, 100, 4096, 4097, 8192, 9000), { minLength: 4, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('blob' as const), bytes: fc.uint8Array({ maxLength: 9000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('list' as const),
      entries: fc.array(fc.tuple(fc.constantFrom('Latest', 'Latest', 'Committed', 'Uncommitted'), id), {
        maxLength: 6,
      }) as fc.Arbitrary<Entry[]>,
    }),
  },
  { weight: 3, arbitrary: fc.constant({ act: 'listAll' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'cut' as const }) },
  { weight: 2, arbitrary: fc.constant({ act: 'assemble' as const }) },
)

const grown = (bytes: Uint8Array, size: number, salt: number): Buffer => {
  const block = Buffer.alloc(size, Buffer.from(bytes))
  block[0] = salt
  return block
}

/** @returns the content that the list names, or null when it names what is not there */
function resolve(model: Model, entries: readonly Entry[]): [string, Buffer][] | null {
  const found: [string, Buffer][] = []
  for (const [kind, name] of entries) {
    const fresh = model.uncommitted.get(name)
    const old = model.committed.find(([one]) => one === name)?.[1]
    const block = kind === 'Uncommitted' ? fresh : kind === 'Committed' ? old : (fresh ?? old)
    if (block === undefined) return null
    found.push([name, block])
  }
  return found
}

const sizes = (blocks: Iterable<readonly [string, Buffer]>): [string, number][] =>
  [...blocks].map(([name, block]) => [name, block.length])
const sorted = (list: [string, number][]): [string, number][] => list.sort(([a], [b]) => (a < b ? -1 : 1))

/** The nodes to which the requests go. */
export interface Nodes {
  /** Another node with each call, where there are several. */
  next(): Station
  /** A node ends and starts again. */
  restart(): Promise<void>
  /** What is left of an upload that is over: names of files or objects. */
  left(resourceId: string): Promise<string[]>
}

/** Runs sequences of steps */
export async function followModel(nodes: Nodes, runs: number): Promise<void> {
  const run = async (steps: readonly Step[]): Promise<void> => {
    const resource = await nodes.next().newResource()
    const model: Model = { uncommitted: new Map(), committed: [], content: null }
    let salt = 0
    const commit = async (entries: readonly Entry[]): Promise<void> => {
      const found = resolve(model, entries)
      expect((await putList(nodes.next().uploadUri(resource), entries)).status).toBe(found === null ? 400 : 201)
      if (found === null) return
      Object.assign(model, {
        uncommitted: new Map(),
        committed: found,
        content: Buffer.concat(found.map(([, block]) => block)),
      })
    }
    const check = async (): Promise<void> => {
      const lists = await blockList(nodes.next().uploadUri(resource), 'all')
      expect(lists.committed).toEqual(sizes(model.committed))
      expect(sorted(lists.uncommitted)).toEqual(sorted(sizes(model.uncommitted)))
    }
    const assemble = async (): Promise<void> => {
      const result = await nodes.next().assembled(resource)
      expect(result?.staged.sha256 ?? null).toBe(model.content === null ? null : sha256Of(model.content))
    }
    for (const one of steps) {
      if (one.act === 'put') {
        const blocks = one.ids.map((name, i) => [name, grown(one.bytes, one.sizes[i] as number, ++salt)] as const)
        const answers = await Promise.all(
          blocks.map(([name, block]) => putBlock(nodes.next().uploadUri(resource), name, block)),
        )
        expect(answers.map(({ status }) => status)).toEqual(blocks.map(() => 201))
        for (const [name, block] of blocks) model.uncommitted.set(name, block)
      } else if (one.act === 'blob') {
        expect((await putBlob(nodes.next().uploadUri(resource), one.bytes)).status).toBe(201)
        Object.assign(model, { uncommitted: new Map(), committed: [], content: Buffer.from(one.bytes) })
      } else if (one.act === 'list') await commit(one.entries)
      else if (one.act === 'listAll')
        await commit(
          [...new Set([...model.committed.map(([name]) => name), ...model.uncommitted.keys()])].map((name) => [
            'Latest',
            name,
          ]),
        )
      else if (one.act === 'assemble') await assemble()
      else await nodes.restart()
      await check()
    }
    await assemble()
    await nodes.next().uploads.discard(Number(resource))
    expect(await nodes.left(resource)).toEqual([])
  }

  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), run), { numRuns: runs })
}
