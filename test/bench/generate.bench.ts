/**
 * A station of N evidences and N/10 cases, the same for the same N, for measuring with: straight into SQL, without bytes and ledger.
 *   npm run bench -- generate [evidences = 1000000] [folder = a new one below the temporary files]
 * Prints one line of JSON with the folder. Its first administrator is the one of test/support/given.ts.
 */
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { writeStation } from './station-rows.ts'

const [count = '1000000', where] = process.argv.slice(2)
const evidences = Number(count)
const folder = where ?? mkdtempSync(path.join(tmpdir(), 'sallyport-generated-'))
const data = path.join(folder, 'data')
const file = path.join(data, 'sallyport.db')
if (existsSync(file)) throw new Error(`${data} holds a station already`)

const station = await openStation(loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent' }))
await station.command({ command: 'setup', args: ADMINISTRATOR, user: 'bench' }, () => {}, new AbortController().signal)
await station.close()
const cases = Math.max(1, Math.round(evidences / 10))
const seconds = writeStation(file, { evidences, cases }, (what) => process.stderr.write(`\r${what.padEnd(30)}`))
process.stderr.write('\n')
process.stdout.write(
  `${JSON.stringify({
    folder,
    evidences,
    cases,
    rowSeconds: Math.round(seconds.rows),
    indexSeconds: Math.round(seconds.indexes),
    databaseMiB: Math.round(statSync(file).size / 2 ** 20),
  })}\n`,
)
