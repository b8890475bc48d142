import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCheckpoints, recoverRotation } from '../../server/features/integrity/verification/checkpoints.ts'
import { verifierKey } from '../../server/kernel/ledger/signed-note.ts'
import { checkpointsBesideRows, newestOutside } from '../../server/features/integrity/verification/verify-notes.ts'
import { summaryOf } from '../../server/features/integrity/verification/verify-summary.ts'
import { verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { openKeys } from '../../server/platform/secrets/keys.ts'
import { fileOfRows } from '../support/rows.ts'
import { officer, openWorld, ORIGIN, read, type World, intrude } from './world.ts'

const verify = async ({ file, keys, kept }: World) =>
  verifyLedger({ file: await fileOfRows(file), publicKeys: keys.signing.publicKeys(), outside: [...kept.values()] })

const sha = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** RFC 6962, recursively. */
function treeHash(list: readonly Buffer[]): Buffer {
  if (list.length === 1) return sha(Buffer.of(0), list[0] as Buffer)
  let k = 1
  while (k * 2 < list.length) k *= 2
  return sha(Buffer.of(1), treeHash(list.slice(0, k)), treeHash(list.slice(k)))
}

/**
 * A second implementation, from the text of C2SP signed-note and tlog-checkpoint alone: takes a verifier key
 * `name+hex key id+base64(algorithm ‖ key)` and a note, gives what was signed.
 */
function checkNote(vkey: string, note: string) {
  const [name = '', id = '', encoded = ''] = vkey.split('+').length === 3 ? vkey.split('+') : vkeyParts(vkey)
  const material = Buffer.from(encoded, 'base64')
  expect(material[0], 'algorithm 1 is Ed25519').toBe(1)
  expect(
    sha(Buffer.from(`${name}\n`), material)
      .subarray(0, 4)
      .toString('hex'),
  ).toBe(id)
  const at = note.lastIndexOf('\n\n')
  const text = note.slice(0, at + 1)
  const lines = note
    .slice(at + 2)
    .trimEnd()
    .split('\n')
  const line = lines.find((each) => each.startsWith(`\u2014 ${name} `)) ?? ''
  const bytes = Buffer.from(line.slice(line.lastIndexOf(' ') + 1), 'base64')
  expect(bytes.subarray(0, 4).toString('hex')).toBe(id)
  const signature = bytes.subarray(4)
  expect(signature).toHaveLength(64)
  // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410) is a fixed prefix and the key.
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), material.subarray(1)])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  expect(verifySignature(null, Buffer.from(text), publicKey, signature)).toBe(true)
  const [origin, size, root, ...rest] = text.split('\n')
  expect(rest).toEqual([''])
  return {
    origin,
    size: Number(size),
    root,
    text,
    signature,
    pem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  }
}

/** Base64 has plus signs of its own. */
function vkeyParts(vkey: string): string[] {
  const [name = '', id = '', ...more] = vkey.split('+')
  return [name, id, more.join('+')]
}

const bodies = async ({ db }: World): Promise<Buffer[]> =>
  (await db.read.selectFrom('ledger').select('body').orderBy('seq').execute()).map(({ body }) => Buffer.from(body))

