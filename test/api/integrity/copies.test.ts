/** Checkpoints kept elsewhere (promise I4): on another drive and at another station; neither takes what does not continue what it has. */
// @module-tag merge
import { createPrivateKey, sign as signWith } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signCheckpoint } from '../../../server/kernel/ledger/signed-note.ts'
import { startServer } from '../../../server/index.ts'
import { callControl } from '../../../server/platform/control/control.ts'
import type { Json } from '../../support/given.ts'
import { intrude } from '../../custody/world.ts'
import { type IntegrityWorld, integrityWorld } from './world.ts'

/** Here checkpoints are made. */
let station: IntegrityWorld
/** Here those of others are kept. */
let other: IntegrityWorld
beforeAll(async () => {
  ;[station, other] = await Promise.all([integrityWorld(), integrityWorld()])
}, 30_000)
afterAll(async () => {
  await station?.given.close()
  await other?.given.close()
})

const folder = (name: string): string => {
  const made = path.join(station.given.dir, name)
  mkdirSync(made, { recursive: true })
  return made
}
const notesIn = (drive: string): string[] => {
  const [own = ''] = readdirSync(drive)
  return readdirSync(path.join(drive, own)).map((name) => path.join(drive, own, name))
}
/** A checkpoint over whatever happened until now: a backup signs one before it begins. */
const sign = async (): Promise<void> => {
  await station.given.evidence()
  await station.given.command('backup', { to: folder('snapshots'), passphrase: null })
}
const added = async (body: Json): Promise<Json> =>
  station.given.expecting(201, station.send('POST', '/checkpoint-target', body))
const copyNow = (target: Json) => station.send('POST', `/checkpoint-target/${target.TargetId}/copy`)
const stateOf = async (target: Json): Promise<Json> =>
  (await station.keeping()).Checkpoints.Targets.find((one: Json) => one.TargetId === target.TargetId)

