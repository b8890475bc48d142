/**
 * Proofs of inclusion for every entry of a ledger, as a large package has them, beside what it takes to hash the tree over the same leaves once.
 *   node test/bench/proofs.bench.ts [entries = 100000] [rounds = 3]
 * Prints one line of JSON a round. `longestBlockMs`: how long nothing else was answered.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { compactRange } from '../../server/kernel/ledger/merkle.ts'
import { createLedgerTree } from '../../server/kernel/ledger/tree.ts'
import { writeEntries } from '../custody/entries.ts'

const [entries = '100000', rounds = '3'] = process.argv.slice(2)
const count = Number(entries)
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
const file = join(folder, 'ledger.db')

try {
  await (await openDatabase({ file })).close()
  writeEntries(file, count)
  const seqs = Array.from({ length: count }, (_one, at) => at + 1)
  for (let round = 0; round < Number(rounds); round++) {
    const raw = openRaw(file, { readOnly: true })
    const since = performance.now()
    const range = compactRange()
    for (const leaf of raw.prepare('SELECT leaf FROM ledger ORDER BY seq').pluck().iterate())
      range.append(leaf as Uint8Array)
    range.root()
    const least = (performance.now() - since) / 1000
    raw.close()
    const db = await openDatabase({ file })
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const begun = performance.now()
    await (await createLedgerTree(db).at(count)).prove(seqs)
    const seconds = (performance.now() - begun) / 1000
    delay.disable()
    await db.close()
    const longestBlockMs = Math.round(delay.max / 1e6)
    process.stdout.write(
      `${JSON.stringify({ entries: count, seconds, leastSeconds: least, ratio: least / seconds, longestBlockMs })}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
