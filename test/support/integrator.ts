/**
 * Somebody else's program: plain fetch and node:crypto, nothing of the product. It signs in with a connection file, makes evidence,
 * uploads through `UploadUri`, completes and reads back, and can keep a journal of what was acknowledged, outside the station.
 */
import { createHash, createPrivateKey, type JsonWebKey, randomUUID, sign } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

export interface ConnectionFile {
  TenantId: string
  ServicePrincipalId: string
  ServicePrincipalKey: JsonWebKey & { kid?: string | null }
  SecurityTokenServiceBaseAddresses: string[]
  [member: string]: unknown
}

export interface EvidenceRecord {
  EvidenceId: string
  Name: string
  State: string
  ConcurrencyId: string
}

export interface ResourceRecord {
  ResourceId: string
  EvidenceId: string
  Name: string
  State: string
  Sha256: string | null
  LengthInBytes: number | null
  Parent: string | null
  UploadUri?: string
}

/** The station answered, and the answer was no. A broken connection is whatever fetch throws: then nothing is known. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly body: string
  constructor(status: number, body: string, what: string) {
    super(`${what}: ${status} ${body.slice(0, 400)}`)
    this.status = status
    this.body = body
  }
}

export interface Answer<T> {
  status: number
  value: T
  /** Names the ledger entry that this act must have left. */
  correlationId: string
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A signed RFC 7523 assertion. `claims` and `header` replace members of it, for tests of refusals. */
export function assertionFor(config: ConnectionFile, audience: string, claims: Record<string, unknown> = {}): string {
  const key = config.ServicePrincipalKey
  const clientId = `${config.ServicePrincipalId}@${config.TenantId}`
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(typeof key.kid === 'string' ? { kid: key.kid } : {}) }
  const body = { iss: clientId, sub: clientId, aud: audience, iat: now, exp: now + 300, jti: randomUUID(), ...claims }
  const text = `${base64url(header)}.${base64url(body)}`
  // Members that do not belong to the key's kind are null in the file; node:crypto wants them gone.
  const jwk = Object.fromEntries(Object.entries(key).filter(([, value]) => value !== null)) as JsonWebKey
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64url')}`
}

/** @param origin where the station answers now; the addresses in the file may name another port. */
export async function signIn(config: ConnectionFile, origin: string): Promise<string> {
  const service = rebase(config.SecurityTokenServiceBaseAddresses[0] as string, origin)
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    client_id: `${config.ServicePrincipalId}@${config.TenantId}`,
    assertion: assertionFor(config, `${service}/token`),
  })
  const response = await fetch(`${service}/token`, { method: 'POST', body: form })
  const text = await response.text()
  if (response.status !== 200) throw new Refused(response.status, text, 'token')
  return (JSON.parse(text) as { access_token: string }).access_token
}

/** The same address on another origin. */
export function rebase(address: string, origin: string): string {
  const url = new URL(address)
  return new URL(url.pathname + url.search, origin).href.replace(/\/$/, '')
}

export interface Block {
  id: string
  bytes: Uint8Array
}

export const readConnectionFile = (file: string): ConnectionFile =>
  JSON.parse(readFileSync(file, 'utf8')) as ConnectionFile

/** Stable ids, so that an upload can be resumed by another process. */
export const blockId = (index: number): string =>
  Buffer.from(`block-${String(index).padStart(8, '0')}`).toString('base64')

/** Cuts `bytes` into blocks of `size` with stable ids. */
export function blocksOf(bytes: Uint8Array, size: number): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < bytes.length || at === 0; at += size)
    blocks.push({ id: blockId(blocks.length), bytes: bytes.subarray(at, at + size) })
  return blocks
}

export type Integrator = Awaited<ReturnType<typeof connectIntegrator>>

