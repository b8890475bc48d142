/**
 * A station inside the test's process with an administrator, an integration and its token, and builders for what tests start from. All of
 * it goes the ways that strangers go: the command socket, the token endpoint, HTTP. Only reading the ledger back, and meddling, open the
 * database.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { loadSettings, type Settings } from '../../server/config/settings.ts'
import type { StoredEntry } from '../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { type RunningStation, startServer } from '../../server/index.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { type ConnectionFile, signIn } from './integrator.ts'
import { temporaryFolder } from './station.ts'
import { databaseOnPostgres, templateOnPostgres, WRAPPING_KEY } from './postgres-given.ts'
import { connectionAt, copyTemplate, type Template } from './template.ts'

/** Answers are looked at member by member, as whoever has only the documentation would. */
export type Json = ReturnType<typeof JSON.parse>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** Null when the body is empty or no JSON. */
  readonly json: Json
  readonly correlationId: string
}

export interface CallOptions {
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Another token than the integration's; null: none. */
  readonly token?: string | null
  readonly key?: string
}

export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

const PASSWORD = 'a long enough pass phrase'
/** Who every station of a test begins with. */
export const ADMINISTRATOR = { username: 'sergeant', password: PASSWORD }
export const OS_USER = 'tester'

export type Given = Awaited<ReturnType<typeof givenStation>>

type GivenSettings = Partial<Record<keyof Settings, unknown>>

/**
 * @param prepare puts things into the station's folder before it starts for the first time
 * @param fresh begins with an empty folder and not with a copy of the template: for tests of first starts, for those that move the clock,
 * and for stations beside others, which must have keys of their own
 */
export async function givenStation(
  options: { settings?: GivenSettings; prepare?: (data: string) => Promise<void> | void; fresh?: boolean } = {},
) {
  const { dir, dispose } = await temporaryFolder('given')
  const data = path.join(dir, 'data')
  const isFresh = options.fresh === true || options.prepare !== undefined || options.settings?.tenant !== undefined
  const template = isFresh ? null : await copyTemplate(data, makeTemplate)
  if (template === null) mkdirSync(data)
  await options.prepare?.(data)
  const postgres = await databaseOnPostgres(path.join(data, 'sallyport.db'), template !== null)
  const settings = settingsOf(data, { ...postgres?.settings, ...options.settings })
  let station: RunningStation
  try {
    station = await startServer(settings)
  } catch (error) {
    await dispose()
    throw error
  }
  const command = commandTo(data)
  const integration = (name: string, policies: readonly string[] = []): Promise<ConnectionFile> =>
    makeIntegration(command, station.url, name, policies)
  const connection = template === null ? await setUp(command, station.url) : connectionAt(template, station.url)
  const token = await signIn(connection, station.url)

  const call = async (method: string, address: string, given: CallOptions = {}): Promise<Reply> => {
    const { body, raw, headers = {}, token: own = token, key } = given
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(address.startsWith('http') ? address : `${station.url}${address}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(own === null ? {} : { authorization: `Bearer ${own}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as BodyInit }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = Buffer.from(bytes).toString('utf8')
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      json: parsed(text),
      correlationId: response.headers.get('x-correlation-id') ?? '',
    }
  }
  const documents = '/documentstore/api/v1/tenant/station'
  const expecting = async (status: number, reply: Promise<Reply>): Promise<Json> => {
    const { status: found, text, json } = await reply
    if (found !== status) throw new Error(`expected ${status}, was ${found}: ${text.slice(0, 500)}`)
    return json
  }
  const evidence = (body: Record<string, unknown> = {}): Promise<Json> =>
    expecting(201, call('POST', `${documents}/evidence`, { body: { Name: 'Front desk', ...body } }))
  const resource = (evidenceId: string, body: Record<string, unknown> = {}): Promise<Json> =>
    expecting(
      201,
      call('POST', `${documents}/evidence/${evidenceId}/resource`, { body: { Name: 'clip.bin', ...body } }),
    )
  const put = async (uploadUri: string, bytes: Uint8Array): Promise<void> => {
    await expecting(201, call('PUT', uploadUri, { raw: bytes, token: null, headers: BLOCK_BLOB }))
  }
  const completed = async (
    bytes: Uint8Array,
    { name = 'clip.bin', evidenceId, mimeType }: { name?: string; evidenceId?: string; mimeType?: string } = {},
  ): Promise<{ evidenceId: string; resourceId: string; sha256: string; resource: Json }> => {
    const into = evidenceId ?? ((await evidence()).EvidenceId as string)
    const open = await resource(into, { Name: name, ...(mimeType === undefined ? {} : { MimeType: mimeType }) })
    await put(open.UploadUri, bytes)
    const done = await expecting(
      200,
      call('POST', `${documents}/evidence/${into}/resource/${open.ResourceId}/complete`, { body: {} }),
    )
    return { evidenceId: into, resourceId: open.ResourceId, sha256: sha256Of(bytes), resource: done }
  }
  const database = <T>(work: (db: RawDatabase) => T): T => {
    if (postgres !== null) return work(postgres.reader)
    const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  let closed = false
  const entries: StoredEntry[] = []
  let reader: RawDatabase | null = null
  /** The ledger only grows: each entry is read once, over a connection that stays open until the station closes. */
  const ledger = (after = 0): StoredEntry[] => {
    const known = entries.at(-1)?.seq ?? 0
    const added = (db: RawDatabase): unknown[] =>
      db.prepare('SELECT body FROM ledger WHERE seq > ? ORDER BY seq').pluck().all(known)
    const bodies =
      closed || postgres !== null
        ? database(added)
        : added((reader ??= openRaw(path.join(data, 'sallyport.db'), { readOnly: true })))
    entries.push(...(bodies as Uint8Array[]).map((body) => storedEntry(body)))
    return entries.filter(({ seq }) => seq > after)
  }
  /** Whether these very bytes lie in the store's quarantine. */
  const inQuarantine = (bytes: Uint8Array): boolean => {
    const folder = path.join(data, 'blobs', '.quarantine')
    const files = (readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name))
    return files.some((file) => statSync(file).isFile() && Buffer.compare(readFileSync(file), bytes) === 0)
  }
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    reader?.close()
    await station.close()
  }

  return {
    url: station.url,
    dir,
    data,
    file: path.join(data, 'sallyport.db'),
    settings,
    advice: station.advice,
    connection,
    token,
    /** Principal id of the integration. */
    principalId: connection.ServicePrincipalId,
    documents,
    call,
    expecting,
    command,
    integration,
    evidence,
    resource,
    put,
    completed,
    database,
    /** Writes past the station, as whoever has the file in hand would: in one transaction, as soon as the station is in none. */
    meddle: async <T>(work: (db: RawDatabase) => T): Promise<T> =>
      postgres === null ? meddle(path.join(data, 'sallyport.db'), work) : postgres.meddle(work),
    ledger,
    inQuarantine,
    /** The resources of an evidence when no job of them is queued or running any more. @param options whose call it is */
    settled: async (evidenceId: string, options: CallOptions = {}): Promise<Json[]> => {
      const place = `${documents}/evidence/${evidenceId}/resource`
      for (let tries = 0; tries < 140; tries++) {
        const list = (await expecting(200, call('GET', place, options))) as Json[]
        const states = list.flatMap((one) => one.Processing.map((part: Json) => part.State as string))
        if (states.length > 0 && !states.some((state) => state === 'queued' || state === 'running')) return list
        // Each look leaves an entry in custody: on a busy machine they pushed out what a test looks for.
        await new Promise((resolve) => setTimeout(resolve, Math.min(500, 50 * 1.2 ** tries)))
      }
      throw new Error(`the jobs of evidence ${evidenceId} did not end`)
    },
    /** Closes the station and keeps its folder. */
    stop: close,
    close: async (): Promise<void> => {
      await close()
      await postgres?.drop()
      await dispose()
    },
  }
}

