/**
 * Promise B7: forwarding through 40 interruptions and 5 days offline. Headquarters is a process of its own behind a proxy: it is killed,
 * answers 503, does not answer, its connections are cut, and its answers are lost. The clock of both stations is moved.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCustodyRecord } from '../../server/features/forwarding/custody.ts'
import { sourceIdOf } from '../../server/features/forwarding/rules.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { givenProxy, type Trouble } from '../forwarding/proxy.ts'
import { administratorOf, completeEvidence, HEADQUARTERS, importInto, itemsOf, someBytes } from '../forwarding/world.ts'
import { ADMINISTRATOR, type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { type Station, startStation, temporaryFolder } from '../support/station.ts'

const RUNS = scale(1, 20)
const INTERRUPTIONS = 40
const DAY = 86_400_000
const SHIFT = fileURLToPath(new URL('shifted-clock.ts', import.meta.url))
const TROUBLES: readonly Trouble[] = ['away', 'busy', 'cut', 'lose', 'lose']

/** A small generator, so that a run can be repeated by its number. */
function randomOf(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0
    return state / 2 ** 32
  }
}

interface Item {
  readonly evidenceId: string
  readonly name: string
  readonly files: readonly Buffer[]
}

describe('B7: forwarding', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    `run %i: through ${INTERRUPTIONS} interruptions and 5 days offline every item arrives once, complete, with custody, and nothing is cleared early`,
    async (run) => {
      const random = randomOf(run)
      // Both clocks advance: where only that of the wall does, the station takes it for a jump, and clears nothing for a day.
      const realNow = Date.now
      const realMonotonic = performance.now.bind(performance)
      let shift = 0
      Date.now = () => realNow() + shift
      performance.now = () => realMonotonic() + shift
      onTestFinished(() => {
        Date.now = realNow
        performance.now = realMonotonic
      })
      const proxy = await givenProxy()
      onTestFinished(proxy.close)
      const { dir, dispose } = await temporaryFolder('headquarters')
      onTestFinished(dispose)
      const data = path.join(dir, 'data')
      await mkdir(data)
      let headquarters: Station | null = null
      let kills = 0
      const start = async (): Promise<void> => {
        headquarters = await startStation({
          data,
          env: {
            SALLYPORT_PUBLIC_URL: proxy.url,
            NODE_OPTIONS: `--import=${SHIFT}`,
            TEST_CLOCK_SHIFT: String(shift),
            SALLYPORT_MIN_FREE_BYTES: '0',
            SALLYPORT_RATE_SERVICE: '1000000',
          },
        })
        proxy.to(headquarters.url)
      }
      onTestFinished(async () => headquarters?.kill())
      await start()
      const command = async (name: string, args: Record<string, unknown>): Promise<Json> =>
        (await callControl(data, { command: name, args, user: 'tester' }, () => {}, new AbortController().signal))
          ?.result
      await command('setup', ADMINISTRATOR)
      const { connection } = await command('integration.create', {
        name: 'station',
        policies: ['CreateCases'],
        group: null,
        baseUrl: proxy.url,
      })

      const station = await givenStation({ fresh: true })
      onTestFinished(station.close)
      const administrator = await administratorOf(station)
      const world = { administrator, connection }
      const items: Item[] = []
      let token = station.token
      const post = (status: number, place: string, body: object): Promise<Json> =>
        station.expecting(status, station.call('POST', `${station.documents}${place}`, { token, body }))
      const add = async (files: readonly number[]): Promise<void> => {
        const name = `item ${items.length + 1}`
        const contents = files.map((length, at) => someBytes(length, run * 1000 + items.length * 10 + at))
        const { EvidenceId } = await post(201, '/evidence', { Name: name, Tags: ['b7'] })
        for (const bytes of contents) {
          const { ResourceId, UploadUri } = await post(201, `/evidence/${EvidenceId}/resource`, { Name: 'clip.bin' })
          await station.put(UploadUri, bytes)
          await post(200, `/evidence/${EvidenceId}/resource/${ResourceId}/complete`, {})
        }
        await post(200, `/evidence/${EvidenceId}/complete`, {})
        items.push({ evidenceId: EvidenceId, name, files: contents })
      }
      const sizeOf = (): number => Math.floor(50_000 + random() * 9_000_000)
      for (let at = 0; at < 8; at++) await add(random() < 0.3 ? [sizeOf(), sizeOf()] : [sizeOf()])
      await add([0])
      // One that must never be cleared.
      const held = await completeEvidence(station, someBytes(400_000, run * 1000 + 999), { Name: 'held', Tags: ['b7'] })
      items.push({ evidenceId: held.evidenceId, name: 'held', files: [someBytes(400_000, run * 1000 + 999)] })
      await station.meddle(
        (db) =>
          void db
            .prepare("UPDATE evidence SET lifecycle_state = 'Protected' WHERE evidence_id = ?")
            .run(Number(held.evidenceId)),
      )
      for (const { evidenceId } of items) await station.settled(evidenceId)

      await importInto(world, { Everything: true, ClearAfterDays: 0, Order: 'smallest' })

      // A local file goes only after its receipt, and never the one that is held.
      const early: string[] = []
      const look = (): void => {
        for (const { name, files, evidenceId } of items)
          for (const bytes of files) {
            const sha256 = sha256Of(bytes)
            if (existsSync(path.join(station.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256))) continue
            const receipts = station.database((db) =>
              db
                .prepare('SELECT count(*) FROM forwarding_receipts WHERE sha256 = ? AND evidence_id = ?')
                .pluck()
                .get(sha256, Number(evidenceId)),
            ) as number
            if (receipts === 0 || name === 'held') early.push(`${name}: ${sha256}`)
          }
      }
      const hits = new Map<string, number>()
      proxy.troubled(({ method, path: place }) => {
        if (proxy.interruptions() + kills >= INTERRUPTIONS) return null
        // What must not be done twice is hit most, and its answer is lost; tokens and checkpoints least, or nothing would ever be sent.
        const what = /\/connect\/|\/checkpoint/.test(place)
          ? 'presenting'
          : method === 'POST' && /\/(evidence|resource|complete|case\/station)$/.test(place)
            ? 'creating'
            : 'other'
        if (random() >= { presenting: 0.05, creating: 0.5, other: 0.15 }[what]) return null
        const trouble =
          what === 'creating' && random() < 0.6 ? 'lose' : (TROUBLES[Math.floor(random() * TROUBLES.length)] as Trouble)
        hits.set(`${what} ${trouble}`, (hits.get(`${what} ${trouble}`) ?? 0) + 1)
        return trouble
      })

      const step = async (): Promise<Json> => {
        look()
        const shown = await administrator('GET', HEADQUARTERS)
        // Somebody presses "Test connection" instead of waiting for the pause after failures.
        if (shown.State === 'away') return administrator('POST', `${HEADQUARTERS}/test`)
        return shown
      }
      const begun = realMonotonic()
      const goOnUntil = async (what: string, ended: (shown: Json) => boolean): Promise<void> => {
        for (;;) {
          const shown = await step()
          if (ended(shown)) return
          if (realMonotonic() - begun > 400_000)
            throw new Error(
              `${what} did not happen; ${JSON.stringify(shown)} ${JSON.stringify(await itemsOf(world, 'failed'))}`,
            )
          if (proxy.interruptions() + kills < INTERRUPTIONS && kills < 6 && random() < 0.08) {
            kills++
            await headquarters?.kill()
            await start()
          }
          await new Promise((resolve) => setTimeout(resolve, 150))
        }
      }
      const half = INTERRUPTIONS / 2
      await goOnUntil('half of the interruptions', () => proxy.interruptions() + kills >= half || false)

      // Five days without a connection; evidence comes in meanwhile.
      await (headquarters as Station | null)?.kill()
      kills++
      for (let day = 0; day < 5; day++) {
        shift += DAY
        token = await signIn(station.connection, station.url)
        if (day < 3) await add([sizeOf()])
        for (let at = 0; at < 3; at++) {
          look()
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      }
      expect(station.ledger().filter(({ action }) => action === 'forwarding.failed')).toEqual([])
      await start()
      await goOnUntil(
        'the end',
        ({ Backlog }) =>
          Backlog.Waiting === 0 &&
          Backlog.Done === items.length &&
          proxy.interruptions() + kills >= Math.min(INTERRUPTIONS, half),
      )
      // What is left of the interruptions hits later changes of the records.
      for (let turn = 0; proxy.interruptions() + kills < INTERRUPTIONS && turn < 60; turn++) {
        const one = items[turn % items.length] as Item
        await station.call('PATCH', `${station.documents}/evidence/${one.evidenceId}`, {
          token,
          body: { Description: `changed ${turn}` },
        })
        await goOnUntil('a change', ({ Backlog }) => Backlog.Waiting === 0)
        await new Promise((resolve) => setTimeout(resolve, 1500))
      }
      await goOnUntil('the end', ({ Backlog }) => Backlog.Waiting === 0 && Backlog.Done === items.length)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      look()
      expect(early).toEqual([])
      expect(await itemsOf(world, 'failed')).toEqual([])
      expect(proxy.interruptions() + kills).toBeGreaterThanOrEqual(INTERRUPTIONS)
      // A run that hits nothing that could be doubled shows nothing.
      expect(hits.get('creating lose') ?? 0).toBeGreaterThanOrEqual(4)

      await (headquarters as Station | null)?.stop()
      judge(data, station, items)
    },
    scale(500_000, 600_000),
  )
})

