/**
 * The board of calls versus footage: a day of 500 officers, 2,000 calls and 8,000 recordings in rows, judged for somebody who can view all
 * of it and is told of cameras, with older days before it and a docking of every camera each day.
 *   npm run bench -- board [times = 10]
 * Prints one line of JSON. Aim: under 1 s.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { boardOf, type Sight } from '../../server/features/calls-board/board.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { type Principal } from '../../shared/kernel/principal.ts'
import { at, engineWorld, MINUTE, ZERO } from '../correlation/world.ts'

const [times = '10'] = process.argv.slice(2)
const [OFFICERS, CALLS, RECORDINGS, DAYS] = [500, 2_000, 8_000, 3]
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-bench-board-'))
let seed = 7
const draw = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}

const world = await engineWorld(path.join(folder, 'day.db'))
try {
  const people: number[] = []
  const cameras: { id: string; name: string }[] = []
  for (let number = 0; number < OFFICERS; number++) {
    const officer = await world.officer()
    const camera = await world.device()
    people.push(officer)
    cameras.push(camera)
    await world.shifts(camera.id, [{ officer, from: -DAYS * 1440, to: 3_000 }])
  }
  for (let day = 1 - DAYS; day <= 0; day++) await fill(day * 1440)
  const boss: Principal = { kind: 'user', id: String(people[0]), name: 'boss', kId: 'boss' }
  const access = createAccess({ clock })
  const all = (levels: ReadonlyMap<number, string>) =>
    new Set([...levels].flatMap(([id, level]) => (level === 'None' ? [] : [id])))
  const sight: Sight = {
    cases: async (ids) => all(await access.onCases(world.db.read, boss, ids)),
    evidences: async (ids) => all(await access.onEvidences(world.db.read, boss, ids)),
    camerasOf: () => true,
    dockings: true,
  }
  const day = { from: ZERO, to: ZERO + 1440 * MINUTE }
  const took: number[] = []
  let pairs = 0
  for (let time = 0; time < Number(times); time++) {
    const from = performance.now()
    const board = await boardOf(world.db.read, 'station', day, sight)
    took.push(performance.now() - from)
    pairs = board.pairs.length
  }
  took.sort((a, b) => a - b)
  const line = { what: 'a day of the board', officers: OFFICERS, calls: CALLS, recordings: RECORDINGS, pairs }
  const millis = { median: Math.round(took[took.length >> 1] as number), most: Math.round(took.at(-1) as number) }
  process.stdout.write(`${JSON.stringify({ ...line, millis })}\n`)
  if (pairs < CALLS) throw new Error('the board does not hold the day')

  /** One day in rows, many at a time: the services are measured elsewhere. */
  async function fill(from: number): Promise<void> {
    const now = at(0).text
    const made = { created_utc: now, created_ticks: at(from).ticks, created_by: '{}' }
    const day = DAYS + Math.floor(from / 1440)
    const calls = Array.from({ length: CALLS }, (_, number) => {
      const start = from + draw(1440)
      const who = [...new Set([draw(OFFICERS), draw(OFFICERS)])].map((one) => people[one] as number)
      return { id: day * CALLS + number + 1, from: at(start), to: at(start + 5 + draw(60)), who }
    })
    const recordings = Array.from({ length: RECORDINGS }, (_, number) => {
      const start = from + draw(1440)
      const device_id = (cameras[number % OFFICERS] as { id: string }).id
      return { id: day * RECORDINGS + number + 1, number, device_id, from: at(start), to: at(start + 5 + draw(40)) }
    })
    const policy = { principal_id: people[0] as number, level: 'View' as const, expires_utc: null, expires_ticks: null }
    const millis = ({ ticks }: { readonly ticks: bigint }): number => Number(ticks / 10_000n)
    await world.db.transaction(async (tx) => {
      for (const some of chunks(calls)) {
        await tx
          .insertInto('cases')
          .values(
            some.map((one) => ({
              case_id: one.id,
              tenant_id: 'station',
              ordinal_year: 2026,
              ordinal_number: 1_000_000 + one.id,
              title: `call ${one.id}`,
              state: 'Open' as const,
              lifecycle_state: 'Normal' as const,
              tags: '[]',
              custom_fields: '{}',
              source_type: 'Cad' as const,
              concurrency_id: '',
              ...made,
              modified_utc: now,
              modified_by: '{}',
              occurred_on: one.from.text,
              occurred_ticks: one.from.ticks,
              ended_on: one.to.text,
              ended_ticks: one.to.ticks,
            })),
          )
          .execute()
        await tx
          .insertInto('cad_events')
          .values(
            some.map((one) => ({
              tenant_id: 'station',
              event_id: `E ${one.id}`,
              case_id: one.id,
              transaction_ticks: null,
              stated: JSON.stringify({
                involvedResources: one.who.map((who) => ({ id: `unit ${who % 50}`, name: `officer ${who * 2 - 1}` })),
              }),
              written: '{}',
              by_hand: '[]',
            })),
          )
          .execute()
        await tx
          .insertInto('case_personnel')
          .values(
            some.flatMap((one) =>
              one.who.map((who, position) => ({ case_id: one.id, position, principal_id: who, role: 'Assigned' })),
            ),
          )
          .execute()
        await tx
          .insertInto('case_policies')
          .values(some.map((one) => ({ case_id: one.id, ...policy })))
          .execute()
      }
      for (const some of chunks(recordings)) {
        await tx
          .insertInto('evidence')
          .values(
            some.map((one) => ({
              evidence_id: one.id,
              tenant_id: 'station',
              name: 'clip',
              concurrency_id: '',
              ...made,
            })),
          )
          .execute()
        await tx
          .insertInto('evidence_recordings')
          .values(
            some.map((one) => ({ evidence_id: one.id, device_id: one.device_id, recorded_ticks: one.from.ticks })),
          )
          .execute()
        await tx
          .insertInto('correlation_recordings')
          .values(
            some.map((one) => ({
              evidence_id: one.id,
              device_id: one.device_id,
              recorded_ms: millis(one.from),
              from_ms: millis(one.from),
              to_ms: millis(one.to),
              offset_ms: 0,
              uncertainty_ms: 1000,
              latitude: null,
              longitude: null,
              names: JSON.stringify([`CAM_${String(one.id).padStart(6, '0')}.mp4`]),
            })),
          )
          .execute()
        await tx
          .insertInto('evidence_policies')
          .values(some.map((one) => ({ evidence_id: one.id, ...policy })))
          .execute()
      }
      await tx
        .insertInto('dock_sessions')
        .values(cameras.map(({ id }) => docking(id, ZERO + (from + 1500) * MINUTE)))
        .execute()
    })
  }
} finally {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
}

function chunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 500) }, (_, at) => all.slice(at * 500, (at + 1) * 500))
}

function docking(id: string, at: number) {
  return {
    tenant_id: 'station',
    volume_id: 'v',
    camera_key: id,
    bay: '1',
    label: 'x',
    state: 'released' as const,
    before: null,
    reason: null,
    ended: 1,
    device_id: id,
    device: null,
    profile: null,
    notes: null,
    clock: null,
    configuration: null,
    clear_rule: 'never',
    detected_at: at,
    first_byte_at: null,
    last_byte_at: null,
    committed_at: at + MINUTE,
    released_at: null,
    receipt: null,
    receipt_sha256: null,
    receipt_signature: null,
    receipt_key: null,
  }
}
