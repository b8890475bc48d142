/** What a station that keeps the checkpoints of others takes and refuses (promise I4), over a real ledger with real keys. */
import { generateKeyPairSync, sign as signWith } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAlarms } from '../../server/kernel/ledger/alarms.ts'
import { acceptRestored } from '../../server/features/integrity/verification/accept-restored.ts'
import { checkpointRows } from '../../server/features/integrity/verification/checkpoints.store.ts'
import { consistencyProof, rootAt } from '../../server/features/integrity/verification/consistency.ts'
import { verifyConsistency } from '../../server/kernel/ledger/merkle.ts'
import { openCosignature } from '../../server/kernel/ledger/cosignature.ts'
import { openCheckpoint, signCheckpoint, textOfNote } from '../../server/kernel/ledger/signed-note.ts'
import {
  createReceived,
  type GivenCheckpoint,
  type Received,
} from '../../server/features/integrity/verification/received.ts'
import { readRotation } from '../../server/kernel/ledger/key-rotation.ts'
import { intrude, makeWorld, officer, ORIGIN, read, type World } from './world.ts'

let world: World
let keeper: World
let received: Received
/** Signed over 30, 70, by the next key 80 and 120 entries. */
let notes: Map<number, string>
const call = () => ({ ...officer(), actor: { kind: 'service', id: '1', name: 'neighbour', kId: '' } as const })
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

beforeAll(async () => {
  ;[world, keeper] = await Promise.all([makeWorld(), makeWorld()])
  const writeUpTo = async (last: number): Promise<void> => {
    for (let { seq } = await world.ledger.head(); seq < last; seq++) await world.ledger.record(officer(), read(seq + 1))
  }
  await writeUpTo(30)
  await world.checkpoints.take('hour')
  await writeUpTo(70)
  await world.checkpoints.take('hour')
  await world.checkpoints.rotate(officer())
  await writeUpTo(120)
  await world.checkpoints.take('hour')
  notes = new Map((await checkpointRows(world.db.read, 100)).map(({ size, note }) => [size, note]))
  await keeper.db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: 'station', name_key: 'station', created_utc: '2026-01-01T00:00:00.000Z' })
      .execute()
    await tx
      .insertInto('principals')
      .values({
        tenant_id: 'station',
        kind: 'service',
        name: 'neighbour',
        name_key: 'neighbour',
        k_id: 'urn:x',
        password_hash: null,
        base_url: null,
        created_utc: '2026-01-01T00:00:00.000Z',
        created_by: 'x',
        last_sign_in_at: null,
        deleted_utc: null,
      })
      .execute()
  })
  const { db, ledger, clock, log } = keeper
  received = createReceived({
    db,
    ledger,
    clock,
    alarms: createAlarms({ ledger, clock, log }),
    origin: 'keeper',
    signer: keeper.keys.signing.current,
  })
})
afterAll(async () => {
  await world?.remove()
  await keeper?.remove()
})

const rotation = async () => {
  const [, next] = world.keys.signing.publicKeys()
  const [entry] = await world.ledger.entriesFor('key', base64(next as Uint8Array), { count: 1 })
  return readRotation(entry?.entry.detail)
}
const given = async (size: number, from: number | null): Promise<GivenCheckpoint> => {
  const note = notes.get(size) as string
  return {
    note,
    publicKey: base64(openCheckpoint(note, world.keys.signing.publicKeys()).signedBy),
    rotations: [await rotation()],
    proof: from === null ? [] : (await consistencyProof(world.db, from, size)).map(base64),
  }
}
const refused = async (one: GivenCheckpoint, why: RegExp): Promise<void> => {
  const before = await received.last(ORIGIN)
  const { seq } = await keeper.ledger.head()
  await expect(received.receive(call(), one)).rejects.toMatchObject({
    code: 'CheckpointRefused',
    message: expect.stringMatching(why),
  })
  const after = await received.last(ORIGIN)
  expect([after.size, after.note, after.refused_utc]).toEqual([before.size, before.note, expect.any(String)])
  const [entry] = await keeper.ledger.entriesFor('origin', ORIGIN, { count: 1 })
  expect(entry?.entry).toMatchObject({
    action: 'checkpoint.refused',
    outcome: 'failed',
    reason: expect.stringMatching(why),
  })
  expect((await keeper.ledger.head()).seq).toBeGreaterThan(seq)
}

