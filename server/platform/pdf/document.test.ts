import { describe, expect, it } from 'vitest'
import { hash } from 'node:crypto'
import { documentBytes } from './document.ts'

const HEAD = {
  title: 'Hashes',
  author: 'Harrow Quay',
  language: 'en',
  paper: 'a4',
  made: new Date(0),
  embedded: true,
  foot: null,
} as const

describe('a long document', () => {
  it('does not keep in memory how each of its words was laid out', async () => {
    let kept = -1
    const rows = Array.from({ length: 400 }, (_, at) => [{ text: hash('sha256', String(at)) }])
    const bytes = documentBytes(HEAD, async (sheet) => {
      await sheet.table([{ label: 'SHA-256', width: 400 }], rows)
      const { _font: font } = sheet.pdf as unknown as { readonly _font: { readonly layoutCache: object } }
      kept = Object.keys(font.layoutCache).length
    })
    let length = 0
    for await (const chunk of bytes) length += chunk.length
    expect(length).toBeGreaterThan(10_000)
    // Fewer than rows; and there is such a store, which a new version of the library may name otherwise.
    expect(kept).toBeGreaterThanOrEqual(0)
    expect(kept).toBeLessThan(100)
  })
})
