/** A station writes nothing over a ledger or schema that is not as it left it (promises I3, I9, I11), until somebody accepts it. */
// @module-tag merge
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { acceptLedger } from '../../server/app/accept-ledger.ts'
import { intrude } from '../custody/world.ts'
import { change, cut, fileOf, notes, TAMPERINGS } from './tampered.ts'
import { patience } from '../support/scale.ts'
import { ledger, makePlace, type Place, rows, say, start, succeedIn } from './world.ts'
import { sampled } from '../support/scale.ts'

let place: Place
beforeAll(async () => {
  place = makePlace('start-check')
  for (const name of ['first', 'second', 'third']) {
    writeFileSync(place.path(`${name}.txt`), name)
    await ingest(place.data, `${name}.txt`)
  }
}, 120_000)
afterAll(() => place.remove())

let made = 0
const copied = (): string => {
  const data = place.path(`copy-${made++}`)
  cpSync(place.data, data, { recursive: true })
  return data
}
const bytesOf = (data: string) => ({ notes: notes(data), database: readFileSync(fileOf(data)) })

/** Every file with its bytes. */
const contentsOf = (data: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(data, file), readFileSync(file, 'base64')]),
  )

/** As a command of the terminal does it, without the time that a process takes to start. */
async function command(data: string, name: string, args: Record<string, unknown>): Promise<unknown> {
  const station = await openStation(
    loadSettings({}, { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' }),
  )
  try {
    return await station.command({ command: name, args, user: 'tester' }, () => {}, new AbortController().signal)
  } finally {
    await station.close()
  }
}
const ingest = (data: string, name: string) => command(data, 'ingest', { paths: [place.path(name)], case: null })
const ACTOR = { kind: 'cli', id: 'tester', name: 'cli:tester', kId: '' } as const
const accept = (data: string, reason: string) =>
  acceptLedger({ data, database: null, reason, actor: ACTOR, clock: systemClock, log: createLog('silent') })

describe('I3: a station that is not as it was left', () => {
  for (const { some, tags } of sampled(TAMPERINGS, 4))
    it.each(some)(
      'I3: $name: commands write nothing; accepted, it goes on',
      { tags, timeout: 120_000 },
      async (one) => {
        const data = copied()
        one.spoil(data)
        const before = bytesOf(data)
        await expect(ingest(data, 'first.txt')).rejects.toThrow(one.says)
        await expect(ingest(data, 'first.txt')).rejects.toThrow(/Nothing is written to it\. .*ledger accept --reason/)
        // It looks, and leaves no entry.
        const { problems } = (await command(data, 'verify', { fast: true })) as { problems: unknown[] }
        expect(problems.length).toBeGreaterThan(0)
        expect(bytesOf(data)).toEqual(before)

        expect((await accept(data, 'the disk was exchanged')).problems.join()).toMatch(one.says)
        const entry = ledger(data).find(({ action }) => action === 'ledger.accepted')
        expect(entry).toMatchObject({
          actor: { kind: 'cli' },
          reason: 'the disk was exchanged',
          detail: { problems: [expect.stringMatching(one.says)], head: expect.stringMatching(/^[0-9a-f]{64}$/) },
        })
        expect(rows(data, 'SELECT kind FROM alarms WHERE acknowledged_at IS NULL')).toEqual([{ kind: 'ledger' }])
        // It takes writes again, and the schema guards the ledger again.
        await ingest(data, 'second.txt')
        expect(() => change(data, 'DELETE FROM ledger')).toThrow(/append-only/)
        expect(() => change(data, 'DELETE FROM checkpoints')).toThrow(/append-only/)
      },
    )

  it('I3: serve opens it read-only, says why, and writes nothing', { timeout: 60_000 }, async () => {
    const data = copied()
    cut(data)
    const before = bytesOf(data)
    const serving = start(['serve', '--port', '0'], { data })
    await serving.says(/^listening /m)
    const url = /^listening (\S+)/m.exec(serving.stdout())?.[1] as string
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    expect(JSON.stringify(await ready.json())).toMatch(/its end was cut off/)
    const signIn = await fetch(`${url}/connect/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ Username: 'nobody', Password: 'a long enough pass phrase', NoticeId: 'default' }),
    })
    expect([signIn.status, await signIn.text()]).toEqual([503, expect.stringMatching(/its end was cut off/)])
    expect(await say(['ingest', place.path('first.txt')], { data })).toMatchObject({ code: 1 })
    serving.child.kill('SIGTERM')
    expect((await serving.ended).code).toBe(0)
    expect(serving.stderr()).toMatch(/The station takes no writes: .*its end was cut off/)
    expect(bytesOf(data)).toEqual(before)
  })

  it('I3: a cut that nothing beside the database shows is seen by the copies outside', {
    timeout: 120_000,
  }, async () => {
    const data = copied()
    const outside = place.folder('drive')
    await succeedIn(data, ['checkpoints', 'add', '--folder', outside])
    await ingest(data, 'second.txt')
    intrude(fileOf(data), (db) => {
      const size = db.prepare('SELECT size FROM checkpoints ORDER BY size DESC LIMIT 1 OFFSET 1').pluck().get()
      db.exec(`DELETE FROM checkpoints WHERE size > ${size}; DELETE FROM ledger WHERE seq > ${size} + 1`)
    })
    // The intruder takes the newest note away too.
    rmSync(path.join(data, 'checkpoints', notes(data).at(-1) as string))
    await expect(ingest(data, 'second.txt')).rejects.toThrow(
      /does not fit the newest checkpoint that was copied to place \d+: /,
    )
    const accepted = await say(['ledger', 'accept', '--reason', 'known'], { data })
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Accepted with entry \d+/) })
    await ingest(data, 'second.txt')
  })

  it('I3: a database that is gone while checkpoints lie beside it is no new station', { timeout: 60_000 }, async () => {
    const data = copied()
    rmSync(fileOf(data))
    await expect(ingest(data, 'first.txt')).rejects.toThrow(/The database is empty or gone/)
    expect(await say(['serve', '--port', '0'], { data })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The database is empty or gone/),
    })
    await expect(accept(data, 'x')).rejects.toThrow(/There is no station/)
    expect(existsSync(fileOf(data))).toBe(false)
  })

  it('I3: there is nothing to accept where all is well', { timeout: 60_000 }, async () => {
    const data = copied()
    const before = ledger(data).length
    const { code, stderr } = await say(['ledger', 'accept', '--reason', 'x'], { data })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nothing to accept/)])
    expect(ledger(data)).toHaveLength(before)
    expect(await say(['ledger', 'accept'], { data })).toMatchObject({ code: 2 })
  })
})

describe('I3: what a power cut leaves does not stop a station', () => {
  it.each([
    [
      'the newest checkpoint has no file yet',
      (data: string) => rmSync(path.join(data, 'checkpoints', notes(data).at(-1) as string)),
    ],
    [
      'a file was half made',
      (data: string) => writeFileSync(path.join(data, 'checkpoints', '000000009999.part'), 'sallyport.local/'),
    ],
    [
      'the drive outside is away',
      (data: string) =>
        change(
          data,
          `INSERT INTO checkpoint_targets (kind, address, created_utc, created_by) VALUES ('folder', '${place.path('away')}', '2026-01-01T00:00:00.000Z', '{}')`,
        ),
    ],
  ] as const)('I3: %s', { timeout: 60_000 }, async (_what, leave) => {
    const data = copied()
    leave(data)
    await ingest(data, 'second.txt')
  })

  it('I3: the very first checkpoint has no file yet', { timeout: 60_000 }, async () => {
    const data = place.path('young')
    mkdirSync(data)
    await ingest(data, 'first.txt')
    expect(rows(data, 'SELECT size FROM checkpoints')).toHaveLength(1)
    for (const name of notes(data)) rmSync(path.join(data, 'checkpoints', name))
    await ingest(data, 'second.txt')
    expect(notes(data)).toHaveLength(2)
  })

  it('I3: a station that was killed, with its last entries in the WAL alone', { timeout: 60_000 }, async () => {
    const data = copied()
    const serving = start(['serve', '--port', '0'], { data })
    await serving.says(/^listening /m)
    serving.child.kill('SIGKILL')
    await serving.ended
    await ingest(data, 'second.txt')
  })
})

describe('a volume that is mounted while a station starts in its empty folder', () => {
  it('is not written to with the keys of the new station', async () => {
    const data = place.path('mounted')
    const there = copied()
    const last = rows(there, 'SELECT max(seq) AS seq FROM ledger')
    const starting = command(data, 'alarms', {}).catch((error: Error) => error)
    // The keys are being made: the database is looked for after them.
    while (!existsSync(path.join(data, 'keys', 'signing.json'))) await new Promise((resolve) => setTimeout(resolve, 1))
    renameSync(fileOf(there), fileOf(data))
    expect(await starting).toMatchObject({ name: 'DataFolderChanged', message: expect.stringContaining('is mounted') })
    expect(rows(data, 'SELECT max(seq) AS seq FROM ledger')).toEqual(last)
  })

  it('is not written to by the station that opened the folder below it', async () => {
    const data = place.path('below')
    const there = copied()
    const below = await openStation(
      loadSettings({}, { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' }),
    )
    renameSync(data, `${data}-away`)
    renameSync(there, data)
    const before = contentsOf(data)
    const refused = await below
      .command(
        { command: 'ingest', args: { paths: [place.path('first.txt')], case: null }, user: 'tester' },
        () => {},
        new AbortController().signal,
      )
      .catch((error: Error) => error)
    expect(refused).toMatchObject({ name: 'DataFolderChanged', message: expect.stringContaining('is mounted') })
    await below.close()
    expect(contentsOf(data)).toEqual(before)
    expect(await command(data, 'verify', { fast: false })).toMatchObject({ problems: [] })
  })

  it('ends a command that waits for its jobs', { timeout: patience(30_000) }, async () => {
    const data = place.path('waits')
    const there = copied()
    const files = place.folder('waiting')
    for (let no = 1; no <= 12; no++) writeFileSync(path.join(files, `${no}.txt`), `file ${no}`)
    const below = await openStation(
      loadSettings({}, { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' }),
    )
    let isMounted = false
    const mount = (progress: unknown): void => {
      // The files are in, and the first job is told of.
      if (isMounted || !String(progress).startsWith('derive.')) return
      isMounted = true
      renameSync(data, `${data}-away`)
      renameSync(there, data)
    }
    const request = { command: 'ingest', args: { paths: [files], case: null }, user: 'tester' }
    const ended = await below.command(request, mount, new AbortController().signal).catch((error: Error) => error)
    expect(isMounted).toBe(true)
    expect((ended as Error).message).toMatch(/^Another folder is in the place of the data folder/)
    await below.close()
  })
})
