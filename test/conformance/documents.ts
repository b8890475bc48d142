/** Evidence, its custom fields, resources and bytes (interfaces.md 1, 2.4, 2.5, 4.3; decisions 6). */
import { createHash } from 'node:crypto'
import { refusal, LAST_ID, NO_IDS } from './categories.ts'
import { differs } from './cases.ts'
import { ask, type Json } from './client.ts'
import { deletedAtTheEnd } from './evidence.ts'
import type { OperationName } from './operations.ts'
import type { Expected, Run, Sent } from './run.ts'
import { EvidenceRecord, list, OpenResourceRecord, ResourceRecord } from './shapes.ts'

export const DOCUMENT_OPERATIONS: readonly OperationName[] = [
  'CreateEvidence',
  'GetEvidence',
  'UpdateEvidence',
  'ListResources',
  'CreateResource',
  'RenewUploadUri',
  'UploadBlob',
  'CompleteResource',
  'CompleteEvidence',
  'GetContent',
  'GetResourceThumbnail',
]

/** A grey JPEG of 16 by 16 with a maker and a time in its Exif. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/4QC+RXhpZgAATU0AKgAAAAgABgEPAAIAAAAFAAAAVgEaAAUAAAABAAAAXAEbAAUAAAABAAAAZAEoAAMAAAABAAEA' +
    'AAITAAMAAAABAAEAAIdpAAQAAAABAAAAbAAAAABBY21lAAAAAAABAAAAAQAAAAEAAAABAASQAAAHAAAABDAyMzKQAwACAAAAFAAAAKKRAQAHAAAABAECAwCg' +
    'AQADAAAAAf//AAAAAAAAMjAyNjoxMToyMCAwMjo0NzozMQD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4Nw' +
    'cHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xABKAAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAA' +
    'EQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAEAAQAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AAA//2Q==',
  'base64',
)
const SHA256 = createHash('sha256').update(JPEG).digest('hex')
const whole = { status: 200, shape: EvidenceRecord }
const EVIDENCE = {
  Description: 'A picture\nof nothing',
  Tags: ['grey'],
  StartTimeUtc: '2026-11-20T02:47:31.2400000',
  LocationWKT: 'POINT (16.3738 48.2082)',
  LocationText: 'Dock 4',
  SourceId: 'card 7',
  Device: { DeviceType: 'BodyWornCamera', Manufacturer: 'Acme', SerialNumber: 'X-1', Model: 'B' },
  CustomFields: { Weather: 'fog', Unit: '7' },
}

/** @param patience milliseconds that the station has to extract the picture's metadata */
export async function driveDocuments(run: Run, patience: number): Promise<void> {
  const { needed, stamp } = run
  await unreadable(run)
  const key = { 'idempotency-key': `evidence-${stamp}` }
  const body = { Name: `Conformance ${stamp}`, ...EVIDENCE }
  const { json: evidence } = await needed(
    'CreateEvidence',
    'all members',
    { body, headers: key },
    {
      status: 201,
      shape: EvidenceRecord,
      // 2.4: a time without an offset is UTC; the precision comes back.
      and: (json) =>
        differs(json, {
          ...body,
          StartTimeUtc: '2026-11-20T02:47:31.2400000Z',
          Device: { ...EVIDENCE.Device, ExternalId: json.Device?.ExternalId },
          State: 'None',
        }),
    },
  )
  deletedAtTheEnd(run, evidence.EvidenceId)
  await creating(run, body, key, evidence)
  const place = { with: { evidenceId: evidence.EvidenceId } }
  await updating(run, place)
  await resources(run, place, patience)
}

async function unreadable(run: Run): Promise<void> {
  const { call } = run
  for (const evidenceId of NO_IDS)
    await call('GetEvidence', `the id ${evidenceId}`, { with: { evidenceId } }, refusal('InvalidModel'))
  const last = { with: { evidenceId: LAST_ID } }
  for (const alias of [{}, { alias: true }] as const)
    await call('GetEvidence', 'the largest id', { ...last, ...alias }, { status: 404, code: 'EvidenceNotFound' })
  await call('ListResources', 'of evidence that is not there', last, { status: 404, code: 'EvidenceNotFound' })
  await call(
    'UpdateEvidence',
    'that is not there',
    { ...last, body: { Name: 'x' } },
    { status: 404, code: 'EvidenceNotFound' },
  )
  await call('GetEvidence', 'a tenant that is none', { with: { evidenceId: '1' }, tenant: 'nowhere' }, { status: 404 })
}