/** Reads the database and the files of headquarters, and not what it says of itself. */
function judge(data: string, station: Given, items: readonly Item[]): void {
  const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
  const own = openRaw(path.join(station.data, 'sallyport.db'), { readOnly: true })
  try {
    const origin = own.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get() as string
    const key = Buffer.from(
      db.prepare('SELECT public_key FROM received_checkpoints WHERE origin = ?').pluck().get(origin) as string,
      'base64',
    )
    const arrived = db
      .prepare('SELECT evidence_id AS id, source_id AS source, state, name FROM evidence')
      .all() as Json[]
    const nameOf = (evidenceId: string): string => {
      const created = own.prepare('SELECT created_utc FROM evidence WHERE evidence_id = ?').pluck()
      return sourceIdOf(origin, Number(evidenceId), created.get(Number(evidenceId)) as string)
    }
    expect(arrived.map(({ source }) => source).sort()).toEqual(items.map(({ evidenceId }) => nameOf(evidenceId)).sort())
    for (const { evidenceId, files, name } of items) {
      const there = arrived.find(({ source }) => source === nameOf(evidenceId))
      expect(there).toMatchObject({ state: 'UserCompleted', name })
      const uploaded = db
        .prepare(
          "SELECT name, sha256, length, state FROM resources WHERE evidence_id = ? AND role = 'original' AND state <> 'Failed' ORDER BY resource_id",
        )
        .all(there.id) as Json[]
      expect(
        uploaded.every(({ state }) => state === 'UserCompleted'),
        JSON.stringify(uploaded),
      ).toBe(true)
      const originals = uploaded.filter((one) => !one.name.startsWith('custody '))
      expect(originals.map(({ sha256 }) => sha256).sort()).toEqual(files.map((bytes) => sha256Of(bytes)).sort())
      const custody = uploaded.filter((one) => one.name.startsWith('custody '))
      expect(custody.length).toBeGreaterThan(0)
      const { sha256 } = custody.at(-1) as Json
      const text = readBlob(data, sha256)
      const opened = openCustodyRecord(text, key)
      expect(opened.isProved).toBe(true)
      expect(opened.origin).toBe(origin)
      const actions = opened.lines.map(({ action }) => action)
      expect(actions.filter((action) => action === 'resource.forwarded')).toHaveLength(files.length)
      expect(actions).toContain('evidence.created')
    }
  } finally {
    db.close()
    own.close()
  }
}

const readBlob = (data: string, sha256: string): string =>
  readFileSync(path.join(data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'utf8')