describe('proofs over the ledger as it lies in the database', () => {
  it('hold between every two sizes, with a checkpoint at the older one or without', async () => {
    let proved = 0
    for (const older of [1, 2, 3, 29, 30, 31, 64, 70, 100])
      for (const newer of [31, 64, 70, 99, 120]) {
        if (newer < older) continue
        const roots = [await rootAt(world.db, older), await rootAt(world.db, newer)] as [Uint8Array, Uint8Array]
        const proof = await consistencyProof(world.db, older, newer)
        expect([
          older,
          newer,
          verifyConsistency({ size: older, root: roots[0] }, { size: newer, root: roots[1] }, proof),
        ]).toEqual([older, newer, true])
        proved += 1
      }
    expect(proved).toBeGreaterThan(30)
    expect(await rootAt(world.db, 100_000)).toBeNull()
    await expect(consistencyProof(world.db, 100, 100_000)).rejects.toThrow('The ledger has no entry')
  })
})

describe('S19: a ledger that lacks an entry', () => {
  it('has neither a root nor a proof past it', async () => {
    const other = await makeWorld()
    try {
      for (let { seq } = await other.ledger.head(); seq < 6; seq++) await other.ledger.record(officer(), read(seq + 1))
      expect(await rootAt(other.db, 5)).not.toBeNull()
      intrude(other.file, (db) => db.exec('DELETE FROM ledger WHERE seq = 3'))
      expect(await rootAt(other.db, 2)).not.toBeNull()
      expect(await rootAt(other.db, 5)).toBeNull()
      await expect(consistencyProof(other.db, 2, 5)).rejects.toThrow('The ledger has no entry')
    } finally {
      await other.remove()
    }
  })
})

