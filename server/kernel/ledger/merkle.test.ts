import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compactRange,
  consistencyPath,
  EMPTY_ROOT,
  frontierBytes,
  inclusionPath,
  rangeFromFrontier,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

const sha = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const leaves = (count: number, salt = ''): Buffer[] =>
  Array.from({ length: count }, (_, index) => sha(Buffer.of(0), Buffer.from(`${salt}${index}`)))

/** RFC 6962 2.1, word by word. */
function mth(list: readonly Buffer[]): Buffer {
  if (list.length === 0) return sha(Buffer.alloc(0))
  if (list.length === 1) return list[0] as Buffer
  let k = 1
  while (k * 2 < list.length) k *= 2
  return sha(Buffer.of(1), mth(list.slice(0, k)), mth(list.slice(k)))
}

/** RFC 6962 2.1.1 and 2.1.2, word by word. */
function path(m: number, list: readonly Buffer[]): Buffer[] {
  if (list.length <= 1) return []
  let k = 1
  while (k * 2 < list.length) k *= 2
  return m < k
    ? [...path(m, list.slice(0, k)), mth(list.slice(k))]
    : [...path(m - k, list.slice(k)), mth(list.slice(0, k))]
}
function subproof(m: number, list: readonly Buffer[], known: boolean): Buffer[] {
  if (m === list.length) return known ? [] : [mth(list)]
  let k = 1
  while (k * 2 < list.length) k *= 2
  return m <= k
    ? [...subproof(m, list.slice(0, k), known), mth(list.slice(k))]
    : [...subproof(m - k, list.slice(k), false), mth(list.slice(0, k))]
}

const size = fc.integer({ min: 1, max: 300 })
const rangeOver = (list: readonly Buffer[], begin = 0) => {
  const range = compactRange(begin)
  for (const leaf of list) range.append(leaf)
  return range
}

