/**
 * Promise I2: a million entries verify in 5 s. Beside it what one thread needs to read and hash the same rows once, in the same run.
 *   node test/bench/verify.bench.ts [entries = 1000000] [rounds = 3]
 * Prints one line of JSON a round.
 */
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyLedger } from '../../server/custody/verify.ts'
import { openDatabase } from '../../server/db/database.ts'
import { openRaw } from '../../server/db/raw.ts'
import { writeEntries } from '../custody/entries.ts'

const [entries = '1000000', rounds = '3'] = process.argv.slice(2)
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
} finally {
  rmSync(folder, { recursive: true, force: true })
}
