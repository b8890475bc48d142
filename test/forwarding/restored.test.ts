/** A station that was restored from a snapshot: what headquarters asks before it accepts it, and what arrives afterwards. */
// @module-tag merge
import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCustodyRecord } from '../../server/features/forwarding/custody.ts'
import { restoreStation } from '../../server/features/integrity/backup/restore.ts'
import { signCheckpoint } from '../../server/kernel/ledger/signed-note.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { cliActor } from '../../server/commands.ts'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import {
  administratorOf,
  alarmsOf,
  completeEvidence,
  contentAt,
  forwarded,
  HEADQUARTERS,
  importInto,
  openStationAt,
  remoteFiles,
  someBytes,
  twoStations,
  until,
  type World,
} from './world.ts'

const KEEPING = '/api/v1/tenant/station/keeping'
const CHECKPOINT = '/api/v1/tenant/station/checkpoint'
const PASSPHRASE = 'the drive in the safe of the superintendent'
const REASON = 'The disk failed on Tuesday; restored from the snapshot of Monday.'

type Opened = Awaited<ReturnType<typeof openStationAt>>
interface Made {
  readonly evidenceId: string
  readonly sha256: string
}

describe('B7 a station that was restored from a snapshot', () => {
  let world: World
  let atHeadquarters: World['administrator']
  let origin: string
  let snapshots: string
  let before: Made
  let between: Made
  let lost: Made
  let remote: { between: string; lost: string }
  let oldCustody: { readonly place: readonly [string, string]; readonly bytes: Buffer }[]
  const opened: Opened[] = []

  const known = async (): Promise<Json> => (await atHeadquarters('GET', KEEPING)).Checkpoints.Received[0]
  const heads = async (): Promise<Json> => {
    const { Origin, Size, Root, Presented } = await known()
    return {
      Origin,
      Known: { Size, Root },
      Presented: Presented === null ? null : { Size: Presented.Size, Root: Presented.Root },
      Reason: REASON,
    }
  }
  const accept = (body: Json): Promise<Json> => atHeadquarters('POST', `${KEEPING}/station/accept`, body)
  const openAlarms = async (): Promise<Json[]> =>
    (await alarmsOf(atHeadquarters)).filter(
      ({ Subject, AcknowledgedTimeUtc }) => Subject === `from ${origin}` && AcknowledgedTimeUtc === null,
    )
  const restore = async (name: string): Promise<void> => {
    const data = path.join(world.station.dir, name)
    await restoreStation({
      from: snapshots,
      data,
      blobsDir: path.join(data, 'blobs'),
      snapshot: null,
      passphrase: PASSPHRASE,
      roots: { signedBy: null, checkpoints: null },
      trustOnSight: false,
      keepGoing: false,
      actor: cliActor('tester'),
      clock: systemClock,
      log: createLog('silent'),
    })
  }
  const open = async (name: string): Promise<Opened> => {
    const one = await openStationAt(path.join(world.station.dir, name))
    opened.push(one)
    return one
  }
  const test = ({ administrator }: Pick<Opened, 'administrator'>): Promise<Json> =>
    administrator('POST', `${HEADQUARTERS}/test`)
  /** As somebody presents it who has another key, or another head. */
  const present = (size: number, signer: ReturnType<typeof otherSigner>): Promise<{ status: number; json: Json }> =>
    world.headquarters.call('POST', CHECKPOINT, {
      body: {
        Checkpoint: signCheckpoint({ origin, size, root: new Uint8Array(32).fill(9) }, signer),
        PublicKey: Buffer.from(signer.publicKey).toString('base64'),
      },
    })

  beforeAll(async () => {
    world = await twoStations()
    atHeadquarters = await administratorOf(world.headquarters)
    const { station } = world
    origin = station.database((db) =>
      db.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get(),
    ) as string
    snapshots = path.join(station.dir, 'snapshots')
    before = await completeEvidence(station, someBytes(60_000, 51), { Name: 'before the snapshot' })
    await importInto(world)
    await forwarded(world, before.evidenceId)
    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true, Paused: true })
    between = await completeEvidence(station, someBytes(60_000, 52), { Name: 'taken in, not sent yet', Tags: ['a'] })
    await station.settled(between.evidenceId)
    await station.command('backup', { to: snapshots, passphrase: PASSPHRASE })
    // The custody record of this one has nearly all of the numbers that the restored station gives out again.
    for (let at = 0; at < 200; at++)
      await station.expecting(200, station.call('GET', `${station.documents}/evidence/${between.evidenceId}`))
    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true })
    await forwarded(world, between.evidenceId)
    lost = await completeEvidence(station, someBytes(60_000, 53), { Name: 'lost with the disk' })
    await station.settled(lost.evidenceId)
    const done = await forwarded(world, lost.evidenceId)
    remote = { between: (await forwarded(world, between.evidenceId)).RemoteEvidenceId, lost: done.RemoteEvidenceId }
    // A change that the snapshot does not have either.
    await station.expecting(
      200,
      station.call('PATCH', `${station.documents}/evidence/${between.evidenceId}`, { body: { Tags: ['a', 'b'] } }),
    )
    await until('the change', async () => (await remoteFiles(world, remote.between)).custody.length === 2)
    await test(world)
    oldCustody = []
    for (const id of [remote.between, remote.lost])
      for (const { ResourceId } of (await remoteFiles(world, id)).custody)
        oldCustody.push({ place: [id, ResourceId], bytes: await contentAt(world, id, ResourceId) })
    // The disk is gone; a copy of it is what somebody else has.
    await station.stop()
    cpSync(station.data, path.join(station.dir, 'copy of the lost disk'), { recursive: true })
  }, 120_000)
  afterAll(async () => {
    for (const one of opened) await one.server.close()
    await world.close()
  })

  it('is refused first, and headquarters shows what it knows and what was presented', async () => {
    await restore('restored')
    cpSync(path.join(world.station.dir, 'restored'), path.join(world.station.dir, 'second copy'), { recursive: true })
    const station = await open('restored')
    expect(await test(station)).toMatchObject({ State: 'refused' })
    const { Size, Root, Branch, Ended, Presented } = await known()
    expect([Branch, Ended]).toEqual([1, []])
    expect(Presented).toMatchObject({ SameKey: true, Source: '127.0.0.1', Reason: expect.stringContaining('shorter') })
    expect(Presented.Size).toBeLessThan(Size)
    expect(Presented.Root).not.toBe(Root)
    expect(Date.parse(Presented.PresentedTimeUtc)).toBeGreaterThan(Date.parse((await known()).ReceivedTimeUtc))
    expect(await openAlarms()).toHaveLength(1)
  })

  it('is not accepted by heads other than those of now, nor without a reason, nor by who is no administrator', async () => {
    const [station] = opened as [Opened]
    const first = await heads()
    const other = Buffer.alloc(32, 1).toString('base64')
    expect((await accept({ ...first, Reason: '  ' })).ErrorCode).toBe('InvalidModel')
    expect((await accept({ ...first, Origin: 'nobody.example/ledger' })).ErrorCode).toBe('CheckpointNotFound')
    for (const wrong of [
      { Presented: { ...first.Presented, Root: other } },
      { Presented: { ...first.Presented, Size: first.Presented.Size + 1 } },
      { Known: { ...first.Known, Root: other } },
      { Known: { ...first.Known, Size: first.Known.Size + 1 } },
    ])
      expect([wrong, (await accept({ ...first, ...wrong })).ErrorCode]).toEqual([wrong, 'PresentedHeadChanged'])
    const token = await signIn(world.connection as never, world.headquarters.url)
    const refused = await world.headquarters.call('POST', `${KEEPING}/station/accept`, { token, body: first })
    expect(refused.status).toBe(403)

    // Another head was presented while the administrator read this one.
    expect(await test(station)).toMatchObject({ State: 'refused' })
    expect((await heads()).Presented).not.toEqual(first.Presented)
    expect((await accept(first)).ErrorCode).toBe('PresentedHeadChanged')
    expect((await known()).Branch).toBe(1)
  })

  it('another key is never accepted, whatever head it presents', async () => {
    const stranger = otherSigner()
    expect((await present((await known()).Size + 1, stranger)).status).toBe(409)
    expect((await known()).Presented).toMatchObject({ SameKey: false })
    expect((await accept(await heads())).ErrorCode).toBe('StationKeyDiffers')
    expect((await known()).Branch).toBe(1)
  })

  it('a head that was refused is not accepted after the known ledger went on', async () => {
    const [station] = opened as [Opened]
    await test(station)
    const old = await heads()
    // It was a copy: the machine that was believed lost presents a longer ledger.
    const own = await openStationAt(world.station.data)
    expect(await test(own)).toMatchObject({ State: 'ready' })
    await own.server.close()
    expect((await known()).Presented).toBeNull()
    expect((await accept(old)).ErrorCode).toBe('PresentedHeadChanged')
    expect((await accept({ ...old, Known: (await heads()).Known })).ErrorCode).toBe('PresentedHeadChanged')
    // A node of the version before, which knows no refused heads, leaves the row where it is.
    await test(station)
    const now = await heads()
    await world.headquarters.meddle(
      (db) => void db.prepare('UPDATE refused_checkpoints SET known_size = known_size - 1').run(),
    )
    expect((await accept(now)).ErrorCode).toBe('PresentedHeadChanged')
  })

  it('I1: is accepted with a reason, with an entry that names both heads', async () => {
    const [station] = opened as [Opened]
    await test(station)
    const given = await heads()
    expect(await accept(given)).toMatchObject({
      status: 200,
      Origin: origin,
      ...given.Presented,
      Presented: null,
      Branch: 2,
      Ended: [{ Branch: 1, ...given.Known, Next: given.Presented, Reason: REASON }],
    })
    expect(world.headquarters.ledger().filter(({ action }) => action === 'checkpoint.accepted')).toMatchObject([
      {
        object: { type: 'origin', id: origin },
        reason: REASON,
        detail: {
          known: { size: given.Known.Size, root: given.Known.Root, branch: 1 },
          presented: { size: given.Presented.Size, root: given.Presented.Root, branch: 2, source: '127.0.0.1' },
        },
      },
    ])
    expect(await openAlarms()).toEqual([])
    expect((await accept(given)).ErrorCode).toBe('PresentedHeadChanged')
    // As it was when the snapshot was made.
    expect(await test(station)).toMatchObject({ State: 'paused', Problem: null })
  })

  it('sends nothing twice: it finds what it sent before the disk failed by its own SourceId', async () => {
    const [station] = opened as [Opened]
    await station.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true })
    const item = await forwarded(station, between.evidenceId)
    expect(item.RemoteEvidenceId).toBe(remote.between)
    const { originals, custody } = await remoteFiles(world, remote.between)
    expect(originals).toMatchObject([{ Sha256: between.sha256, State: 'UserCompleted' }])
    expect(custody).toHaveLength(3)
    const sources = world.headquarters.database((db) =>
      db.prepare('SELECT count(*) FROM evidence WHERE source_id LIKE ?').pluck().get(`${origin}/evidence/%`),
    )
    expect(sources).toBe(3)
    // Tags were changed after the snapshot. The station does not know who changed them, and asks.
    const [question] = await station.administrator('GET', `${HEADQUARTERS}/question`).then(Object.values)
    expect(question).toMatchObject({ EvidenceId: between.evidenceId, Fields: [{ Field: 'Tags', Theirs: 'a, b' }] })
  })

  it('evidence under a number that was given out before arrives as another one', async () => {
    const [station] = opened as [Opened]
    const anew = await addTo(station, someBytes(60_000, 54), 'taken in after the restore')
    expect(anew.evidenceId).toBe(lost.evidenceId)
    const item = await forwarded(station, anew.evidenceId)
    expect(item.RemoteEvidenceId).not.toBe(remote.lost)
    expect((await remoteFiles(world, item.RemoteEvidenceId)).originals).toMatchObject([{ Sha256: anew.sha256 }])
    expect((await remoteFiles(world, remote.lost)).originals).toMatchObject([{ Sha256: lost.sha256 }])
  })

  it('I1: custody records of before stay as they are, and verification names the branch of the others, with an entry', async () => {
    for (const { place, bytes } of oldCustody) expect((await contentAt(world, ...place)).equals(bytes)).toBe(true)
    const verified = (await world.headquarters.command('stations.verify', {})) as unknown as Json[]
    expect(verified).toMatchObject([
      {
        origin,
        problems: [],
        branches: [
          { branch: 1, differsFrom: null, acceptedUtc: null },
          { branch: 2, differsFrom: expect.any(Number), reason: REASON },
        ],
      },
    ])
    const [first, second] = verified[0].branches
    expect([first.records, second.records]).toEqual([4, 2])
    expect([first.proved, second.proved]).toEqual([4, 2])
    // The first number that was given out twice, in what was sent.
    const [{ Next }] = (await known()).Ended
    expect(second.differsFrom).toBeGreaterThan(Next.Size - 20)
    expect(second.differsFrom).toBeLessThanOrEqual((await known()).Ended[0].Size)
    expect(world.headquarters.ledger().filter(({ action }) => action === 'forwarding.custodyVerified')).toMatchObject([
      { outcome: 'ok', detail: { stations: 1, branches: 2, problems: 0 } },
    ])
  })

  it('verification finds a record that another key signed, and one that contradicts its branch', async () => {
    const at = async (evidence: string, text: string): Promise<string> => {
      const token = await signIn(world.connection as never, world.headquarters.url)
      const { headquarters } = world
      const made = await headquarters.expecting(
        201,
        headquarters.call('POST', `${headquarters.documents}/evidence/${evidence}/resource`, {
          token,
          body: { Name: 'custody made by hand.jsonl.txt', MimeType: 'text/plain' },
        }),
      )
      await headquarters.put(made.UploadUri, Buffer.from(text))
      await headquarters.expecting(
        200,
        headquarters.call(
          'POST',
          `${headquarters.documents}/evidence/${evidence}/resource/${made.ResourceId}/complete`,
          { token, body: {} },
        ),
      )
      return made.ResourceId
    }
    const text = oldCustody[0]?.bytes.toString('utf8') as string
    const changed = await at(remote.lost, text.replace('evidence.created', 'evidence.creates'))
    // A record of the first branch that comes again, after the second began: the one with the two hundred numbers.
    const [longest] = oldCustody.toSorted((a, b) => b.bytes.length - a.bytes.length)
    const late = await at(remote.between, longest?.bytes.toString('utf8') as string)
    const [{ problems, branches }] = (await world.headquarters.command('stations.verify', {})) as unknown as Json[]
    // The one that contradicts its branch has proofs that hold, and is not counted among those that are proved.
    expect(branches[1].proved).toBe(2)
    expect(problems).toMatchObject([
      { resourceId: changed, message: expect.stringContaining('does not hold') },
      {
        resourceId: late,
        message: expect.stringMatching(/^Entry \d+ is another one in an earlier record of the same branch/),
      },
    ])
    expect(world.headquarters.ledger().findLast(({ action }) => action === 'forwarding.custodyVerified')).toMatchObject(
      {
        outcome: 'failed',
      },
    )
    expect(() => openCustodyRecord(text, otherSigner().publicKey)).toThrow('Another key signed it')
  })

  it('a second copy with an older head is refused afterwards, with an alarm again', async () => {
    const copy = await open('second copy')
    expect(await test(copy)).toMatchObject({ State: 'refused' })
    expect(await openAlarms()).toHaveLength(1)
    expect((await known()).Branch).toBe(2)
    // So is the disk that was believed lost, which has more entries.
    expect(await test(await open('copy of the lost disk'))).toMatchObject({ State: 'refused' })
    // The accepted one goes on.
    expect(await test(opened[0] as Opened)).toMatchObject({ State: 'ready' })
  })
})

function otherSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')),
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
  }
}

/** An evidence with one file, at a station that was opened over a folder. */
async function addTo({ administrator }: Opened, bytes: Buffer, name: string): Promise<Made> {
  const documents = '/documentstore/api/v1/tenant/station'
  const { EvidenceId } = await administrator('POST', `${documents}/evidence`, { Name: name })
  const made = await administrator('POST', `${documents}/evidence/${EvidenceId}/resource`, { Name: 'clip.bin' })
  const put = await fetch(made.UploadUri, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' },
    body: new Uint8Array(bytes),
  })
  if (put.status !== 201) throw new Error(`the upload: ${put.status}`)
  const place = `${documents}/evidence/${EvidenceId}/resource/${made.ResourceId}`
  const done = await administrator('POST', `${place}/complete`, {})
  await administrator('POST', `${documents}/evidence/${EvidenceId}/complete`, {})
  return { evidenceId: EvidenceId, sha256: done.Sha256 }
}