async function creating(run: Run, body: Json, headers: Record<string, string>, first: Json): Promise<void> {
  const { call } = run
  await call(
    'CreateEvidence',
    'again under its Idempotency-Key, by the other path',
    { body, headers, alias: true },
    {
      status: 201,
      shape: EvidenceRecord,
      and: (json) => differs(json, { EvidenceId: first.EvidenceId }),
    },
  )
  const other = { body: { Name: 'another' }, headers }
  await call('CreateEvidence', 'another body under that key', other, { status: 409, code: 'IdempotencyKeyReused' })
  const wrong = (what: string, more: Json, code = 'InvalidModel') =>
    call('CreateEvidence', what, { body: { ...body, ...more } }, refusal(code))
  await wrong('without a name', { Name: undefined })
  await wrong('an end before its start', { EndTimeUtc: '2026-11-20T02:00:00Z' }, 'InvalidDateTimeRange')
  await wrong('a time that is none', { StartTimeUtc: 'yesterday' })
  await wrong('text that is no location', { LocationWKT: 'POINT (16.37' })
  await wrong('a custom field that is no text', { CustomFields: { a: 1 } })
}

async function updating(run: Run, place: Sent): Promise<void> {
  const record = await reading(run, place)
  await changes(run, place, record)
  await mistakes(run, place, record.ConcurrencyId)
}

/** @returns the record, which is the same under both paths */
async function reading(run: Run, place: Sent): Promise<Json> {
  const { call, needed } = run
  const read = async (what: string, more: Sent = {}): Promise<Json> =>
    (await needed('GetEvidence', what, { ...place, ...more }, whole)).json
  const record = await read('with the slash at the end')
  const alias = await read('under /api/v1/tenant', { alias: true })
  if (JSON.stringify(alias) !== JSON.stringify(record))
    await call('GetEvidence', 'the same under both paths', place, {
      ...whole,
      and: () => 'the two paths answer differently',
    })
  for (const accept of ['text/json', 'text/plain'])
    await call('GetEvidence', `Accept: ${accept}`, { ...place, headers: { accept } }, { ...whole, type: accept })
  await call(
    'GetEvidence',
    'the tenant in capitals',
    { ...place, tenant: run.connection.TenantId.toUpperCase() },
    whole,
  )
  return record
}

/** 4.3: read the record, change the CustomFields node, send the whole record back. */
async function changes(run: Run, place: Sent, record: Json): Promise<void> {
  const { call } = run
  const { Unit: _taken, ...rest } = record.CustomFields
  const CustomFields = { ...rest, Weather: 'rain', New: 'n' }
  const patched = (what: string, body: Json, and: Json, more: Sent = {}) =>
    call('UpdateEvidence', what, { ...place, ...more, body }, { ...whole, and: (json) => differs(json, and) })
  await patched(
    'the record with a field added, one changed, one removed',
    { ...record, CustomFields },
    { CustomFields, Name: record.Name },
  )
  await patched(
    'null is unchanged',
    { Description: null, Tags: null, CustomFields: null },
    { CustomFields, Description: EVIDENCE.Description },
  )
  await patched(
    'members that are the station’s',
    { State: 'UserCompleted', CreatedTimeUtc: '1999-01-01T00:00:00Z', EvidenceId: '1' },
    {
      State: 'None',
      CreatedTimeUtc: record.CreatedTimeUtc,
      EvidenceId: record.EvidenceId,
    },
  )
  await patched(
    'under /api/v1/tenant, as text/json',
    { Description: 'changed' },
    { Description: 'changed' },
    { alias: true, headers: { 'content-type': 'text/json' } },
  )
  await call(
    'GetEvidence',
    'its first version',
    { ...place, query: { concurrencyId: record.ConcurrencyId } },
    {
      ...whole,
      and: (json) => differs(json, { CustomFields: record.CustomFields, ConcurrencyId: record.ConcurrencyId }),
    },
  )
}

