/** A token service with everything real around it but the clock: database on disk, ledger, keys, the frame on a free port of loopback. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import path from 'node:path'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import { Fault } from '../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../../server/kernel/ledger/call.ts'
import { createLedger, type Ledger } from '../../../server/kernel/ledger/ledger.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createApp } from '../../../server/http/app.ts'
import { loopbackOrigins } from '../../../server/http/host.ts'
import type { Authorize } from '../../../server/http/ports.ts'
import { createHttpServer } from '../../../server/http/server.ts'
import { createAuthorizations } from '../../../server/features/identity/tokens/authorizations.service.ts'
import { tokenRoutes } from '../../../server/features/identity/tokens/tokens.routes.ts'
import { createTokens, type TokensService } from '../../../server/features/identity/tokens/tokens.service.ts'
import type { ConnectionFile } from '../../../server/features/identity/users/connection-file.ts'
import { createUsers, seedStation, type UsersService } from '../../../server/features/identity/users/users.service.ts'
import { type ManualClock, manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { openKeys, type TokenKeySet } from '../../../server/platform/secrets/keys.ts'
import { type Signer, signerOf } from '../../support/assertion.ts'
import { withMeanwhile } from '../../support/meanwhile.ts'
import { temporaryFolder } from '../../support/station.ts'

type NewEntry = Parameters<Ledger['append']>[2]
/** What was asked of the ledger, refusals one by one (the ledger itself counts them by the minute). */
export type Entry = NewEntry & { readonly actor: string }

export interface World {
  readonly url: string
  /** Where assertions are meant to be used. */
  readonly endpoint: string
  readonly database: Database
  readonly users: UsersService
  readonly tokens: TokensService
  readonly clock: ManualClock
  readonly keys: TokenKeySet
  readonly entries: Entry[]
  /** Seconds since 1970. */
  now(): number
  integration(name: string): Promise<{ connection: ConnectionFile; signer: Signer }>
  /** Another public key for a service, as an administrator would register it. */
  register(signer: Signer, jwk: JWK, validity?: { from?: string; to?: string; revoked?: string }): Promise<void>
  enable(principalId: string, enabled: boolean): Promise<void>
  /** Done once, right before the next transaction of the tokens: after what was checked without one. */
  meanwhile(work: () => Promise<unknown>): void
  /** How many transactions of the tokens have begun. */
  transactions(): number
  /** Everything closed and opened anew on the same folder. */
  restart(): Promise<World>
  close(): Promise<void>
}

export const CALL: Call = {
  actor: { kind: 'cli', id: 'root', name: 'root', kId: '' },
  source: 'cli',
  correlationId: '00000000-0000-0000-0000-000000000000',
}

export async function startWorld(): Promise<World> {
  const { dir, dispose } = await temporaryFolder('tokens')
  return open(dir, { clock: manualClock(), entries: [], dispose })
}

interface Kept {
  clock: ManualClock
  entries: Entry[]
  dispose: () => Promise<void>
}

