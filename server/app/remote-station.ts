import { z } from 'zod'
import { asConnection, fetchToken } from '../bin/token-client.ts'
import type { RemoteStation } from '../features/integrity/verification/copies.ts'
import { witnessProblem } from '../../shared/messages/witness-problems.ts'

/** Connects to another station by the connection file of one of its integrations. Only checkpoints are sent there. */

const TIMEOUT_MS = 20_000
/** Most bytes of an answer, which is a checkpoint. */
const MOST_BYTES = 64 * 1024

const StoredCheckpoint = z.object({ Size: z.int().min(0), Root: z.string() })
const Cosigned = z.object({ Cosignature: z.object({ Line: z.string().max(500), Key: z.string().max(400) }) })
const Refusal = z.object({ ErrorCode: z.string(), Message: z.string().max(2000) })
const Addresses = z.array(z.url({ protocol: /^https?$/ })).min(1)

interface Answer {
  readonly status: number
  readonly json: unknown
}

/** @throws Error, with a message for people, for an invalid file or an address without TLS on another machine */
export function remoteStation(connection: unknown): RemoteStation & { readonly address: string } {
  const { TenantId, SecurityTokenServiceBaseAddresses } = asConnection(connection)
  const addresses = Addresses.safeParse((connection as { ApiBaseAddresses?: unknown }).ApiBaseAddresses)
  if (!addresses.success) throw new Error('The connection file lacks ApiBaseAddresses.')
  const { origin } = new URL(addresses.data[0] as string)
  for (const address of [origin, ...SecurityTokenServiceBaseAddresses]) refusePlain(address)
  const place = `${origin}/api/v1/tenant/${encodeURIComponent(TenantId)}/checkpoint`

  const ask = async (
    method: string,
    address: string,
    stop: AbortSignal | undefined,
    body?: unknown,
  ): Promise<Answer> => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(stop === undefined ? [] : [stop])])
    try {
      const { access_token } = await fetchToken(connection, signal)
      const response = await fetch(address, {
        method,
        redirect: 'error',
        signal,
        headers: {
          authorization: `Bearer ${access_token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, json: await jsonOf(response) }
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? cause.message : message
      throw new Error(witnessProblem('stationNotReached', { why: reason }), { cause: error })
    }
  }
  return {
    address: origin,
    last: async (ours, signal) => {
      const { status, json } = await ask('GET', `${place}?origin=${encodeURIComponent(ours)}`, signal)
      if (status === 404 && Refusal.safeParse(json).data?.ErrorCode === 'CheckpointNotFound') return null
      const stored = StoredCheckpoint.safeParse(json)
      if (status !== 200 || !stored.success) throw unexpected(status, json)
      return { size: stored.data.Size, root: new Uint8Array(Buffer.from(stored.data.Root, 'base64')) }
    },
    send: async ({ note, publicKey, rotations, proof, older = false }, signal) => {
      const { status, json } = await ask('POST', place, signal, {
        Checkpoint: note,
        PublicKey: publicKey,
        Rotations: rotations,
        Proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
        // A station of an earlier version knows no such member.
        ...(older ? { Older: true } : {}),
      })
      if (status === 200) {
        const given = Cosigned.safeParse(json).data?.Cosignature
        return { refusal: null, cosignature: given === undefined ? null : { line: given.Line, key: given.Key } }
      }
      const refusal = Refusal.safeParse(json).data
      if (status === 409 && refusal?.ErrorCode === 'CheckpointRefused')
        return { refusal: witnessProblem('stationRefuses', { why: refusal.Message }), cosignature: null }
      throw unexpected(status, json)
    },
  }
}

function unexpected(status: number, json: unknown): Error {
  const why = Refusal.safeParse(json).data?.Message
  return new Error(
    why === undefined
      ? witnessProblem('stationAnswered', { status })
      : witnessProblem('stationAnsweredWhy', { status, why }),
  )
}

/** Refuses addresses without TLS, except on this machine, since a token would be sent in the clear. */
function refusePlain(address: string): void {
  const { protocol, hostname } = new URL(address)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
  if (protocol !== 'https:' && !here)
    throw new Error(`${address} does not use TLS, and a token would be sent there in the clear.`)
}

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length
    if (length > MOST_BYTES) throw new Error('its answer is too long')
    chunks.push(chunk as Uint8Array)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
