// @module-tag merge
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { switchedCopy, type SwitchedCopy } from '../guards/switched-copy.ts'
import { tryEach } from '../guards/try-each.ts'
import { isLong } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { type Append, APPENDS, appendsOf, callSites, SERVER, SUITES } from './appends.ts'

/**
 * I1: removing any one append makes a test fail. In a copy of the product each can be taken out: two of them in the gate, each with the test
 * that must notice; all of them in the long run, which `node test/repository/appends-run.ts FOLDER` does as well, and goes on where it
 * was stopped.
 */
const AUDIT = 'test/api/documents/audit.test.ts'
const SAMPLE = [
  ['upload.renewed', 'renewUploadUri leaves exactly its entries'],
  ['derivation.failed', 'a broken file derivation.failed'],
] as const
/** Runs on the thread of the database, where nobody knows which test runs unless told. */
const ON_A_THREAD = {
  file: 'server/features/cases/case-aggregate.ts',
  text: 'ledger.append()',
  test: 'I1 a good call > createCase leaves exactly its entries',
}
/** Tests of the suite that run with those of the sample out; only theirs fail. */
const TESTS = [
  'renewUploadUri leaves exactly its entries',
  'a wrong hash is resource.refused, a broken file derivation.failed',
  'createCase leaves exactly its entries',
  'createEvidence leaves exactly its entries',
].map((name) => `I1 a good call > ${name}`)

const SOURCE = `
export async function act(ledger: Ledger, parts: { deps: { ledger: Ledger } }): Promise<unknown[]> {
  const call = who()
  if (call === null) ledger.tally(call, { action: 'act.refused' })
  else await ledger.record(call, { action: 'act.read' })
  return [await parts.deps.ledger
    .append(tx, call, { action: 'act.done' }), await ledger.head()]
}
`
const SITES = callSites()
const siteOf = (action: string): (typeof SITES)[0] => {
  const found = SITES.find((site) => site.action === action)
  if (found === undefined) throw new Error(`nothing appends ${action} any more`)
  return found
}

describe('I1 appends are found', () => {
  it('by what they are called on, and are as many as there are acts, at least', () => {
    expect(appendsOf('act.ts', SOURCE).map(({ line, text }) => `${line} ${text}`)).toEqual([
      '4 ledger.tally(act.refused)',
      '5 ledger.record(act.read)',
      '6 parts.deps.ledger.append(act.done)',
    ])
    expect(SITES.length).toBeGreaterThanOrEqual(35)
    expect(SITES.every(({ file }) => !file.endsWith('.test.ts'))).toBe(true)
  })

  it('and one writes nothing while its id is named', async () => {
    const ids = ['act.ts#0', 'act.ts#1', 'act.ts#2']
    const switched = APPENDS.rewrite('act.ts', SOURCE, ids, './switch.ts')
    const body = switched
      .replace(/^import [^;]*;/, '')
      .replace('export ', '')
      .replace(/\(ledger: .*unknown\[\]>/, '(ledger, parts)')
    const run = async (
      out: string,
      call: unknown,
    ): Promise<{ answer: unknown; written: string[]; noted: string[] }> => {
      const [written, noted] = [[] as string[], [] as string[]]
      const write = (...given: unknown[]): unknown => written.push((given.at(-1) as { action: string }).action)
      const ledger = { append: write, record: write, tally: write, head: () => 'head' }
      const act = new Function(
        'isIn',
        'note',
        'who',
        'tx',
        `${APPENDS.module.replaceAll('export ', '')}; ${body}; return act`,
      )(
        (id: string) => id !== out,
        (id: string) => noted.push(id),
        () => call,
        null,
      )
      return { answer: await act(ledger, { deps: { ledger } }), written, noted }
    }
    expect(await run('none', {})).toEqual({
      answer: [2, 'head'],
      written: ['act.read', 'act.done'],
      noted: ['act.ts#1', 'act.ts#2'],
    })
    expect(await run('act.ts#2', {})).toEqual({
      answer: [{ seq: 0, hash: '' }, 'head'],
      written: ['act.read'],
      noted: ['act.ts#1', 'act.ts#2'],
    })
    expect((await run('act.ts#0', null)).written).toEqual(['act.done'])
  })
})

describe('I1 an append that is missing', () => {
  let copy: SwitchedCopy<Append>
  let dispose: () => Promise<void>
  beforeAll(async () => {
    const folder = await temporaryFolder('appends')
    dispose = folder.dispose
    const sample = [...SAMPLE.map(([action]) => siteOf(action).file), ON_A_THREAD.file]
    copy = switchedCopy(path.join(folder.dir, 'product'), APPENDS, isLong ? SERVER : sample)
  })
  afterAll(() => dispose())
  const idOf = (action: string): string => copy.found.find((found) => found.action === action)?.id ?? 'none'

  it(`${SAMPLE.map(([action]) => action).join(' and ')} are noticed, each by its own test`, {
    timeout: 400_000,
  }, async () => {
    const out = SAMPLE.map(([action]) => idOf(action))
    const { passed, failed, notes } = await copy.run(AUDIT, { out, tests: TESTS, allFailures: true })
    expect(passed).toBe(TESTS.length - SAMPLE.length)
    for (const [, noticed] of SAMPLE) expect(failed).toContainEqual(expect.stringContaining(noticed))
    expect(failed).toHaveLength(SAMPLE.length)
    for (const id of out) expect(notes.has(id)).toBe(true)
    const { file, text, test } = ON_A_THREAD
    const created = copy.found.find((found) => found.file === file && found.text === text)
    expect(notes.get(created?.id ?? 'none')).toContain(test)
  })

  if (isLong)
    it('is noticed by a test, whichever it is', { timeout: 6 * 3_600_000 }, async () => {
      const { unnoticed, failed } = await tryEach(copy, SUITES)
      expect(failed, 'with all of them in place').toEqual([])
      expect(unnoticed.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
    })
})
