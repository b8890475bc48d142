import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import { manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { rememberVerification } from '../../../server/app/identity.store.ts'
import { createDailyVerification, type Verify } from '../../../server/app/verification.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'

/** What the window shows at its foot: the station as it is, and as it becomes. */
const STATION = '/api/v1/tenant/station/station'
let given: Given
beforeAll(async () => {
  given = await givenStation({
    settings: { stationName: 'Harrow Quay', timeZone: 'Europe/Vienna', minFreeBytes: 123_456, toolFolders: '/nowhere' },
  })
})
afterAll(() => given?.close())
const state = (): Promise<Json> => given.expecting(200, given.call('GET', STATION))

interface Event {
  readonly event: string
  readonly data: Json
}

/** Listens until it is told to stop. */
async function listening(): Promise<{
  events: Event[]
  until: (enough: () => boolean, within?: number) => Promise<void>
  stop: () => void
}> {
  const abort = new AbortController()
  const events: Event[] = []
  const response = await fetch(`${given.url}${STATION}/events`, {
    headers: { authorization: `Bearer ${given.token}` },
    signal: abort.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined) events.push({ event, data: JSON.parse(data as string) })
      }
    }
  }
  read().catch(() => {})
  return {
    events,
    until: (enough, within = 10_000) => expect.poll(enough, { timeout: within, interval: 20 }).toBe(true),
    stop: () => abort.abort(),
  }
}
const told = (events: readonly Event[], evidenceId: string): Event[] =>
  events.filter(({ event, data }) => event === 'evidence' && data.EvidenceId === evidenceId)

describe('the state of the station', () => {
  it('is what it is called, where it stands, and what it has', async () => {
    await given.completed(Buffer.from('one'))
    const before = Date.now()
    const now = await state()
    expect(now).toMatchObject({
      Name: 'Harrow Quay',
      Version: '0.1.0',
      TimeZone: 'Europe/Vienna',
      Mode: 'ready',
      Reason: null,
      Disk: { FloorBytes: 123_456 },
      LastVerification: null,
      Evidence: { Count: given.database((db) => db.prepare('SELECT count(*) FROM evidence').pluck().get()) },
    })
    expect(Date.parse(now.TimeUtc)).toBeGreaterThanOrEqual(before - 1)
    expect(now.Disk.TotalBytes).toBeGreaterThan(now.Disk.FreeBytes)
    expect(['ntp', 'free', 'unknown']).toContain(now.Clock.Source)
    if (now.Clock.Source !== 'ntp') expect(now.Clock.ErrorMilliseconds).toBeNull()
  })

  it('names every tool that is missing, what waits for it and how to get it', async () => {
    const { MissingTools, Sandbox } = await state()
    expect(MissingTools.map((tool: Json) => tool.Name)).toEqual(['ffmpeg', 'ffprobe', 'exiftool', 'heif-convert'])
    for (const { Effect, Install } of MissingTools)
      expect([Effect, Install]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
    expect(Sandbox).toBe(false)
  })

  it('counts jobs: what waits for a tool waits', async () => {
    const before = (await state()).Queue
    // A minimal HEIC: its kind is told by its first bytes, and nothing here can read it.
    const heic = Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypheic'),
      Buffer.from([0, 0, 0, 0]),
      Buffer.from('heicmif1'),
    ])
    const { evidenceId } = await given.completed(heic, { name: 'IMG_2291.HEIC' })
    await given.settled(evidenceId)
    const { Queue } = await state()
    expect(Queue.Waiting).toBeGreaterThan(before.Waiting)
    const [item] = (
      await given.expecting(200, given.call('GET', `${given.documents}/evidence?status=waiting&text=2291`))
    ).Items
    expect(item.Summary).toMatchObject({
      Status: 'waiting',
      Type: 'image',
      FileName: 'IMG_2291.HEIC',
      Message: expect.stringContaining('not installed'),
    })
  })

  it('remembers what the last verification found', async () => {
    await given.command('verify', { fast: true })
    expect((await state()).LastVerification).toEqual({
      TimeUtc: expect.stringMatching(/Z$/),
      Result: 'intact',
      Problems: 0,
    })
    const { sha256 } = await given.completed(Buffer.from('to be gone'))
    const file = path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
    rmSync(file)
    await given.command('verify', { fast: true })
    expect((await state()).LastVerification).toMatchObject({ Result: 'broken', Problems: 1 })
    writeFileSync(file, 'to be gone')
    await given.command('verify', { fast: false })
    expect((await state()).LastVerification).toMatchObject({ Result: 'intact', Problems: 0 })
  })

  it('another tenant is 404', async () => {
    for (const address of ['/api/v1/tenant/other/station', '/api/v1/tenant/other/station/events'])
      expect((await given.call('GET', address)).json.ErrorCode).toBe('TenantNotFound')
  })
})

