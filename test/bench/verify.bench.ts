/**
 * Promise I2: a million entries verify in 5 s. Beside it what one thread needs to read and hash the same rows once, in the same run.
 * Then I3+: a million rows are compared with the ledger in 60 s, beside what it takes to read and hash them once.
 *   node test/bench/verify.bench.ts [entries = 1000000] [rounds = 3] [rows = 1000000]
 * Prints one line of JSON a round, and one for the rows.
 */
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { recordRows } from '../../server/features/integrity/verification/row-baseline.ts'
import { verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { verifyRows } from '../../server/features/integrity/verification/verify-rows.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { officer, writeEntries } from '../custody/entries.ts'

const [entries = '1000000', rounds = '3', rows = '1000000'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
const file = join(folder, 'ledger.db')

try {
  await (await openDatabase({ file })).close()
  writeEntries(file, Number(entries))
  for (let round = 0; round < Number(rounds); round++) {
    const db = openRaw(file, { readOnly: true })
    const since = performance.now()
    for (const body of db.prepare('SELECT CAST(body AS TEXT) FROM ledger ORDER BY seq').pluck().iterate())
      hash('sha256', body as string)
    const least = (performance.now() - since) / 1000
    db.close()
    const before = process.cpuUsage()
    const { seconds, problems } = await verifyLedger({ file, publicKeys: [] })
    const { user, system } = process.cpuUsage(before)
    const line = {
      entries: Number(entries),
      seconds,
      cpuSeconds: (user + system) / 1e6,
      readAndHashSeconds: least,
      problems: problems.length,
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  await benchRows(join(folder, 'rows.db'), Number(rows))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Rows of tags: they have no versions and no entries of their own, so that the comparison alone is measured. */
async function benchRows(name: string, count: number): Promise<void> {
  const db = await openDatabase({ file: name })
  const raw = openRaw(name)
  raw.pragma('foreign_keys = 0')
  raw.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO bookmarks (bookmark_id, evidence_id, resource_id, start_seconds, title, author_id, created_utc, created_by, modified_utc, modified_by, edits, concurrency_id)
     SELECT i, 1, 1, i / 10.0, 'A place in a recording ' || i, 1, '2026-11-22T10:00:00.000Z', '{}', '2026-11-22T10:00:00.000Z', '{}', 0, '' FROM n`,
  )
  raw.close()
  const ledger = createLedger({ db, clock: manualClock(), log: createLog('silent') })
  const since = performance.now()
  await recordRows(db, ledger, officer())
  const recordSeconds = (performance.now() - since) / 1000
  await ledger.stop()
  await db.close()
  const read = openRaw(name, { readOnly: true })
  const began = performance.now()
  for (const row of read.prepare('SELECT * FROM bookmarks').iterate()) hash('sha256', JSON.stringify(row))
  const readAndHashSeconds = (performance.now() - began) / 1000
  const before = performance.now()
  const report = verifyRows(read)
  const seconds = (performance.now() - before) / 1000
  read.close()
  process.stdout.write(`${JSON.stringify({ rows: report.rows, seconds, readAndHashSeconds, recordSeconds })}\n`)
}
