/** Uploads at two nodes of one headquarters: two stations in one process, over one PostgreSQL database and one object store. */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { BlockBlobClient } from '@azure/storage-blob'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { type RunningStation, startServer } from '../../server/index.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { scale } from '../support/scale.ts'

const missing = (await postgresMissing()) ?? missingForS3()
const BLOCK = 700_000

let postgres: PostgresServer
let s3: S3Server
let bucket: string
let given: Given
let other: RunningStation
let otherData: string

beforeAll(async () => {
  if (missing !== null) return
  useS3Credentials()
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3Server()])
  bucket = await s3.bucket()
  const shared = {
    databaseUrl: await postgres.create('uploads'),
    blobUrl: `s3://${bucket}/hq?endpoint=${s3.endpoint}&region=${S3_REGION}&pathStyle=true`,
    // Issuer of tokens, the same on all nodes.
    publicUrl: 'http://127.0.0.1:1',
    wrappingKey: WRAPPING_KEY,
  }
  given = await givenStation({ fresh: true, settings: { ...shared, nodeName: 'east' } })
  otherData = path.join(given.dir, 'other')
  const rest = { port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent', strictResponses: true }
  other = await startServer(loadSettings({}, { ...rest, ...shared, data: otherData, nodeName: 'west' }))
}, STARTING)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await other?.close()
  await given?.close()
  await Promise.all([postgres?.stop(), s3?.close()])
})

const urls = (): readonly [string, string] => [given.url, other.url]
/** The upload address as each node would give it. */
const addresses = (uploadUri: string): string[] => urls().map((url) => uploadUri.replace(/^https?:\/\/[^/]+/, url))
const opened = async (): Promise<Json> => {
  const { EvidenceId } = await given.evidence()
  return { EvidenceId, ...(await given.resource(EvidenceId)) }
}
const completeAt = (node: number, { EvidenceId, ResourceId }: Json) =>
  given.call('POST', `${urls()[node]}${given.documents}/evidence/${EvidenceId}/resource/${ResourceId}/complete`, {
    body: {},
  })
const staged = async (): Promise<number> =>
  (await s3.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'hq/staging/' }))).KeyCount ?? 0

/** Sends blocks to the nodes in turn, several at a time, and commits them at one of them. */
async function sendBlocks(open: Json, bytes: Buffer, committing: number): Promise<void> {
  const clients = addresses(open.UploadUri).map((address) => new BlockBlobClient(address))
  const ids = Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, index) =>
    Buffer.from(`block-${String(index).padStart(5, '0')}`).toString('base64'),
  )
  await Promise.all(
    ids.map((id, index) => {
      const block = bytes.subarray(index * BLOCK, (index + 1) * BLOCK)
      return (clients[index % 2] as BlockBlobClient).stageBlock(id, block, block.length)
    }),
  )
  await (clients[committing] as BlockBlobClient).commitBlockList(ids)
}

it(`B2 ${scale(3, 30)} uploads whose blocks come to two nodes in turn are completed at either, and given back by both`, async () => {
  for (let round = 0; round < scale(3, 30); round++) {
    const bytes = randomBytes(5_000_000 + round)
    const open = await opened()
    await sendBlocks(open, bytes, round % 2)
    expect(await staged()).toBe(Math.ceil(bytes.length / BLOCK))
    const done = await given.expecting(200, completeAt((round + 1) % 2, open))
    expect([done.State, done.Sha256]).toEqual(['UserCompleted', sha256Of(bytes)])
    for (const url of urls()) {
      const place = `${given.documents}/evidence/${open.EvidenceId}/resource/${open.ResourceId}/content`
      expect(sha256Of((await given.call('GET', `${url}${place}`)).bytes)).toBe(sha256Of(bytes))
    }
    expect(await staged()).toBe(0)
  }
  for (const data of [given.data, otherData])
    expect(readdirSync(path.join(data, 'scratch', '.staging', 'uploads', 'incoming'))).toEqual([])
}, 300_000)

it('completing at both nodes at once completes once, and both say so', async () => {
  const bytes = randomBytes(2_000_000)
  const open = await opened()
  await sendBlocks(open, bytes, 0)
  const answers = await Promise.all([0, 1].map((node) => completeAt(node, open)))
  expect(answers.map(({ status, json }) => [status, json.Sha256])).toEqual([
    [200, sha256Of(bytes)],
    [200, sha256Of(bytes)],
  ])
  const client = new pg.Client({ connectionString: postgres.url('uploads') })
  await client.connect()
  const { rows } = await client.query<{ body: Uint8Array }>(
    "SELECT body FROM ledger WHERE object_type = 'resource' AND object_id = $1",
    [open.ResourceId],
  )
  await client.end()
  expect(rows.filter(({ body }) => storedEntry(body).action === 'resource.completed')).toHaveLength(1)
  await given.settled(open.EvidenceId)
  expect((await given.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
}, 120_000)
