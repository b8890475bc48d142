/** Upload addresses, encrypted uploads, completion and the bytes that come back (decisions 6), with nothing but fetch and node:crypto. */
import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  type JsonWebKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { refusal } from './categories.ts'
import { differs } from './cases.ts'
import type { Json } from './client.ts'
import { atBlob, newEvidence, newFile, newResource, type OpenResource, sha256, WHOLE_BLOB } from './evidence.ts'
import type { Run } from './run.ts'
import { list, ResourceRecord, TenantKey } from './shapes.ts'

const RESOURCE = 'decisions 6, create resource'
const COMPLETE = 'decisions 6, complete resource'
const ENCRYPTED = 'decisions 6, encrypted uploads'
const VERSION = { 'x-ms-version': '2024-11-04' } as const
const created = { status: 201 } as const

export async function driveUploads(run: Run): Promise<void> {
  const { EvidenceId: evidenceId } = await newEvidence(run, 'for uploads')
  await openResources(run, evidenceId)
  const { EvidenceId: filled } = await newEvidence(run, 'to be filled')
  await wholeBlobs(run, await newResource(run, filled, 'for whole blobs', { Name: 'whole.bin' }))
  await blocks(run, await newResource(run, filled, 'for blocks', { Name: 'blocks.bin' }))
  await completion(run, filled)
  await content(run, filled)
}

/** At most five open ones per evidence; what is sent with them is checked. */
async function openResources(run: Run, evidenceId: string): Promise<void> {
  const { call } = run
  const place = { with: { evidenceId } }
  for (const [what, body, code] of [
    ['an offset that is no duration', { TimeOffset: '72 s' }, 'InvalidModel'],
    ['a hash of 63 digits', { Sha256: 'a'.repeat(63) }, 'InvalidModel'],
    ['a length below nothing', { LengthInBytes: -1 }, 'InvalidModel'],
    ['more than 1 TiB', { LengthInBytes: 2 ** 40 + 1 }, 'InvalidModel'],
    [
      'an end before its start',
      { StartTimeUtc: '2026-11-20T03:00:00Z', EndTimeUtc: '2026-11-20T02:00:00Z' },
      'InvalidDateTimeRange',
    ],
  ] as const)
    await call(
      'CreateResource',
      what,
      { ...place, body: { Name: 'x', ...body } },
      { ...refusal(code), section: RESOURCE },
    )
  for (const number of [1, 2, 3, 4, 5])
    await newResource(run, evidenceId, `open, ${number} of 5`, { Name: `${number}` })
  const sixth = { status: 409, code: 'TooManyOpenResources', section: RESOURCE } as const
  await call('CreateResource', 'a sixth that is open', { ...place, body: { Name: '6' } }, sixth)
}

/** CRC-64 as the protocol has it: reflected 0x9A6C9329AC4BC9B5, all ones in and out; eight bytes, least significant first. */
function crc64(bytes: Uint8Array): Buffer {
  const ones = 0xffffffffffffffffn
  let sum = ones
  for (const byte of bytes) {
    sum ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1n) === 1n ? (sum >> 1n) ^ 0x9a6c9329ac4bc9b5n : sum >> 1n
  }
  const out = Buffer.alloc(8)
  out.writeBigUInt64LE(sum ^ ones)
  return out
}

/** XSM/1.0 with one segment: header, number and length, content, its sum, the sum of all. Integers are little-endian. */
function structured(content: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  const segment = Buffer.alloc(10)
  const sum = crc64(content)
  header.writeUInt8(1, 0)
  header.writeBigUInt64LE(BigInt(13 + 10 + content.length + 8 + 8), 1)
  header.writeUInt16LE(1, 9)
  header.writeUInt16LE(1, 11)
  segment.writeUInt16LE(1, 0)
  segment.writeBigUInt64LE(BigInt(content.length), 2)
  return Buffer.concat([header, segment, content, sum, sum])
}

