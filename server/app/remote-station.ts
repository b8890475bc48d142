import { z } from 'zod'
import { asConnection, fetchToken } from '../bin/token-client.ts'
import type { RemoteStation } from '../features/integrity/verification/copies.ts'

/** Another station by the connection file of one of its integrations: what is sent there is a checkpoint and nothing else. */

const PATIENCE_MS = 20_000
/** An answer is a checkpoint; whatever is longer is none. */
const MOST_BYTES = 64 * 1024

const Kept = z.object({ Size: z.int().min(0), Root: z.string() })
const Refusal = z.object({ ErrorCode: z.string(), Message: z.string().max(2000) })
const Addresses = z.array(z.url({ protocol: /^https?$/ })).min(1)

interface Answer {
  readonly status: number
  readonly json: unknown
}

/** @throws Error in words for people when the file is none, or names an address that must not be spoken to without TLS */
export function remoteStation(connection: unknown): RemoteStation & { readonly address: string } {
  const { TenantId, SecurityTokenServiceBaseAddresses } = asConnection(connection)
  const given = Addresses.safeParse((connection as { ApiBaseAddresses?: unknown }).ApiBaseAddresses)
  if (!given.success) throw new Error('The connection file lacks ApiBaseAddresses.')
  const { origin } = new URL(given.data[0] as string)
  for (const address of [origin, ...SecurityTokenServiceBaseAddresses]) refusePlain(address)
  const place = `${origin}/api/v1/tenant/${encodeURIComponent(TenantId)}/checkpoint`

  const ask = async (method: string, address: string, body?: unknown): Promise<Answer> => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
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
      const said = cause instanceof Error ? cause.message : message
      throw new Error(`The other station could not be asked: ${said}.`, { cause: error })
    }
  }
  return {
    address: origin,
    last: async (ours) => {
      const { status, json } = await ask('GET', `${place}?origin=${encodeURIComponent(ours)}`)
      if (status === 404 && Refusal.safeParse(json).data?.ErrorCode === 'CheckpointNotFound') return null
      const kept = Kept.safeParse(json)
      if (status !== 200 || !kept.success) throw unexpected(status, json)
      return { size: kept.data.Size, root: new Uint8Array(Buffer.from(kept.data.Root, 'base64')) }
    },
    send: async ({ note, publicKey, rotations, proof }) => {
      const { status, json } = await ask('POST', place, {
        Checkpoint: note,
        PublicKey: publicKey,
        Rotations: rotations,
        Proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
      })
      if (status === 200) return null
      const refusal = Refusal.safeParse(json).data
      if (status === 409 && refusal?.ErrorCode === 'CheckpointRefused')
        return `The other station refuses it: ${refusal.Message}`
      throw unexpected(status, json)
    },
  }
}

const unexpected = (status: number, json: unknown): Error =>
  new Error(`The other station answered ${status}${words(Refusal.safeParse(json).data?.Message)}`)
const words = (message: string | undefined): string => (message === undefined ? '.' : `: ${message}`)

/** A token is a secret: in the clear it stays on this machine. */
function refusePlain(address: string): void {
  const { protocol, hostname } = new URL(address)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
  if (protocol !== 'https:' && !here)
    throw new Error(`${address} is spoken to without TLS, and a token would go there in the clear.`)
}

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length
    if (length > MOST_BYTES) throw new Error('it says too much')
    chunks.push(chunk as Uint8Array)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
