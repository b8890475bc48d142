import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FINGERPRINT_WORDS, fingerprintWords } from './certificate-fingerprint.ts'

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_none, index) => index)
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, y] of [...b].entries())
      next.push(Math.min((row[j + 1] as number) + 1, (next[j] as number) + 1, (row[j] as number) + (x === y ? 0 : 1)))
    row = next
  }
  return row.at(-1) as number
}

describe('fingerprints as words (decisions 10)', () => {
  it('are of 256 short words, none easily taken for another', () => {
    expect(FINGERPRINT_WORDS).toHaveLength(256)
    for (const [index, word] of FINGERPRINT_WORDS.entries()) {
      expect(word).toMatch(/^[a-z]{4,8}$/)
      for (const other of FINGERPRINT_WORDS.slice(index + 1)) {
        expect(word.slice(0, 4), other).not.toBe(other.slice(0, 4))
        expect(distance(word, other), `${word} ${other}`).toBeGreaterThanOrEqual(3)
      }
    }
  })

  it('are the same for ever: two programs of different age show the same words', () => {
    const digest = createHash('sha256').update(FINGERPRINT_WORDS.join(' ')).digest('hex')
    expect(digest).toBe('8db5ac0a6e3b2adaeb75e68e9202453c3666d3ef7d85b0943887ec2714b6ce38')
  })

  it('tell the first eight bytes, each by a word of its own', () => {
    const words = fingerprintWords(`0001fe${'ff'.repeat(29)}`)
    expect(words).toEqual([0, 1, 254, 255, 255, 255, 255, 255].map((index) => FINGERPRINT_WORDS[index]))
    expect(fingerprintWords(`0001FE${'FF'.repeat(29)}`)).toEqual(words)
    expect(() => fingerprintWords('00')).toThrow('64 hexadecimal digits')
  })
})
