// @module-tag merge
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { AREAS, type Area } from './areas.ts'
import { DOCK } from './dock.guards.ts'
import { GIVEN_OUT } from './given-out.guards.ts'
import { type Guard, GUARDS, guardsOf, OUT, withSwitches } from './guard-mutants.ts'
import { type Copy, copyOfProduct, type Mutation, mutationOf } from './product-copy.ts'
import { type GuardText, isSameGuard, reckon, reckoningLine, type SecondGuard } from './survivor.ts'
import { SURVIVORS } from './survivors.ts'
import { filesOf, switchedCopy, type SwitchedCopy } from './switched-copy.ts'
import { tryEach } from './try-each.ts'

/**
 * S19: every safety guard is taken out, one at a time, and a suite of its area fails. A few in the gate; all in the long run, which takes
 * hours: `node test/guards/run.ts FOLDER AREA` does one area, and goes on where it was stopped.
 */
const SAMPLE: readonly { area: string; file: string; text: string; suite: string }[] = [
  {
    area: 'tokens',
    file: 'server/features/identity/tokens/access-token.ts',
    text: "payload['aud'] !== resourcesOf(issuer)",
    suite: 'test/api/tokens/access-tokens.test.ts',
  },
  {
    area: 'tokens',
    file: 'server/features/identity/tokens/tokens.service.ts',
    text: '!(await store.useOnce(tx, once))',
    suite: 'test/api/tokens/replay.test.ts',
  },
]

const BY_TEXT = [...DOCK, ...GIVEN_OUT]
const SECONDS = SURVIVORS.flatMap((one) => (one.kind === 'second' ? [one] : []))

const SOURCE = `
export const mayGo = (a: number, b: number): boolean => a > 1 && b > 2
export function go(a: number): string | { refusal: string } {
  if (a < 9) requireLevel(a)
  else throw new Error('too much')
  if (a === 1 || a === 2) throw new Error('no')
  if (a === 3) return { refusal: 'no' }
  if (a === 4) return 'a sentence'
  if (a === 5) console.log('no guard')
  try {
    return go(a)
  } catch (error) {
    if (error === null) throw error
    throw new Error('other')
  }
}
`