describe('I4 a folder', () => {
  it('gets every checkpoint, as it was signed, and once', async () => {
    const drive = folder('drive')
    const target = await added({ Folder: drive })
    // Copied once before whoever named the place is answered.
    expect(target).toMatchObject({ Kind: 'folder', Address: drive, State: 'copied' })
    const done = await station.given.expecting(200, copyNow(target))
    await sign()
    // By itself, within seconds.
    const last = await station.until(async () => {
      const { Checkpoints } = await station.keeping()
      const [one] = Checkpoints.Targets
      return one.State === 'copied' && one.Size === Checkpoints.Size && one.Size > done.Size && one
    }, 'the copy')
    const stored = station.given.database((db) =>
      db.prepare('SELECT note FROM checkpoints ORDER BY size').pluck().all(),
    )
    expect(notesIn(drive).map((file) => readFileSync(file, 'utf8'))).toEqual(stored)
    const copies = station.entries('checkpoint.copied')
    expect(copies.at(-1)).toMatchObject({ object: { type: 'checkpoint', id: String(last.Size), name: drive } })
    const { problems } = await station.given.command('verify', { fast: true, checkpoints: drive })
    expect(problems).toEqual([])
  })

  it('copying is nothing that happened: an idle station signs no further checkpoint', async () => {
    const before = (await station.keeping()).Checkpoints.Size
    const others = station.given
      .ledger(before)
      .filter(({ action, object }) => action.startsWith('checkpoint.') && object.type !== 'checkpoint')
    expect(others).toEqual([])
  })

  it.each([
    [
      'a note that was changed',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+$/m, '7')),
      /not as this station signed it/,
    ],
    ['a checkpoint of more than there is', null, /has fewer: its end was cut off/],
    ['a checkpoint of other entries', null, /are not those that were signed/],
    ['a checkpoint of another origin', null, /lies among ours/],
  ] as const)('refuses where %s lies, with an alarm', async (name, change, said) => {
    const drive = folder(`drive ${name}`)
    const target = await added({ Folder: drive })
    await station.given.expecting(200, copyNow(target))
    const [file = ''] = notesIn(drive)
    if (change !== null) change(file)
    else {
      // As the key itself would sign it for another ledger: of a station that was copied and went another way.
      const keys = JSON.parse(readFileSync(path.join(station.given.data, 'keys', 'signing.json'), 'utf8'))
      const key = createPrivateKey({ key: keys.current, format: 'jwk' })
      const signer = {
        publicKey: new Uint8Array(Buffer.from(keys.current.x, 'base64url')),
        sign: (bytes: Uint8Array) => signWith(null, bytes, key),
      }
      const { Origin, Size } = (await station.keeping()).Checkpoints
      const size = name.includes('more') ? Size + 100_000 : Size
      // Of another origin: everything else is as it is here.
      const elsewhere = name.includes('origin')
      const ours = station.given.database((db) =>
        db.prepare('SELECT root FROM checkpoints WHERE size = ?').pluck().get(Size),
      ) as Buffer
      const root = elsewhere ? ours : new Uint8Array(32).fill(7)
      const note = signCheckpoint({ origin: elsewhere ? 'another.example/ledger' : Origin, size, root }, signer)
      writeFileSync(path.join(path.dirname(file), `${String(size).padStart(12, '0')}.txt`), note)
    }
    await sign()
    const { status, json } = await copyNow(target)
    expect([status, json.ErrorCode]).toEqual([409, 'CopyFailed'])
    expect(json.Message).toMatch(said)
    expect(await stateOf(target)).toMatchObject({ State: 'refused', Problem: expect.stringMatching(said) })
    expect((await station.alarms()).filter((one) => one.Subject === drive)).toMatchObject([{ Kind: 'checkpoint' }])
    expect(station.entries('checkpoint.notCopied').at(-1)).toMatchObject({
      outcome: 'failed',
      detail: { refused: true },
    })
    await station.given.expecting(204, station.send('DELETE', `/checkpoint-target/${target.TargetId}`))
  })

  it('that goes away is said and tried again, and nothing stops', async () => {
    const drive = folder('unplugged')
    const target = await added({ Folder: drive })
    renameSync(drive, `${drive}-away`)
    expect((await copyNow(target)).json.Message).toMatch(/not there. Is the drive plugged in/)
    expect(await stateOf(target)).toMatchObject({ State: 'failing', NextTimeUtc: expect.any(String) })
    renameSync(`${drive}-away`, drive)
    expect((await station.given.expecting(200, copyNow(target))).State).toBe('copied')
    await station.given.expecting(204, station.send('DELETE', `/checkpoint-target/${target.TargetId}`))
    expect((await copyNow(target)).json.ErrorCode).toBe('TargetNotFound')
  })

  it.each([
    ['inside the station', () => ({ Folder: path.join(station.given.data, 'x') }), 'TargetUnusable'],
    ['that is not there', () => ({ Folder: path.join(station.given.dir, 'none', 'checkpoints') }), 'TargetUnusable'],
    ['without its whole path', () => ({ Folder: 'drive' }), 'TargetUnusable'],
    ['that has it already', () => ({ Folder: path.join(station.given.dir, 'drive') }), 'TargetExists'],
    ['and a station at once', () => ({ Folder: '/x', Connection: {} }), 'InvalidModel'],
    ['neither', () => ({}), 'InvalidModel'],
    ['of no connection file', () => ({ Connection: { TenantId: 'x' } }), 'TargetUnusable'],
    [
      'of a station spoken to in the clear',
      () => ({ Connection: { ...other.given.connection, ApiBaseAddresses: ['http://192.0.2.1:7460'] } }),
      'TargetUnusable',
    ],
  ])('a place %s is refused', async (_what, body, code) => {
    expect((await station.send('POST', '/checkpoint-target', body())).json.ErrorCode).toBe(code)
  })
})

