import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leafHash } from './format.ts'
import { isIncluded, proofLine, readProofLine } from './inclusion-proof.ts'
import { compactRange, inclusionPath } from './merkle.ts'

const leaf = (index: number): Uint8Array => leafHash(Buffer.from(`entry ${index}`))
function rootOf(begin: number, end: number): Uint8Array {
  const range = compactRange()
  for (let index = begin; index < end; index++) range.append(leaf(index))
  return range.root()
}
const proofOf = (seq: number, size: number) => ({
  seq,
  size,
  leaf: leaf(seq - 1),
  steps: inclusionPath(seq - 1, size).map(([begin, end]) => {
    const range = compactRange()
    for (let index = begin; index < end; index++) range.append(leaf(index))
    return range.root()
  }),
})
const place = fc
  .integer({ min: 1, max: 200 })
  .chain((size) => fc.tuple(fc.integer({ min: 1, max: size }), fc.constant(size)))

/** As a shell does it: the sides of the line, and no arithmetic on positions. */
function folded(line: string): string {
  const [, , , start = '', ...rest] = line.split(' ')
  let value = start
  for (let at = 0; at < rest.length; at += 2) {
    const step = rest[at + 1] as string
    const [left, right] = rest[at] === 'L' ? [step, value] : [value, step]
    value = hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex')
  }
  return value
}

describe('I4 lines of proof', () => {
  it('are read as they were written, fold to the root by the sides that they name, and hold for their own tree', () => {
    fc.assert(
      fc.property(place, ([seq, size]) => {
        const line = proofLine(proofOf(seq, size))
        const root = rootOf(0, size)
        expect(folded(line)).toBe(Buffer.from(root).toString('hex'))
        expect(proofLine(readProofLine(line))).toBe(line)
        expect(isIncluded(readProofLine(line), root)).toBe(true)
        expect(isIncluded(readProofLine(line), rootOf(0, size + 1))).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  it('S19: a changed character is refused, or the proof does not hold', () => {
    fc.assert(
      fc.property(
        place,
        fc.nat(),
        fc.constantFrom('0', '1', 'a', 'f', 'L', 'R', ' ', 'A', '\n', '-'),
        (at, where, other) => {
          const line = proofLine(proofOf(...at))
          const position = where % line.length
          fc.pre(line[position] !== other)
          const changed = `${line.slice(0, position)}${other}${line.slice(position + 1)}`
          const holds = (): boolean => {
            const proof = readProofLine(changed)
            const isSameEntry = proof.seq === at[0] && proof.size === at[1]
            return isSameEntry && isIncluded(proof, rootOf(0, at[1]))
          }
          expect([false, 'refused']).toContain(
            ((): boolean | string => {
              try {
                return holds()
              } catch {
                return 'refused'
              }
            })(),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(['', '1 0 1', '0 -1 1 ', '2 1 1 00', '1 1 2 00', '1e0 0 1 00', '01 0 1 00'])(
    '%j is no line of proof',
    (line) => {
      expect(() => readProofLine(line.replace('00', Buffer.from(leaf(0)).toString('hex')))).toThrow('no line of proof')
    },
  )
})
