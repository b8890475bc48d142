// @module-tag merge
import { execFile } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectIntegrator, type Integrator, readConnectionFile, Refused } from '../../support/integrator.ts'
import { isLong } from '../../support/scale.ts'
import { type Station, startStation, succeed, temporaryFolder } from '../../support/station.ts'

/** Where lengths stop fitting: 32 bits signed and unsigned. The gate sends small files across the edges of blocks instead. */
const SIZES = isLong ? [2 ** 31 - 1, 2 ** 32, 12 * 2 ** 30] : [2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1]
const BLOCK = isLong ? 64 * 2 ** 20 : 4 * 2 ** 20
const MIB = 2 ** 20
const mark = (at: number): string => `@${at}`.padEnd(9, '.').slice(0, 9)

describe('U5 sizes through a real station', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let station: Station
  let integrator: Integrator
  let evidenceId: string

  beforeAll(async () => {
    folder = await temporaryFolder('sizes')
    const env = { SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: String(MIB) }
    const data = join(folder.dir, 'data')
    station = await startStation({ data, env })
    const out = join(folder.dir, 'config.json')
    await succeed(['integration', 'create', 'sizes', '--base-url', 'http://127.0.0.1:7460', '--out', out], {
      data,
      env,
    })
    integrator = await connectIntegrator(readConnectionFile(out), station.url)
    evidenceId = (await integrator.createEvidence({ Name: 'sizes' })).value.EvidenceId
  })
  afterAll(async () => {
    await station.stop()
    await folder.dispose()
  })

  it.each(SIZES)('U5 keeps a file of %i bytes whole', { timeout: 1_800_000 }, async (size) => {
    const file = join(folder.dir, `sparse-${size}`)
    const fd = openSync(file, 'w')
    // A hole with something at both ends and across the middle: bytes that a wrong offset would misplace.
    ftruncateSync(fd, size)
    for (const at of [0, Math.floor(size / 2) - 4, size - 9]) writeSync(fd, Buffer.from(mark(at)), 0, 9, at)
    closeSync(fd)
    // Not in this thread: a connection that lies idle meanwhile would be taken for a living one.
    const sha256 = (await promisify(execFile)('sha256sum', [file])).stdout.slice(0, 64)

    const resource = (
      await integrator.createResource(evidenceId, { Name: 'sparse.bin', LengthInBytes: size, Sha256: sha256 })
    ).value
    await new BlockBlobClient(resource.UploadUri).uploadFile(file, {
      blockSize: BLOCK,
      maxSingleShotSize: 0,
      concurrency: 3,
    })
    const done = (
      await integrator.completeResource(evidenceId, resource.ResourceId, { Sha256: sha256, LengthInBytes: size })
    ).value
    expect(done).toMatchObject({ State: 'UserCompleted', LengthInBytes: size, Sha256: sha256 })
    const tail = await integrator.content(evidenceId, resource.ResourceId, `bytes=${size - 9}-`)
    expect(Buffer.from(tail.bytes).toString('utf8')).toBe(mark(size - 9))
    await rm(file)
  })

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 32])('U5 a lying length of %i is found at completion', async (announced) => {
    const resource = (await integrator.createResource(evidenceId, { Name: 'lie.bin', LengthInBytes: announced })).value
    await integrator.putBlob(resource.UploadUri, Buffer.from('five!'))
    const refused = await integrator
      .completeResource(evidenceId, resource.ResourceId, {})
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect((refused as Refused).status).toBe(409)
    expect((refused as Refused).message).toContain('HashMismatch')
  })

  it('U5 more than a tebibyte is refused when it is announced', async () => {
    const refused = await integrator
      .createResource(evidenceId, { Name: 'large.bin', LengthInBytes: 2 ** 40 + 1 })
      .catch((error: unknown) => error)
    expect((refused as Refused).status).toBe(400)
  })
})