async function wholeBlobs(run: Run, { uri }: OpenResource): Promise<void> {
  const { call, needed } = run
  const bytes = Buffer.from(`what is uploaded by ${run.stamp}`)
  const put = (what: string, headers: Readonly<Record<string, string>>, status: number, raw: Uint8Array = bytes) =>
    call('UploadBlob', `Put Blob: ${what}`, { ...atBlob(uri), raw, headers: { ...WHOLE_BLOB, ...headers } }, { status })
  await call('GetBlobProperties', 'of what is not there yet', atBlob(uri), { status: 404 })
  const unsigned = { ...atBlob(uri.split('?')[0] ?? uri), raw: bytes, headers: WHOLE_BLOB }
  await call('UploadBlob', 'an address without its signature', unsigned, { status: 403 })
  await call(
    'UploadBlob',
    'comp=page: unknown, and never a Put Blob',
    {
      ...atBlob(uri, { comp: 'page' }),
      raw: bytes,
      headers: WHOLE_BLOB,
    },
    { status: 400 },
  )
  await call('GetBlobProperties', 'after it: still nothing', atBlob(uri), { status: 404 })
  for (const version of ['2021-02-12', '2025-05-05'])
    await put(`x-ms-version ${version}`, { 'x-ms-version': version }, 201)
  await put('x-ms-version of before 2021', { 'x-ms-version': '2019-12-12' }, 400)
  await put('a sum that fits', { 'x-ms-content-crc64': crc64(bytes).toString('base64') }, 201)
  await put('a sum that does not', { 'x-ms-content-crc64': crc64(Buffer.from('x')).toString('base64') }, 400)
  const framed = structured(bytes)
  const announced = {
    'x-ms-structured-body': 'XSM/1.0; properties=crc64',
    'x-ms-structured-content-length': String(bytes.length),
  }
  await put('a structured body', announced, 201, framed)
  const flipped = Buffer.from(framed)
  flipped[25] = (flipped[25] ?? 0) ^ 1
  await put('a structured body with one bit flipped', announced, 400, flipped)
  await put('a structured body of another form', { ...announced, 'x-ms-structured-body': 'XSM/2.0' }, 400, framed)
  // The body was decoded: what counts is what it carried.
  await needed('GetBlobProperties', 'of what came in the structured body', atBlob(uri), {
    status: 200,
    and: (_json, { headers }) => {
      const length = headers.get('content-length')
      return length === String(bytes.length) ? null : `Content-Length is ${length}, not ${bytes.length}`
    },
  })
  await put('once more: the last one counts', {}, 201, Buffer.from('another'))
}

const blockList = (ids: readonly string[], kind = 'Latest'): string =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<${kind}>${id}</${kind}>`).join('')}</BlockList>`

async function blocks(run: Run, { at, uri }: OpenResource): Promise<void> {
  const { call, needed } = run
  const ids = ['first', 'other', 'third'].map((name) => Buffer.from(name).toString('base64'))
  const parts = ids.map((id) => Buffer.from(`${id} ${run.stamp} `))
  const listed = (text: string, wanted: readonly string[]): string | null => {
    const found = [...text.matchAll(/<Name>([^<]+)<\/Name>/g)].map(([, id]) => id)
    return JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted()) ? null : `it lists ${found.join(' ')}`
  }
  for (const [number, blockid] of ids.entries()) {
    const raw = parts[number] as Buffer
    const md5 = createHash('md5').update(raw).digest('base64')
    const sent = { ...atBlob(uri, { comp: 'block', blockid }), raw, headers: { ...VERSION, 'content-md5': md5 } }
    await needed('UploadBlob', `Put Block, ${number + 1} of 3, with its Content-MD5`, sent, created)
  }
  const damaged = { ...atBlob(uri, { comp: 'block', blockid: ids[0] as string }), raw: Buffer.from('y') }
  const wrong = { ...damaged, headers: { 'x-ms-content-crc64': crc64(Buffer.from('x')).toString('base64') } }
  await call('UploadBlob', 'Put Block: a sum that does not fit', wrong, { status: 400 })
  await call('GetBlockList', 'uncommitted', atBlob(uri, { comp: 'blocklist', blocklisttype: 'uncommitted' }), {
    status: 200,
    type: 'application/xml',
    and: (_json, { text }) => listed(text, ids),
  })
  const commit = (what: string, list: string, status: number) =>
    call(
      'UploadBlob',
      `Put Block List: ${what}`,
      {
        ...atBlob(uri, { comp: 'blocklist' }),
        raw: list,
        headers: { ...VERSION, 'content-type': 'application/xml' },
      },
      { status },
    )
  await commit('a block that never came', blockList([Buffer.from('never').toString('base64')]), 400)
  await commit('no XML', 'first, other', 400)
  // Only what is named, in the order in which it is named.
  const [one = '', , three = ''] = ids
  await commit('two of three, turned around', blockList([three, one]), 201)
  await call('GetBlockList', 'committed; the third is gone', atBlob(uri, { comp: 'blocklist', blocklisttype: 'all' }), {
    status: 200,
    type: 'application/xml',
    and: (_json, { text }) => listed(text, [one, three]),
  })
  const bytes = Buffer.concat([parts[2] as Buffer, parts[0] as Buffer])
  await needed(
    'CompleteResource',
    'from blocks, with nothing said of them',
    { ...at, body: {} },
    {
      status: 200,
      shape: ResourceRecord,
      section: COMPLETE,
      and: (json) => differs(json, { Sha256: sha256(bytes), LengthInBytes: bytes.length, State: 'UserCompleted' }),
    },
  )
  const late = { ...atBlob(uri), raw: bytes, headers: WHOLE_BLOB }
  await call('UploadBlob', 'once it is complete: its bytes never change', late, { status: 409 })
}