/** Signs in and returns the calls a vendor's uploader makes. Every one throws `Refused` unless the answer is 2xx. */
export async function connectIntegrator(config: ConnectionFile, origin: string) {
  const token = await signIn(config, origin)
  const documents = `${origin}/documentstore/api/v1/tenant/${config.TenantId}`

  const call = async (
    method: string,
    address: string,
    init: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ) => {
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (!response.ok)
      throw new Refused(response.status, Buffer.from(bytes).toString('utf8'), `${method} ${new URL(address).pathname}`)
    return {
      status: response.status,
      bytes,
      correlationId: response.headers.get('x-correlation-id') ?? '',
      headers: response.headers,
    }
  }
  const json = async <T>(
    method: string,
    address: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<Answer<T>> => {
    const { status, bytes, correlationId } = await call(method, address, {
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    })
    return { status, value: JSON.parse(Buffer.from(bytes).toString('utf8')) as T, correlationId }
  }
  /** Blob addresses carry their own authority: no token goes with them. */
  const blob = async (
    method: string,
    uploadUri: string,
    query: string,
    body?: Uint8Array | string,
    headers: Record<string, string> = {},
  ) => {
    const address = rebase(uploadUri, origin) + (query === '' ? '' : `&${query}`)
    const response = await fetch(address, {
      method,
      headers: { 'x-ms-version': '2024-11-04', ...headers },
      ...(body === undefined ? {} : { body: body as BodyInit }),
    })
    const text = await response.text()
    if (!response.ok) throw new Refused(response.status, text, `${method} blob ${query}`)
    return { status: response.status, value: text, correlationId: response.headers.get('x-correlation-id') ?? '' }
  }

  const resourceAt = (evidenceId: string, resourceId: string): string =>
    `${documents}/evidence/${evidenceId}/resource/${resourceId}`
  return {
    origin,
    token,
    call,
    createEvidence: (body: { Name: string } & Record<string, unknown>, idempotencyKey?: string) =>
      json<EvidenceRecord>('POST', `${documents}/evidence`, body, idempotencyKey),
    evidence: (evidenceId: string) => json<EvidenceRecord>('GET', `${documents}/evidence/${evidenceId}/`),
    completeEvidence: (evidenceId: string) =>
      json<EvidenceRecord>('POST', `${documents}/evidence/${evidenceId}/complete`, {}),
    createResource: (evidenceId: string, body: { Name: string } & Record<string, unknown>, idempotencyKey?: string) =>
      json<ResourceRecord & { UploadUri: string }>(
        'POST',
        `${documents}/evidence/${evidenceId}/resource`,
        body,
        idempotencyKey,
      ),
    resources: (evidenceId: string) => json<ResourceRecord[]>('GET', `${documents}/evidence/${evidenceId}/resource`),
    renewUploadUri: (evidenceId: string, resourceId: string) =>
      json<ResourceRecord & { UploadUri: string }>('POST', `${resourceAt(evidenceId, resourceId)}/upload-uri`, {}),
    completeResource: (evidenceId: string, resourceId: string, body: { Sha256?: string; LengthInBytes?: number }) =>
      json<ResourceRecord>('POST', `${resourceAt(evidenceId, resourceId)}/complete`, body),
    content: (evidenceId: string, resourceId: string, range?: string) =>
      call('GET', `${resourceAt(evidenceId, resourceId)}/content`, { headers: range === undefined ? {} : { range } }),

    putBlob: (uploadUri: string, bytes: Uint8Array) =>
      blob('PUT', uploadUri, '', bytes, { 'x-ms-blob-type': 'BlockBlob' }),
    putBlock: (uploadUri: string, block: Block) =>
      blob('PUT', uploadUri, `comp=block&blockid=${encodeURIComponent(block.id)}`, block.bytes),
    putBlockList: (uploadUri: string, ids: readonly string[]) => {
      const list = ids.map((id) => `<Latest>${id}</Latest>`).join('')
      return blob(
        'PUT',
        uploadUri,
        'comp=blocklist',
        `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`,
        {
          'content-type': 'application/xml',
        },
      )
    },
    /** Ids and lengths of the blocks that the station holds for this upload, whether a block list named them or not. */
    heldBlocks: async (uploadUri: string): Promise<Map<string, number>> => {
      const { value } = await blob('GET', uploadUri, 'comp=blocklist&blocklisttype=all')
      const found = value.matchAll(/<Block>\s*<Name>([^<]*)<\/Name>\s*<Size>(\d+)<\/Size>\s*<\/Block>/g)
      return new Map([...found].map(([, id, size]) => [id as string, Number(size)]))
    },
  }
}

/** One acknowledged thing. `correlationId` names the entry that the ledger must hold for it. */
export type Acknowledged = { correlationId?: string } & (
  | { kind: 'evidence'; evidenceId: string; name: string }
  | { kind: 'resource'; evidenceId: string; resourceId: string; uploadUri: string }
  | {
      kind: 'block'
      evidenceId: string
      resourceId: string
      uploadUri: string
      blockId: string
      sha256: string
      length: number
    }
  | { kind: 'committed'; evidenceId: string; resourceId: string; sha256: string; length: number }
  | { kind: 'complete'; evidenceId: string; resourceId: string; sha256: string; length: number }
  | { kind: 'ingested'; sha256: string; length: number; path: string }
  | { kind: 'read'; resourceId: string }
)

export interface Journal {
  note(entry: Acknowledged): void
  entries(): Acknowledged[]
  /** How many this process has noted. */
  count(): number
  close(): void
}

/** Appends and fsyncs each entry before the caller goes on: what stands here was acknowledged, whatever happens to the station. */
export function openJournal(file: string): Journal {
  const handle = openSync(file, 'a+')
  let noted = 0
  return {
    note: (entry) => {
      writeSync(handle, `${JSON.stringify(entry)}\n`)
      fsyncSync(handle)
      noted++
    },
    entries: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map((line) => JSON.parse(line) as Acknowledged),
    count: () => noted,
    close: () => closeSync(handle),
  }
}
