import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64, sha256Of } from '../../support/blob-client.ts'
import { type Station, removeStation, startStation } from './harness.ts'

const MIB = 2 ** 20

describe('the public client library, unchanged', () => {
  let station: Station
  let folder: string
  const file = (): string => join(folder, 'source')
  const data = randomBytes(17 * MIB + 123)

  beforeAll(async () => {
    station = await startStation()
    folder = await mkdtemp(join(tmpdir(), 'sallyport-sdk-'))
    await writeFile(file(), data)
    // The library may open the file once more after an upload has ended, and throws what goes wrong then at the whole process.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  })
  afterAll(() => removeStation(station))

  const assembled = async (id: string): Promise<string | undefined> => (await station.assembled(id))?.staged.sha256
  const inBlocks = { blockSize: MIB, maxSingleShotSize: 0 }

  test('uploadFile in one shot', async () => {
    const id = await station.newResource()
    const client = new BlockBlobClient(station.uploadUri(id))
    const answer = await client.uploadFile(file())
    expect(answer._response.status).toBe(201)
    const properties = await client.getProperties()
    expect(properties.contentLength).toBe(data.length)
    expect(properties.etag).toBe(answer.etag)
    expect(properties.blobType).toBe('BlockBlob')
    expect(Buffer.from(properties.contentMD5 ?? []).toString('hex')).toBe(createHash('md5').update(data).digest('hex'))
    expect(await assembled(id)).toBe(sha256Of(data))
  })

  test('uploadFile in blocks, in parallel, with progress, headers and metadata; completing needs no copy', async () => {
    const id = await station.newResource()
    const client = new BlockBlobClient(station.uploadUri(id))
    let progress = 0
    await client.uploadFile(file(), {
      ...inBlocks,
      concurrency: 8,
      onProgress: ({ loadedBytes }) => {
        progress = loadedBytes
      },
      blobHTTPHeaders: { blobContentType: 'video/mp4' },
      metadata: { encryptiondata: '{"a":1}' },
    })
    expect(progress).toBe(data.length)
    const properties = await client.getProperties()
    expect(properties.contentType).toBe('video/mp4')
    expect(properties.metadata).toEqual({ encryptiondata: '{"a":1}' })
    const list = await client.getBlockList('all')
    expect(list.committedBlocks?.length).toBe(18)
    expect(list.uncommittedBlocks ?? []).toEqual([])
    expect(await station.staging.files(id)).toHaveLength(1)
    const result = await station.assembled(id)
    expect(result?.staged.sha256).toBe(sha256Of(data))
    expect(result?.staged.path).toMatch(/adopt-/)
    expect(result?.metadata).toEqual([['encryptiondata', '{"a":1}']])
  })

  test('U3 uploadFile with the checksums of structured bodies', async () => {
    const id = await station.newResource()
    const client = new BlockBlobClient(station.uploadUri(id))
    await client.uploadFile(file(), {
      blockSize: 6 * MIB,
      maxSingleShotSize: 0,
      contentChecksumAlgorithm: 'StorageCrc64',
    })
    expect(await assembled(id)).toBe(sha256Of(data))
    await client.uploadFile(file(), { contentChecksumAlgorithm: 'StorageCrc64' })
    expect(await assembled(id)).toBe(sha256Of(data))
  })

  test('a repeated uploadFile gives the right bytes and leaves no stale blocks', async () => {
    const id = await station.newResource()
    const client = new BlockBlobClient(station.uploadUri(id))
    const other = randomBytes(5 * MIB + 1)
    await client.uploadData(other, inBlocks)
    await client.stageBlock(base64('left over by nobody knows whom - 48 bytes long -'), 'x', 1)
    await client.uploadFile(file(), inBlocks)
    const list = await client.getBlockList('all')
    expect(list.uncommittedBlocks ?? []).toEqual([])
    expect(list.committedBlocks?.length).toBe(18)
    expect(await station.staging.files(id)).toHaveLength(1)
    expect(await assembled(id)).toBe(sha256Of(data))
  })

  test('uploadData and uploadStream', async () => {
    const id = await station.newResource()
    const client = new BlockBlobClient(station.uploadUri(id))
    await client.uploadData(Buffer.from('small'))
    expect(await assembled(id)).toBe(sha256Of(Buffer.from('small')))
    const { createReadStream } = await import('node:fs')
    await client.uploadStream(createReadStream(file()), MIB, 4)
    expect(await assembled(id)).toBe(sha256Of(data))
  })

  test('U2 killed in the middle and gone on with what getBlockList says', async () => {
    const first = await startStation()
    const id = await first.newResource()
    const blockId = (index: number): string => base64(`block-${String(index).padStart(6, '0')}`)
    const block = (index: number): Buffer => data.subarray(index * MIB, (index + 1) * MIB)
    const before = new BlockBlobClient(first.uploadUri(id))
    for (const index of [0, 1, 4, 7]) await before.stageBlock(blockId(index), block(index), block(index).length)
    await first.close()

    const second = await startStation({ folder: first.folder })
    const client = new BlockBlobClient(second.uploadUri(id))
    const have = new Set((await client.getBlockList('uncommitted')).uncommittedBlocks?.map(({ name }) => name))
    expect(have.size).toBe(4)
    const ids = Array.from({ length: 18 }, (_, i) => blockId(i))
    for (const [index, name] of ids.entries())
      if (!have.has(name)) await client.stageBlock(name, block(index), block(index).length)
    await client.commitBlockList(ids)
    const result = await second.assembled(id)
    expect(result?.staged.sha256).toBe(sha256Of(data))
    expect(result?.staged.path).toMatch(/adopt-/)
    await removeStation(second)
  })

  test('a link without its right, forged or expired is 403 as Azure says it', async () => {
    const id = await station.newResource()
    const uri = station.uploadUri(id).replace(/sig=./, (sig) => (sig === 'sig=A' ? 'sig=B' : 'sig=A'))
    await expect(new BlockBlobClient(uri).uploadData(Buffer.from('x'))).rejects.toMatchObject({
      statusCode: 403,
      code: 'AuthenticationFailed',
    })
    const other = station.uploadUri(id).replace(`/station/${id}?`, `/station/${Number(id) - 1}?`)
    await expect(new BlockBlobClient(other).getProperties()).rejects.toMatchObject({ statusCode: 403 })
    const yesterday = station.url + station.signer.pathFor('station', id, Date.now() - 24 * 3600_000 - 1000, '1')
    await expect(new BlockBlobClient(yesterday).uploadData(Buffer.from('x'))).rejects.toMatchObject({
      statusCode: 403,
      code: 'AuthenticationFailed',
    })
    await expect(new BlockBlobClient(station.uploadUri(id)).download()).rejects.toMatchObject({
      statusCode: 403,
      code: 'AuthorizationPermissionMismatch',
    })
  })

  test('a full station is not tried again and again', async () => {
    const id = await station.newResource()
    station.admission = 'full'
    const since = performance.now()
    await expect(new BlockBlobClient(station.uploadUri(id)).uploadFile(file(), inBlocks)).rejects.toMatchObject({
      statusCode: 507,
    })
    expect(performance.now() - since).toBeLessThan(3000)
    station.admission = 'yes'
  })
})
