import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/station.ts'
import { NoReport } from './product-copy.ts'
import { type Asked, noticing, type Place, type SuiteRun, type SwitchedCopy } from './switched-copy.ts'
import { tryEach } from './try-each.ts'

/** A run of a suite in which three tests of a second each, after five seconds, noted what is given. */
const runOf = (suite: string, notes: Record<string, readonly string[]>, more: Partial<SuiteRun> = {}): SuiteRun => ({
  suite,
  took: 8,
  passed: 3,
  failed: [],
  seconds: new Map([
    ['one', 1],
    ['two', 1],
    ['S19 three', 1],
  ]),
  notes: new Map(Object.entries(notes).map(([id, tests]) => [id, new Set(tests)])),
  ...more,
})
const LONG = { took: 100, seconds: new Map([['S19 three', 95]]) }

/** @param fails whether a run of these tests, or of the whole file, fails with the id out, or with none */
function asking(fails: (suite: string, out: string | undefined, tests: readonly string[] | undefined) => boolean) {
  const asked: string[] = []
  const run = async (suite: string, { out, tests }: Asked = {}): Promise<SuiteRun> => {
    asked.push(`${suite} ${out?.join(' ') ?? 'all in'}: ${tests?.join(', ') ?? 'whole'}`)
    return { ...runOf(suite, {}), failed: fails(suite, out?.[0], tests) ? ['it failed'] : [] }
  }
  return { asked, run }
}
const SWITCHING = { notes: [(id: string) => id], told: /S19/, mayLoop: false }

describe('S19 what is out is noticed', () => {
  it('first by tests that speak of it, then by the cheapest, last by what comes before tests', async () => {
    const { asked, run } = asking(() => false)
    const noticed = noticing(SWITCHING, run)
    expect(
      await noticed('x', [
        runOf('before', { x: [''] }),
        runOf('dear', { x: ['two'] }, { took: 9 }),
        runOf('cheap', { x: ['one', ''] }),
        runOf('speaks', { x: ['one', 'S19 three'] }, LONG),
        runOf('never', { y: ['one'] }),
      ]),
    ).toBeNull()
    expect(asked).toEqual([
      // Two runs of it would take longer than one of the file.
      'speaks x: whole',
      'cheap x: whole',
      'dear x: whole',
      'before x: whole',
    ])
  })

  it('by some tests of a long file, which have to pass by themselves with all in; where they do not, by the file', async () => {
    const long = runOf('long', { x: ['one'], y: ['one'] }, { took: 60, seconds: new Map([['two', 50]]) })
    const good = asking((_suite, out) => out !== undefined)
    const noticed = noticing(SWITCHING, good.run)
    expect(await noticed('x', [long])).toBe('long: it failed')
    expect(await noticed('y', [long])).toBe('long: it failed')
    expect(good.asked).toEqual(['long x: one', 'long all in: one', 'long y: one'])

    const dependent = asking((_suite, _out, tests) => tests !== undefined)
    expect(await noticing(SWITCHING, dependent.run)('x', [long])).toBeNull()
    expect(dependent.asked).toEqual(['long x: one', 'long all in: one', 'long x: whole'])
  })

  it('by a test that ran out of time only where one may loop', async () => {
    const run = async (): Promise<SuiteRun> =>
      runOf('suite', {}, { failed: ['one: Error: Test timed out in 60000ms.'] })
    const runs = [runOf('suite', { x: ['one'] })]
    expect(await noticing(SWITCHING, run)('x', runs)).toBeNull()
    expect(await noticing({ ...SWITCHING, mayLoop: true }, run)('x', runs)).toContain('timed out')
  })

  it('by a run that never ends only where one may loop', async () => {
    const run = (): Promise<never> => Promise.reject(new NoReport('ended with a signal\nand said this'))
    const runs = [runOf('suite', { x: ['one'] })]
    expect(await noticing(SWITCHING, run)('x', runs)).toBeNull()
    expect(await noticing({ ...SWITCHING, mayLoop: true }, run)('x', runs)).toBe('ended with a signal')
  })
})

describe('S19 a run over all of them', () => {
  let folder: string
  let dispose: () => Promise<void>
  beforeAll(async () => {
    const made = await temporaryFolder('try-each')
    folder = made.dir
    dispose = made.dispose
  })
  afterAll(() => dispose())

  it('goes on where it was stopped, and runs suites again when a source has changed', async () => {
    const keep = { folder: path.join(folder, 'results'), name: 'some' }
    const places = ['a', 'b'].map((text) => ({ text, at: 1, line: 3, file: 'go.ts', id: `go.ts#${text}` }))
    const copyWith = (stamp: string, by: Record<string, string>) => {
      const did: string[] = []
      const copy: SwitchedCopy<Place> = {
        found: places,
        stamp,
        run: async (suite) => {
          did.push(suite)
          const failed = suite === 'broken' ? ['it failed'] : []
          return runOf(suite, { 'go.ts#a': ['one'], 'go.ts#b': ['two'] }, { failed })
        },
        noticed: async (id, runs) => {
          did.push(`${id} by ${runs.map(({ suite, notes }) => `${suite} ${[...(notes.get(id) ?? [])].join()}`).join()}`)
          return by[id] ?? null
        },
        dispose: () => undefined,
      }
      return { copy, did }
    }
    const first = copyWith('1', { 'go.ts#a': 'good: it failed' })
    const { unnoticed, failed } = await tryEach(first.copy, ['good', 'broken'], { keep })
    expect(unnoticed.map(({ text }) => text)).toEqual(['b'])
    expect(failed).toEqual(['broken: it failed'])
    expect(first.did).toEqual(['good', 'broken', 'go.ts#a by good one', 'go.ts#b by good two'])
    expect(readFileSync(path.join(keep.folder, 'some.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)

    const second = copyWith('1', { 'go.ts#b': 'good: it failed' })
    expect(await tryEach(second.copy, ['good'], { keep })).toEqual({ unnoticed: [], failed: [] })
    expect(second.did).toEqual(['go.ts#b by good two'])

    const changed = copyWith('2', {})
    await tryEach(changed.copy, ['good'], { keep })
    expect(changed.did).toEqual(['good'])
  })
})
