import { chmodSync, copyFileSync, readFileSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'

/** *Check now* (promise I5): what lies on the disk is read again, and what it shows is a row, an entry and the state of the evidence. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given?.close())

const blobOf = (sha256: string): string =>
  path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
const resourceAddress = (one: { evidenceId: string; resourceId: string }): string =>
  `${given.documents}/evidence/${one.evidenceId}/resource/${one.resourceId}`

async function ended(jobId: string): Promise<Json> {
  for (let tries = 0; tries < 400; tries++) {
    const jobs: Json[] = await given.expecting(200, given.call('GET', '/api/v1/tenant/station/job?count=1000'))
    const job = jobs.find((one) => one.JobId === jobId)
    if (['done', 'failed', 'cancelled'].includes(job?.State)) return job
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`job ${jobId} did not end`)
}
async function checked(one: { evidenceId: string; resourceId: string }): Promise<Json> {
  const { JobId } = await given.expecting(202, given.call('POST', `${resourceAddress(one)}/check`))
  await ended(JobId)
  return (await given.expecting(200, given.call('GET', resourceAddress(one)))).LastCheck
}
const summaryOf = async (evidenceId: string): Promise<Json> =>
  (await given.expecting(200, given.call('GET', `${given.documents}/evidence?text=${evidenceId}`))).Items[0].Summary
const entriesOf = (resourceId: string) =>
  given.ledger().filter(({ action, object }) => action === 'resource.checked' && object.id === resourceId)
const readable = (file: string): string => {
  chmodSync(file, 0o600)
  return file
}
/** As different as real files, and larger than what is read at one go. */
const bytes = (seed: number): Buffer => {
  const out = Buffer.alloc(2_500_000)
  for (let at = 0; at < out.length; at += 4) out.writeUInt32LE(Math.imul(at + seed, 2_654_435_761) >>> 0, at)
  return out
}

describe('I5 a check that was asked for', () => {
  it('the reading back at the end of an upload counts as the first', async () => {
    const open = await given.resource((await given.evidence()).EvidenceId)
    expect(open.LastCheck).toBeNull()
    const { resource } = await given.completed(bytes(1))
    expect(resource.LastCheck).toEqual({
      TimeUtc: resource.UploadedTimeUtc,
      Result: 'matches',
      ReadBack: expect.toBeOneOf(['direct', 'cache']),
      Kind: 'ingest',
    })
  })

  it('bytes that are as they were: one row, one entry, verified', async () => {
    const one = await given.completed(bytes(2))
    await given.settled(one.evidenceId)
    const found = await checked(one)
    expect(found).toEqual({
      TimeUtc: expect.stringMatching(/Z$/),
      Result: 'matches',
      ReadBack: expect.toBeOneOf(['direct', 'cache']),
      Kind: 'requested',
    })
    expect(entriesOf(one.resourceId)).toEqual([
      expect.objectContaining({
        outcome: 'ok',
        reason: null,
        sha256: one.sha256,
        bytes: 2_500_000,
        actor: expect.objectContaining({ kind: 'internal' }),
        detail: expect.objectContaining({
          evidenceId: one.evidenceId,
          result: 'matches',
          found: one.sha256,
          readBack: found.ReadBack,
          requestedBy: `urn:service:station:uploader:${given.principalId}`,
        }),
      }),
    ])
    expect(
      given.database((db) => db.prepare('SELECT * FROM fixity_checks WHERE resource_id = ?').all(one.resourceId)),
    ).toEqual([expect.objectContaining({ expected_sha256: one.sha256, found_sha256: one.sha256, result: 'matches' })])
    expect((await summaryOf(one.evidenceId)).Status).toBe('verified')
  })

  it.each([
    [
      'one bit flipped below',
      'changed',
      (file: string) => {
        const all = readFileSync(file)
        all[1_234_567] = (all[1_234_567] as number) ^ 1
        writeFileSync(readable(file), all)
      },
    ],
    ['truncated', 'changed', (file: string) => truncateSync(readable(file), 2_000_000)],
    ['made longer', 'changed', (file: string) => writeFileSync(readable(file), 'x', { flag: 'a' })],
    ['emptied', 'changed', (file: string) => truncateSync(readable(file), 0)],
    ['removed', 'missing', (file: string) => unlinkSync(file)],
  ] as const)(
    '%s is %s, the evidence is in danger, and clean again when the bytes are back',
    async (name, result, harm) => {
      const one = await given.completed(bytes(name.length * 1000))
      await given.settled(one.evidenceId)
      const file = blobOf(one.sha256)
      const kept = path.join(given.dir, 'kept')
      copyFileSync(file, kept)
      harm(file)
      const found = await checked(one)
      expect([found.Result, found.Kind]).toEqual([result, 'requested'])
      expect(await summaryOf(one.evidenceId)).toMatchObject({
        Status: 'danger',
        Message:
          result === 'missing' ? expect.stringContaining('not on the disk') : expect.stringContaining('not what'),
      })
      expect(entriesOf(one.resourceId)).toEqual([
        expect.objectContaining({ outcome: 'failed', reason: expect.stringMatching(/\w/), sha256: one.sha256 }),
      ])
      const danger: Json = await given.expecting(200, given.call('GET', `${given.documents}/evidence?status=danger`))
      expect(danger.Items.map((item: Json) => item.EvidenceId)).toContain(one.evidenceId)

      copyFileSync(kept, file)
      expect((await checked(one)).Result).toBe('matches')
      expect((await summaryOf(one.evidenceId)).Status).toBe('verified')
      const clean: Json = await given.expecting(200, given.call('GET', `${given.documents}/evidence?status=danger`))
      expect(clean.Items.map((item: Json) => item.EvidenceId)).not.toContain(one.evidenceId)
    },
  )

  it('two files swapped are both changed, each with the hash of the other', async () => {
    const [one, other] = [await given.completed(bytes(41)), await given.completed(bytes(42))]
    const [first, second, aside] = [blobOf(one.sha256), blobOf(other.sha256), path.join(given.dir, 'aside')]
    copyFileSync(first, aside)
    renameSync(second, first)
    renameSync(aside, second)
    for (const [mine, its] of [
      [one, other],
      [other, one],
    ] as const) {
      expect((await checked(mine)).Result).toBe('changed')
      expect(entriesOf(mine.resourceId)[0]?.detail).toMatchObject({ found: its.sha256 })
    }
  })

  it('a second request while one is on its way is that one, and it goes no faster than it may', async () => {
    const one = await given.completed(Buffer.alloc(60_000_000, 'y'))
    await given.settled(one.evidenceId)
    const asked: Json[] = await Promise.all(
      [1, 2, 3].map(() => given.expecting(202, given.call('POST', `${resourceAddress(one)}/check`))),
    )
    expect(new Set(asked.map(({ JobId }) => JobId)).size).toBe(1)
    const job = await ended(asked[0].JobId)
    expect(entriesOf(one.resourceId)).toHaveLength(1)
    // 60 MB at 128 MiB a second.
    expect(Date.parse(job.FinishedTimeUtc) - Date.parse(job.StartedTimeUtc)).toBeGreaterThan(350)
    const requests = given
      .ledger()
      .filter(({ action, object }) => action === 'check.requested' && object.id === one.resourceId)
    expect(requests).toHaveLength(3)
  })

  it('an evidence is checked whole: every resource that has bytes, and no open one', async () => {
    const one = await given.completed(bytes(8))
    const second = await given.completed(bytes(9), { evidenceId: one.evidenceId, name: 'second.bin' })
    await given.resource(one.evidenceId)
    const { JobIds } = await given.expecting(
      202,
      given.call('POST', `${given.documents}/evidence/${one.evidenceId}/check`),
    )
    expect(JobIds).toHaveLength(2)
    for (const id of JobIds) expect((await ended(id)).State).toBe('done')
    for (const { resourceId } of [one, second]) expect(entriesOf(resourceId)).toHaveLength(1)
  })

  it('what has no bytes yet is 409, what is not there 404', async () => {
    const open = await given.resource((await given.evidence()).EvidenceId)
    const address = `${given.documents}/evidence/${open.EvidenceId}/resource/${open.ResourceId}/check`
    expect((await given.call('POST', address)).json.ErrorCode).toBe('ResourceNotCompleted')
    expect((await given.call('POST', `${given.documents}/evidence/999999/check`)).json.ErrorCode).toBe(
      'EvidenceNotFound',
    )
  })

  it('a cancelled one leaves no row', async () => {
    const one = await given.completed(Buffer.alloc(60_000_000, 'x'))
    await given.settled(one.evidenceId)
    const { JobId } = await given.expecting(202, given.call('POST', `${resourceAddress(one)}/check`))
    await given.call('POST', `/api/v1/tenant/station/job/${JobId}/cancel`)
    expect((await ended(JobId)).State).toBe('cancelled')
    expect(entriesOf(one.resourceId)).toEqual([])
    expect((await given.expecting(200, given.call('GET', resourceAddress(one)))).LastCheck.Kind).toBe('ingest')
  })
})
