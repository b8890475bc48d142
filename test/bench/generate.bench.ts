/**
 * A station of N evidences and N/10 cases, the same for the same N, for measuring with: straight into SQL, without bytes. Its ledger has
 * so many entries beside those of the station itself, in an unbroken chain with a checkpoint over all of them.
 *   npm run bench -- generate [evidences = 1000000] [folder = a new one below the temporary files] [entries of the ledger = 0]
 * Prints one line of JSON with the folder. Its first administrator is the one of test/support/given.ts. A million evidences and ten
 * million entries take 12 GB.
 */
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { writeStation } from './station-rows.ts'

const [count = '1000000', where, written = '0'] = process.argv.slice(2)
const evidences = Number(count)
const entries = Number(written)
const folder = where ?? mkdtempSync(path.join(tmpdir(), 'sallyport-generated-'))
const data = path.join(folder, 'data')
const file = path.join(data, 'sallyport.db')
if (existsSync(file)) throw new Error(`${data} holds a station already`)

const settings = loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent' })
const station = await openStation(settings)
await station.command({ command: 'setup', args: ADMINISTRATOR, user: 'bench' }, () => {}, new AbortController().signal)
await station.close()
const cases = Math.max(1, Math.round(evidences / 10))
const say = (what: string): void => void process.stderr.write(`\r${what.padEnd(30)}`)
const seconds = writeStation(file, { evidences, cases, entries }, say)
// The station itself signs what it has now, as it does every hour; the first time it has all of it to read.
say('checkpoint')
const began = performance.now()
await (await openStation(settings)).close()
const checkpointSeconds = (performance.now() - began) / 1000
process.stderr.write('\n')
process.stdout.write(
  `${JSON.stringify({
    folder,
    evidences,
    cases,
    rowSeconds: Math.round(seconds.rows),
    indexSeconds: Math.round(seconds.indexes),
    entries,
    ledgerSeconds: Math.round(seconds.ledger),
    checkpointSeconds: Math.round(checkpointSeconds),
    databaseMiB: Math.round(statSync(file).size / 2 ** 20),
  })}\n`,
)