/** What was announced is held against what came; what does not fit is refused for good. */
async function completion(run: Run, evidenceId: string): Promise<void> {
  const { call, needed } = run
  const bytes = Buffer.from(`announced by ${run.stamp}`)
  const mismatch = { status: 409, code: 'HashMismatch', section: COMPLETE } as const
  const refused = async (what: string, announced: Json, sent: Json): Promise<void> => {
    const { at, uri } = await newResource(run, evidenceId, what, { Name: 'refused.bin', ...announced })
    await needed('UploadBlob', `Put Blob: ${what}`, { ...atBlob(uri), raw: bytes, headers: WHOLE_BLOB }, created)
    await call('CompleteResource', what, { ...at, body: sent }, mismatch)
    await call(
      'ListResources',
      `${what}: it has failed`,
      { with: { evidenceId } },
      {
        status: 200,
        shape: list(ResourceRecord),
        section: COMPLETE,
        and: (all) => {
          const one = all.find(({ ResourceId }: Json) => ResourceId === at.with['resourceId'])
          return differs(one ?? {}, { State: 'Failed', Sha256: null })
        },
      },
    )
  }
  await refused('another hash than was sent', {}, { Sha256: sha256(Buffer.from('other')) })
  await refused('another length than was sent', {}, { LengthInBytes: bytes.length + 1 })
  await refused('another hash than was announced', { Sha256: sha256(Buffer.from('other')) }, {})
}

async function content(run: Run, evidenceId: string): Promise<void> {
  const { call } = run
  const bytes = Buffer.from('0123456789')
  const { ResourceId: resourceId } = await newFile(run, evidenceId, { Name: 'ten.txt', MimeType: 'text/plain' }, bytes)
  const at = { with: { evidenceId, resourceId } }
  const etag = `"${sha256(bytes)}"`
  const same = (text: string, wanted: string): string | null => (text === wanted ? null : `the bytes are ${text}`)
  await call(
    'GetContent',
    'its ETag is its SHA-256; Accept is ignored',
    { ...at, headers: { accept: 'application/xml' } },
    {
      status: 200,
      and: (_json, { headers, text }) =>
        headers.get('etag') === etag ? same(text, '0123456789') : `ETag is ${headers.get('etag')}`,
    },
  )
  await call('HeadContent', 'the same without bytes', at, {
    status: 200,
    empty: true,
    and: (_json, { headers }) => (headers.get('etag') === etag ? null : `ETag is ${headers.get('etag')}`),
  })
  const ranged = (what: string, headers: Readonly<Record<string, string>>, status: number, wanted: string) =>
    call('GetContent', what, { ...at, headers }, { status, and: (_json, { text }) => same(text, wanted) })
  await ranged('a range If-Range of its ETag', { range: 'bytes=2-4', 'if-range': etag }, 206, '234')
  await ranged('a range If-Range of another: whole', { range: 'bytes=2-4', 'if-range': '"x"' }, 200, '0123456789')
  await ranged('the last three bytes', { range: 'bytes=-3' }, 206, '789')
  await ranged('two ranges: one is given, or the whole', { range: 'bytes=0-1,4-5' }, 200, '0123456789')
  await call(
    'GetContent',
    'purpose=play of an original',
    { ...at, query: { purpose: 'play' } },
    {
      status: 404,
      code: 'ResourceNotFound',
    },
  )
}