describe('I4 Merkle trees (RFC 6962)', () => {
  it('the root of a compact range is that of the recursive definition', () => {
    expect(Buffer.from(compactRange().root())).toEqual(mth([]))
    expect(Buffer.from(EMPTY_ROOT)).toEqual(mth([]))
    const range = compactRange()
    const all = leaves(300)
    for (const [index, leaf] of all.entries()) {
      range.append(leaf)
      expect(Buffer.from(range.root())).toEqual(mth(all.slice(0, index + 1)))
    }
  })

  it('separately built ranges join to the same root', () => {
    fc.assert(
      fc.property(size, fc.array(fc.nat({ max: 300 }), { maxLength: 5 }), (count, cuts) => {
        const all = leaves(count)
        const borders = [...new Set([0, ...cuts.map((cut) => cut % count), count])].sort((a, b) => a - b)
        const whole = compactRange()
        for (const [index, begin] of borders.slice(0, -1).entries())
          whole.join(rangeOver(all.slice(begin, borders[index + 1]), begin).nodes())
        expect(Buffer.from(whole.root())).toEqual(mth(all))
      }),
    )
  })

  it('continues from a stored frontier', () => {
    fc.assert(
      fc.property(size, size, (older, more) => {
        const all = leaves(older + more)
        const range = rangeFromFrontier(older, frontierBytes(rangeOver(all.slice(0, older))))
        for (const leaf of all.slice(older)) range.append(leaf)
        expect(Buffer.from(range.root())).toEqual(mth(all))
      }),
    )
    expect(() => rangeFromFrontier(3, new Uint8Array(32))).toThrow(/2 hashes/)
  })

  it('proofs of inclusion match the definition and verify only for their leaf', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat(), (count, pick, other) => {
        const all = leaves(count)
        const index = pick % count
        const proof = inclusionPath(index, count).map(([begin, end]) => mth(all.slice(begin, end)))
        expect(proof).toEqual(path(index, all))
        const root = mth(all)
        expect(verifyInclusion(all[index] as Buffer, index, count, proof, root)).toBe(true)
        expect(verifyInclusion(sha(Buffer.from('no')), index, count, proof, root)).toBe(false)
        expect(verifyInclusion(all[index] as Buffer, index, count, [...proof, root], root)).toBe(false)
        if (other % count !== index)
          expect(verifyInclusion(all[index] as Buffer, other % count, count, proof, root)).toBe(false)
      }),
    )
  })

  it('proofs of consistency match the definition and verify only for their trees', () => {
    fc.assert(
      fc.property(size, fc.nat(), (count, pick) => {
        const older = 1 + (pick % count)
        const all = leaves(count)
        const proof = consistencyPath(older, count).map(([begin, end]) => mth(all.slice(begin, end)))
        expect(proof).toEqual(subproof(older, all, true))
        const then = { size: older, root: mth(all.slice(0, older)) }
        expect(verifyConsistency(then, { size: count, root: mth(all) }, proof)).toBe(true)
        const forked = [...leaves(older, 'fork'), ...all.slice(older)]
        expect(verifyConsistency(then, { size: count, root: mth(forked) }, proof)).toBe(false)
      }),
    )
  })

  it('S19: a range joins only the range that continues it, and has a root only when it begins at the first leaf', () => {
    const range = compactRange()
    expect(() => range.join({ begin: 1, end: 2, levels: [0], hashes: ['00'.repeat(32)] })).toThrow(/do not continue/)
    range.append(leaves(1)[0] as Buffer)
    expect(() => range.join({ begin: 1, end: 3, levels: [1], hashes: ['00'.repeat(32)] })).toThrow(/cannot begin at 1/)
    expect(() => compactRange(4).root()).toThrow(/from the first leaf/)
  })

  it('S19: refuses a path to a missing leaf, and from an impossible older size', () => {
    for (const index of [-1, 5]) expect(() => inclusionPath(index, 5)).toThrow(/not among/)
    for (const older of [-1, 0, 6]) expect(() => consistencyPath(older, 5)).toThrow(/no proof/)
  })

  it('S19: rejects a proof of inclusion with a wrong index or too many steps', () => {
    const [leaf, step] = leaves(2) as [Buffer, Buffer]
    expect(verifyInclusion(leaf, 0, 1, [], leaf)).toBe(true)
    for (const index of [-1, 1]) expect(verifyInclusion(leaf, index, 1, [], leaf)).toBe(false)
    expect(verifyInclusion(leaf, 0, 1, [step], mth([step, leaf]))).toBe(false)
    expect(verifyInclusion(leaf, 0, 1, [step], mth([leaf, step]))).toBe(false)
  })

  it('S19: rejects a proof of consistency with a wrong size, or with too many or too few steps', () => {
    const [a, b, c, d] = leaves(4) as [Buffer, Buffer, Buffer, Buffer]
    const node = (left: Buffer, right: Buffer): Buffer => sha(Buffer.of(1), left, right)
    const same = { size: 3, root: a }
    expect(verifyConsistency(same, same, [])).toBe(true)
    expect(verifyConsistency(same, same, [b])).toBe(false)
    // A newer tree that is shorter than the older one, and an empty older tree.
    expect(verifyConsistency({ size: 2, root: a }, { size: 1, root: a }, [])).toBe(false)
    expect(verifyConsistency({ size: 0, root: a }, { size: 1, root: a }, [a])).toBe(false)
    // No step although one is needed.
    expect(verifyConsistency({ size: 3, root: a }, { size: 4, root: b }, [])).toBe(false)
    // Too few steps for the leaves of the newer tree.
    expect(verifyConsistency({ size: 1, root: a }, { size: 4, root: a }, [])).toBe(false)
    // One step too many, with roots that fit it.
    const then = node(d, node(c, a))
    const now = node(d, node(c, node(a, b)))
    expect(verifyConsistency({ size: 3, root: then }, { size: 4, root: now }, [a, b, c, d])).toBe(false)
    // The right newer root with a wrong older one.
    const all = leaves(7)
    const proof = consistencyPath(3, 7).map(([begin, end]) => mth(all.slice(begin, end)))
    const root = mth(all)
    expect(verifyConsistency({ size: 3, root: mth(all.slice(0, 3)) }, { size: 7, root }, proof)).toBe(true)
    expect(verifyConsistency({ size: 3, root: mth(leaves(3, 'fork')) }, { size: 7, root }, proof)).toBe(false)
  })
})
