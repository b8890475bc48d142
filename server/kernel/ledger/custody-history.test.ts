import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { openRaw } from '../database/sqlite/raw.ts'
import { custodyCounts, custodyExtent, custodyRows } from './custody-history.store.ts'

it('finds the entries about an evidence by their objects, and reads no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-custody-'))
  const file = join(folder, 'ledger.db')
  const db = await openDatabase({ file })
  onTestFinished(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const raw = openRaw(file, { readOnly: true })
  const page = { before: Number.MAX_SAFE_INTEGER, count: 501, actions: [] }
  for (const { sql, parameters } of [
    custodyRows(db.read, 7, { ...page, which: 'all' }),
    custodyCounts(db.read, 7),
    custodyExtent(db.read, 7, { from: 1, to: 9 }),
  ]) {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[]
    const reads = plan.map(({ detail }) => detail).filter((detail) => /\b(ledger|l)\b/.test(detail))
    expect(reads.length).toBeGreaterThanOrEqual(3)
    // Not by the type of the object alone, of which a ledger has millions.
    for (const detail of reads) expect(detail).toMatch(/object_type=\? AND object_id=\?|PRIMARY KEY/)
  }
  raw.close()
})
