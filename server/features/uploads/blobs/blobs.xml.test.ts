import { expect, it } from 'vitest'
import { MOST_LISTED, readBlockList } from './blobs.xml.ts'

it('S19: a list of more blocks than allowed is refused where it is read', () => {
  const listOf = (count: number): string => `<BlockList>${'<Latest>YQ==</Latest>'.repeat(count)}</BlockList>`
  expect(readBlockList(listOf(MOST_LISTED))).toHaveLength(MOST_LISTED)
  expect(() => readBlockList(listOf(MOST_LISTED + 1))).toThrow(expect.objectContaining({ code: 'BlockListTooLong' }))
})
