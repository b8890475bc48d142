/** The client of headquarters: tokens, evidence, resources, block blobs, cases and checkpoints, through the public interfaces only. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { networkFailure } from '../../platform/network/network-failure.ts'
import {
  openResponse,
  type OutgoingAnswer,
  type OutgoingRequest,
  sendRequest,
} from '../../platform/network/outgoing.ts'

/** Headquarters does not answer now, or says that it cannot. It is tried again later; no fault of an item. */
export class HeadquartersAway extends Error {
  override readonly name = 'HeadquartersAway'
}

/** Headquarters answered, and the answer was no. */
export class HeadquartersRefusal extends Error {
  override readonly name = 'HeadquartersRefusal'
  readonly status: number
  /** `ErrorCode` of the answer; empty without one. */
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What a connection file must have (interfaces 2.8). */
export interface Connection {
  readonly TenantId: string
  readonly ServicePrincipalId: string
  readonly ServicePrincipalKey: Readonly<Record<string, unknown>>
  readonly SecurityTokenServiceBaseAddresses: readonly string[]
}

/** The protocol of tokens, which the command line speaks too. */
export interface TokenProtocol {
  /** @throws Error that names what the file lacks */
  asConnection(value: unknown): Connection
  /** An RFC 7523 assertion. */
  makeAssertion(connection: Connection, audience: string, now: number): Promise<string>
}

export interface RemoteEvidence {
  readonly EvidenceId: string
  readonly ConcurrencyId: string
  readonly Name: string
  readonly Description: string | null
  readonly Tags: readonly string[]
  readonly CategoryId: string | null
  readonly SourceId: string | null
  readonly StartTimeUtc: string | null
  readonly EndTimeUtc: string | null
  readonly LocationText: string | null
  readonly LocationWKT: string | null
  readonly CustomFields: Readonly<Record<string, string>>
  readonly State: string
}

export interface RemoteResource {
  readonly ResourceId: string
  readonly Name: string
  readonly State: 'None' | 'UserCompleted' | 'Failed'
  readonly Sha256: string | null
  readonly LengthInBytes: number | null
  readonly Parent: string | null
  readonly UploadUri?: string | undefined
  /** What the last reading of the bytes found there: `matches`, `changed` or `missing`. */
  readonly LastCheck?: { readonly Result: string } | null | undefined
}

export interface RemoteCase {
  readonly CaseId: string
  readonly ExternalReferenceId1: string | null
  readonly ExternalReferenceId2: string | null
  readonly Tags: readonly string[]
  readonly State: string
}

const text = z.string()
const nullableText = z.string().nullable()
const Evidence = z.object({
  EvidenceId: text,
  ConcurrencyId: text,
  Name: text,
  Description: nullableText,
  Tags: z.array(text),
  CategoryId: nullableText,
  SourceId: nullableText,
  StartTimeUtc: nullableText,
  EndTimeUtc: nullableText,
  LocationText: nullableText,
  LocationWKT: nullableText,
  CustomFields: z.record(text, text),
  State: text,
})
const Resource = z.object({
  ResourceId: text,
  Name: text,
  State: z.enum(['None', 'UserCompleted', 'Failed']),
  Sha256: nullableText,
  LengthInBytes: z.number().nullable(),
  Parent: nullableText,
  UploadUri: text.optional(),
  LastCheck: z.object({ Result: text }).nullish(),
})
const Case = z.object({
  CaseId: text,
  ExternalReferenceId1: nullableText,
  ExternalReferenceId2: nullableText,
  Tags: z.array(text),
  State: text,
})
const Hits = z.object({ Hits: z.array(z.object({ Type: text, Id: text })) })
const Categories = z.array(z.object({ CategoryId: text, Name: nullableText, Enabled: z.boolean() }))
const Token = z.object({ access_token: text, expires_in: z.number().optional() })
const Refusal = z.object({ ErrorCode: text, Message: text })
const StoredCheckpoint = z.object({ Size: z.int().min(0), Root: text })
const Addresses = z.array(z.url({ protocol: /^https?$/ })).min(1)

const BLOB = { 'x-ms-version': '2024-11-04' }
const MOST_ANSWER = 16 * 1024 * 1024
/** Headquarters reads the whole file back before it answers. */
const COMPLETE_MS = 30 * 60_000

export interface SentCheckpoint {
  readonly note: string
  readonly publicKey: string
  readonly rotations: readonly object[]
  readonly proof: readonly Uint8Array[]
}

interface Deps {
  readonly tokens: TokenProtocol
  readonly now: () => number
  /** Called before bytes are sent. */
  readonly pace: (bytes: number) => Promise<void>
  readonly signal: AbortSignal
}

export type HeadquartersClient = ReturnType<typeof createHeadquartersClient>

/** @throws Error, in words for people, for a file that lacks something, or an address without TLS on another machine */
export function createHeadquartersClient(file: unknown, deps: Deps) {
  const connection = deps.tokens.asConnection(file)
  const places = placesIn(file as Readonly<Record<string, unknown>>, connection)
  const session = openSession(file as Readonly<Record<string, unknown>>, connection, deps)
  return {
    origin: places.origin,
    tenantId: connection.TenantId,
    clientId: connection.ServicePrincipalId,
    signIn: session.signIn,
    ...documentCalls(session, places),
    ...uploadCalls(session, deps.pace),
    ...caseCalls(session, places),
    /** The checkpoints of this station that headquarters keeps: its identity and its head. */
    checkpoints: checkpointCalls(session, places),
  }
}

/** Addresses of the interfaces of headquarters. */
interface Places {
  readonly origin: string
  /** As part of an address. */
  readonly tenant: string
  readonly documents: string
  readonly caseService: string
  readonly search: string
  readonly checkpoint: string
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')
const stsOf = (connection: Connection): string =>
  withoutSlash(connection.SecurityTokenServiceBaseAddresses[0] as string)

function placesIn(file: Readonly<Record<string, unknown>>, connection: Connection): Places {
  const base = (name: string, otherwise?: string): string => {
    const found = Addresses.safeParse(file[name])
    if (found.success) return withoutSlash(found.data[0] as string)
    if (otherwise === undefined) throw new Error(`The connection file lacks ${name}.`)
    return otherwise
  }
  const tenant = encodeURIComponent(connection.TenantId)
  const origin = new URL(base('ApiBaseAddresses')).origin
  const documents = `${base('DocumentStoreBaseAddresses', `${origin}/documentstore/api/v1`)}/tenant/${tenant}`
  const caseService = base('CaseServiceBaseAddresses', `${origin}/api/v1`)
  const search = `${base('SearchServiceBaseAddresses', `${origin}/searchservice/api/v1`)}/search/${tenant}`
  for (const address of [origin, stsOf(connection), documents, caseService, search]) refusePlain(address)
  return { origin, tenant, documents, caseService, search, checkpoint: `${origin}/api/v1/tenant/${tenant}/checkpoint` }
}

/** What is sent to headquarters in the name of one connection. */
interface Session {
  /** @throws HeadquartersAway */
  send(request: Omit<OutgoingRequest, 'signal' | 'pins'>): Promise<OutgoingAnswer>
  /** The access token. @throws HeadquartersAway, HeadquartersRefusal */
  signIn(): Promise<string>
  /** Sends JSON, signed in. @throws HeadquartersAway, HeadquartersRefusal */
  ask(method: string, url: string, sent?: Sent): Promise<{ readonly status: number; readonly json: unknown }>
  /** Asks for an answer whose body the caller reads. @throws HeadquartersAway, HeadquartersRefusal */
  open(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage>
  forgetToken(): void
}

interface Sent {
  readonly body?: unknown
  /** The Idempotency-Key. */
  readonly key?: string | undefined
  readonly idleMs?: number
}

function openSession(file: Readonly<Record<string, unknown>>, connection: Connection, deps: Deps): Session {
  const { tokens, now, signal } = deps
  const thumbprints = z.array(z.string()).safeParse(file['CertificateThumbprints'])
  const common = { signal, pins: thumbprints.success ? thumbprints.data : [] }
  let token: { readonly value: string; readonly until: number } | null = null
  const forgetToken = (): void => {
    token = null
  }
  const send: Session['send'] = async (request) => {
    try {
      return await sendRequest({ ...common, ...request }, MOST_ANSWER)
    } catch (error) {
      throw new HeadquartersAway(networkFailure(error as Error), { cause: error })
    }
  }
  const signIn = async (): Promise<string> => {
    if (token !== null && token.until > now()) return token.value
    const endpoint = `${stsOf(connection)}/token`
    const assertion = await tokens.makeAssertion(connection, endpoint, now())
    const answer = await send(tokenRequest(connection, endpoint, assertion))
    const given = Token.safeParse(parsed(answer.body))
    if (answer.status !== 200 || !given.success) throw tokenErrorOf(answer)
    token = { value: given.data.access_token, until: now() + ((given.data.expires_in ?? 3600) - 120) * 1000 }
    return token.value
  }
  return {
    send,
    signIn,
    forgetToken,
    ask: async (method, url, sent = {}) => {
      for (let again = true; ; again = false) {
        const answer = await send(jsonRequest(method, url, await signIn(), sent))
        const { status } = answer
        if (status >= 200 && status < 300) return { status, json: parsed(answer.body) }
        if (status !== 401 || !again) throw errorOf(answer)
        forgetToken()
      }
    },
    open: async (url, headers) => {
      try {
        const authorization = `Bearer ${await signIn()}`
        return await openResponse({ ...common, method: 'GET', url, headers: { authorization, ...headers } })
      } catch (error) {
        if (error instanceof HeadquartersRefusal || error instanceof HeadquartersAway) throw error
        throw new HeadquartersAway(networkFailure(error as Error), { cause: error })
      }
    },
  }
}

const tokenRequest = (connection: Connection, endpoint: string, assertion: string) => ({
  method: 'POST',
  url: endpoint,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    client_id: `${connection.ServicePrincipalId}@${connection.TenantId}`,
    assertion,
  }).toString(),
})

const jsonRequest = (method: string, url: string, token: string, { body, key, idleMs }: Sent) => ({
  method,
  url,
  headers: {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(idleMs === undefined ? {} : { idleMs }),
})

/** Statuses of a server that cannot answer now. */
const isBusy = (status: number): boolean => status >= 500 || status === 429

function tokenErrorOf({ status, body }: OutgoingAnswer): HeadquartersAway | HeadquartersRefusal {
  if (isBusy(status)) return new HeadquartersAway(connectionReason('tokenServiceAnswered', { status }))
  const { error_description: why } = (parsed(body) ?? {}) as { error_description?: unknown }
  return new HeadquartersRefusal(
    status,
    'TokenRefused',
    typeof why === 'string'
      ? connectionReason('fileRefusedBecause', { why })
      : connectionReason('fileRefused', { status }),
  )
}

/** Whether an answer without success means that headquarters is away, or that it says no. */
function errorOf({ status, body, headers }: OutgoingAnswer): HeadquartersAway | HeadquartersRefusal {
  const refusal = Refusal.safeParse(parsed(body)).data
  if (isBusy(status) || status === 408 || refusal?.ErrorCode === 'IdempotencyKeyInProgress')
    return new HeadquartersAway(
      refusal === undefined
        ? connectionReason('answered', { status })
        : connectionReason('answeredWhy', { status, why: refusal.Message }),
    )
  // A proxy in between, or another server: no answer of these interfaces.
  if (refusal === undefined && status !== 401 && status !== 403 && headers['x-correlation-id'] === undefined)
    return new HeadquartersAway(connectionReason('otherServer', { status }))
  return new HeadquartersRefusal(
    status,
    refusal?.ErrorCode ?? '',
    refusal?.Message ?? connectionReason('answered', { status }),
  )
}

/** @throws HeadquartersAway */
function as<T>(schema: z.ZodType<T>, { json }: { readonly json: unknown }): T {
  const found = schema.safeParse(json)
  if (!found.success) throw new HeadquartersAway(connectionReason('otherAnswer'))
  return found.data
}

/** Evidence, and its resources. */
function documentCalls({ ask, open, forgetToken }: Session, { documents, search }: Places) {
  const evidenceAt = (id: string): string => `${documents}/evidence/${encodeURIComponent(id)}`
  const resourceAt = (evidence: string, id: string): string =>
    `${evidenceAt(evidence)}/resource/${encodeURIComponent(id)}`
  return {
    createEvidence: async (body: object, key: string): Promise<RemoteEvidence> =>
      as(Evidence, await ask('POST', `${documents}/evidence`, { body, key })),
    readEvidence: async (id: string): Promise<RemoteEvidence> => as(Evidence, await ask('GET', evidenceAt(id))),
    patchEvidence: async (id: string, body: object): Promise<RemoteEvidence> =>
      as(Evidence, await ask('PATCH', evidenceAt(id), { body })),
    completeEvidence: async (id: string): Promise<RemoteEvidence> =>
      as(Evidence, await ask('POST', `${evidenceAt(id)}/complete`)),
    createResource: async (evidence: string, body: object, key: string): Promise<RemoteResource> =>
      as(Resource, await ask('POST', `${evidenceAt(evidence)}/resource`, { body, key })),
    listResources: async (evidence: string): Promise<RemoteResource[]> =>
      as(z.array(Resource), await ask('GET', `${evidenceAt(evidence)}/resource`)),
    readResource: async (evidence: string, id: string): Promise<RemoteResource> =>
      as(Resource, await ask('GET', resourceAt(evidence, id))),
    renewUploadUri: async (evidence: string, id: string): Promise<RemoteResource> =>
      as(Resource, await ask('POST', `${resourceAt(evidence, id)}/upload-uri`)),
    completeResource: async (evidence: string, id: string, body: object): Promise<RemoteResource> =>
      as(Resource, await ask('POST', `${resourceAt(evidence, id)}/complete`, { body, idleMs: COMPLETE_MS })),
    /** Evidence with this SourceId; null for none. */
    findEvidence: async (sourceId: string): Promise<RemoteEvidence | null> => {
      const body = { Query: `"${sourceId}"`, Types: ['Evidence'], Count: 20, Facets: false }
      for (const { Id } of as(Hits, await ask('POST', search, { body })).Hits) {
        const found = as(Evidence, await ask('GET', evidenceAt(Id)))
        if (found.SourceId === sourceId) return found
      }
      return null
    },
    /** The bytes of a resource. The caller reads the answer or destroys it. */
    openContent: async (evidence: string, id: string, from: number): Promise<IncomingMessage> => {
      const range = from === 0 ? {} : { range: `bytes=${from}-` }
      const response = await open(`${resourceAt(evidence, id)}/content?purpose=download`, range)
      const status = response.statusCode ?? 0
      if (status === (from === 0 ? 200 : 206)) return response
      response.destroy()
      if (status === 401 || isBusy(status)) {
        forgetToken()
        throw new HeadquartersAway(connectionReason('answered', { status }))
      }
      throw new HeadquartersRefusal(status, '', connectionReason('noBytes', { status }))
    },
  }
}

/** Block blobs, at addresses that are signed. */
function uploadCalls({ send }: Session, pace: Deps['pace']) {
  const blob = async (method: string, uploadUri: string, query: string, body?: Uint8Array | string) => {
    refusePlain(uploadUri)
    const answer = await send({
      method,
      url: query === '' ? uploadUri : `${uploadUri}${uploadUri.includes('?') ? '&' : '?'}${query}`,
      headers: { ...BLOB, ...(query === '' ? { 'x-ms-blob-type': 'BlockBlob' } : {}) },
      ...(body === undefined ? {} : { body, pace }),
    })
    const { status } = answer
    const code = String(answer.headers['x-ms-error-code'] ?? '')
    if (isBusy(status) || status === 408)
      throw new HeadquartersAway(connectionReason('uploadAnswered', { status, code }))
    return { status, code, text: answer.body.toString('utf8') }
  }
  const put = async (uploadUri: string, query: string, body: Uint8Array | string): Promise<string> => {
    const { status, code, text: answer } = await blob('PUT', uploadUri, query, body)
    if (status === 200 || status === 201) return answer
    throw new HeadquartersRefusal(
      status,
      code,
      connectionReason('uploadRefused', { code: code === '' ? status : code }),
    )
  }
  return {
    putBlob: (uploadUri: string, bytes: Uint8Array) => put(uploadUri, '', bytes),
    putBlock: (uploadUri: string, id: string, bytes: Uint8Array) =>
      put(uploadUri, `comp=block&blockid=${encodeURIComponent(id)}`, bytes),
    putBlockList: (uploadUri: string, ids: readonly string[]) =>
      put(
        uploadUri,
        'comp=blocklist',
        `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`,
      ),
    /** Lengths of the blocks that headquarters has, by id. */
    heldBlocks: async (uploadUri: string): Promise<Map<string, number>> => {
      const { status, text: answer } = await blob('GET', uploadUri, 'comp=blocklist&blocklisttype=uncommitted')
      if (status !== 200) return new Map()
      const found = answer.matchAll(/<Name>([^<]*)<\/Name>\s*<Size>(\d+)<\/Size>/g)
      return new Map([...found].map(([, id, size]) => [id as string, Number(size)]))
    },
  }
}

function caseCalls({ ask }: Session, { caseService, tenant, search }: Places) {
  const caseAt = (id: string): string => `${caseService}/case/${tenant}/${encodeURIComponent(id)}`
  return {
    /** The first case that fits. @param words what the case certainly contains */
    findCase: async (words: string, fits: (one: RemoteCase) => boolean): Promise<RemoteCase | null> => {
      const body = { Query: `"${words.replaceAll('"', ' ')}"`, Types: ['Case'], Count: 20, Facets: false }
      for (const { Id } of as(Hits, await ask('POST', search, { body })).Hits) {
        const found = as(Case, await ask('GET', caseAt(Id)))
        if (fits(found)) return found
      }
      return null
    },
    createCase: async (body: object, key: string): Promise<RemoteCase> =>
      as(Case, await ask('POST', `${caseService}/case/${tenant}`, { body, key })),
    linkEvidence: async (caseId: string, evidenceId: string): Promise<void> => {
      const body = { Evidences: [{ EvidenceId: evidenceId, Action: 'Add' }] }
      await ask('POST', `${caseAt(caseId)}/link-evidences`, { body })
    },
    /** Categories in use, by id. */
    categories: async (): Promise<{ id: string; name: string; enabled: boolean }[]> =>
      as(Categories, await ask('GET', `${caseService}/category/${tenant}`)).map(({ CategoryId, Name, Enabled }) => ({
        id: CategoryId,
        name: Name ?? '',
        enabled: Enabled,
      })),
  }
}

function checkpointCalls({ ask }: Session, { checkpoint }: Places) {
  return {
    last: async (ours: string): Promise<{ size: number; root: Uint8Array } | null> => {
      try {
        const { Size, Root } = as(
          StoredCheckpoint,
          await ask('GET', `${checkpoint}?origin=${encodeURIComponent(ours)}`),
        )
        return { size: Size, root: new Uint8Array(Buffer.from(Root, 'base64')) }
      } catch (error) {
        if (error instanceof HeadquartersRefusal && error.code === 'CheckpointNotFound') return null
        throw error
      }
    },
    /** Headquarters is asked for no co-signature. `refusal` says why it is refused; null when it is kept. */
    send: async ({
      note,
      publicKey,
      rotations,
      proof,
    }: SentCheckpoint): Promise<{ readonly refusal: string | null; readonly cosignature: null }> => {
      const body = {
        Checkpoint: note,
        PublicKey: publicKey,
        Rotations: rotations,
        Proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
      }
      try {
        await ask('POST', checkpoint, { body })
        return { refusal: null, cosignature: null }
      } catch (error) {
        if (error instanceof HeadquartersRefusal && error.code === 'CheckpointRefused')
          return { refusal: error.message, cosignature: null }
        throw error
      }
    },
  }
}

export const newKey = (): string => randomUUID()

/** A token, and evidence, would go in the clear. */
function refusePlain(address: string): void {
  const { protocol, hostname } = new URL(address)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
  if (protocol !== 'https:' && !here)
    throw new Error(`${address} does not use TLS, and evidence would be sent there in the clear.`)
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}
