// @module-tag merge
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { verifyStation } from '../../server/features/integrity/verification/verify.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { Tx } from '../../server/kernel/database/database.ts'
import type { RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { fileOfRows } from '../support/rows.ts'
import { intrude, officer, openWorld } from './world.ts'

const NOW = '2026-11-21T06:00:00.000Z'
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Four resources with their bytes in a real store: three originals and a derivative, as the pipeline leaves them. */
async function openEvidence() {
  const world = await openWorld()
  const store = await openBlobStore({ root: path.join(world.dir, 'blobs'), now: world.clock.now })
  onTestFinished(() => store.close())
  const { db, ledger } = world
  const versions = createVersions({ db })
  const versionOf = (tx: Tx, entity: 'evidence' | 'resource', entityId: number): Promise<string> =>
    versions.add(tx, { entity, entityId, state: { entityId }, action: '', author: officer().actor, dateUtc: NOW })
  await db.transaction(async (tx) => {
    await tx.insertInto('tenants').values({ tenant_id: 'station', name_key: 'station', created_utc: NOW }).execute()
    const evidence = {
      tenant_id: 'station',
      name: 'e',
      created_utc: NOW,
      created_ticks: 0n,
      created_by: '{}',
      concurrency_id: await versionOf(tx, 'evidence', 1),
    }
    await tx.insertInto('evidence').values(evidence).execute()
    await ledger.append(tx, officer(), {
      action: 'evidence.created',
      object: { type: 'evidence', id: '1', name: 'e' },
      detail: { concurrencyId: evidence.concurrency_id },
    })
  })
  const hashes: string[] = []
  for (const [index, name] of ['a.mp4', 'b.mp4', 'c.jpg', 'a.preview.mp4'].entries()) {
    const source = path.join(world.dir, name)
    writeFileSync(source, randomBytes(100_000 + index))
    const placed = await store.place(await store.copyIn(source))
    const { length, readBack } = placed
    const derived = index === 3
    await db.transaction(async (tx) => {
      await tx
        .insertInto('blobs')
        .values({ sha256: placed.sha256, length, read_back: readBack, created_utc: NOW })
        .execute()
      const row = {
        evidence_id: 1,
        name,
        mime_type: '',
        role: derived ? 'playable' : 'original',
        state: 'UserCompleted',
        sha256: placed.sha256,
        length,
        uploaded_by: '{}',
        created_utc: NOW,
        concurrency_id: await versionOf(tx, 'resource', index + 1),
      }
      await tx.insertInto('resources').values(row).execute()
      await ledger.append(tx, officer(), {
        action: derived ? 'derivation.added' : 'resource.completed',
        object: { type: 'resource', id: String(index + 1), name },
        bytes: length,
        sha256: placed.sha256,
      })
    })
    await store.confirm(placed)
    hashes.push(placed.sha256)
  }
  await world.checkpoints.take('hour')
  const verify = async (fast = false) =>
    verifyStation({
      file: await fileOfRows(world.file),
      publicKeys: world.keys.signing.publicKeys(),
      db,
      blobs: store,
      fast,
    })
  return { ...world, store, hashes, fileOf: (index: number) => store.pathOf(hashes[index] as string), verify }
}

type Evidence = Awaited<ReturnType<typeof openEvidence>>

interface Kind {
  readonly name: string
  readonly tamper: (evidence: Evidence) => void
  /** [kind, index of the blob or what it is about] */
  readonly found: readonly (readonly [string, number | string])[]
  /** Found without reading a byte. */
  readonly fast?: true
}

const flip = (file: string): void => {
  const bytes = readFileSync(file)
  bytes[5000] = (bytes[5000] as number) ^ 1
  rmSync(file)
  writeFileSync(file, bytes)
}
const asIntruder = (evidence: Evidence, work: (db: RawDatabase) => void): void => intrude(evidence.file, work)

const KINDS: readonly Kind[] = [
  { name: 'one bit', found: [['changed', 1]], tamper: ({ fileOf }) => flip(fileOf(1)) },
  { name: 'truncated', fast: true, found: [['changed', 1]], tamper: ({ fileOf }) => truncateSync(fileOf(1), 50_000) },
  { name: 'emptied', fast: true, found: [['changed', 1]], tamper: ({ fileOf }) => truncateSync(fileOf(1), 0) },
  { name: 'extended', fast: true, found: [['changed', 1]], tamper: ({ fileOf }) => appendFileSync(fileOf(1), 'x') },
  { name: 'gone', fast: true, found: [['missing', 2]], tamper: ({ fileOf }) => rmSync(fileOf(2)) },
  {
    name: 'a stranger',
    fast: true,
    found: [['untracked', 'f'.repeat(64)]],
    tamper: ({ store }) => {
      writeFileSync(path.join(path.dirname(store.pathOf(sha256(Buffer.from('x')))), '..', '..', 'f'.repeat(64)), 'x')
    },
  },
  {
    name: 'two blobs swapped',
    fast: true,
    found: [
      ['changed', 0],
      ['changed', 1],
    ],
    tamper: ({ fileOf }) => {
      renameSync(fileOf(0), `${fileOf(0)}.x`)
      renameSync(fileOf(1), fileOf(0))
      renameSync(`${fileOf(0)}.x`, fileOf(1))
    },
  },
  {
    name: 'a derivative replaced in its place',
    found: [['changed', 3]],
    tamper: ({ fileOf }) => writeFileSync(fileOf(3), randomBytes(100_003)),
  },
  {
    name: 'a derivative replaced with rows to fit',
    fast: true,
    found: [
      ['record', 'resource 4'],
      ['record', 'a row of blob_checks'],
    ],
    tamper: (evidence) => {
      const bytes = randomBytes(100_003)
      const fresh = sha256(bytes)
      const place = evidence.store.pathOf(fresh)
      asIntruder(evidence, (db) => {
        db.prepare('UPDATE blobs SET sha256 = ? WHERE sha256 = ?').run(fresh, evidence.hashes[3])
        db.prepare('UPDATE resources SET sha256 = ? WHERE resource_id = 4').run(fresh)
      })
      rmSync(evidence.fileOf(3))
      mkdirs(path.dirname(place))
      writeFileSync(place, bytes)
    },
  },
  {
    name: 'two resources exchange their bytes in the database',
    fast: true,
    found: [
      ['record', 'resource 1'],
      ['record', 'resource 2'],
    ],
    tamper: (evidence) =>
      asIntruder(evidence, (db) => {
        db.prepare('UPDATE resources SET sha256 = ? WHERE resource_id = 1').run(evidence.hashes[1])
        db.prepare('UPDATE resources SET sha256 = ? WHERE resource_id = 2').run(evidence.hashes[0])
      }),
  },
  {
    name: 'a resource and its blob are taken out of the database',
    fast: true,
    found: [
      ['record', 'resource 3'],
      ['record', 'a row of blob_checks'],
      ['untracked', 2],
    ],
    tamper: (evidence) =>
      asIntruder(evidence, (db) => {
        db.prepare('DELETE FROM resources WHERE resource_id = 3').run()
        db.prepare('DELETE FROM blobs WHERE sha256 = ?').run(evidence.hashes[2])
      }),
  },
]

const mkdirs = (dir: string): void => {
  mkdirSync(dir, { recursive: true })
}

describe(`I3 I5 tampering with the bytes is found, ${KINDS.length} kinds`, () => {
  it('an untouched store has no problem', async () => {
    const { verify } = await openEvidence()
    const whole = await verify()
    expect(whole).toMatchObject({ problems: [], blobs: 4, entries: 6, checkpoints: 1, firstBad: null })
    expect(whole.bytes).toBe(400_006)
    expect(whole.summary).toMatch(/^Ledger, files and rows are as recorded/)
    expect(await verify(true)).toMatchObject({ problems: [], bytes: 0, fast: true })
  })

  it.each(KINDS)('$name', async ({ tamper, found, fast }) => {
    const evidence = await openEvidence()
    tamper(evidence)
    const expected = found.map(([kind, what]) => [kind, typeof what === 'number' ? evidence.hashes[what] : what]).sort()
    const told = (problems: readonly { kind: string; what: string }[]) =>
      problems.map(({ kind, what }) => [kind, path.basename(what)]).sort()
    const report = await evidence.verify()
    expect(told(report.problems)).toEqual(expected)
    expect(report.summary).toContain(`${found.length} problem`)
    if (fast === true) expect(told((await evidence.verify(true)).problems)).toEqual(expected)
  })

  it('stops when it is cancelled', async () => {
    const { file, keys, db, store } = await openEvidence()
    const abort = AbortSignal.abort(new Error('enough'))
    await expect(
      verifyStation({ file, publicKeys: keys.signing.publicKeys(), db, blobs: store, fast: false, signal: abort }),
    ).rejects.toThrow('enough')
  })
})
