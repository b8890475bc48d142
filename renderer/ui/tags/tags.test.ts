import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tagsBack, tagsIn, withTags } from './tags.ts'

describe('tags', () => {
  it('are parted as cells and lines of a table are', () => {
    expect(tagsIn(' red\tknife\r\nblue, red ;;')).toEqual(['red', 'knife', 'blue'])
  })

  it('of two people are all there, and each takes back only their own', () => {
    const tag = fc.constantFrom('a', 'B', 'c', 'd', 'E')
    const change = fc.record({ add: fc.uniqueArray(tag), remove: fc.uniqueArray(tag) })
    fc.assert(
      fc.property(fc.uniqueArray(tag), change, fc.uniqueArray(tag), (before, one, others) => {
        const after = withTags(before, one)
        for (const added of one.add) expect(after).toContain(added)
        const both = withTags(after, { add: others, remove: [] })
        const back = withTags(both, tagsBack(before, after))
        for (const kept of before) expect(back).toContain(kept)
        for (const theirs of others.filter((item) => !after.includes(item))) expect(back).toContain(theirs)
      }),
    )
  })

  it('are one whatever their case, and in the way that they are written first', () => {
    expect(withTags(['Night'], { add: ['night', 'É', 'é'], remove: [] })).toEqual(['Night', 'É'])
  })
})
