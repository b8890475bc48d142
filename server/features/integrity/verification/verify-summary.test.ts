import { describe, expect, it } from 'vitest'
import type { VerifyReport } from './verify.ts'
import { summaryOf } from './verify-summary.ts'

const problem = { kind: 'changed', what: 'a blob', message: 'It was changed.' } as const
/** A report in which everything was counted so often. */
const reportOf = (count: number, more: Partial<VerifyReport> = {}) => ({
  problems: [],
  entries: count,
  checkpoints: count,
  blobs: count,
  forwarded: { blobs: 0, bytes: 0, addresses: [] },
  rows: count,
  notCovered: [],
  rowsCoveredSince: null,
  newestOutside: null,
  signedEntries: count,
  bytes: 0,
  fast: false,
  firstBad: null,
  seconds: 1,
  ...more,
})
const lines = (...given: Parameters<typeof summaryOf>): string[] => summaryOf(...given).split('\n')

describe('the words that verify counts', () => {
  it.each([
    [0, '0 entries, 0 checkpoints, 0 blobs, 0 rows'],
    [1, '1 entry, 1 checkpoint, 1 blob, 1 row'],
    [2, '2 entries, 2 checkpoints, 2 blobs, 2 rows'],
  ])('%i of each, with and without problems', (count, looked) => {
    expect(lines(reportOf(count), 0)[0]).toBe(`Ledger, files and rows are as recorded: ${looked}.`)
    const [one, ...more] = [1, 2, 21].map((found) => lines(reportOf(count, { problems: [problem] }), found - 1)[0])
    expect(one).toBe(`1 problem in ${looked}.`)
    expect(more).toEqual([`2 problems in ${looked}.`, `21 problems in ${looked}.`])
  })

  it('blobs that were compared by length alone', () => {
    expect(lines(reportOf(1, { fast: true }), 0)[0]).toContain(', 1 blob by length, ')
    expect(lines(reportOf(3, { fast: true }), 0)[0]).toContain(', 3 blobs by length, ')
  })

  it.each([
    [1, 1, 'over 1 entry; 0 entries have come since.'],
    [1, 2, 'over 1 entry; 1 entry has come since.'],
    [2, 4, 'over 2 entries; 2 entries have come since.'],
  ])('a checkpoint from outside over %i of %i', (size, entries, said) => {
    const report = reportOf(entries, { newestOutside: { size, timeUtc: null } })
    expect(lines(report, 0)[1]).toBe(`The newest checkpoint from outside is ${said}`)
  })

  it('entries that no signature vouches for', () => {
    const unsigned = (count: number) => lines(reportOf(5, { signedEntries: 5 - count }), 0).at(2)
    expect([unsigned(0), unsigned(1), unsigned(2)]).toEqual([
      undefined,
      '1 entry was written after the newest signed checkpoint: no signature vouches for it yet.',
      '2 entries were written after the newest signed checkpoint: no signature vouches for them yet.',
    ])
  })
})

describe('originals at headquarters', () => {
  it.each([
    [1, '1 original is forwarded: the bytes are at https://hq.example, each with a receipt in the ledger.'],
    [2, '2 originals are forwarded: the bytes are at https://hq.example, each with a receipt in the ledger.'],
  ])('are named, %i of them', (blobs, said) => {
    const forwarded = { blobs, bytes: 10, addresses: ['https://hq.example'] }
    expect(lines(reportOf(3, { forwarded }), 0)[1]).toBe(said)
  })
})