async function open(dir: string, kept: Kept): Promise<World> {
  const { clock, entries } = kept
  const { tokens: keys } = await openKeys(path.join(dir, 'keys'), { clock, established: false })
  const database = await openTestDatabase({ file: path.join(dir, 'station.db') })
  const dependencies = { db: database, clock, log: createLog('silent') }
  const real = createLedger(dependencies)
  const note = (call: Call, entry: NewEntry): void => {
    entries.push({ ...entry, actor: call.actor.name })
  }
  const ledger: Pick<Ledger, 'append' | 'record' | 'tally'> = {
    append: async (tx, call, entry) => {
      const appended = await real.append(tx, call, entry)
      note(call, entry)
      return appended
    },
    record: (call, entry) => {
      note(call, entry)
      return real.record(call, entry)
    },
    tally: (call, entry) => {
      note(call, entry)
      real.tally(call, entry)
    },
  }
  const station: Call = { actor: INTERNAL, source: 'station', correlationId: CALL.correlationId }
  await database.transaction((tx) => seedStation(tx, ledger, station, { tenant: 'station', now: clock.now() }))
  const users = createUsers({ db: database, ledger, clock })
  let url = ''
  let origins: readonly string[] = []
  const addresses = () => ({ issuer: url, origins })
  const { db: watched, meanwhile, transactions } = withMeanwhile(database)
  const tokens = createTokens({ db: watched, ledger, clock, keys, addresses })
  const app = createApp({
    routes: tokenRoutes({
      tokens,
      authorizations: createAuthorizations({ db: database, ledger, clock, keys, addresses, clients: [] }),
      addresses,
      signingOut: { signOut: async () => {}, clearCookie: () => '' },
    }),
    authorize: authorizeBy(tokens),
    // Routes name their actions as text; which there are is the ledger's own business.
    ledger: {
      record: (call, entry) => ledger.record(call, entry as NewEntry),
      tally: (call, entry) => ledger.tally(call, entry as NewEntry),
    },
    database,
    station: {
      origins: () => origins,
      mode: () => 'ready',
      tenant: (name = 'station') => name,
      clock,
      log: createLog('silent'),
    },
    settings: { jsonBodyBytes: 1 << 20, bodyMillis: 10_000, ratePerson: 1e9, rateService: 1e9, strictResponses: true },
  })
  const server = createHttpServer(app)
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${port}`
  origins = loopbackOrigins(port)
  const stop = async (): Promise<void> => {
    await server.close(100)
    await real.stop()
    await database.close()
  }
  return {
    url,
    endpoint: `${url}/connect/token`,
    database,
    users,
    tokens,
    clock,
    keys,
    entries,
    now: () => Math.floor(clock.now() / 1000),
    integration: async (name) => {
      const { connection } = await users.createIntegration(CALL, { name, baseUrl: url })
      return { connection, signer: signerOf(connection) }
    },
    register: (signer, jwk, validity = {}) => registerKey(database, signer, jwk, validity),
    enable: (principalId, enabled) =>
      database.transaction(async (tx) => {
        const change = tx.updateTable('principals').set({ enabled: enabled ? 1 : 0 })
        await change.where('principal_id', '=', Number(principalId)).execute()
      }),
    meanwhile,
    transactions,
    restart: async () => {
      await stop()
      return open(dir, kept)
    },
    close: async () => {
      await stop()
      await kept.dispose()
    },
  }
}

async function registerKey(
  database: Database,
  signer: Signer,
  jwk: JWK,
  validity: { from?: string; to?: string; revoked?: string },
): Promise<void> {
  const thumbprint = await calculateJwkThumbprint(jwk)
  await database.transaction(async (tx) => {
    const key = {
      principal_id: Number(signer.clientId.split('@')[0]),
      thumbprint,
      jwk: JSON.stringify(jwk),
      not_before_utc: validity.from ?? null,
      expires_utc: validity.to ?? null,
      created_utc: '2026-11-21T06:00:00.000Z',
      revoked_utc: validity.revoked ?? null,
    }
    await tx.insertInto('service_keys').values(key).execute()
  })
}

/** Signed in or not, as the station's own authorisation asks it. */
function authorizeBy(tokens: TokensService): Authorize {
  return async (route, { headers }) => {
    if (route.permission.kind === 'anyone') return { principal: null }
    const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    try {
      if (bearer === undefined) throw new Fault('Unauthorized', 'Sign in first.')
      return { principal: await tokens.verifyAccessToken(bearer) }
    } catch (refusal) {
      if (!(refusal instanceof Fault)) throw refusal
      return { principal: null, refusal }
    }
  }
}

/** A fresh key pair beside the one of the connection file. */
export async function freshKeys(
  kind: 'rsa' | 'ec',
  kid: string,
  bits = 2048,
): Promise<{ privateKey: KeyObject; publicKey: KeyObject; jwk: JWK }> {
  const made =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...made, jwk: { ...(await exportJWK(made.publicKey)), kid } }
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, string>
}

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export async function ask(
  world: World,
  clientId: string,
  assertion: string,
  more: Record<string, string> = {},
): Promise<TokenAnswer> {
  const form = new URLSearchParams({ grant_type: JWT_BEARER, client_id: clientId, assertion, ...more })
  const response = await fetch(world.endpoint, { method: 'POST', body: form })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, string> }
}

/** The same request `count` times over `connections` connections at once. @returns how often each status and OAuth error came. */
export async function storm(
  world: World,
  clientId: string,
  assertion: string,
  count: number,
  connections: number,
): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const form = new URLSearchParams({ grant_type: JWT_BEARER, client_id: clientId, assertion }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(form) }
  const one = () =>
    new Promise<string>((resolve, reject) => {
      const sent = httpRequest(world.endpoint, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          resolve(`${response.statusCode} ${(JSON.parse(text) as { error?: string }).error ?? ''}`.trim()),
        )
      })
      sent.once('error', reject)
      sent.end(form)
    })
  const counted: Record<string, number> = {}
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await one()
      counted[answer] = (counted[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  agent.destroy()
  return counted
}
