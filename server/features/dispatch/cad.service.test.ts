import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseJson } from '../../http/json.ts'
import { type Database, openDatabase } from '../../kernel/database/database.ts'
import { createLedger, type Ledger } from '../../kernel/ledger/ledger.ts'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import { createLog } from '../../platform/log/log.ts'
import { type CadPush, createCadPush } from './cad.service.ts'

let folder: string
let db: Database
let ledger: Ledger
let push: CadPush
const clock = manualClock()
const log = createLog('silent')
const call = {
  actor: { kind: 'service', id: '1', name: 'cad', kId: 'cad' },
  source: 'test',
  correlationId: 'test',
} as const
/** No events: they are listed, and no case is written. */
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-cad-'))
  db = await openDatabase({ file: join(folder, 'a.db') })
  ledger = createLedger({ db, clock, log, appended: async () => {} })
  push = createCadPush({ db, ledger, clock, log, parseJson, writeCase: () => Promise.reject(new Error('no case')) })
  await db.transaction(async (tx) => {
    const at = '2026-11-25T00:00:00.000Z'
    await tx.insertInto('tenants').values({ tenant_id: 't', name_key: 't', created_utc: at }).execute()
    await tx
      .insertInto('principals')
      .values({
        principal_id: 1,
        tenant_id: 't',
        kind: 'service',
        name: 'cad',
        name_key: 'cad',
        k_id: 'cad',
        created_utc: at,
        created_by: '0',
        last_sign_in_at: null,
        password_hash: null,
        base_url: null,
        deleted_utc: null,
      })
      .execute()
  })
})
afterEach(async () => {
  await ledger.stop()
  await db.close()
  rmSync(folder, { recursive: true })
})

const places = async (): Promise<(number | null)[]> =>
  (await db.read.selectFrom('cad_messages').select('position').orderBy('message_id').execute()).map(
    (one) => one.position,
  )

describe('B3: a delivery that another node reads too', () => {
  it('of one message is read once', async () => {
    const id = await push.keep(call, 't', bytes({}), false)
    await push.one(call, id)
    await expect(push.one(call, id)).rejects.toThrow()
    expect(await places()).toEqual([null])
  })

  it('of a batch has each of its messages read once', async () => {
    const id = await push.keep(call, 't', bytes([{}, {}, {}]), true)
    await Promise.all([push.batch(call, id), push.batch(call, id)])
    expect(await places()).toEqual([0, 1, 2])
  })

  it('is left to its node while that may still be reading it', async () => {
    await push.keep(call, 't', bytes({}), false)
    clock.advance(119_000)
    await push.catchUp(120_000)
    expect(await places()).toEqual([])
    clock.advance(1_000)
    await push.catchUp(120_000)
    expect(await places()).toEqual([null])
  })
})
