/** What a link stands for while it is used: downloads that run, files of one evidence beside each other, and whoever may not see any more what they shared (S20). */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg } from '../../pipeline/tools.ts'
import { signIn } from '../../support/integrator.ts'
import { signInToPage } from '../annotations/page.ts'
import {
  GUEST,
  type Guest,
  LINKS,
  type MadeLink,
  pictureIn,
  RECIPIENT,
  type ShareWorld,
  shareStation,
} from './world.ts'

/** More than sockets and buffers between hold. */
const LARGE = 64 * 1024 * 1024
/** Milliseconds within which whoever lost the right gets no more bytes (decisions 9 and 10). */
const LOOKED_AT_AGAIN = 5_000

let world: ShareWorld
beforeAll(async () => {
  world = await shareStation()
}, 60_000)
afterAll(() => world?.given.close())

/** A download whose reader has stopped reading after its first bytes. */
async function begun(guest: Guest): Promise<{ readonly isCut: () => Promise<boolean> }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${world.given.url}${GUEST}/item/1/original`, { headers: { cookie: guest.cookie } }, resolve).on(
      'error',
      reject,
    )
  })
  expect(response.statusCode).toBe(200)
  const over = new Promise<boolean>((resolve) => {
    response.on('error', () => resolve(true))
    response.on('close', () => resolve(!response.complete))
  })
  await new Promise<void>((resolve) => {
    response.once('data', () => {
      response.pause()
      resolve()
    })
  })
  return {
    // A reader that stands still learns of the end only when it reads on.
    isCut: async () => {
      await new Promise((resolve) => setTimeout(resolve, LOOKED_AT_AGAIN))
      response.resume()
      return over
    },
  }
}

/** The rows of an original that was forwarded and cleared. @returns has it here again */
async function sentToHeadquarters(evidenceId: string): Promise<() => Promise<void>> {
  const { given } = world
  const at = '2026-11-20T00:00:00Z'
  await given.meddle((db) => {
    const original = "FROM resources WHERE evidence_id = ? AND role = 'original'"
    db.prepare(
      `INSERT INTO forwarding_receipts (resource_id, evidence_id, sha256, length, address, remote_tenant, remote_evidence_id, remote_resource_id, confirmed_utc)
       SELECT resource_id, evidence_id, sha256, length, 'https://elsewhere.example', 'station', '1', '1', ? ${original}`,
    ).run(at, Number(evidenceId))
    db.prepare(
      `INSERT INTO forwarded_blobs (sha256, length, resource_id, cleared_utc, removed) SELECT sha256, length, resource_id, ?, 1 ${original}`,
    ).run(at, Number(evidenceId))
  })
  return () =>
    given.meddle(
      (db) =>
        void db
          .prepare(
            'DELETE FROM forwarded_blobs WHERE resource_id IN (SELECT resource_id FROM resources WHERE evidence_id = ?)',
          )
          .run(Number(evidenceId)),
    )
}

describe('S20: a download by a link that runs', () => {
  let evidenceId: string
  beforeAll(async () => {
    evidenceId = await world.add('Disk image', { 'disk.img': randomBytes(LARGE) })
  }, 60_000)
  const opened = async (): Promise<{ link: MadeLink; guest: Guest }> => {
    const link = await world.share([evidenceId], { Mode: 'download' })
    return { link, guest: await world.open(link) }
  }

  it('is cut when the link is recalled', async () => {
    const { link, guest } = await opened()
    const { isCut } = await begun(guest)
    await world.ok(200, 'POST', `${LINKS}/link/${link.id}/recall`, { Reason: 'Sent to somebody else' })
    expect(await isCut()).toBe(true)
  }, 60_000)

  it('is cut when the file may not leave the station any more', async () => {
    const { guest } = await opened()
    const { isCut } = await begun(guest)
    await world.restrict(evidenceId)
    expect(await isCut()).toBe(true)
    await world.lift(evidenceId)
  }, 60_000)
})

describe('S20: a link', () => {
  it('shows of each file its own picture, and none of a neighbour', async () => {
    await ffmpeg(world.given.dir, '-f', 'lavfi', '-i', 'color=c=gray:s=320x240', '-frames:v', '1', 'grey.tif')
    const id = await world.add('Note and scan', {
      'note.dat': Buffer.from('no picture\n'),
      'scan.tif': await readFile(path.join(world.given.dir, 'grey.tif')),
    })
    const link = await world.share([id], { Mode: 'download' })
    await world.copied(link)
    const { json } = await (await world.open(link)).call('GET', '/session')
    expect(json.Items.map(({ Name, Shows }: { Name: string; Shows: string }) => [Name, Shows])).toEqual([
      ['note.dat', 'nothing'],
      ['scan.tif', 'picture'],
    ])
  }, 60_000)

  it('is made for looking where the original is at headquarters, and for downloading once it was fetched', async () => {
    const id = await world.add('Scan at headquarters', { 'scan.jpg': await pictureIn(world.given.dir) })
    const before = await world.share([id], { Mode: 'download' })
    await world.copied(before)
    const fetched = await sentToHeadquarters(id)
    const body = { EvidenceIds: [id], Recipient: RECIPIENT, Mode: 'download' }
    const preview = await world.ok(200, 'GET', `${LINKS}/preview?id=${id}`)
    expect(preview.Items[0].Refused).toBe('at-headquarters')
    const refused = await world.call('POST', LINKS, body)
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'OriginalForwarded'])
    const guest = await world.open(before)
    const original = await guest.call('GET', '/item/1/original')
    expect([original.status, original.json.ErrorCode]).toEqual([409, 'OriginalForwarded'])
    const looking = await world.share([id])
    expect((await world.copied(looking)).Items[0].Copy).toBe('ready')
    expect((await (await world.open(looking)).call('GET', '/item/1/copy')).status).toBe(200)
    await fetched()
    expect((await guest.call('GET', '/item/1/original')).status).toBe(200)
  }, 60_000)

  it('S4: is made by no guest with an account, who sees none of others, whatever they may do with the evidence', async () => {
    const counsel = await signInToPage(world.given, 'counsel', [], true)
    const id = await world.add('For counsel', { 'one.txt': Buffer.from('one\n') })
    const { CaseId } = await world.ok(201, 'POST', '/api/v1/case/station', { Title: 'With counsel' })
    await world.ok(204, 'POST', `/api/v1/case/station/${CaseId}/link-evidences`, { Evidences: [{ EvidenceId: id }] })
    const policy = { Permissions: 'Manage', PrincipalId: counsel.id, KId: counsel.kId, PrincipalType: 'user' }
    await world.ok(200, 'POST', `/api/v1/case/station/${CaseId}/share`, { AccessPolicies: [policy] })
    expect((await counsel.call('GET', `${world.given.documents}/evidence/${id}`)).status).toBe(200)
    const body = { EvidenceIds: [id], Recipient: RECIPIENT, Mode: 'download' }
    for (const refused of [
      await counsel.call('POST', LINKS, body),
      await counsel.call('GET', `${LINKS}/evidence/${id}`),
    ])
      expect([refused.status, (refused.json as { ErrorCode: string }).ErrorCode]).toEqual([403, 'Forbidden'])
    await world.share([id], { Mode: 'download' })
  }, 60_000)

  it('S4: names no evidence that whoever shared it cannot view any more', async () => {
    const id = await world.add('Shared, then in a case', { 'one.txt': Buffer.from('one\n') })
    await world.share([id], { Mode: 'download' })
    const mine = async () =>
      (await world.ok(200, 'GET', LINKS)).Items.find(
        ({ EvidenceCount, Evidence }: { EvidenceCount: number; Evidence: { EvidenceId: string }[] }) =>
          EvidenceCount === 1 && (Evidence.length === 0 || Evidence[0]?.EvidenceId === id),
      ).Evidence
    expect(await mine()).toEqual([{ EvidenceId: id, Name: 'Shared, then in a case' }])
    const other = await world.given.integration('other', ['CreateCases', 'AccessUnassociatedFiles:Manage'])
    const theirs = await signIn(other, world.given.url)
    const { CaseId } = await world.ok(201, 'POST', '/api/v1/case/station', { Title: 'Theirs' }, theirs)
    const links = { Evidences: [{ EvidenceId: id }] }
    await world.ok(204, 'POST', `/api/v1/case/station/${CaseId}/link-evidences`, links, theirs)
    expect((await world.call('GET', `${world.given.documents}/evidence/${id}`)).status).not.toBe(200)
    expect(await mine()).toEqual([])
  }, 60_000)
})