async function mistakes(run: Run, place: Sent, old: string): Promise<void> {
  const { call } = run
  const stale = { ...place, body: { Description: 'x', ConcurrencyId: old } }
  await call('UpdateEvidence', 'over an old version', stale, { status: 409, code: 'EvidenceNotUpToDate' })
  await call(
    'UpdateEvidence',
    'a custom field that is no text',
    { ...place, body: { CustomFields: { a: 1 } } },
    refusal('InvalidModel'),
  )
  await call(
    'UpdateEvidence',
    'as application/xml',
    { ...place, raw: '<x/>', headers: { 'content-type': 'application/xml' } },
    { status: 415 },
  )
  for (const concurrencyId of ['x', 'f'.repeat(40)])
    await call(
      'GetEvidence',
      `the version ${concurrencyId.slice(0, 4)}`,
      { ...place, query: { concurrencyId } },
      refusal('InvalidConcurrencyId'),
    )
}

async function resources(run: Run, place: Sent, patience: number): Promise<void> {
  const { call, needed } = run
  const none = {
    status: 200,
    shape: list(ResourceRecord),
    and: (all: Json) => (all.length === 0 ? null : 'there are some'),
  }
  await call('ListResources', 'none yet', place, none)
  await call(
    'ListResources',
    'under /api/v1/tenant, as text/plain',
    { ...place, alias: true, headers: { accept: 'text/plain' } },
    { ...none, type: 'text/plain' },
  )
  const body = { Name: 'grey.jpg', MimeType: 'image/jpeg', LengthInBytes: JPEG.length, TimeOffset: 'PT1M12S' }
  const open = { shape: OpenResourceRecord, and: (json: Json) => differs(json, { Name: 'grey.jpg', State: 'None' }) }
  const made = await needed('CreateResource', 'a picture', { ...place, body }, { status: 201, ...open })
  const at: Sent = { with: { ...place.with, resourceId: made.json.ResourceId } }
  await call(
    'CreateResource',
    'without a name',
    { ...place, body: { MimeType: 'image/jpeg' } },
    refusal('InvalidModel'),
  )
  await call(
    'CreateResource',
    'a media type that is none',
    { ...place, body: { ...body, MimeType: 'picture' } },
    refusal('InvalidModel'),
  )
  await uploading(run, at, open)
  await call('GetContent', 'before it is complete', at, { status: 409, code: 'ResourceNotCompleted' })
  await call('CompleteEvidence', 'with an open resource', place, { status: 409, code: 'ResourceNotCompleted' })
  await completing(run, at)
  await content(run, at)
  await call('CompleteEvidence', 'all is there', place, {
    ...whole,
    and: (json) => differs(json, { State: 'UserCompleted' }),
  })
  await derived(run, place, made.json, patience)
}

/** The address speaks the Block Blob protocol; one plain PUT will do (decisions 6). */
async function uploading({ call, needed }: Run, at: Sent, open: Omit<Expected, 'status'>): Promise<void> {
  await call('CompleteResource', 'of which nothing came', at, { status: 409, code: 'NothingUploaded' })
  const renewed = await needed('RenewUploadUri', 'a new address', at, { status: 200, ...open })
  const blob = {
    raw: JPEG,
    token: null,
    headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04', 'content-type': 'image/jpeg' },
  }
  const md5 = createHash('md5').update('other bytes').digest('base64')
  await call(
    'UploadBlob',
    'bytes that do not fit their Content-MD5',
    { ...blob, address: renewed.json.UploadUri, headers: { ...blob.headers, 'content-md5': md5 } },
    { status: 400 },
  )
  await needed('UploadBlob', 'Put Blob', { ...blob, address: renewed.json.UploadUri }, { status: 201 })
}

