/** An upload station without the rest of the house: the real handler, staging area and database behind a plain HTTP server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { placeAndCommit } from '../../../server/kernel/evidence/place-and-commit.ts'
import { blobIsKnown, insertBlob, updateResource } from '../../../server/kernel/evidence/records.store.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import type { BucketAddress, BucketLimits } from '../../../server/storage/s3/bucket.ts'
import { openS3BlobStore } from '../../../server/storage/s3/store.ts'
import { openBlobStore } from '../../../server/storage/folder/store.ts'
import type { BlobStore } from '../../../server/storage/store.ts'
import { openStaging, type StagingArea } from '../../../server/storage/staging/staging.ts'
import type { Assembled } from '../../../server/features/uploads/blobs/assemble.ts'
import { blobHandler } from '../../../server/features/uploads/blobs/blobs.routes.ts'
import { type LinkSigner, linkSigner } from '../../../server/features/uploads/blobs/blobs.signature.ts'
import type { Patience } from '../../../server/features/uploads/blobs/body.ts'
import { type Admission, type Uploads, uploads } from '../../../server/features/uploads/blobs/uploads.ts'
import type { BytesAnswer, BytesRequest } from '../../../server/http/bytes.ts'
import type { Clock } from '../../../server/platform/clock/clock.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'

export interface Station {
  readonly folder: string
  readonly url: string
  readonly database: Database
  readonly store: BlobStore
  readonly staging: StagingArea
  readonly uploads: Uploads
  readonly signer: LinkSigner
  /** Makes an open resource. */
  newResource(): Promise<string>
  uploadUri(resourceId: string): string
  /** What completing would make of the upload now, which then goes on; null when nothing was committed. */
  assembled(resourceId: string): Promise<Assembled | null>
  /** Completes an upload as the station does, without its records. @returns the SHA-256; null when nothing was committed */
  complete(resourceId: string): Promise<string | null>
  admission: Admission
  close(): Promise<void>
}

export interface StationOptions {
  /** Go on in the folder of an earlier one. */
  folder?: string
  clock?: Clock
  patience?: Patience
  /** Where blobs and blocks lie, in place of the folder. */
  bucket?: BucketAddress
  /** Of another station, for one more node over the same bucket. Its owner closes it. */
  database?: Database
  /** Age from which objects count as left over. */
  orphanAge?: number
  /** How long requests are waited for. Default: short. */
  limits?: Partial<BucketLimits>
  /** For so long requests of a removal may be sent. */
  removalMs?: number
}

