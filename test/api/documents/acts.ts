import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openTestDatabase } from '../../support/rows.ts'
import { temporaryFolder } from '../../support/station.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { type Given, givenStation, type Json, type Reply, sha256Of } from '../../support/given.ts'
import { assertionFor, signIn } from '../../support/integrator.ts'
import { CHANGE_ACTS } from './acts-change.ts'
import { EVIDENCE_ACTS } from './acts-evidence.ts'
import { WINDOW_ACTS } from './acts-window.ts'
import { MAP_ACTS } from '../maps/acts.ts'
import { CAD_ACTS } from '../cad/acts.ts'
import { CASE_ACTS } from '../cases/acts.ts'
import { WORK_ACTS } from '../cases/acts-work.ts'
import { DEVICE_ACTS } from '../devices/acts.ts'
import { DISCLOSURE_ACTS } from '../disclosure/acts.ts'
import { PROPOSAL_ACTS } from '../disclosure/acts-proposals.ts'
import { DISPOSITION_ACTS } from '../disposition/acts.ts'
import { DOCK_ACTS } from '../dock/acts.ts'
import { FORWARDING_ACTS } from '../forwarding/acts.ts'
import { LAN_ACTS } from '../lan/acts.ts'
import { INTEGRITY_ACTS } from '../integrity/acts.ts'
import { ANNOTATION_ACTS } from '../annotations/acts.ts'
import { clipOf, resourcePath } from './clip.ts'
import { REPORT_ACTS } from '../reports/acts.ts'
import { PACKAGE_ACTS } from '../packages/acts.ts'
import { SAMPLE_ACTS } from '../sample/acts.ts'
import { SEARCH_ACTS } from '../search/acts.ts'
import { SESSION_ACTS } from '../sessions/acts.ts'
import { SHARE_LINK_ACTS } from '../share-links/acts.ts'
import { ACCOUNT_ACTS } from '../sessions/acts-account.ts'
import { OWN_ACCESS_ACTS } from '../sessions/acts-own-access.ts'
import { PASSKEY_ACTS } from '../sessions/acts-passkeys.ts'
import { PROGRAM, PROGRAM_ACTS } from '../sessions/acts-programs.ts'
import { USER_ACTS } from '../users/acts.ts'
import { VALIDATION_ACTS } from '../validation/acts.ts'

export { resourcePath } from './clip.ts'

/** Of a link. */
interface Guest {
  readonly kind: 'share-link'
  readonly id: string
  readonly name: string
}

/** One good call of every route, with the ledger entries that it must leave (promise I1). */
export type Expected = readonly [action: string, objectType: string, objectId: string, more?: Partial<StoredEntry>]
export interface Act {
  readonly call: () => Promise<Pick<Reply, 'status' | 'correlationId' | 'json'> & { bytes?: Uint8Array }>
  readonly status: number
  readonly entries: (reply: Awaited<ReturnType<Act['call']>>) => readonly Expected[]
  /** The integration unless said. */
  readonly actor?: 'anonymous' | 'nobody signed in' | 'sergeant' | 'chief' | Guest
  /** The entries of the call, where it went to another station. */
  readonly written?: () => readonly StoredEntry[]
}

/** What the calls work on. */
export interface World {
  readonly given: Given
  readonly photo: { evidenceId: string; resourceId: string; sha256: string }
  readonly original: Json
  readonly exif: Json
  readonly evidence: Json
  /** A token of an account administrator. */
  readonly admin: string
  readonly withId: (correlationId: string) => StoredEntry[]
  /** Where the station looks for the certificate of the agency and its key. There is none at first. */
  readonly signing: { readonly certificateFile: string; readonly keyFile: string }
}

