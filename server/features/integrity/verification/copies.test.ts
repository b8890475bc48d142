import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { type Database, openDatabase } from '../../../kernel/database/database.ts'
import { createAlarms } from '../../../kernel/ledger/alarms.ts'
import { createLedger, type Ledger } from '../../../kernel/ledger/ledger.ts'
import { manualClock } from '../../../platform/clock/manual-clock.ts'
import { createLog } from '../../../platform/log/log.ts'
import { insertCheckpoint } from './checkpoints.store.ts'
import { createCopies } from './copies.ts'
import { changeCopyTarget, copyTargets, insertCopyTarget } from './copies.store.ts'

let folder: string
let db: Database
let ledger: Ledger
const clock = manualClock()
const log = createLog('silent')
const call = { actor: INTERNAL, source: 'station', correlationId: 'test' }
const asked = vi.fn()

const copiesOn = (node: string | null, sendsToStations: boolean) =>
  createCopies({
    db,
    ledger,
    alarms: createAlarms({ ledger, clock, log }),
    clock,
    log,
    origin: 'station',
    publicKeys: () => [],
    signer: () => ({ publicKey: new Uint8Array(32), sign: () => new Uint8Array(64) }),
    rotations: async () => [],
    folders: [],
    node,
    sendsToStations: () => sendsToStations,
    sealer: { seal: () => '', open: () => Buffer.from('{}') },
    remote: () => {
      asked()
      throw new Error('It does not answer')
    },
    mayWrite: () => true,
    sign: async () => {},
  })

/** Every place of these tests fails: that shows who tried. */
async function triedOn(node: string | null, sendsToStations: boolean): Promise<string[]> {
  await db.transaction(async (tx) => {
    for (const { target_id: id } of await copyTargets(tx)) await changeCopyTarget(tx, id, { failures: 0, next_at: 0 })
  })
  await copiesOn(node, sendsToStations).runDue()
  return (await copyTargets(db.read)).filter(({ failures }) => failures > 0).map(({ address }) => address)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-copies-'))
  db = await openDatabase({ file: join(folder, 'a.db') })
  ledger = createLedger({ db, clock, log, appended: async () => {} })
  const at = { created_utc: '2026-11-25T00:00:00.000Z', created_by: '{}' }
  await db.transaction(async (tx) => {
    await insertCheckpoint(tx, {
      size: 1,
      root: Buffer.alloc(32),
      head: Buffer.alloc(32),
      frontier: Buffer.alloc(32),
      note: '',
      reason: 'hour',
      created_utc: at.created_utc,
    })
    for (const node of ['a', 'b'])
      await insertCopyTarget(tx, { kind: 'folder', address: join(folder, `of ${node}`), node_id: node, ...at })
    const { target_id: id } = await insertCopyTarget(tx, {
      kind: 'station',
      address: 'elsewhere',
      node_id: null,
      ...at,
    })
    await changeCopyTarget(tx, id, { sealed: 'sealed' })
  })
})
afterEach(async () => {
  await ledger.stop()
  await db.close()
  rmSync(folder, { recursive: true })
})

it('B3: each node copies checkpoints to its own folders, and one of them to other stations', async () => {
  expect(await triedOn('a', true)).toEqual([join(folder, 'of a'), 'elsewhere'])
  expect(await triedOn('b', false)).toEqual([join(folder, 'of b')])
  expect(asked).toHaveBeenCalledTimes(1)
})

it('a station copies to all places', async () => {
  expect(await triedOn(null, true)).toHaveLength(3)
})

it('B3: a copy to the folder of another node is refused with the reason', async () => {
  const [ofA] = await copyTargets(db.read)
  const copied = copiesOn('b', false).copyNow(call, String(ofA?.target_id))
  await expect(copied).rejects.toThrow('Another node copies to this place')
})