describe('I4 signed checkpoints (C2SP)', () => {
  it('an implementation from the text of the standard agrees, and so does openssl', async () => {
    const world = await openWorld()
    for (let index = 0; index < 37; index++) await world.ledger.record(officer(), read(index))
    const taken = await world.checkpoints.take('hour')
    expect(taken?.size).toBe(37)
    const vkey = verifierKey(ORIGIN, world.keys.signing.current().publicKey)
    const { origin, size, root, text, signature, pem } = checkNote(vkey, taken?.note ?? '')
    expect(origin).toBe(ORIGIN)
    expect(size).toBe(37)
    expect(root).toBe(treeHash((await bodies(world)).slice(0, 37)).toString('base64'))

    const dir = path.join(world.dir, 'openssl')
    mkdirSync(dir)
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(path.join(dir, name), content)
      return path.join(dir, name)
    }
    const openssl = (message: string) =>
      execFileSync(
        'openssl',
        [
          'pkeyutl',
          '-verify',
          '-rawin',
          '-pubin',
          '-inkey',
          file('key.pem', pem),
          '-in',
          file('text', message),
          '-sigfile',
          file('signature', signature),
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      )
    expect(openssl(text)).toMatch(/Verified Successfully/)
    expect(() => openssl(text.replace('37', '38'))).toThrow()
  })

  it('continues from the frontier of the one before, whatever lies between', async () => {
    const world = await openWorld()
    for (const more of [1, 2, 3, 13, 64, 1, 200]) {
      await Promise.all(Array.from({ length: more }, (_, index) => world.ledger.record(officer(), read(index))))
      const taken = await world.checkpoints.take('hour')
      const root = taken?.note.split('\n')[2]
      expect(root).toBe(treeHash((await bodies(world)).slice(0, taken?.size)).toString('base64'))
    }
    expect((await verify(world)).problems).toEqual([])
    expect(world.kept.size).toBe(7)
  })

  it('an hour in which nothing happened but the last checkpoint has none', async () => {
    const world = await openWorld()
    expect(await world.checkpoints.take('start')).toBeNull()
    await world.ledger.record(officer(), read(1))
    expect(await world.checkpoints.take('hour')).not.toBeNull()
    for (let hour = 0; hour < 5; hour++) expect(await world.checkpoints.take('hour')).toBeNull()
    expect((await world.ledger.head()).seq).toBe(2)
    await world.ledger.record(officer(), read(1))
    expect((await world.checkpoints.take('hour'))?.size).toBe(3)
    expect(await world.checkpoints.take('stop')).toBeNull()
  })

  it('entries that are written while a checkpoint is made are in the next one', async () => {
    const world = await openWorld()
    await world.ledger.record(officer(), read(1))
    let writing: Promise<unknown> = Promise.resolve()
    const checkpoints = createCheckpoints({
      ...world,
      key: world.keys.signing,
      origin: () => ORIGIN,
      ledger: {
        ...world.ledger,
        head: async () => {
          const head = await world.ledger.head()
          writing = Promise.all(Array.from({ length: 20 }, () => world.ledger.record(officer(), read(1))))
          return head
        },
      },
    })
    expect((await checkpoints.take('hour'))?.size).toBe(1)
    await writing
    expect(await world.checkpoints.take('hour')).not.toBeNull()
    expect(await world.checkpoints.take('hour')).toBeNull()
    expect((await verify(world)).problems).toEqual([])
  })

  it('the next signing key takes over with an entry that both signed', async () => {
    const world = await openWorld()
    const old = world.keys.signing.current().publicKey
    await world.ledger.record(officer(), read(1))
    await world.checkpoints.rotate(officer())
    await world.ledger.record(officer(), read(1))
    await world.checkpoints.take('hour')
    const fresh = world.keys.signing.current().publicKey
    expect(Buffer.compare(old, fresh)).not.toBe(0)
    expect(world.keys.signing.publicKeys()).toHaveLength(2)
    const report = await verify(world)
    expect(report.problems).toEqual([])
    expect(report.checkpoints).toBe(3)
    // Whoever holds the old key only, or a stranger's, is told so.
    const withOld = await verifyLedger({ file: await fileOfRows(world.file), publicKeys: [old] })
    expect(withOld.problems.map(({ kind }) => kind)).toContain('ledger.key')
    expect(withOld.problems.map(({ kind }) => kind)).toContain('ledger.checkpoint')
  })

  it('I3: a ledger that was cut off and continued is told with a range that runs forwards', async () => {
    const { file, ledger, checkpoints, kept, keys } = await openWorld()
    const upTo = async (last: number): Promise<void> => {
      for (let { seq } = await ledger.head(); seq < last; seq++) await ledger.record(officer(), read(seq + 1))
      await checkpoints.take('hour')
    }
    await upTo(40)
    intrude(file, (db) => {
      db.exec('DELETE FROM ledger WHERE seq > 30')
      db.exec('DELETE FROM checkpoints')
    })
    const outside = [...kept.values()]
    await upTo(60)
    const { problems } = await verifyLedger({
      file: await fileOfRows(file),
      publicKeys: keys.signing.publicKeys(),
      outside,
    })
    expect(problems.map(({ what, entries }) => [what, entries])).toEqual([
      ['checkpoint 40 kept outside', { from: 40, to: 40 }],
    ])
  })

  it.each([
    [1, '1 entry'],
    [2, '2 entries'],
  ])('I3: a ledger of %i whose end was cut off is told with the word that fits', async (count, counted) => {
    const world = await openWorld()
    for (let at = 1; at <= count; at++) await world.ledger.record(officer(), read(at))
    await world.checkpoints.take('hour')
    intrude(world.file, (db) => db.exec('DELETE FROM ledger'))
    const { problems } = await verify(world)
    expect(problems.map(({ message }) => message)).toContain(
      `It was signed over ${counted}, and the ledger has 0: its end was cut off, or it is an older copy.`,
    )
  })

  it('S19: nothing is signed over entries that are gone when they are read', async () => {
    const world = await openWorld()
    for (let at = 1; at <= 10; at++) await world.ledger.record(officer(), read(at))
    const checkpoints = createCheckpoints({
      ...world,
      key: world.keys.signing,
      origin: () => ORIGIN,
      ledger: {
        ...world.ledger,
        head: async () => {
          const head = await world.ledger.head()
          intrude(world.file, (db) => db.exec('DELETE FROM ledger WHERE seq > 7'))
          return head
        },
      },
    })
    await expect(checkpoints.take('hour')).rejects.toThrow('The ledger has no entry 8, though it has 10')
  })

  it('S19: nothing is signed over a hole between entries', async () => {
    const world = await openWorld()
    for (let at = 1; at <= 10; at++) await world.ledger.record(officer(), read(at))
    intrude(world.file, (db) => db.exec('DELETE FROM ledger WHERE seq = 4'))
    await expect(world.checkpoints.take('hour')).rejects.toThrow('The ledger has no entry 4, though it has 10')
    expect(world.kept.size).toBe(0)
  })

  it('S19: of copies outside the newest is told, and what names no size is none', async () => {
    const world = await openWorld()
    for (const size of ['', 'five', '0', '-3', '1.5'])
      expect(await newestOutside(world.db, [`x\n${size}\n`])).toBeNull()
    expect(await newestOutside(world.db, ['x\n9\n', 'x\nfive\n', 'x\n4\n', 'x\n0\n'])).toEqual({
      size: 9,
      timeUtc: null,
    })
  })

  it('I3: a checkpoint and its copy beside the database are both there, and the same', async () => {
    const world = await openWorld()
    for (let at = 1; at <= 30; at++) {
      await world.ledger.record(officer(), read(at))
      if (at % 10 === 0) await world.checkpoints.take('hour')
    }
    const notes = [...world.kept.values()]
    expect(notes).toHaveLength(3)
    const [first = '', second = '', third = ''] = notes
    const size = (note: string): string => `checkpoint ${note.split('\n')[1]}`
    const found = async (beside: readonly string[]): Promise<string[][]> =>
      (await checkpointsBesideRows(world.db, beside)).map(({ what, message }) => [what, message])
    expect(await found(notes)).toEqual([])
    // The newest is written after its row, at the latest with the next one.
    expect(await found([first, second])).toEqual([])
    expect(await found([first, third])).toEqual([[size(second), 'Its copy beside the database is missing.']])
    expect(await found([first, `${second} `, third])).toEqual([
      [size(second), 'Its copy beside the database is another one.'],
    ])
    expect(await found([...notes, 'x\n999\n'])).toEqual([
      ['checkpoint 999', 'It lies beside the database, and the database does not have it.'],
    ])
  })

  it('I3: the summary says how old the newest checkpoint from outside is, and how much came since', async () => {
    const world = await openWorld()
    for (let at = 1; at <= 10; at++) await world.ledger.record(officer(), read(at))
    await world.checkpoints.take('hour')
    const outside = await newestOutside(world.db, [...world.kept.values()])
    expect(outside).toEqual({ size: 10, timeUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
    const report = {
      problems: [],
      entries: 12,
      checkpoints: 1,
      blobs: 0,
      forwarded: { blobs: 0, bytes: 0, addresses: [] },
      rows: 0,
      notCovered: [],
      rowsCoveredSince: null,
      newestOutside: outside,
      signedEntries: 10,
      bytes: 0,
      fast: false,
      firstBad: null,
      seconds: 1,
    }
    expect(summaryOf(report, 0).split('\n')).toContain(
      `The newest checkpoint from outside is over 10 entries, of ${outside?.timeUtc}; 2 entries have come since.`,
    )
    expect(summaryOf({ ...report, newestOutside: null }, 0)).toContain(
      'No checkpoint from outside the station was given',
    )
  })

  it('a rotation that was cut off is completed or undone by the ledger', async () => {
    const world = await openWorld()
    const { signing } = world.keys
    const before = signing.current().publicKey
    await signing.prepareNext()
    await recoverRotation({ ledger: world.ledger, key: signing })
    expect(signing.current().publicKey).toEqual(before)

    // The entry was committed, and the process ended before the key files were changed.
    const next = (await signing.prepareNext()).publicKey
    const promoteNext = signing.promoteNext
    const dying = { ...signing, promoteNext: () => Promise.reject(new Error('power')) }
    const { createCheckpoints } = await import('../../server/features/integrity/verification/checkpoints.ts')
    const { db, ledger, clock, log } = world
    await expect(
      createCheckpoints({ db, ledger, clock, log, key: dying, origin: () => ORIGIN }).rotate(officer()),
    ).rejects.toThrow('power')
    const again = await openKeys(path.join(world.dir, 'keys'), { clock, established: true })
    expect(again.signing.current().publicKey).toEqual(before)
    await recoverRotation({ ledger, key: again.signing })
    expect(again.signing.current().publicKey).toEqual(next)
    expect(again.signing.next()).toBeNull()
    await promoteNext()
    await world.ledger.record(officer(), read(1))
    await world.checkpoints.take('start')
    expect((await verify(world)).problems).toEqual([])
  })
})