export async function startStation(options: StationOptions = {}): Promise<Station> {
  const clock = options.clock ?? systemClock
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sallyport-blobs-')))
  const database = options.database ?? (await openTestDatabase({ file: join(folder, 'station.db') }))
  const store = await openStore(options, join(folder, 'blobs'), clock)
  const staging = await openStaging({ root: join(store.root, '.staging', 'uploads') })
  const station = { admission: 'yes' as Admission }
  const service = uploads({
    database,
    staging,
    blocks: store.blocks,
    clock,
    nodeId: folder,
    mayWrite: async () => station.admission,
    onStorageFault: (error) => process.emitWarning(error),
  })
  await store.recover((sha256) => blobIsKnown(database.read, sha256), ['uploads'])
  await service.recover()
  const signer = linkSigner(Buffer.alloc(32, 'test'))
  const handler = blobHandler({
    uploads: service,
    signer,
    clock,
    stillHeld: async () => true,
    ...(options.patience === undefined ? {} : { patience: options.patience }),
  })
  const server = await listen((request, call) =>
    handler(request, { actor: INTERNAL, source: 'test', correlationId: call }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await seed(database)
  return Object.assign(station, {
    folder,
    url,
    database,
    store,
    staging,
    uploads: service,
    signer,
    newResource: () => insertResource(database, clock.now()),
    uploadUri: (resourceId: string) => url + signer.pathFor('station', resourceId, clock.now(), '1'),
    assembled: async (resourceId: string) => {
      try {
        return await service.assemble(Number(resourceId), store)
      } finally {
        await service.release(Number(resourceId))
      }
    },
    complete: async (resourceId: string) => {
      const id = Number(resourceId)
      try {
        const made = await service.assemble(id, store)
        if (made === null) return null
        const { sha256 } = await placeAndCommit({ db: database, store }, made.staged, async (tx, placed) => {
          await service.forget(tx, id)
          await insertBlob(tx, placed, new Date(clock.now()).toISOString())
          await updateResource(tx, id, { state: 'UserCompleted', sha256: placed.sha256, length: placed.length })
          return placed
        })
        await service.discard(id)
        return sha256
      } finally {
        await service.release(id)
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await staging.close()
      await store.close()
      if (options.database === undefined) await database.close()
    },
  })
}

async function openStore(options: StationOptions, root: string, clock: Clock): Promise<BlobStore> {
  const { bucket, orphanAge, removalMs } = options
  const common = { root, workers: 1, now: clock.now }
  if (bucket === undefined) return openBlobStore(common)
  const limits = { writePatience: 1500, readPatience: 1500, silence: 2000, partBytes: 5 * 2 ** 20, ...options.limits }
  const age = orphanAge === undefined ? {} : { orphanAge }
  const most = removalMs === undefined ? {} : { removalMs }
  return openS3BlobStore({ ...common, address: bucket, owner: null, probes: 1, limits, ...age, ...most })
}

export async function removeStation(station: Station): Promise<void> {
  await station.close()
  await rm(station.folder, { recursive: true, force: true })
}

async function seed({ read, transaction }: Database): Promise<void> {
  if ((await read.selectFrom('tenants').select('tenant_id').executeTakeFirst()) !== undefined) return
  await transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: 'station', name_key: 'station', created_utc: '2026-11-21T00:00:00Z' })
      .execute()
    await tx
      .insertInto('evidence')
      .values({
        tenant_id: 'station',
        name: 'e',
        created_utc: '2026-11-21T00:00:00Z',
        created_ticks: 0n,
        created_by: '{}',
        concurrency_id: '0'.repeat(40),
      })
      .execute()
  })
}

async function insertResource({ transaction }: Database, now: number): Promise<string> {
  return transaction(async (tx) => {
    const { resource_id: id } = await tx
      .insertInto('resources')
      .values({
        evidence_id: 1,
        name: 'r',
        mime_type: 'video/mp4',
        role: 'original',
        uploaded_by: '{}',
        created_utc: new Date(now).toISOString(),
        concurrency_id: '0'.repeat(40),
      })
      .returning('resource_id')
      .executeTakeFirstOrThrow()
    return String(id)
  })
}

/** The part of the real frame that a bytes handler sees. */
async function listen(handle: (request: BytesRequest, correlationId: string) => Promise<BytesAnswer>): Promise<Server> {
  let next = 1
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const controller = new AbortController()
    response.on('close', () => controller.abort())
    const [path = '', search = ''] = (message.url ?? '').split('?', 2)
    const segments = path.split('/').map(decodeURIComponent)
    const query: Record<string, string> = Object.create(null)
    for (const [name, value] of new URLSearchParams(search)) query[name] ??= value
    const { method = '', headers, url = '' } = message
    const params = { container: segments[2] ?? '', blob: segments[3] ?? '' }
    const answer = await handle(
      { method, params, query, headers, url, origin: '', body: message, signal: controller.signal },
      `request-${next++}`,
    )
    response.writeHead(answer.status, answer.headers)
    if (answer.body instanceof Readable) answer.body.pipe(response)
    else response.end(answer.body)
  }
  const server = createServer((message, response) => {
    serve(message, response).catch((error) => {
      process.emitWarning(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  server.requestTimeout = 0
  server.on('checkContinue', (message, response) => {
    response.writeContinue()
    server.emit('request', message, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