describe('S19 guards are found', () => {
  it('one operand at a time; what is thrown on is none', () => {
    expect(guardsOf('go.ts', SOURCE).map(({ sort, text }) => `${sort} ${text}`)).toEqual([
      'required a > 1',
      'required b > 2',
      'call requireLevel(a)',
      'refusing a === 1',
      'refusing a === 2',
      'refusing a === 3',
      'refusing a === 4',
    ])
  })

  it('and one is out while its id is named', async () => {
    const ids = guardsOf('go.ts', SOURCE).map((_, at) => `go.ts#${at}`)
    const switched = withSwitches('go.ts', SOURCE, ids, './switch.ts').replace(/^import [^;]*;/, '')
    const body = switched
      .replaceAll('export ', '')
      .replace(': string | { refusal: string }', '')
      .replaceAll(': number', '')
      .replace(': boolean', '')
    const run = (out: string): unknown =>
      new Function(
        'guardIn',
        'guardCalled',
        'guardTold',
        'guardRefused',
        'requireLevel',
        `${body}; return [mayGo(0, 3), go(4)]`,
      )(
        (id: string) => id !== out,
        () => undefined,
        (_id: string, _refusing: boolean, value: unknown) => value,
        () => undefined,
        () => undefined,
      )
    expect(run('none')).toEqual([false, 'a sentence'])
    expect(run('go.ts#0')).toEqual([true, 'a sentence'])
    expect(run('go.ts#2')).toEqual([false, 'a sentence'])
    expect(() => run('go.ts#6')).toThrow('other')
  })

  it('and a file that has a name of the switches for itself is not switched: it would hide them', () => {
    expect(() => withSwitches('go.ts', 'const guardTold = 1', [], './switch.ts')).toThrow('go.ts has a guardTold')
  })

  it('in every area, where a survivor is still one of them', () => {
    const found: GuardText[] = []
    for (const area of AREAS) {
      const guards = guardsIn(area)
      expect(guards.length, area.name).toBeGreaterThan(4)
      found.push(...guards)
      expect(area.suites.flatMap((pattern) => globSync(pattern)).length, area.name).toBeGreaterThan(0)
    }
    for (const listed of SURVIVORS) {
      expect(
        found.some((guard) => isSameGuard(guard, listed)),
        `${listed.file}: ${listed.text}`,
      ).toBe(true)
      expect(listed.why).not.toBe('')
      expect(SURVIVORS.filter((other) => isSameGuard(other, listed))).toHaveLength(1)
    }
  })

  it('and of the same text in one file each by its number', () => {
    const twice = 'const may = (a: number) => { if (a > 1) throw new Error("1"); if (a > 1) throw new Error("2") }'
    expect(guardsOf('may.ts', twice).map(({ text, at }) => [text, at])).toEqual([
      ['a > 1', 1],
      ['a > 1', 2],
    ])
  })

  it('and reckoned by kinds: only what a test can miss counts, and what is not listed counts against', () => {
    const guards = guardsOf('go.ts', SOURCE).map((guard, at) => ({ ...guard, file: 'go.ts', id: `go.ts#${at}` }))
    const listed = [
      { file: 'go.ts', text: 'a > 1', why: 'no value', kind: 'equivalent' },
      { file: 'go.ts', text: 'b > 2', why: 'another', kind: 'second', with: [], suite: 'go.test.ts' },
      { file: 'go.ts', text: 'a === 1', why: 'open', kind: 'untested' },
      { file: 'go.ts', text: 'a === 2', at: 2, why: 'another one of that text', kind: 'equivalent' },
    ] as const
    const { unlisted, raw, adjusted, ...counts } = reckon(
      guards.length,
      guards.filter((_, at) => [0, 1, 3, 4].includes(at)),
      listed,
    )
    expect(counts).toEqual({ found: 7, killed: 3, equivalent: 1, second: 1, untested: 1 })
    expect(unlisted.map(({ text }) => text)).toEqual(['a === 2'])
    expect([raw, adjusted]).toEqual([3 / 7, 3 / 5])
  })
})

describe('S19 a suite misses a guard that is out', () => {
  let copy: SwitchedCopy<Guard>
  let dispose: () => Promise<void>
  beforeAll(async () => {
    const folder = await temporaryFolder('guards')
    dispose = folder.dispose
    copy = switchedCopy(
      path.join(folder.dir, 'product'),
      GUARDS,
      SAMPLE.map(({ file }) => file),
    )
  })
  afterAll(() => dispose())

  it.each(SAMPLE.map((one) => [one.file, one.text, one] as const))(
    '%s: %s',
    { tags: ['merge'], timeout: 300_000 },
    async (file, text, { suite }) => {
      const guard = copy.found.find((one) => one.file === file && one.text === text)
      const { failed } = await copy.run(suite, { out: [guard?.id ?? 'none'] })
      expect(failed.length).toBeGreaterThan(0)
    },
  )

  it('also where only the tests run in which it refused something', { timeout: 300_000 }, async () => {
    const [sample] = SAMPLE as [(typeof SAMPLE)[0]]
    const guard = copy.found.find((one) => one.file === sample.file && one.text === sample.text)
    const whole = await copy.run(sample.suite)
    expect(await copy.noticed(guard?.id ?? 'none', [whole])).toContain(sample.suite)
  })

  it('and a run of tests that are not there is none: nothing would be missed in it', async () => {
    await expect(copy.run(SAMPLE[0]?.suite ?? '', { tests: ['no such test'] })).rejects.toThrow('ran none of')
  })
})

