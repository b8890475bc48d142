/**
 * Makes test/fixtures/golden/schema-<n>.db: a small station as a released program of this schema leaves it. Run once for each schema
 * that is released and never again for it; later programs are tested against every one of them (server/kernel/database/migrate.test.ts).
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSettings } from '../../server/config/settings.ts'
import { newestSchema } from '../../server/kernel/database/migrate.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { openStation } from '../../server/index.ts'

const target = fileURLToPath(new URL(`../../test/fixtures/golden/schema-${newestSchema()}.db`, import.meta.url))
if (existsSync(target) && !process.argv.includes('--again')) throw new Error(`${target} is there already`)

const folder = mkdtempSync(join(tmpdir(), 'sallyport-golden-'))
const data = join(folder, 'data')
mkdirSync(join(folder, 'in'))
writeFileSync(join(folder, 'in', 'note.txt'), 'A note that became evidence.\n')
const settings = { ...loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent' }) }
const station = await openStation(settings)
const run = (command: string, args: Record<string, unknown>) =>
  station.command({ command, args, user: 'golden' }, () => {}, new AbortController().signal)
await run('setup', { username: 'golden', password: 'a pass phrase nobody uses' })
await run('integration.create', { name: 'golden', policies: [], group: null, baseUrl: 'http://127.0.0.1:7460' })
await run('ingest', { paths: [join(folder, 'in')], case: null })
await station.close()

const db = openRaw(join(data, 'sallyport.db'))
rmSync(target, { force: true })
db.prepare('VACUUM INTO ?').run(target)
db.close()
rmSync(folder, { recursive: true })
process.stdout.write(`${target}\n`)