describe('I4 a checkpoint that came', () => {
  const sizes = () => [...notes.keys()].sort((a, b) => a - b)

  it('is kept when it continues the one before, over a handing over of the key too', async () => {
    let last: number | null = null
    for (const size of sizes()) {
      const { row } = await received.receive(call(), await given(size, last))
      expect([row.size, row.note]).toEqual([size, notes.get(size)])
      last = size
    }
    expect(last).toBe(120)
    // The same again changes nothing.
    expect((await received.receive(call(), await given(120, null))).row.size).toBe(120)
  })

  it('is co-signed, and an older one too when the kept one continues it', async () => {
    const { note } = await given(120, null)
    const { cosignature } = await received.receive(call(), await given(120, null))
    expect(openCosignature(cosignature, textOfNote(note))).toMatchObject({
      name: 'keeper',
      publicKey: keeper.keys.signing.current().publicKey,
    })
    const before = await received.last(ORIGIN)
    const older = sizes().filter((size) => size < 120)
    expect(older.length).toBeGreaterThan(2)
    for (const size of older) {
      const one = await given(size, null)
      const proof = (await consistencyProof(world.db, size, 120)).map(base64)
      const found = await received.cosignOlder(call(), { ...one, proof })
      expect(openCosignature(found.cosignature, textOfNote(one.note)).name).toBe('keeper')
      expect([found.row.size, await received.last(ORIGIN)]).toEqual([120, before])
      const [entry] = await keeper.ledger.entriesFor('origin', ORIGIN, { count: 1 })
      expect(entry?.entry).toMatchObject({ action: 'checkpoint.cosigned', detail: { size, kept: 120 } })
    }
    // One that is not older is received.
    expect((await received.cosignOlder(call(), await given(120, null))).row.size).toBe(120)
  })

  it('S19: an older one is not co-signed without a proof, by another key, or of another ledger', async () => {
    const size = sizes()[1] as number
    const one = await given(size, null)
    const proof = (await consistencyProof(world.db, size, 120)).map(base64)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
    const stranger = { publicKey: raw, sign: (bytes: Uint8Array) => new Uint8Array(signWith(null, bytes, privateKey)) }
    const { root } = openCheckpoint(one.note, world.keys.signing.publicKeys())
    const forged = {
      ...one,
      proof,
      publicKey: base64(raw),
      note: signCheckpoint({ origin: ORIGIN, size, root }, stranger),
    }
    const own = world.keys.signing.current()
    const rewritten = signCheckpoint({ origin: ORIGIN, size, root: new Uint8Array(32).fill(7) }, own)
    for (const [wrong, why] of [
      [one, /does not go on from it/],
      [forged, /a key that is not known/],
      [{ ...one, proof, publicKey: base64(own.publicKey), note: rewritten }, /does not go on from it/],
    ] as const) {
      await expect(received.cosignOlder(call(), wrong)).rejects.toMatchObject({
        code: 'CheckpointRefused',
        message: expect.stringMatching(why),
      })
      const [entry] = await keeper.ledger.entriesFor('origin', ORIGIN, { count: 1 })
      expect(entry?.entry).toMatchObject({ action: 'checkpoint.refused', reason: expect.stringMatching(why) })
    }
  })

  it('S19: of a station that sent none there is none', async () => {
    await expect(received.last('another.example/ledger')).rejects.toMatchObject({ code: 'CheckpointNotFound' })
  })

  it('is refused when its ledger became shorter', async () => {
    const root = (await rootAt(world.db, 100)) as Uint8Array
    const note = signCheckpoint({ origin: ORIGIN, size: 100, root }, world.keys.signing.current())
    await refused({ ...(await given(120, null)), note }, /became shorter/)
  })

  it('is refused when it is another one over as many entries, or does not go on from the one before', async () => {
    const signer = world.keys.signing.current()
    const forged = (size: number, root: Uint8Array): string => signCheckpoint({ origin: ORIGIN, size, root }, signer)
    const one = await given(120, null)
    await refused({ ...one, note: forged(120, new Uint8Array(32)) }, /Another one over the same 120/)
    await refused({ ...one, note: forged(500, new Uint8Array(32)) }, /does not go on/)
    const proof = [Buffer.alloc(32).toString('base64')]
    await refused({ ...one, note: forged(500, new Uint8Array(32)), proof }, /does not go on/)
  })

  it('is refused when it is signed by a key to which nobody handed over', async () => {
    const signer = keeper.keys.signing.current()
    const other = await makeWorld()
    try {
      const stranger = { ...signer, ...(await other.keys.signing.prepareNext()) }
      const note = signCheckpoint({ origin: ORIGIN, size: 900, root: new Uint8Array(32) }, stranger)
      await refused(
        {
          note,
          publicKey: base64(stranger.publicKey),
          rotations: [await rotation(), { key: 'signing' }, null],
          proof: [],
        },
        /a key to which/,
      )
    } finally {
      await other.remove()
    }
  })

  it('raised one alarm for each reason that stood open, not one for each attempt', async () => {
    const rows = await keeper.db.read.selectFrom('alarms').selectAll().execute()
    expect(rows.map((row) => [row.kind, row.subject])).toEqual([['checkpoint', `from ${ORIGIN}`]])
  })
})

