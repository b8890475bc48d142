/** The figures of build/scripts/measure.ts: what counts as a long function and a cycle. */
import { describe, expect, it } from 'vitest'
import { importCycles, longFunctions } from '../../build/scripts/measure.ts'

const body = (lines: number): string => Array.from({ length: lines - 2 }, () => '  void 0').join('\n')

describe('measure', () => {
  it('names functions over 60 lines by their declaration, variable, member or method', () => {
    const text = [
      `function declared() {\n${body(61)}\n}`,
      `const assigned = () => {\n${body(62)}\n}`,
      `const object = { member: function () {\n${body(63)}\n} }`,
      `class Kind { method() {\n${body(64)}\n} }`,
      `function short() {\n${body(60)}\n}`,
    ].join('\n')
    expect(longFunctions('x.ts', text).map(({ name, lines }) => [name, lines])).toEqual([
      ['declared', 61],
      ['assigned', 62],
      ['member', 63],
      ['method', 64],
    ])
  })

  it('finds each circle of imports once, through any number of files', () => {
    const files = new Map([
      ['a/one.ts', "import { two } from './two.ts'"],
      ['a/two.ts', "import type { Three } from '../b/three.ts'"],
      ['b/three.ts', "export { one } from '../a/one.ts'"],
      ['b/four.ts', "import { five } from './five.ts'"],
      ['b/five.ts', "import { one } from '../a/one.ts'"],
    ])
    expect(importCycles(files).map((circle) => circle.toSorted())).toEqual([['a/one.ts', 'a/two.ts', 'b/three.ts']])
  })
})