interface Sealed {
  readonly bytes: Buffer
  readonly header: string
}

/** AES-256-CBC with PKCS7 padding under a fresh key, which is wrapped by RSA-OAEP with SHA-1 for the key that is published. */
function encrypted(plain: Uint8Array, key: Json): Sealed {
  const [contentKey, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-cbc', contentKey, iv)
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
  const wrapped = publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    contentKey,
  )
  return {
    bytes: Buffer.concat([cipher.update(plain), cipher.final()]),
    header: JSON.stringify({
      ContentEncryptionIV: iv.toString('base64'),
      EncryptionAgent: { EncryptionAlgorithm: 'AES_CBC_256', Protocol: '1.0' },
      EncryptionMode: 'FullBlob',
      KeyWrappingMetadata: {},
      WrappedContentKey: { Algorithm: 'RSA-OAEP', EncryptedKey: wrapped.toString('base64'), KeyId: key.kid },
    }),
  }
}

export async function driveEncrypted(run: Run): Promise<void> {
  const { call, needed } = run
  const { json: key } = await needed(
    'GetTenantKey',
    'a JSON Web Key, public',
    {},
    {
      status: 200,
      shape: TenantKey,
      and: (json) => (['d', 'p', 'q'].some((name) => Object.hasOwn(json, name)) ? 'it holds the private key' : null),
    },
  )
  await call('GetTenantKey', 'a tenant that is none', { tenant: 'nowhere' }, { status: 404, code: 'TenantNotFound' })
  const { EvidenceId: evidenceId } = await newEvidence(run, 'for encrypted uploads')
  const plain = Buffer.from(`secret of ${run.stamp}, of no whole number of blocks`)
  const sums = { Sha256: sha256(plain), LengthInBytes: plain.length }
  const put = async (what: string, { bytes, header }: Sealed): Promise<OpenResource> => {
    const open = await newResource(run, evidenceId, what, { Name: 'sealed.txt' })
    const headers = { ...WHOLE_BLOB, 'x-ms-meta-encryptiondata': header }
    await needed(
      'UploadBlob',
      `Put Blob: ${what}`,
      { ...atBlob(open.uri), raw: bytes, headers },
      {
        ...created,
        section: ENCRYPTED,
      },
    )
    return open
  }
  const { at } = await put('encrypted', encrypted(plain, key))
  await needed(
    'CompleteResource',
    'encrypted; hash and length are of what is in it',
    { ...at, body: sums },
    {
      status: 200,
      shape: ResourceRecord,
      section: ENCRYPTED,
      and: (json) =>
        differs(json, { ...sums, DecryptedLengthInBytes: plain.length, State: 'UserCompleted' }) ??
        (typeof json.UploadCertificateThumbprint === 'string' ? null : 'UploadCertificateThumbprint is not set'),
    },
  )
  await call('GetContent', 'of what came encrypted: as it was before', at, {
    status: 200,
    section: ENCRYPTED,
    and: (_json, { text }) => (text === plain.toString() ? null : 'it is not what was encrypted'),
  })
  const unreadable = { status: 409, code: 'DecryptionFailed', section: ENCRYPTED } as const
  const sealed = encrypted(plain, key)
  const cut = await put('encrypted, and cut off', { ...sealed, bytes: sealed.bytes.subarray(0, -3) })
  await call('CompleteResource', 'encrypted, and cut off', { ...cut.at, body: {} }, unreadable)
  const stranger = await put('encrypted, under a key of nobody', encrypted(plain, { ...key, kid: 'nobody' }))
  await call('CompleteResource', 'encrypted, under a key of nobody', { ...stranger.at, body: {} }, unreadable)
}
