import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PatchOperation, patchBetween } from './json-patch.ts'

/** RFC 6902 as far as it is used: our own reading of the standard, beside the code under test. */
function applied(value: unknown, operations: readonly PatchOperation[]): unknown {
  let whole = structuredClone(value)
  for (const operation of operations) {
    const steps = operation.path
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = steps.pop()
    if (last === undefined) {
      whole = operation.op === 'remove' ? undefined : operation.value
      continue
    }
    let at = whole as Record<string, unknown>
    for (const name of steps) at = at[name] as Record<string, unknown>
    if (operation.op !== 'add') expect(Object.hasOwn(at, last)).toBe(true)
    if (operation.op === 'remove') delete at[last]
    else
      Object.defineProperty(at, last, { value: operation.value, enumerable: true, configurable: true, writable: true })
  }
  return whole
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('members'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  members: fc.dictionary(
    fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('a', 'b', '~', '/', '~1')),
    tie('value'),
    {
      maxKeys: 5,
    },
  ),
})).members

describe('patchBetween', () => {
  it('leads from the one to the other', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(applied(before, patchBetween(before, after))).toEqual(after)
      }),
    )
  })

  it('says nothing of what is the same', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(patchBetween(value, structuredClone(value))).toEqual([])
      }),
    )
  })

  it('names what changed and no more', () => {
    expect(
      patchBetween(
        { Title: 'a', Tags: ['x'], Custom: { k: '1', 'a/b~': '2' } },
        { Title: 'b', Tags: ['x'], Custom: { 'a/b~': '3' }, New: null },
      ),
    ).toEqual([
      { op: 'replace', path: '/Custom/a~1b~0', value: '3' },
      { op: 'remove', path: '/Custom/k' },
      { op: 'add', path: '/New', value: null },
      { op: 'replace', path: '/Title', value: 'b' },
    ])
  })
})
