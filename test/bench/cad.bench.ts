/**
 * CAD push over HTTP on loopback, durable: events a second one by one (by so many clients at once) and in batches of 1000, beside the bare
 * durable insert of the same bytes in the same run (one row, one commit). Then the engine alone: a day of 500 officers, 2,000 calls and
 * 8,000 recordings in rows, judged as a whole without writing, and decided and written from the first row to the last link.
 *   npm run bench -- cad [events = 500] [clients = 8]
 * Prints one line of JSON each. Aim: the day judged in under 5 s.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadSettings } from '../../server/config/settings.ts'
import { judgeAll } from '../../server/features/correlation/facts.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { startServer } from '../../server/index.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { at, engineWorld } from '../correlation/world.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'

const [events = '500', clients = '8'] = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-bench-cad-'))
const line = (what: Record<string, unknown>): void => void process.stdout.write(`${JSON.stringify(what)}\n`)
const rate = (count: number, millis: number): number => Math.round((count / millis) * 10_000) / 10
async function timed<T>(work: () => Promise<T>): Promise<{ millis: number; out: T }> {
  const from = performance.now()
  const out = await work()
  return { millis: performance.now() - from, out }
}
const eventOf = (number: number) => ({
  eventId: `bench ${number}`,
  transactionId: String(number),
  eventStartTimeUtc: at(number).text,
  eventEndTimeUtc: at(number + 20).text,
  name: 'Burglary in progress',
  description: 'Caller hears glass. '.repeat(10),
  priority: 'P1',
  location: { latitude: 48.2, longitude: 16.3, address: '17 Mill Lane' },
  involvedResources: [{ id: `unit ${number % 50}` }],
})

try {
  await pushing()
  await theDay()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function pushing(): Promise<void> {
  const data = path.join(folder, 'station')
  const limits = { reserveBytes: 0, minFreeBytes: 0, rateService: 10_000_000, ratePerson: 10_000_000 }
  const station = await startServer(loadSettings({}, { data, port: 0, logLevel: 'silent', ...limits }))
  try {
    const args = { name: 'dispatch', policies: ['PushCadEvents'], group: null, baseUrl: station.url }
    const command = { command: 'integration.create', args, user: 'bench' }
    const made = await callControl(data, command, () => {}, new AbortController().signal)
    const token = await signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
    const send = async (place: string, body: unknown): Promise<void> => {
      const reply = await fetch(`${station.url}/cadservice/api/v1/events/station${place}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (reply.status > 201) throw new Error(`${reply.status} ${await reply.text()}`)
      await reply.arrayBuffer()
    }
    const count = Number(events)
    for (let warm = 0; warm < 20; warm++) await send('', eventOf(9_000_000 + warm))
    const bare = bareInserts(count)
    line({ what: 'bare durable insert', events: count, perSecond: bare })
    let next = 0
    const one = async (): Promise<void> => {
      while (next < count) await send('', eventOf(next++))
    }
    const alone = await timed(() => Promise.all(Array.from({ length: Number(clients) }, one)))
    const single = rate(count, alone.millis)
    line({
      what: 'single',
      events: count,
      clients: Number(clients),
      perSecond: single,
      ofBare: Math.round((single / bare) * 100) / 100,
    })
    const batches = Math.max(1, Math.round(count / 500))
    const many = await timed(async () => {
      for (let batch = 0; batch < batches; batch++)
        await send(
          '/batch',
          Array.from({ length: 1000 }, (_, each) => eventOf(1_000_000 + batch * 1000 + each)),
        )
    })
    const batched = rate(batches * 1000, many.millis)
    line({
      what: 'batch of 1000',
      events: batches * 1000,
      perSecond: batched,
      ofBare: Math.round((batched / bare) * 100) / 100,
    })
  } finally {
    await station.close()
  }
}

function bareInserts(count: number): number {
  const db = openRaw(path.join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, body BLOB NOT NULL)')
  const insert = db.prepare('INSERT INTO events (body) VALUES (?)')
  const from = performance.now()
  for (let number = 0; number < count; number++) insert.run(Buffer.from(JSON.stringify(eventOf(number))))
  const millis = performance.now() - from
  db.close()
  return rate(count, millis)
}

/** 500 officers with a camera each; every officer is sent to calls and records, most of it in them. Drawn, and the same every time. */
async function theDay(): Promise<void> {
  const world = await engineWorld(path.join(folder, 'day.db'))
  try {
    let seed = 7
    const draw = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const [officers, calls, recordings] = [500, 2000, 8000]
    const people: number[] = []
    const cameras: { id: string; name: string }[] = []
    for (let number = 0; number < officers; number++) {
      const officer = await world.officer()
      const camera = await world.device()
      people.push(officer)
      cameras.push(camera)
      await world.shifts(camera.id, [{ officer, from: -600, to: 1_500 }])
    }
    const evidenceIds: number[] = []
    for (let number = 0; number < recordings; number++) {
      const from = draw(1440)
      const made = await world.recording(
        cameras[number % officers] as { id: string; name: string },
        from,
        from + 5 + draw(40),
      )
      evidenceIds.push(made.evidenceId)
    }
    for (let number = 0; number < calls; number++) {
      const caseId = await world.incident()
      const from = draw(1440)
      await world.times(caseId, { from, to: from + 5 + draw(60) })
      await world.assigned(caseId, [people[draw(officers)] as number, people[draw(officers)] as number])
    }
    line({ what: 'the day is there', officers, calls, recordings })
    const decided = await timed(world.run)
    const links = await world.links()
    line({
      what: 'decided and written',
      seconds: Math.round(decided.millis / 10) / 100,
      looked: decided.out,
      links: links.length,
    })
    const judged = await timed(() => judgeAll(world.db.read, evidenceIds))
    const kept = judged.out.judged.reduce((sum, { plan }) => sum + plan.keep.length, 0)
    line({ what: 'judged as a whole', seconds: Math.round(judged.millis / 10) / 100, links: kept })
    if (kept !== links.length) throw new Error('what was judged as a whole is not what was decided')
  } finally {
    await world.close()
  }
}