describe('the stream of changes', () => {
  it('begins with the state, and tells of an evidence that came, changed and was settled: ids alone', async () => {
    const { events, until, stop } = await listening()
    try {
      await until(() => events.some(({ event }) => event === 'station'))
      expect(events[0]?.data).toMatchObject({ Name: 'Harrow Quay', Mode: 'ready' })
      const { evidenceId } = await given.completed(Buffer.from('watched'))
      await until(() => told(events, evidenceId).length > 0)
      await given.settled(evidenceId)
      const after = events.length
      await given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`)
      await until(() => told(events.slice(after), evidenceId).length > 0)
      for (const { data } of told(events, evidenceId)) expect(data).toEqual({ EvidenceId: evidenceId })
    } finally {
      stop()
    }
  })

  it('what changed between the reading of a page and its stream is told to the new one, and to nobody else again', async () => {
    const first = await listening()
    const { EvidenceId } = await given.evidence()
    await first.until(() => told(first.events, EvidenceId).length > 0)
    const before = told(first.events, EvidenceId).length
    const second = await listening()
    try {
      await second.until(() => told(second.events, EvidenceId).length > 0)
      expect(told(first.events, EvidenceId).length).toBe(before)
    } finally {
      first.stop()
      second.stop()
    }
  })

  it('a look is not told, and many changes of one are few events', async () => {
    const { EvidenceId } = await given.evidence()
    const { evidenceId: other } = await given.completed(Buffer.from('looked at'))
    await given.settled(other)
    const { events, until, stop } = await listening()
    try {
      // What came just before is caught up with first.
      await until(() => told(events, other).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 600))
      const before = events.length
      await given.call('GET', `${given.documents}/evidence/${other}`)
      await given.call('GET', `${given.documents}/evidence/${other}/custody`)
      const since = performance.now()
      for (let round = 0; round < 12; round++) {
        const { resourceId } = await given.completed(Buffer.from(`${round}`), { evidenceId: EvidenceId })
        expect(resourceId).toEqual(expect.any(String))
      }
      await new Promise((resolve) => setTimeout(resolve, 600))
      const seconds = (performance.now() - since) / 1000
      const mine = told(events.slice(before), EvidenceId)
      expect(mine.length).toBeGreaterThan(0)
      expect(mine.length).toBeLessThanOrEqual(Math.ceil(seconds * 4) + 1)
      expect(told(events.slice(before), other)).toEqual([])
    } finally {
      stop()
    }
  })

  it('the state comes again when it changed, five seconds later at the earliest', { timeout: 60_000 }, async () => {
    // The figures of a listener are kept for some seconds: what another stream of the same person was told may be told to the next one.
    const earlier = await listening()
    await earlier.until(() => earlier.events.some(({ event }) => event === 'station'))
    earlier.stop()
    await given.evidence({ Name: 'one more' })
    const { events, until, stop } = await listening()
    const states = () => events.filter(({ event }) => event === 'station')
    try {
      await until(() => states().length === 1)
      await given.evidence({ Name: 'and one more' })
      const { Evidence: now } = await state()
      await until(() => states().at(-1)?.data.Evidence.Count === now.Count, 45_000)
      expect(states().length).toBeGreaterThan(1)
      // By the clock of the station: when something arrives says when this process had time to look.
      const times = states().map(({ data }) => Date.parse(data.TimeUtc))
      for (const [index, time] of times.slice(1).entries())
        expect(time - (times[index] as number)).toBeGreaterThan(4900)
    } finally {
      stop()
    }
  })
})

describe('a station that nobody verified for a day', () => {
  it('looks by itself, once, fast; one that was verified or is new does not', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-daily-'))
    const db = await openTestDatabase({ file: path.join(folder, 'a.db') })
    try {
      const clock = manualClock()
      const calls: boolean[] = []
      const iso = () => new Date(clock.now()).toISOString()
      const verify: Verify = async (_call, { fast }) => {
        calls.push(fast)
        await db.transaction((tx) => rememberVerification(tx, { TimeUtc: iso(), Result: 'intact', Problems: 0 }))
        return {} as Awaited<ReturnType<Verify>>
      }
      const daily = createDailyVerification({ db, verify, clock })
      await daily.run()
      await db.transaction((tx) =>
        tx.insertInto('tenants').values({ tenant_id: 'x', name_key: 'x', created_utc: iso() }).execute(),
      )
      await daily.run()
      clock.advance(86_399_999)
      await daily.run()
      expect(calls).toEqual([])
      clock.advance(1)
      await daily.run()
      await daily.run()
      expect(calls).toEqual([true])
      clock.advance(86_400_000)
      await daily.run()
      expect(calls).toEqual([true, true])
    } finally {
      await db.close()
      rmSync(folder, { recursive: true })
    }
  })
})