describe('B7 a head that was refused', () => {
  type Given = Parameters<typeof acceptRestored>[2]
  const deps = () => {
    const { db, ledger, clock, log } = keeper
    return { db, ledger, clock, alarms: createAlarms({ ledger, clock, log }) }
  }
  const accept = (one: Given) => acceptRestored(deps(), officer(), one)
  const stored = () => keeper.db.read.selectFrom('refused_checkpoints').selectAll().execute()
  /** Presents a shorter ledger, and gives what somebody reads then. */
  const older = async (size: number, more: Partial<GivenCheckpoint> = {}): Promise<Given> => {
    const root = (await rootAt(world.db, size)) as Uint8Array
    const note = signCheckpoint({ origin: ORIGIN, size, root }, world.keys.signing.current())
    await refused({ ...(await given(120, null)), note, ...more }, /./)
    const known = await received.last(ORIGIN)
    const [presented] = await stored()
    return { origin: ORIGIN, known, presented: presented as NonNullable<typeof presented>, reason: 'A disk failed.' }
  }
  const refusedWith = async (one: Given, code: string): Promise<void> => {
    const before = await received.last(ORIGIN)
    await expect(accept(one)).rejects.toMatchObject({ code })
    expect(await received.last(ORIGIN)).toEqual(before)
  }
  const changed = new Uint8Array(32).fill(1)

  it('is not accepted under another origin, or beside another head than was read', async () => {
    const one = await older(100)
    await refusedWith({ ...one, origin: 'another.example/ledger' }, 'CheckpointNotFound')
    await refusedWith({ ...one, presented: { ...one.presented, size: 99 } }, 'PresentedHeadChanged')
    await refusedWith({ ...one, presented: { ...one.presented, root: changed } }, 'PresentedHeadChanged')
    await refusedWith({ ...one, known: { ...one.known, size: 119 } }, 'PresentedHeadChanged')
    await refusedWith({ ...one, known: { ...one.known, root: changed } }, 'PresentedHeadChanged')
  })

  it('is not accepted after another one was presented, or the station went on', async () => {
    const one = await older(100)
    await older(101)
    await refusedWith(one, 'PresentedHeadChanged')
    const two = await older(100)
    await received.receive(call(), await given(120, null))
    expect(await stored()).toEqual([])
    await refusedWith(two, 'PresentedHeadChanged')
  })

  it('is not accepted when it was refused beside another known head', async () => {
    const one = await older(100)
    await keeper.db.transaction((tx) => tx.updateTable('refused_checkpoints').set({ known_size: 119 }).execute())
    await refusedWith(one, 'PresentedHeadChanged')
    await older(100)
    await keeper.db.transaction((tx) => tx.updateTable('refused_checkpoints').set({ known_root: changed }).execute())
    await refusedWith(one, 'PresentedHeadChanged')
  })

  it('is never accepted when another key signed it', async () => {
    const other = await makeWorld()
    try {
      const signer = other.keys.signing.current()
      const root = (await rootAt(world.db, 100)) as Uint8Array
      const note = signCheckpoint({ origin: ORIGIN, size: 100, root }, signer)
      const one = await older(100, { note, publicKey: base64(signer.publicKey), rotations: [] })
      await refusedWith(one, 'StationKeyDiffers')
    } finally {
      await other.remove()
    }
  })

  it('is accepted once, closes its alarm, and the station goes on from there', async () => {
    const one = await older(100)
    const alarms = () => keeper.db.read.selectFrom('alarms').selectAll().orderBy('alarm_id').execute()
    expect((await alarms()).at(-1)?.acknowledged_at).toBeNull()
    const { received: row, refused: left, ended } = await accept(one)
    expect([row.size, left, ended.map(({ branch, size, next_size: next }) => [branch, size, next])]).toEqual([
      100,
      null,
      [[1, 120, 100]],
    ])
    expect((await alarms()).at(-1)).toMatchObject({ acknowledged_at: expect.any(Number), reason: one.reason })
    await refusedWith(one, 'PresentedHeadChanged')
    // An older one is refused and raises an alarm again.
    const count = (await alarms()).length
    await older(90)
    expect(await alarms()).toHaveLength(count + 1)
    const on = { ...(await given(120, null)), proof: (await consistencyProof(world.db, 100, 120)).map(base64) }
    expect((await received.receive(call(), on)).row.size).toBe(120)
  })

  it('keeps the keys that rotations replaced, for the records that they signed', async () => {
    const kept = await keeper.db.read.selectFrom('retired_station_keys').select('public_key').execute()
    expect(kept).toEqual([{ public_key: base64(world.keys.signing.publicKeys()[0] as Uint8Array) }])
  })
})
