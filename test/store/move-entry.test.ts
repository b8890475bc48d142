/** The end of a move, on real databases: its entry at the new home. Whole moves are in test/scale/moves.test.ts and test/scale/b6-move.test.ts. */
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/station.ts'
import { type Database, openDatabase } from '../../server/kernel/database/database.ts'
import { setStationValue } from '../../server/kernel/database/station-values.ts'
import type { Call } from '../../server/kernel/ledger/call.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import type { OpenedKernel } from '../../server/app/kernel.ts'
import { arrivingText, setMoved } from '../../server/app/move/home.store.ts'
import { createMove } from '../../server/app/move/move.ts'

const ORIGIN = 'station-7.example/ledger'
const CALL: Call = {
  actor: { kind: 'cli', id: 'tester', name: 'cli:tester', kId: '' },
  source: 'cli',
  correlationId: 'the move',
}
const clock = manualClock()
const log = createLog('silent')
const entriesIn = async ({ read }: Database) =>
  (await read.selectFrom('ledger').select('body').orderBy('seq').execute()).map(({ body }) => storedEntry(body))

/** A station that left PostgreSQL for its data folder, cut off before the new database had its entry. The old one is a file here. */
async function cutOff() {
  const { dir, dispose } = await temporaryFolder('move-entry')
  onTestFinished(dispose)
  const [left, data] = [path.join(dir, 'left.db'), path.join(dir, 'data')]
  mkdirSync(path.join(data, 'arriving'), { recursive: true })
  const before = await openDatabase({ file: left })
  const ledger = createLedger({ db: before, clock, log })
  await before.transaction((tx) => setStationValue(tx, 'origin', ORIGIN))
  const object = { type: 'station', id: '1', name: '' }
  await before.transaction((tx) => ledger.append(tx, CALL, { action: 'station.started', object }))
  const head = await ledger.head()
  await ledger.stop()
  await before.close()
  const copy = path.join(data, 'arriving', 'sallyport.db')
  copyFileSync(left, copy)
  const arriving = await openDatabase({ file: copy })
  await arriving.transaction((tx) =>
    setStationValue(tx, 'arriving', arrivingText({ origin: ORIGIN, from: 'postgres://127.0.0.1:5432/left' })),
  )
  await arriving.close()
  const db = await openDatabase({ file: left })
  onTestFinished(() => db.close())
  const timeUtc = '2026-11-21T06:00:00.000Z'
  await db.transaction((tx) =>
    setMoved(tx, { entries: head.seq, head: head.hash, timeUtc, database: 'sqlite', blobs: 'folder' }),
  )
  const kernel = {
    db,
    clock,
    log,
    origin: ORIGIN,
    settings: { data, databaseUrl: 'postgres://officer:secret@127.0.0.1:5432/left' },
    mode: { isRetired: () => true, reason: () => 'It moved.' },
  } as unknown as OpenedKernel
  return { kernel, head, home: path.join(data, 'sallyport.db'), before: await entriesIn(db) }
}

it('I1: the new home has one entry more than the old one, of who moved the station, from where and to where; again it has no other', async () => {
  const { kernel, head, home, before } = await cutOff()
  const move = createMove(kernel, { retire: async () => {} })
  const end = () => move(CALL, { database: 'sqlite', blobs: null }, () => {}, new AbortController().signal)
  await end()
  await end()
  const db = await openDatabase({ file: home })
  onTestFinished(() => db.close())
  const entries = await entriesIn(db)
  expect(entries.slice(0, -1)).toEqual(before)
  expect(entries.at(-1)).toEqual({
    format: 1,
    seq: head.seq + 1,
    timeUtc: new Date(clock.now()).toISOString(),
    action: 'station.moved',
    actor: { kind: 'cli', id: 'tester', name: 'cli:tester', role: null },
    source: 'cli',
    correlationId: 'the move',
    object: { type: 'station', id: '1', name: '' },
    outcome: 'ok',
    reason: null,
    bytes: null,
    sha256: null,
    detail: {
      from: { database: 'postgres://127.0.0.1:5432/left', blobs: 'folder' },
      to: { database: 'sqlite', blobs: 'folder' },
      entries: head.seq,
      head: head.hash,
      rows: null,
      blobs: null,
    },
  })
  expect(await entriesIn(kernel.db)).toEqual(before)
})