describe('I4 another station', () => {
  let target: Json
  const kept = async (): Promise<Json> => (await other.keeping()).Checkpoints.Received[0]

  it('takes each checkpoint that continues the one before', async () => {
    target = await added({ Connection: await other.given.integration('neighbour') })
    expect(target).toMatchObject({ Kind: 'station', Address: other.given.url })
    for (let round = 0; round < 3; round++) {
      await sign()
      const { Size } = await station.given.expecting(200, copyNow(target))
      expect(await kept()).toMatchObject({
        Origin: (await station.keeping()).Checkpoints.Origin,
        Size,
        RefusedTimeUtc: null,
      })
    }
    // As it was named, and then each that was signed, once.
    const before = other.entries('checkpoint.received').map((entry) => entry.detail.before as number | null)
    expect(before.length).toBeGreaterThanOrEqual(4)
    expect(before[0]).toBeNull()
    expect(before.slice(1)).toEqual([...new Set(before.slice(1))].toSorted((a, b) => Number(a) - Number(b)))
    // The connection file lies in no database in the clear.
    const sealed = station.given.database((db) =>
      db.prepare("SELECT sealed FROM checkpoint_targets WHERE kind = 'station'").pluck().get(),
    ) as string
    expect(sealed).toMatch(/^v1\.[\w-]+$/)
  })

  it('is asked by integrations only, and answers about nobody else', async () => {
    const place = '/api/v1/tenant/station/checkpoint'
    const { given } = other
    const { Origin } = (await station.keeping()).Checkpoints
    const found = await given.expecting(200, given.call('GET', `${place}?origin=${encodeURIComponent(Origin)}`))
    expect(found.Checkpoint.startsWith(`${Origin}\n${found.Size}\n`)).toBe(true)
    expect((await given.call('GET', `${place}?origin=nobody`)).json.ErrorCode).toBe('CheckpointNotFound')
    expect((await given.call('GET', place)).status).toBe(400)
    expect((await given.call('GET', `${place}?origin=x`, { token: null })).status).toBe(401)
    for (const body of [
      {},
      { Checkpoint: 'x', PublicKey: 'x' },
      { Checkpoint: 'no note', PublicKey: Buffer.alloc(32).toString('base64') },
      { Checkpoint: found.Checkpoint, PublicKey: Buffer.alloc(32, 1).toString('base64') },
      { Checkpoint: found.Checkpoint.replace(/\n\d+\n/, '\n1\n'), PublicKey: Buffer.alloc(32).toString('base64') },
      { Checkpoint: found.Checkpoint, PublicKey: Buffer.alloc(32).toString('base64'), Proof: ['x'] },
    ])
      expect([body, (await given.call('POST', place, { body })).json.ErrorCode]).toEqual([body, 'InvalidModel'])
  })

  it('S19: is not said to have a copy that it refused, though it fits here', async () => {
    const { Origin } = (await station.keeping()).Checkpoints
    const setKey = (key: string) =>
      other.write('UPDATE received_checkpoints SET public_key = ? WHERE origin = ?', key, Origin)
    const own = other.given.database((db) =>
      db.prepare('SELECT public_key FROM received_checkpoints WHERE origin = ?').pluck().get(Origin),
    ) as string
    await setKey(Buffer.alloc(32, 9).toString('base64'))
    await sign()
    const { status, json } = await copyNow(target)
    expect([status, json.ErrorCode]).toEqual([409, 'CopyFailed'])
    expect(json.Message).toMatch(/a key to which the one before was not handed over/)
    expect(await stateOf(target)).toMatchObject({ State: 'refused' })
    await setKey(own)
    expect((await station.given.expecting(200, copyNow(target))).State).toBe('copied')
  })

  it('S19: a connection file that the keys of now do not open is said to be that', async () => {
    const sealed = station.given.database((db) =>
      db.prepare('SELECT sealed FROM checkpoint_targets WHERE target_id = ?').pluck().get(Number(target.TargetId)),
    ) as string
    const set = (text: string) =>
      station.write('UPDATE checkpoint_targets SET sealed = ? WHERE target_id = ?', text, Number(target.TargetId))
    await set(sealed.slice(0, -4) + (sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'))
    await sign()
    expect((await copyNow(target)).json.Message).toMatch(/cannot be opened by the keys of now/)
    await set(sealed)
    expect((await station.given.expecting(200, copyNow(target))).State).toBe('copied')
  })

  it('refuses a ledger that was rewritten, with an alarm in both ledgers', async () => {
    // The station as it was, and a copy of it whose owner rewrote an entry and signed everything anew.
    await station.given.stop()
    // The last checkpoint is copied at the stop.
    const before = await kept()
    const { data } = station.given
    intrude(path.join(data, 'sallyport.db'), (db) => {
      db.prepare('DELETE FROM checkpoints WHERE size >= ?').run(before.Size - 1)
      db.prepare('DELETE FROM ledger WHERE seq >= ?').run(before.Size - 1)
    })
    // Whatever lies at hand is made to fit, or the station would not start on it (custody/start-check.ts).
    for (const name of readdirSync(path.join(data, 'checkpoints')))
      if (Number.parseInt(name, 10) >= before.Size - 1) rmSync(path.join(data, 'checkpoints', name))
    rmSync(folder('drive'), { recursive: true })
    const again = await startServer({ ...station.given.settings, port: 0 })
    try {
      const command = async (name: string, args: Json = {}): Promise<Json> =>
        (await callControl(data, { command: name, args, user: 'tester' }, () => {}, new AbortController().signal))
          ?.result
      await command('backup', { to: folder('snapshots'), passphrase: null })
      const done = (await command('checkpoints.copy')) as { address: string; problem: string | null }[]
      expect(done.find(({ address }) => address === other.given.url)?.problem).toMatch(
        /not those that were signed|has fewer/,
      )
      const alarms = (await command('alarms')) as Json[]
      expect(alarms.some((one) => one.Kind === 'checkpoint' && one.Subject === other.given.url)).toBe(true)
    } finally {
      await again.close()
    }
    expect(await kept()).toMatchObject({ Size: before.Size, RefusedTimeUtc: expect.any(String) })
    expect(await other.alarms()).toMatchObject([{ Kind: 'checkpoint', Subject: `from ${before.Origin}` }])
    expect(other.entries('checkpoint.refused').at(-1)).toMatchObject({
      outcome: 'failed',
      object: { id: before.Origin },
    })
  })
})
