/** Two stations: one that forwards, and one that plays headquarters. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { loadSettings } from '../../server/config/settings.ts'
import { startServer } from '../../server/index.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { type StoredEntry, storedEntry } from '../../server/kernel/ledger/format.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { signIn } from '../support/integrator.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'

export const HEADQUARTERS = '/api/v1/tenant/station/headquarters'

type Options = Parameters<typeof givenStation>[0]

export async function twoStations(
  options: { station?: Options; headquarters?: Options; policies?: readonly string[] } = {},
) {
  const headquarters = await givenStation({ fresh: true, ...options.headquarters })
  const station = await givenStation({ fresh: true, ...options.station })
  const connection = await headquarters.integration('forwarding station', options.policies ?? ['CreateCases'])
  const administrator = await administratorOf(station)
  return {
    headquarters,
    station,
    connection,
    administrator,
    close: async () => {
      await station.close()
      await headquarters.close()
    },
  }
}

export type World = Awaited<ReturnType<typeof twoStations>>

/** The token of an integration that is an administrator. */
export async function administratorOf(
  station: Given,
): Promise<(method: string, path: string, body?: unknown) => Promise<Json>> {
  const { connection } = await station.command('integration.create', {
    name: `administrator ${Math.random()}`,
    policies: [],
    group: 'Account Administrators',
    baseUrl: station.url,
  })
  let token = await signIn(connection, station.url)
  return async (method, path, body) => {
    for (let again = true; ; again = false) {
      const reply = await station.call(method, path, { token, ...(body === undefined ? {} : { body }) })
      // Tests move the clock.
      if (reply.status === 401 && again) token = await signIn(connection, station.url)
      else return { status: reply.status, ...reply.json }
    }
  }
}

export const importInto = (
  world: Pick<World, 'administrator' | 'connection'>,
  rules: object | null = { Everything: true },
) =>
  (async () => {
    const imported = await world.administrator('PUT', `${HEADQUARTERS}/connection`, { Connection: world.connection })
    if (imported.status !== 200) throw new Error(JSON.stringify(imported))
    if (rules !== null) {
      const set = await world.administrator('PUT', `${HEADQUARTERS}/rules`, rules)
      if (set.status !== 200) throw new Error(JSON.stringify(set))
    }
    return imported
  })()

export async function until<T>(
  what: string,
  look: () => Promise<T | null | false | undefined> | T | null | false | undefined,
  ms = 60_000,
): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found !== null && found !== false && found !== undefined) return found
    if (performance.now() > end) throw new Error(`${what} did not happen within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** What is forwarded, as the station lists it. */
export const itemsOf = async ({ administrator }: Pick<World, 'administrator'>, state: string): Promise<Json[]> =>
  (await administrator('GET', `${HEADQUARTERS}/item?state=${state}`)).Items

export const forwarded = (world: Pick<World, 'administrator'>, evidenceId: string, ms?: number): Promise<Json> =>
  until(
    `evidence ${evidenceId} was not forwarded; it`,
    async () => {
      const failed = (await itemsOf(world, 'failed')).find((one) => one.EvidenceId === evidenceId)
      if (failed !== undefined) throw new Error(`it failed: ${failed.Problem}`)
      return (await itemsOf(world, 'done')).find((one) => one.EvidenceId === evidenceId)
    },
    ms,
  )

/** Bytes that are the same for the same number. */
export function someBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0, n = 0; at < length; at += 32, n++)
    createHash('sha256')
      .update(`${seed} ${n}`)
      .digest()
      .copy(bytes, at, 0, Math.min(32, length - at))
  return bytes
}

export async function completeEvidence(
  station: Given,
  bytes: Uint8Array,
  body: Record<string, unknown> = {},
): Promise<{ evidenceId: string; resourceId: string; sha256: string }> {
  const { EvidenceId: evidenceId } = await station.evidence(body)
  const { resourceId, sha256 } = await station.completed(bytes, { evidenceId, name: 'clip.bin' })
  await station.expecting(
    200,
    station.call('POST', `${station.documents}/evidence/${evidenceId}/complete`, { body: {} }),
  )
  return { evidenceId, resourceId, sha256 }
}

/** The originals of an evidence at headquarters, as the forwarding station may read them; custody records apart. */
export async function remoteFiles(world: World, remoteId: string): Promise<{ originals: Json[]; custody: Json[] }> {
  const token = await signIn(world.connection as never, world.headquarters.url)
  const list = await world.headquarters.expecting(
    200,
    world.headquarters.call('GET', `${world.headquarters.documents}/evidence/${remoteId}/resource`, { token }),
  )
  const uploaded = list.filter((one: Json) => one.Parent === null)
  return {
    originals: uploaded.filter((one: Json) => !one.Name.startsWith('custody ')),
    custody: uploaded.filter((one: Json) => one.Name.startsWith('custody ')),
  }
}

export async function contentAt(world: World, remoteId: string, resourceId: string): Promise<Buffer> {
  const token = await signIn(world.connection as never, world.headquarters.url)
  const reply = await world.headquarters.call(
    'GET',
    `${world.headquarters.documents}/evidence/${remoteId}/resource/${resourceId}/content`,
    { token },
  )
  if (reply.status !== 200) throw new Error(`content: ${reply.status}`)
  return Buffer.from(reply.bytes)
}

export const alarmsOf = async (administrator: World['administrator']): Promise<Json[]> =>
  (await administrator('GET', '/api/v1/tenant/station/keeping')).Alarms

export function entriesAt(data: string): StoredEntry[] {
  const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
  try {
    return (db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all() as Uint8Array[]).map((body) =>
      storedEntry(body),
    )
  } finally {
    db.close()
  }
}

/** A station over a data folder, as after a restart or on a machine that got a copy of it. */
export async function openStationAt(data: string) {
  const settings = loadSettings(
    {},
    { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent', strictResponses: true },
  )
  const server = await startServer(settings)
  const request = {
    command: 'integration.create',
    args: { name: `admin ${Math.random()}`, policies: [], group: 'Account Administrators', baseUrl: server.url },
    user: 'tester',
  }
  const made = await callControl(data, request, () => {}, new AbortController().signal)
  const token = await signIn((made as { result: Json }).result.connection, server.url)
  const administrator = async (method: string, place: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${server.url}${place}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, ...(text === '' ? {} : JSON.parse(text)) }
  }
  return { server, administrator }
}
