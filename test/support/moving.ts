/** A station that is started again in its folder, with other places for its database and its blobs. */
import { BlobUrl } from '../../server/config/blob-url.ts'
import { startServer } from '../../server/index.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { type Given, type Json, OS_USER } from './given.ts'
import { type ConnectionFile, signIn } from './integrator.ts'
import { WRAPPING_KEY } from './postgres-given.ts'

export interface Places {
  readonly databaseUrl?: string
  readonly blobUrl?: string
}

export interface Started {
  readonly url: string
  readonly advice: readonly string[]
  call(method: string, address: string, body?: unknown): Promise<Response>
  command(name: string, args: Record<string, unknown>): Promise<Json>
  close(): Promise<void>
}

/** @param given was stopped */
export async function startAt(given: Given, { databaseUrl, blobUrl }: Places): Promise<Started> {
  const { databaseUrl: _, blobUrl: __, ...settings } = given.settings
  const station = await startServer({
    ...settings,
    wrappingKey: WRAPPING_KEY,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(blobUrl === undefined ? {} : { blobUrl: BlobUrl.parse(blobUrl) }),
  })
  try {
    const connection = JSON.stringify(given.connection).replaceAll(given.url, station.url)
    const token = await signIn(JSON.parse(connection) as ConnectionFile, station.url)
    return {
      url: station.url,
      advice: station.advice,
      call: (method, address, body) =>
        fetch(`${station.url}${address}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      command: (name, args) => commandIn(given.data, name, args),
      close: station.close,
    }
  } catch (error) {
    await station.close()
    throw error
  }
}

export const commandIn = async (
  data: string,
  command: string,
  args: Record<string, unknown>,
  signal = new AbortController().signal,
): Promise<Json> => (await callControl(data, { command, args, user: OS_USER }, () => {}, signal))?.result