/** A station with a picture of which everything was made, and an administrator's token. The caller closes `given`. */
export async function makeWorld(): Promise<World> {
  const folder = await temporaryFolder('signing')
  const signing = {
    certificateFile: path.join(folder.dir, 'certificate.pem'),
    keyFile: path.join(folder.dir, 'key.pem'),
  }
  const station = await givenStation({
    settings: {
      desktopClients: [PROGRAM],
      lanHost: '127.0.0.1',
      lanPort: 0,
      signingCertificate: signing.certificateFile,
      signingKey: signing.keyFile,
    },
    prepare: (data) => {
      // What an unclean end leaves behind.
      mkdirSync(path.join(data, 'blobs', '.staging', 'left-behind'), { recursive: true })
      writeFileSync(path.join(data, 'blobs', '.staging', 'left-behind', 'part'), 'x')
    },
  })
  const given: Given = {
    ...station,
    close: async () => {
      await station.close()
      await folder.dispose()
    },
  }
  const file = path.join(given.dir, 'photo.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=320x240:d=1', '-frames:v', '1', file])
  execFileSync('exiftool', [
    '-q',
    '-overwrite_original',
    '-n',
    '-GPSLatitude=48.2',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=16.3',
    '-GPSLongitudeRef=E',
    file,
  ])
  const photo = await given.completed(readFileSync(file), { name: 'photo.jpg' })
  const list = await given.settled(photo.evidenceId)
  const original = list.find((one) => one.Parent === null)
  const exif = list.find((one) => one.Name.endsWith('.exif.json'))
  const evidence = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${photo.evidenceId}`))
  const chief = (
    await given.command('integration.create', {
      name: 'chief',
      policies: [],
      group: 'Account Administrators',
      baseUrl: given.url,
    })
  ).connection
  const admin = await signIn(chief, given.url)
  return { given, photo, original, exif, evidence, admin, withId: entriesWith(given), signing }
}

/** The entries of one call, by the correlation id of its reply. */
const entriesWith =
  (given: Given) =>
  (correlationId: string): StoredEntry[] =>
    given.ledger().filter((entry) => entry.correlationId === correlationId)

/** For what is written without anybody waiting for it. */
export async function eventually({ withId }: World, correlationId: string): Promise<StoredEntry[]> {
  for (let tries = 0; tries < 100; tries++) {
    const entries = withId(correlationId)
    if (entries.length > 0) return entries
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return []
}

export const openWithBytes = async (given: Given): Promise<Json> => {
  const { EvidenceId } = await given.evidence()
  const open = await given.resource(EvidenceId)
  await given.put(open.UploadUri, Buffer.from(`bytes ${randomUUID()}`))
  return open
}
const somebodysJob = async ({ given, photo }: World, state: 'failed' | 'queued'): Promise<string> => {
  const db = await openTestDatabase({ file: given.file })
  const now = new Date().toISOString()
  const row = await db.transaction((tx) =>
    tx
      .insertInto('jobs')
      .values({
        kind: 'derive.inspect',
        payload: JSON.stringify({ resourceId: photo.resourceId }),
        subject: 'resource:1',
        dedup_key: null,
        state,
        run_after: Date.now() + 3_600_000,
        created_utc: now,
        started_utc: null,
        finished_utc: null,
        progress: null,
      })
      .returning('job_id')
      .executeTakeFirstOrThrow(),
  )
  await db.close()
  return String(row.job_id)
}
const plain = (given: Given, method: string, address: string, status = 200): Act => ({
  call: () => given.call(method, address),
  status,
  entries: () => [],
})
/** A stream of events, opened and left. */
const opened = (given: Given, address: string): Act => ({
  call: async () => {
    const abort = new AbortController()
    const response = await fetch(`${given.url}${address}`, {
      headers: { authorization: `Bearer ${given.token}` },
      signal: abort.signal,
    })
    abort.abort()
    return { status: response.status, correlationId: response.headers.get('x-correlation-id') ?? '', json: null }
  },
  status: 200,
  entries: () => [],
})
export const blockBlob = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' }

/** One good call of each route. */
export const ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  createEvidence: ({ given }) => ({
    call: () => given.call('POST', `${given.documents}/evidence`, { body: { Name: 'audited' } }),
    status: 201,
    entries: ({ json }) => [
      ['evidence.created', 'evidence', json.EvidenceId, { detail: { concurrencyId: json.ConcurrencyId } }],
    ],
  }),
  getEvidence: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/00${photo.evidenceId}/`),
    status: 200,
    entries: ({ json }) => [
      ['evidence.read', 'evidence', photo.evidenceId, { detail: { concurrencyId: json.ConcurrencyId } }],
    ],
  }),
  listEvidence: ({ given }) => ({
    call: () => given.call('GET', `${given.documents}/evidence?text=audited&count=5`),
    status: 200,
    entries: ({ json }) => [
      [
        'list.read',
        'evidence',
        '',
        {
          detail: {
            text: 'audited',
            sort: 'created',
            direction: 'desc',
            count: 5,
            returned: json.Items.length,
            total: json.Total,
          },
        },
      ],
    ],
  }),
  ...WINDOW_ACTS,
  ...ANNOTATION_ACTS,
  ...REPORT_ACTS,
  ...CHANGE_ACTS,
  ...EVIDENCE_ACTS,
  ...CAD_ACTS,
  ...CASE_ACTS,
  ...WORK_ACTS,
  ...DEVICE_ACTS,
  ...DISCLOSURE_ACTS,
  ...PROPOSAL_ACTS,
  ...DISPOSITION_ACTS,
  ...DOCK_ACTS,
  ...FORWARDING_ACTS,
  ...INTEGRITY_ACTS,
  ...LAN_ACTS,
  ...MAP_ACTS,
  ...PACKAGE_ACTS,
  ...SHARE_LINK_ACTS,
  ...SAMPLE_ACTS,
  ...VALIDATION_ACTS,
  ...SEARCH_ACTS,
  getToday: ({ given }) => ({
    call: () => given.call('GET', '/api/v1/tenant/station/today'),
    status: 200,
    entries: ({ json }) => [
      [
        'list.read',
        'today',
        '',
        { detail: { recordings: json.Recordings.Items.length, cases: json.Cases.Items.length } },
      ],
    ],
  }),
  putSetupChecklist: ({ given, admin }) => ({
    call: () =>
      given.call('PUT', '/api/v1/tenant/station/today/checklist', { token: admin, body: { Dismissed: true } }),
    status: 200,
    actor: 'chief',
    entries: () => [['station.checklistChanged', 'station', '1', { detail: { dismissed: true } }]],
  }),
  getStation: ({ given }) => plain(given, 'GET', '/api/v1/tenant/station/station'),
  stationEvents: ({ given }) => opened(given, '/api/v1/tenant/station/station/events'),
  completeEvidence: async ({ given }) => {
    const { EvidenceId } = await given.evidence()
    return {
      call: () => given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`),
      status: 200,
      entries: ({ json }) => [
        ['evidence.completed', 'evidence', EvidenceId, { detail: { concurrencyId: json.ConcurrencyId } }],
      ],
    }
  },
  createResource: ({ given, photo }) => ({
    call: () =>
      given.call('POST', `${given.documents}/evidence/${photo.evidenceId}/resource`, { body: { Name: 'more.bin' } }),
    status: 201,
    entries: ({ json }) => [
      ['resource.created', 'resource', json.ResourceId, { detail: { evidenceId: photo.evidenceId } }],
    ],
  }),
  listResources: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/resource`),
    status: 200,
    entries: () => [
      [
        'resource.listed',
        'evidence',
        photo.evidenceId,
        { object: { type: 'evidence', id: photo.evidenceId, name: 'Front desk' } },
      ],
    ],
  }),
  getResource: ({ given, photo, original }) => ({
    call: () => given.call('GET', resourcePath(given, original)),
    status: 200,
    entries: () => [
      [
        'resource.read',
        'resource',
        photo.resourceId,
        { object: { type: 'resource', id: photo.resourceId, name: 'photo.jpg' } },
      ],
    ],
  }),
  renewUploadUri: async ({ given }) => {
    const open = await openWithBytes(given)
    return {
      call: () => given.call('POST', `${resourcePath(given, open)}/upload-uri`),
      status: 200,
      entries: () => [['upload.renewed', 'resource', open.ResourceId]],
    }
  },
  completeResource: async ({ given }) => {
    const open = await openWithBytes(given)
    return {
      call: () => given.call('POST', `${resourcePath(given, open)}/complete`),
      status: 200,
      entries: ({ json }) => [
        ['resource.completed', 'resource', open.ResourceId, { sha256: json.Sha256, bytes: json.LengthInBytes }],
      ],
    }
  },
  getContent: ({ given, photo, original }) => ({
    call: () => given.call('GET', `${resourcePath(given, original)}/content`, { headers: { range: 'bytes=0-9' } }),
    status: 206,
    entries: () => [
      [
        'resource.downloaded',
        'resource',
        photo.resourceId,
        { bytes: 10, sha256: photo.sha256, detail: { evidenceId: photo.evidenceId, range: 'bytes=0-9' } },
      ],
    ],
  }),
  downloadOriginals: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/download?id=${photo.evidenceId}`),
    status: 200,
    entries: () => [
      [
        'resource.downloaded',
        'resource',
        photo.resourceId,
        { sha256: photo.sha256, detail: { evidenceId: photo.evidenceId, range: null, archive: 1 } },
      ],
    ],
  }),
  getResourceThumbnail: ({ given, photo, original }) => ({
    call: () => given.call('GET', original.Thumbnail),
    status: 200,
    entries: ({ bytes }) => [
      ['resource.thumbnail', 'resource', photo.resourceId, { sha256: sha256Of(bytes as Uint8Array) }],
    ],
  }),
  getEvidenceThumbnail: ({ given, photo, evidence }) => ({
    call: () => given.call('GET', evidence.Thumbnail),
    status: 200,
    entries: ({ bytes }) => [
      ['resource.thumbnail', 'resource', photo.resourceId, { sha256: sha256Of(bytes as Uint8Array) }],
    ],
  }),
  getMedia: ({ given, photo, original }) => ({
    call: () => given.call('GET', `${resourcePath(given, original)}/media`),
    status: 200,
    entries: () => [
      [
        'resource.read',
        'resource',
        photo.resourceId,
        { object: { type: 'resource', id: photo.resourceId, name: 'photo.jpg' } },
      ],
    ],
  }),
  getStrip: async (world) => {
    const clip = await clipOf(world)
    return {
      call: () => world.given.call('GET', `${resourcePath(world.given, clip)}/strip`),
      status: 200,
      entries: ({ bytes }) => [
        ['resource.previewed', 'resource', clip.ResourceId, { sha256: sha256Of(bytes as Uint8Array) }],
      ],
    }
  },
  getWaveform: async (world) => {
    const clip = await clipOf(world)
    return {
      call: () => world.given.call('GET', `${resourcePath(world.given, clip)}/waveform`),
      status: 200,
      entries: () => [
        [
          'resource.previewed',
          'resource',
          clip.ResourceId,
          { detail: { evidenceId: clip.EvidenceId, view: 'waveform' } },
        ],
      ],
    }
  },
  takeStill: async (world) => {
    const clip = await clipOf(world)
    return {
      call: () => world.given.call('POST', `${resourcePath(world.given, clip)}/still`, { body: { Seconds: 0.5 } }),
      status: 201,
      entries: ({ json }) => [
        ['still.taken', 'resource', json.ResourceId, { sha256: json.Sha256, bytes: json.LengthInBytes }],
      ],
    }
  },
  makeClips: async (world) => {
    const clip = await clipOf(world)
    const body = { Kind: 'exact', Ranges: [{ FromSeconds: 0.2, ToSeconds: 0.4 }] }
    return {
      call: () => world.given.call('POST', `${resourcePath(world.given, clip)}/clips`, { body }),
      status: 202,
      entries: ({ json }) => [
        [
          'clip.requested',
          'resource',
          clip.ResourceId,
          { detail: { evidenceId: clip.EvidenceId, kind: 'exact', ranges: ['0.2-0.4'], jobs: json.JobIds } },
        ],
      ],
    }
  },
  getClipBounds: async (world) => {
    const clip = await clipOf(world)
    const body = { Ranges: [{ FromSeconds: 0.2, ToSeconds: 0.4 }] }
    return {
      call: () => world.given.call('POST', `${resourcePath(world.given, clip)}/clip-bounds`, { body }),
      status: 200,
      entries: () => [['resource.read', 'resource', clip.ResourceId]],
    }
  },
  cropPicture: async (world) => {
    const clip = await clipOf(world)
    const still = await world.given.expecting(
      201,
      world.given.call('POST', `${resourcePath(world.given, clip)}/still`, { body: { Seconds: 0.5 } }),
    )
    const body = { Left: 1, Top: 2, Width: 20, Height: 10 }
    return {
      call: () => world.given.call('POST', `${resourcePath(world.given, still)}/crop`, { body }),
      status: 201,
      entries: ({ json }) => [
        ['picture.cropped', 'resource', json.ResourceId, { sha256: json.Sha256, bytes: json.LengthInBytes }],
      ],
    }
  },
  listJobs: ({ given }) => plain(given, 'GET', '/api/v1/tenant/station/job'),
  jobEvents: ({ given }) => opened(given, '/api/v1/tenant/station/job/events'),
  cancelJob: async (world) => {
    const { given } = world
    const id = await somebodysJob(world, 'queued')
    return {
      call: () => given.call('POST', `/api/v1/tenant/station/job/${id}/cancel`),
      status: 200,
      entries: () => [['job.cancelled', 'job', id, { detail: { subject: 'resource:1' } }]],
    }
  },
  retryJob: async (world) => {
    const { given } = world
    const id = await somebodysJob(world, 'failed')
    return {
      call: () => given.call('POST', `/api/v1/tenant/station/job/${id}/retry`),
      status: 200,
      entries: () => [['job.retried', 'job', id, { detail: { subject: 'resource:1' } }]],
    }
  },
  putBlob: async ({ given }) => {
    const open = await given.resource((await given.evidence()).EvidenceId)
    return {
      call: () => given.call('PUT', open.UploadUri, { raw: Buffer.from('four'), token: null, headers: blockBlob }),
      status: 201,
      entries: () => [['upload.committed', 'resource', open.ResourceId, { bytes: 4 }]],
      actor: 'anonymous',
    }
  },
  getBlockList: async ({ given }) => plain(given, 'GET', `${(await openWithBytes(given)).UploadUri}&comp=blocklist`),
  getBlobProperties: async ({ given }) => plain(given, 'HEAD', (await openWithBytes(given)).UploadUri),
  issueToken: ({ given }) => ({
    call: async () => {
      return given.call('POST', '/connect/token', {
        token: null,
        raw: new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          client_id: `${given.principalId}@station`,
          assertion: assertionFor(given.connection, `${given.url}/connect/token`),
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    },
    status: 200,
    entries: () => [['token.issued', 'service', given.principalId]],
  }),
  userInfo: ({ given }) => plain(given, 'GET', '/connect/userinfo'),
  userInfoByPost: ({ given }) => plain(given, 'POST', '/connect/userinfo'),
  ...SESSION_ACTS,
  ...PROGRAM_ACTS,
  ...ACCOUNT_ACTS,
  ...PASSKEY_ACTS,
  ...OWN_ACCESS_ACTS,
  ...USER_ACTS,
  discovery: ({ given }) => plain(given, 'GET', '/.well-known/openid-configuration'),
  jsonWebKeys: ({ given }) => plain(given, 'GET', '/connect/.well-known/jwks'),
  health: ({ given }) => plain(given, 'GET', '/healthz'),
  readiness: ({ given }) => plain(given, 'GET', '/readyz'),
  metrics: ({ given, admin }) => ({
    call: () => given.call('GET', '/metrics', { token: admin }),
    status: 200,
    entries: () => [],
  }),
  openApi: ({ given }) => plain(given, 'GET', '/openapi.json'),
  docs: ({ given }) => plain(given, 'GET', '/docs'),
  docsFile: ({ given }) => plain(given, 'GET', '/docs/start.js'),
}
