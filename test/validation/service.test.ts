/** C7: how runs of a self-validation end, when they repeat, and what is kept of them; with checks that do as they are told. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Finding } from '../../server/features/validation/checks/check.ts'
import { TAMPERINGS, tamperWith } from '../../server/features/validation/checks/tamper.store.ts'
import { keptResults, MOST_KEPT, resultName } from '../../server/features/validation/kept-results.ts'
import {
  type Checks,
  createValidation,
  type ValidationDeps,
} from '../../server/features/validation/validation.service.ts'
import { createAlarms } from '../../server/kernel/ledger/alarms.ts'
import { machineFacts } from '../../server/platform/machine/machine-facts.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import { CHECKS } from '../../shared/validation/checks.ts'
import { officer, openWorld } from '../custody/world.ts'
import { openTestRows } from '../support/rows.ts'
import { isOnPostgres } from '../support/postgres-given.ts'

const WEEK = 7 * 86_400_000
const OK: Finding = { result: 'ok', done: 'Nothing.', figures: {}, problem: null }
const checksWith = (own: Partial<Checks>): Checks =>
  ({ ...Object.fromEntries(CHECKS.map((name) => [name, async () => OK])), ...own }) as Checks

async function validating(own: Partial<Checks> = {}, more: Partial<ValidationDeps> = {}) {
  const world = await openWorld()
  const { dir, db, ledger, clock, log, keys } = world
  const store = await openBlobStore({ root: path.join(dir, 'blobs'), now: clock.now })
  onTestFinished(() => store.close())
  const folder = path.join(dir, 'validations')
  const results = keptResults(folder, () => keys.packages.current()?.publicKey ?? null)
  const validation = createValidation({
    db,
    ledger,
    alarms: createAlarms({ ledger, clock, log }),
    clock,
    log,
    store,
    keys,
    results,
    checks: checksWith(own),
    mayWrite: () => true,
    requireWrites: () => {},
    station: { name: 'Harrow Quay', origin: 'x', program: '0', data: dir, blobs: store.root, database: 'SQLite' },
    machine: machineFacts,
    disksBelow: async () => [],
    ...more,
  })
  onTestFinished(validation.stop)
  return { ...world, validation, folder }
}

const hanging = (): Promise<Finding> => new Promise(() => {})

describe('a check', () => {
  it('C7 that throws, or does not end, has failed, and the others go on', async () => {
    const { validation } = await validating(
      {
        hashes: async () => {
          throw new Error('The disk is gone.')
        },
        ledger: hanging,
      },
      { limits: { check: 50, run: 10_000 } },
    )
    const { result } = await validation.run(officer(), {})
    expect(result.counts).toEqual({ ok: CHECKS.length - 2, failed: 2, unknown: 0, notBuilt: 0 })
    expect(result.checks[0]).toMatchObject({ name: 'hashes', result: 'failed', problem: 'The disk is gone.' })
    expect(result.checks[2]).toMatchObject({
      name: 'ledger',
      result: 'failed',
      problem: expect.stringMatching(/did not end/),
    })
  })

  it('C7 that hangs does not use up more than the time of the run', async () => {
    const all = Object.fromEntries(CHECKS.map((name) => [name, hanging])) as unknown as Checks
    const { validation, clock } = await validating({
      ...all,
      hashes: async () => {
        clock.advance(200_000)
        return OK
      },
    })
    const began = performance.now()
    const { result } = await validation.run(officer(), {})
    expect(result.counts.failed).toBe(CHECKS.length - 1)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('C7 that failed again raises no second alarm while the first is open', async () => {
    const { validation, ledger, clock } = await validating({
      volumes: async () => ({ ...OK, result: 'failed', problem: 'A bit.' }),
    })
    await validation.run(officer(), {})
    clock.advance(1000)
    await validation.run(officer(), {})
    const raised = await ledger.entriesFor('alarm', '1', { count: 10 })
    expect(raised.map(({ entry }) => [entry.action, entry.reason])).toEqual([
      ['alarm.raised', 'Self-validation, volumes: A bit.'],
    ])
    expect(await ledger.entriesFor('alarm', '2', { count: 10 })).toEqual([])
  })
})

describe('runs', () => {
  it('C7 that are cancelled leave no result, and the next one can begin', async () => {
    const abort = new AbortController()
    const { validation, folder, dir } = await validating({ clock: hanging })
    const running = validation.run(officer(), {
      signal: abort.signal,
      onProgress: ({ check }) => {
        if (check === 'clock') abort.abort(new Error('Ctrl C'))
      },
    })
    await expect(running).rejects.toThrow('Ctrl C')
    expect(validation.running()).toBe(null)
    expect(readdirSync(dir)).not.toContain('.validation')
    expect(readdirSync(dir)).not.toContain(path.basename(folder))
    expect(await validation.newest()).toBe(null)
  })

  it('C7 repeat by themselves a week after the last one, only where that was chosen', async () => {
    const { validation, clock } = await validating()
    await validation.runDue()
    expect(await validation.kept(10)).toEqual([])
    await validation.schedule(officer(), true)
    await validation.runDue()
    const [first] = await validation.kept(10)
    expect(first?.result.askedBy.kind).toBe('internal')
    clock.advance(WEEK - 60_000)
    await validation.runDue()
    expect(await validation.kept(10)).toHaveLength(1)
    clock.advance(60_000)
    await validation.runDue()
    expect(await validation.kept(10)).toHaveLength(2)
    await validation.schedule(officer(), false)
    clock.advance(2 * WEEK)
    await validation.runDue()
    expect(await validation.kept(10)).toHaveLength(2)
  })

  it('C7 keep the newest 60, and nothing that was never signed', async () => {
    const { validation, clock, folder } = await validating()
    mkdirSync(folder)
    writeFileSync(path.join(folder, '20200101T000000.000Z.json'), '{}')
    for (let run = 0; run < MOST_KEPT + 2; run++) {
      clock.advance(60_000)
      await validation.run(officer(), {})
    }
    const names = readdirSync(folder)
    expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(MOST_KEPT)
    expect(names.filter((name) => name.endsWith('.sig'))).toHaveLength(MOST_KEPT)
    expect(names).not.toContain('20200101T000000.000Z.json')
    const [newest] = await validation.kept(1)
    expect(newest?.result.startedUtc).toBe(new Date(clock.now()).toISOString())
    expect(newest?.name).toBe(resultName(newest?.result.startedUtc ?? ''))
  })

  it('C7 whose file was changed are given to nobody as proof', async () => {
    const { validation, folder } = await validating()
    const { name, text } = await validation.run(officer(), {})
    expect((await validation.newest())?.name).toBe(name)
    writeFileSync(path.join(folder, `${name}.json`), text.replace('Harrow Quay', 'Harrow Kway'))
    expect(await validation.newest()).toBe(null)
    expect(await validation.kept(1)).toMatchObject([{ name, holds: false }])
  })
})

it.skipIf(isOnPostgres)(
  `C7 tampering is refused on the database of a station, and changes nothing in it${isOnPostgres ? ' (skipped: what is tampered with is a file)' : ''}`,
  async () => {
    const { db, file, ledger } = await openWorld()
    await ledger.record(officer(), { action: 'evidence.read', object: { type: 'evidence', id: '1', name: 'scratch' } })
    await db.transaction((tx) => tx.insertInto('station').values({ name: 'origin', value: 'x' }).execute())
    for (const tampering of TAMPERINGS)
      expect(() => tamperWith(file, tampering, 1)).toThrow('is the database of a station')
    const rows = openTestRows(file)
    expect(() => rows.prepare('DELETE FROM ledger').run()).toThrow('append-only')
    rows.close()
  },
)