const settingsOf = (data: string, given: GivenSettings = {}): Settings =>
  loadSettings(
    {},
    {
      data,
      port: 0,
      reserveBytes: 65_536,
      minFreeBytes: 0,
      logLevel: (process.env['DBG'] ?? 'silent') as 'silent',
      strictResponses: true,
      // The token bucket has its own suite.
      rateService: 10_000_000,
      ratePerson: 10_000_000,
      ...(given.databaseUrl === undefined ? {} : { wrappingKey: WRAPPING_KEY }),
      ...given,
    },
  )

type Command = (name: string, args: Record<string, unknown>) => Promise<Json>

const commandTo =
  (data: string): Command =>
  async (name, args) =>
    (await callControl(data, { command: name, args, user: OS_USER }, () => {}, new AbortController().signal))?.result

const makeIntegration = async (
  command: Command,
  baseUrl: string,
  name: string,
  policies: readonly string[],
): Promise<ConnectionFile> =>
  (await command('integration.create', { name, policies, group: null, baseUrl })).connection as ConnectionFile

/** The administrator, and the integration that tests upload with. */
async function setUp(command: Command, url: string): Promise<ConnectionFile> {
  await command('setup', ADMINISTRATOR)
  return makeIntegration(command, url, 'uploader', [])
}

async function makeTemplate(data: string): Promise<Template> {
  mkdirSync(data)
  const station = await startServer(settingsOf(data, await templateOnPostgres()))
  try {
    return { connection: await setUp(commandTo(data), station.url), url: station.url }
  } finally {
    await station.close()
  }
}

/**
 * The station runs in this process and its transactions last over several turns of the loop: a write that waited here for one of them
 * would wait for itself and fail. So it asks, and goes away for a turn when the answer is no.
 */
async function meddle<T>(file: string, work: (db: RawDatabase) => T): Promise<T> {
  const db = openRaw(file)
  try {
    db.pragma('busy_timeout = 0')
    for (let tries = 0; !begun(db); tries++) {
      if (tries === 5000) throw new Error('the station never was between two transactions')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const result = work(db)
    db.exec('COMMIT')
    return result
  } finally {
    db.close()
  }
}

function begun(db: RawDatabase): boolean {
  try {
    db.exec('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

const BLOCK_BLOB = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04', 'content-type': 'video/mp4' }

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
