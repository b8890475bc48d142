import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire, WireAnswer } from './wire.ts'

/** What a camera that speaks HTTP asks of a station: interfaces.md 4.2 and 4.3, decisions 5 and 6, and nothing else. */

/** Where the interfaces answer, as the connection file says (decisions 9), and who asks. */
export interface StationAddress {
  readonly tenant: string
  /** Ends with `/api/v1`. */
  readonly devices: string
  readonly documents: string
  readonly token: () => Promise<string>
}

export interface Identification {
  readonly SerialNumber: string
  readonly Manufacturer: string
  readonly Model: string | null
}

/** The station answered, and the answer was no. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  /** Empty where the body names none. */
  readonly code: string
  constructor(status: number, code: string, what: string) {
    super(`${what}: ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export interface Resource {
  readonly ResourceId: string
  readonly State: string
  readonly Sha256: string | null
  readonly UploadUri?: string
}

type Json = Readonly<Record<string, unknown>>

const DEVICE_TYPE = 'BodyWornCamera'
const BLOB_VERSION = '2024-11-04'
const MOST_WAITS = 20

export type StationCalls = ReturnType<typeof stationCalls>

export function stationCalls(wire: Wire, station: StationAddress, signal: AbortSignal) {
  /** A station that has too much to do says when to come again, and is believed. */
  const patiently = async (send: () => Promise<WireAnswer>, what: string): Promise<WireAnswer> => {
    for (let waits = 0; ; waits++) {
      const answer = await send()
      const again = answer.status === 429 || answer.status === 503
      if (answer.status < 300 || answer.status === 304) return answer
      if (!again || waits >= MOST_WAITS) throw new Refused(answer.status, codeOf(answer), what)
      const seconds = Number(answer.headers['retry-after'] ?? 1)
      await pause(Math.min(60, Math.max(1, seconds)) * 1000, undefined, { signal })
    }
  }
  const json = async <T>(
    method: string,
    url: string,
    body?: Json,
    key?: string,
  ): Promise<{ status: number; value: T; headers: WireAnswer['headers'] }> => {
    const headers = {
      authorization: `Bearer ${await station.token()}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
    const answer = await patiently(
      () => wire.send({ method, url, headers, ...sent }),
      `${method} ${new URL(url).pathname}`,
    )
    const text = answer.body.toString('utf8')
    return { status: answer.status, value: (text === '' ? null : JSON.parse(text)) as T, headers: answer.headers }
  }
  const device = `${station.devices}/tenant/${station.tenant}`
  const documents = `${station.documents}/tenant/${station.tenant}/evidence`
  const resource = (evidenceId: string, resourceId: string): string =>
    `${documents}/${evidenceId}/resource/${resourceId}`
  const blob = (method: string, uri: string, query: string, body?: Uint8Array, more: Record<string, string> = {}) =>
    // The address carries its own authority: no token goes with it.
    patiently(
      () =>
        wire.send({
          method,
          url: `${uri}&${query}`,
          headers: { 'x-ms-version': BLOB_VERSION, ...more },
          ...(body === undefined ? {} : { body }),
        }),
      `${method} block ${query}`,
    )

  return {
    /** @returns the record's id, and what the station's clock showed: milliseconds since 1970, to the second */
    add: async (identification: Identification) => {
      const { value, headers } = await json<{ Id: string }>('POST', `${device}/device`, {
        DeviceIdentification: identification,
        DeviceType: DEVICE_TYPE,
      })
      return { id: value.Id, stationMs: Date.parse(headers.date ?? '') }
    },
    credentials: async (identification: Identification) =>
      (
        await json<{ DeviceCredential: string; State: string }[]>('POST', `${device}/credential`, {
          DeviceId: identification,
          DeviceType: DEVICE_TYPE,
        })
      ).value,
    /** @returns null where nothing is to be done */
    negotiate: async (
      identification: Identification,
      has: { configuration: Json; capabilities: Json; credential: string },
    ) => {
      const { status, value } = await json<{ TransactionId: string; Configuration: Json }>(
        'POST',
        `${device}/configuration/negociate`,
        {
          DeviceId: identification,
          DeviceType: DEVICE_TYPE,
          Capabilities: has.capabilities,
          Configuration: has.configuration,
          Credential: { DeviceCredential: has.credential },
        },
      )
      return status === 304 ? null : value
    },
    commit: (identification: Identification, TransactionId: string) =>
      json('POST', `${device}/configuration/commit`, { DeviceId: identification, TransactionId }),
    reject: (identification: Identification, TransactionId: string, ReasonCode: string, ReasonMessage: string) =>
      json('POST', `${device}/configuration/reject`, {
        DeviceId: identification,
        TransactionId,
        ReasonCode,
        ReasonMessage,
      }),

    createEvidence: async (body: Json, key: string) =>
      (await json<{ EvidenceId: string }>('POST', documents, body, key)).value.EvidenceId,
    completeEvidence: async (evidenceId: string) =>
      (await json<{ State: string; DeviceIdentity: string | null }>('POST', `${documents}/${evidenceId}/complete`, {}))
        .value,
    createResource: async (evidenceId: string, body: Json, key: string) =>
      (await json<Resource>('POST', `${documents}/${evidenceId}/resource`, body, key)).value,
    resources: async (evidenceId: string) =>
      (await json<Resource[]>('GET', `${documents}/${evidenceId}/resource`)).value,
    renew: async (evidenceId: string, resourceId: string) =>
      (await json<Resource>('POST', `${resource(evidenceId, resourceId)}/upload-uri`, {})).value,
    completeResource: async (evidenceId: string, resourceId: string, body: { Sha256: string; LengthInBytes: number }) =>
      (await json<Resource>('POST', `${resource(evidenceId, resourceId)}/complete`, body)).value,

    putBlock: (uri: string, id: string, bytes: Uint8Array) =>
      blob('PUT', uri, `comp=block&blockid=${encodeURIComponent(id)}`, bytes, {
        'content-md5': createHash('md5').update(bytes).digest('base64'),
      }),
    putBlockList: (uri: string, ids: readonly string[]) => {
      const list = ids.map((id) => `<Latest>${id}</Latest>`).join('')
      const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`)
      return blob('PUT', uri, 'comp=blocklist', body, { 'content-type': 'application/xml' })
    },
    /** Ids of the blocks that the station holds, with their lengths. */
    heldBlocks: async (uri: string): Promise<ReadonlyMap<string, number>> => {
      try {
        const { body } = await blob('GET', uri, 'comp=blocklist&blocklisttype=all')
        const found = body
          .toString('utf8')
          .matchAll(/<Block>\s*<Name>([^<]*)<\/Name>\s*<Size>(\d+)<\/Size>\s*<\/Block>/g)
        return new Map([...found].map(([, id, size]) => [id as string, Number(size)]))
      } catch (error) {
        // An address to which nothing was sent yet.
        if (error instanceof Refused && error.status === 404) return new Map()
        throw error
      }
    },
  }
}

function codeOf({ body }: WireAnswer): string {
  const text = body.toString('utf8')
  try {
    return String((JSON.parse(text) as { ErrorCode?: unknown }).ErrorCode ?? '')
  } catch {
    return /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ''
  }
}
