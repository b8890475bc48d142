/** `ledger accept` that dies at any of its syncs hides nothing and loses nothing (promises I3, I9, D1). */
// @module-tag merge
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { openStation } from '../../server/index.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { acceptLedger } from '../../server/app/accept-ledger.ts'
import { intrude } from '../custody/world.ts'
import { isLong } from '../support/scale.ts'
import { makeShim, shimMissing } from '../support/shim.ts'
import { fileOf, notes, type Tampering, TAMPERINGS } from './tampered.ts'
import { ledger, makePlace, type Place, start } from './world.ts'

const missing = shimMissing()

let place: Place
beforeAll(async () => {
  place = makePlace('accept-killed')
  for (const name of ['first', 'second', 'third']) {
    writeFileSync(place.path(`${name}.txt`), name)
    await command(place.data, 'ingest', { paths: [place.path(`${name}.txt`)], case: null })
  }
}, 120_000)
afterAll(() => place.remove())

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
const accept = (data: string): Promise<unknown> =>
  acceptLedger({
    data,
    database: null,
    reason: 'the disk was exchanged',
    actor: { kind: 'cli', id: 'tester', name: 'cli:tester', kId: '' },
    clock: systemClock,
    log: createLog('silent'),
  })

/** The database alone has what was signed. */
const REWRITTEN_ALONE: Tampering = {
  name: 'rewritten, with no notes beside it',
  spoil: (data) => {
    for (const name of notes(data)) rmSync(path.join(data, 'checkpoints', name))
    intrude(fileOf(data), (db) => db.exec('UPDATE ledger SET hash = zeroblob(32)'))
  },
  says: /its first \d+ entries are not those that were signed/,
}

let made = 0
function spoiled(one: Tampering): string {
  const data = place.path(`copy-${made++}`)
  cpSync(place.data, data, { recursive: true })
  one.spoil(data)
  return data
}

/** Every text that was signed once, or was said to be, wherever it lies: in the database, beside it or aside. */
function texts(data: string): Set<string> {
  const db = openRaw(fileOf(data), { readOnly: true })
  const rows = db.prepare('SELECT note FROM checkpoints').pluck().all() as string[]
  db.close()
  const folder = path.join(data, 'checkpoints')
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && entry.name.endsWith('.txt'),
      )
    : []
  return new Set([...rows, ...files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'))])
}
const kindsOf = async (data: string): Promise<string[]> => {
  const { problems } = (await command(data, 'verify', { fast: true })) as { problems: { kind: string }[] }
  return [...new Set(problems.map(({ kind }) => kind))].sort()
}

/** Runs the command, and kills it where it is about to go on from its sync of this number. @returns whether it came so far */
async function killedAt(data: string, sync: number): Promise<boolean> {
  const shim = makeShim(place.folder('shim'), [{ call: 'sync', path: `${data}*`, action: 'hold', at: sync }])
  const running = start(['ledger', 'accept', '--reason', 'the disk was exchanged'], { data, env: shim.env })
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  while (!ended && shim.acted() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  running.child.kill('SIGKILL')
  const { code } = await running.ended
  const came = shim.acted() > 0
  if (!came) expect(code).toBe(0)
  shim.close()
  return came
}

describe.skipIf(missing !== null)(
  `I3 D1: an acceptance that is cut off${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    it.each([...TAMPERINGS, REWRITTEN_ALONE])(
      '$name: is found again or was recorded, and every checkpoint is kept',
      { timeout: 600_000 },
      async (one) => {
        const whole = spoiled(one)
        const before = texts(whole)
        await accept(whole)
        const expected = await kindsOf(whole)
        expect([...before].filter((text) => !texts(whole).has(text))).toEqual([])
        // The gate takes every twelfth sync, and another one first in each run.
        const step = isLong ? 1 : 12
        for (let sync = 1 + (isLong ? 0 : made % step); ; sync += step) {
          const data = spoiled(one)
          if (!(await killedAt(data, sync))) break
          const at = `${one.name}, cut off at sync ${sync}`
          const again = await accept(data).then(
            () => 'accepted',
            (error: Error) => error.message,
          )
          if (again !== 'accepted') expect(again, at).toMatch(/^There is nothing to accept/)
          expect(
            ledger(data).map(({ action }) => action),
            at,
          ).toContain('ledger.accepted')
          expect(
            [...before].filter((text) => !texts(data).has(text)),
            at,
          ).toEqual([])
          expect(await kindsOf(data), at).toEqual(expected)
        }
      },
    )
  },
)
