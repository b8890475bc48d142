import { describe, expect, it } from 'vitest'
import { documentBytes } from './document.ts'

const HEAD = {
  title: 'Long',
  author: 'Harrow Quay',
  language: 'en',
  paper: 'a4',
  made: new Date('2026-11-20T02:47:31Z'),
  foot: (page: number) => `page ${page}`,
} as const
const COLUMNS = [
  { label: 'Entry', width: 60 },
  { label: 'What', width: 300 },
]

describe('a long document', () => {
  it('is made as it is read, and stops where its reader leaves', { timeout: 30_000 }, async () => {
    let drawn = 0
    let waiting = 0
    let ended: Error | null = null
    const bytes = documentBytes(HEAD, async (sheet) => {
      function* rows() {
        for (; drawn < 200_000; drawn++) {
          waiting = Math.max(waiting, sheet.pdf.readableLength)
          yield [{ text: String(drawn) }, { text: `An act of the ledger, number ${drawn}` }]
        }
      }
      await sheet.table(COLUMNS, rows()).catch((error: Error) => {
        ended = error
        throw error
      })
    })
    let read = 0
    for await (const chunk of bytes) {
      read += chunk.length
      if (read > 1_000_000) break
    }
    expect(ended).not.toBeNull()
    expect(drawn).toBeLessThan(200_000)
    // What was made and not taken, a page or two above the limit.
    expect(waiting).toBeLessThan(1_000_000)
  })

  it('of 5,000 rows has all of them', { timeout: 30_000 }, async () => {
    let read = 0
    for await (const chunk of documentBytes(HEAD, (sheet) =>
      sheet.table(
        COLUMNS,
        Array.from({ length: 5_000 }, (_, at) => [{ text: String(at) }, { text: 'An act' }]),
      ),
    ))
      read += chunk.length
    expect(read).toBeGreaterThan(50_000)
  })
})
