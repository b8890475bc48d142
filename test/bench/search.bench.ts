/**
 * The search over HTTP on loopback beside bare questions to the same index in the same run: p50, p95 and processor time of typical
 * questions, with and without facets, asked by an officer who can view most of the station (`plain`, `facets`), and by somebody who can
 * view nearly nothing of it (`little`). `bare` is the index alone, asked for its best 50 by its own rank (`ORDER BY rank`), `count` for
 * how many match; neither knows rights or filters. The ratios are of processor time, less that of a call that finds nothing. Aim at a
 * million evidences: at most 5 times `bare` with facets, 2 times without, p95 < 500 ms on a machine that has nothing else to do (L4).
 *   npm run bench -- generate 1000000 /some/folder ; npm run bench -- search /some/folder [calls = 30]
 * Prints one line of JSON a question, then the size of the index and the memory.
 */
import path from 'node:path'
import { loadSettings } from '../../server/config/settings.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { startServer } from '../../server/index.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { matchOf, parseSearch } from '../../shared/search/search-query.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'
import { OFFICERS } from './station-rows.ts'

const [folder = '', calls = '30'] = process.argv.slice(2)
if (folder === '') throw new Error('Which station? npm run bench -- generate makes one and says its folder.')
const data = path.join(folder, 'data')

const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a rare word', { Query: 'cellar saddler' }],
  ['a word', { Query: 'abbey' }],
  ['a common word', { Query: 'bwc' }],
  ['half a word', { Query: 'ta' }],
  ['two words', { Query: 'burglary quay' }],
  ['a common and a rare word', { Query: 'bwc weaver' }],
  ['a phrase', { Query: '"ferry street"' }],
  ['a street by its number', { Query: '"17 mill lane"' }],
  ['with exclusion', { Query: 'theft -window' }],
  ['a tag', { Query: 'tag:"night shift 1"' }],
  ['an officer', { Query: 'officer:officer17' }],
  ['a case number', { Query: '2024-000123' }],
  ['an id', { Query: '4711' }],
  ['nothing', { Query: 'zebra' }],
  ['a word in a month', { Query: 'quay', FromUtc: '2024-02-01T00:00:00Z', ToUtc: '2024-03-01T00:00:00Z' }],
  ['a common word in a box', { Query: 'bwc', BoundingBox: [16.2, 48.2, 16.21, 48.21] }],
  ['a word among cases', { Query: 'linden', Types: ['Case'] }],
  ['a common word, open cases', { Query: 'theft', States: ['Open'] }],
  ['a common word by name', { Query: 'bwc', Sort: 'name' }],
  ['a word by name', { Query: 'abbey', Sort: 'name' }],
  ['a common word, oldest', { Query: 'bwc', Sort: 'oldest' }],
  ['no words, a month', { FromUtc: '2024-02-01T00:00:00Z', ToUtc: '2024-03-01T00:00:00Z' }],
  ['a custom field', { Query: 'quay', CustomFields: [{ Name: 'Weather', Value: 'Fog' }] }],
]

const settings = loadSettings(
  {},
  {
    data,
    port: 0,
    reserveBytes: 0,
    minFreeBytes: 0,
    logLevel: 'silent',
    rateService: 10_000_000,
    ratePerson: 10_000_000,
  },
)
const began = performance.now()
const station = await startServer(settings)
line({ startSeconds: Math.round((performance.now() - began) / 100) / 10 })
const bare = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
try {
  const officer = await asker(`officer ${Date.now()}`, OFFICERS)
  const stranger = await asker(`stranger ${Date.now()}`, null)
  line({ evidences: count('evidence'), cases: count('cases'), calls: Number(calls) })
  // The first calls compile what the later ones run: measured, they would make everything else look cheap.
  for (let call = 0; call < 60; call++) await ask(officer, { Query: 'zebra', Facets: call % 2 === 0 })
  // A call that finds nothing: HTTP, rights and ledger, client included. The index has no part in it.
  const { cpu: floor } = await timed(() => ask(officer, { Query: 'zebra', Facets: false }))
  line({ floorCpuMs: floor })
  for (const [name, question] of QUESTIONS) {
    const without = await timed(() => ask(officer, { ...question, Facets: false }))
    const facets = await timed(() => ask(officer, question))
    const little = await timed(() => ask(stranger, question))
    const alone = await bareTimes(bare, String(question['Query'] ?? ''))
    const { Total, TotalIsAtLeast } = await ask(officer, question)
    const ratio = (one: Times): number | null =>
      alone === null ? null : Math.round(((one.cpu - floor) / Math.max(alone.rank.cpu, 0.05)) * 10) / 10
    line({
      name,
      total: TotalIsAtLeast ? `${Total}+` : Total,
      plain: without,
      facets,
      little,
      bare: alone?.rank ?? null,
      count: alone?.count ?? null,
      plainToBare: ratio(without),
      facetsToBare: ratio(facets),
    })
  }
  const size = (name: string): number => {
    const found = bare.prepare(`SELECT sum(length(block)) AS bytes FROM ${name}_data`).get() as { bytes: number | null }
    return Math.round((found.bytes ?? 0) / 2 ** 20)
  }
  line({
    indexMiB: size('search_words'),
    rowsMiB: tableMiB('search_list'),
    memoryMiB: Math.round(process.memoryUsage().rss / 2 ** 20),
  })
} finally {
  bare.close()
  await station.close()
}

function line(what: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

function count(table: string): number {
  return (bare.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n
}

function tableMiB(table: string): number | null {
  try {
    const found = bare.prepare(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE '${table}%'`).get() as {
      bytes: number
    }
    return Math.round(found.bytes / 2 ** 20)
  } catch {
    return null
  }
}

async function asker(name: string, group: string | null): Promise<string> {
  const args = { name, policies: [], group, baseUrl: station.url }
  const made = await callControl(
    data,
    { command: 'integration.create', args, user: 'bench' },
    () => {},
    new AbortController().signal,
  )
  return signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
}

async function ask(
  token: string,
  question: Record<string, unknown>,
): Promise<{ Total: number; TotalIsAtLeast: boolean }> {
  const send = () =>
    fetch(`${station.url}/searchservice/api/v1/search/station`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
    })
  // A connection that stood still while the index was asked bare may be closed by now.
  const reply = await send().catch(send)
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
  return (await reply.json()) as { Total: number; TotalIsAtLeast: boolean }
}

interface Times {
  readonly p50: number
  readonly p95: number
  /** Processor time of a call, all threads: what a busy machine does not change. */
  readonly cpu: number
}

async function timed(work: () => unknown): Promise<Times> {
  const times: number[] = []
  await work()
  const began = process.cpuUsage()
  for (let call = 0; call < Number(calls); call++) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (part: number): number =>
    Math.round((times[Math.min(times.length - 1, Math.floor(times.length * part))] as number) * 10) / 10
  const { user, system } = process.cpuUsage(began)
  return { p50: at(0.5), p95: at(0.95), cpu: Math.round((user + system) / 10 / times.length) / 100 }
}

async function bareTimes(db: RawDatabase, query: string): Promise<{ rank: Times; count: Times } | null> {
  const { all } = matchOf(parseSearch(query))
  if (all === null) return null
  const best = db.prepare('SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rank LIMIT 50')
  const many = db.prepare('SELECT count(*) FROM search_words WHERE search_words MATCH ?')
  return { rank: await timed(() => best.all(all)), count: await timed(() => many.get(all)) }
}