if (isLong)
  describe('S19 every guard is missed by a suite of its area, but for the survivors listed', () => {
    it.each(AREAS.map((area) => [area.name, area] as const))('%s', { timeout: 6 * 3_600_000 }, async (_name, area) => {
      const folder = await temporaryFolder('guards')
      const copy = switchedCopy(path.join(folder.dir, 'product'), GUARDS, area.files)
      try {
        const suites = area.suites.flatMap((pattern) => globSync(pattern).toSorted())
        const { unnoticed: survivors, failed } = await tryEach(copy, suites)
        expect(failed).toEqual([])
        const reckoning = reckon(copy.found.length, survivors, SURVIVORS)
        console.log(reckoningLine(area.name, reckoning))
        expect(reckoning.unlisted.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([])
        const noticed = SURVIVORS.filter(
          (listed) =>
            listed.kind === 'equivalent' &&
            copy.found.some((guard) => isSameGuard(guard, listed)) &&
            !survivors.some((guard) => isSameGuard(guard, listed)),
        )
        expect(noticed, 'listed as equivalent, and missed').toEqual([])
        expect(reckoning.adjusted).toBeGreaterThanOrEqual(0.95)
      } finally {
        await folder.dispose()
      }
    })
  })

describe('S19 a guard whose work another one does as well', () => {
  it('is named with that one, which is there', () => {
    for (const pair of SECONDS) {
      expect(pair.with.length, pair.text).toBeGreaterThan(0)
      for (const one of [pair, ...pair.with]) expect(outOf(one).end, `${one.file}: ${one.text}`).toBeGreaterThan(0)
      expect(globSync(pair.suite), pair.text).toEqual([pair.suite])
    }
  })

  if (isLong)
    describe('is missed when both are out', () => {
      let copy: Copy
      let dispose: () => Promise<void>
      beforeAll(async () => {
        const folder = await temporaryFolder('guards')
        dispose = folder.dispose
        copy = copyOfProduct(path.join(folder.dir, 'product'))
      })
      afterAll(() => dispose())
      it.each(SECONDS.map((pair) => [pair.file, pair.text, pair] as const))(
        '%s: %s',
        { timeout: 600_000 },
        async (_file, _text, pair) => {
          const { failed } = await copy.run([pair.suite], [pair, ...pair.with].map(outOf), 'bail')
          expect(failed.length).toBeGreaterThan(0)
        },
      )
    })
})

describe('S19 a guard given by its text', () => {
  it('is where it is looked for', () => {
    for (const one of BY_TEXT) {
      expect(mutationOf(one, process.cwd()).end, one.name).toBeGreaterThan(0)
      for (const suite of one.suites) expect(globSync(suite), one.name).toEqual([suite])
    }
  })

  if (isLong)
    describe('is missed when it is out', () => {
      it.each(BY_TEXT.map((one) => [one.name, one] as const))('%s', { timeout: 600_000 }, async (_name, one) => {
        const folder = await temporaryFolder('guards')
        const copy = copyOfProduct(path.join(folder.dir, 'product'))
        try {
          const { failed } = await copy.run(one.suites, [mutationOf(one, process.cwd())], 'bail')
          expect(failed.length).toBeGreaterThan(0)
        } finally {
          await folder.dispose()
        }
      })
    })
})

function guardsIn({ files }: Area): GuardText[] {
  return filesOf(files).flatMap((file) =>
    guardsOf(file, readFileSync(file, 'utf8')).map(({ text, at }) => ({ file, text, at })),
  )
}

/** The change that takes a guard out. */
function outOf(one: SecondGuard): Mutation {
  const { file, text, at, instead } = one
  if (instead !== undefined)
    return mutationOf({ name: text, file, text, instead, ...(at === undefined ? {} : { at }) }, process.cwd())
  const guard = guardsOf(file, readFileSync(file, 'utf8')).find((found) => isSameGuard({ ...found, file }, one))
  if (guard === undefined) throw new Error(`${file} holds no guard ${text}`)
  return { file, start: guard.start, end: guard.end, instead: OUT[guard.sort] }
}
