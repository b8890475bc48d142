import { describe, expect, it } from 'vitest'
import { inRuns, otherScripts } from './scripts.ts'

describe('scripts beyond the built-in fonts', () => {
  it('are in the font that ships, but for those of East Asia', async () => {
    const scripts = await otherScripts()
    expect(scripts).not.toBeNull()
    const has = (text: string): boolean => [...text].every((sign) => scripts?.has(sign))
    for (const text of ['Łódź', 'Nguyễn', 'Иванов', 'Γιώργος', 'Երևան', 'שלום', 'محمد', 'გიორგი'])
      expect([text, has(text)]).toEqual([text, true])
    for (const text of ['漢', 'か', '한', 'हि', 'ไ']) expect([text, has(text)]).toEqual([text, false])
  })

  it('written from right to left stand in one run, and the rest stays as it is', () => {
    expect(inRuns('Case 7')).toBe('Case 7')
    expect(inRuns('of محمد علي 12')).toBe('of محمد\u00a0علي \u00a012')
    expect(inRuns('א א א א א א א').split(' ')).toHaveLength(2)
  })
})