async function completing({ call, needed }: Run, at: Sent): Promise<void> {
  const sums = { Sha256: SHA256.toUpperCase(), LengthInBytes: JPEG.length }
  const done = {
    status: 200,
    shape: ResourceRecord,
    and: (json: Json) =>
      differs(json, {
        State: 'UserCompleted',
        Sha256: SHA256,
        LengthInBytes: JPEG.length,
        DecryptedLengthInBytes: JPEG.length,
        Parent: null,
      }),
  }
  await needed('CompleteResource', 'with its hash and length', { ...at, body: sums }, done)
  await call('CompleteResource', 'again: the same answer', { ...at, body: {} }, done)
  await call('RenewUploadUri', 'of a complete one', at, { status: 409, code: 'ResourceNotOpen' })
}

const image = (headers: Headers): string | null =>
  headers.get('content-type')?.startsWith('image/') === true ? null : `it is ${headers.get('content-type')}`

async function content(run: Run, at: Sent): Promise<void> {
  const { call } = run
  const same = (bytes: Uint8Array, wanted: Uint8Array): string | null =>
    Buffer.compare(bytes, wanted) === 0 ? null : 'the bytes are others'
  await call('GetContent', 'whole', at, { status: 200, and: (_json, { bytes }) => same(bytes, JPEG) })
  await call(
    'GetContent',
    'whole, under /api/v1/tenant',
    { ...at, alias: true },
    { status: 200, and: (_json, { bytes }) => same(bytes, JPEG) },
  )
  await call(
    'GetContent',
    'a range',
    { ...at, headers: { range: 'bytes=2-5' } },
    {
      status: 206,
      and: (_json, { bytes, headers }) =>
        headers.get('content-range') === `bytes 2-5/${JPEG.length}`
          ? same(bytes, JPEG.subarray(2, 6))
          : `Content-Range is ${headers.get('content-range')}`,
    },
  )
  await call('GetContent', 'a range that is not there', { ...at, headers: { range: 'bytes=99999-' } }, { status: 416 })
  await call(
    'GetContent',
    'If-None-Match',
    { ...at, headers: { 'if-none-match': `"${SHA256}"` } },
    { status: 304, empty: true },
  )
}

/** Section 1: of a JPEG the platform extracts the Exif metadata and appends it as a resource of its own. */
async function derived(run: Run, place: Sent, picture: Json, patience: number): Promise<void> {
  const isExif = (one: Json): boolean => /^[^/]+\/json-exif$/.test(one.MimeType)
  const isAtWork = ({ Processing = [] }: Json): boolean =>
    Processing.some(({ State }: Json) => State === 'queued' || State === 'running')
  const until = Date.now() + patience
  let all = await listed(run, place)
  while (Date.now() < until && (!all.some(isExif) || all.some(isAtWork))) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    all = await listed(run, place)
  }
  const found = await run.call('ListResources', 'the Exif metadata was appended', place, {
    status: 200,
    shape: list(ResourceRecord),
    and: (resources) => {
      const exif = resources.find(isExif)
      if (exif === undefined) return `there is none after ${patience / 1000} s`
      const by = { Username: exif.UploadedBy.Username, PrincipalId: exif.UploadedBy.PrincipalId }
      const internal = { Username: 'internal', PrincipalId: '0', DecryptedLengthInBytes: null }
      return differs({ ...exif, ...by }, { Parent: picture.ResourceId, ...internal })
    },
  })
  if (found === null) return
  // A station without media programs makes none, and its record says so.
  const { Thumbnail } = found.json.find(({ ResourceId }: Json) => ResourceId === picture.ResourceId)
  await run.call(
    'GetResourceThumbnail',
    Thumbnail === null ? 'of a picture that has none' : 'of the picture',
    { with: { ...place.with, resourceId: picture.ResourceId } },
    Thumbnail === null
      ? { status: 404, code: 'ResourceNotFound' }
      : { status: 200, and: (_json, { headers }) => image(headers) },
  )
}

/** Asked again and again without a row for each. */
export async function listed({ connection, token }: Run, place: Sent): Promise<Json[]> {
  const address = `${connection.DocumentStoreBaseAddresses[0]}/tenant/${connection.TenantId}/evidence/${place.with?.['evidenceId']}/resource`
  const { status, json } = await ask('GET', address, { headers: { authorization: `Bearer ${token}` } })
  return status === 200 ? json : []
}
